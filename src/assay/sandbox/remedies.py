"""What would bring a missing layer, in plain words with a command: for `assay doctor` and for the error that refuses to run.

One function a layer; each answers for the kind of machine that it is given, so that a reader sees the one command that helps there.
docs/containers.md has the same for containers at length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.sandbox.inside import syscalls
from assay.sandbox.interpreter import real_interpreter

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.sandbox.host import Host

_AS_ROOT = '`sudo "$(command -v assay)" ...`'
_DOCKER = "--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined"
_PODMAN = "--security-opt seccomp=unconfined --security-opt unmask=ALL --security-opt label=disable"
_TWO_UIDS = "--cap-add SYS_ADMIN --cap-add SETUID --cap-add SETGID"
_POD = (
    "in the pod's spec `hostUsers: false`, and in the container's securityContext `seccompProfile: {type: Unconfined}`, "
    "`appArmorProfile: {type: Unconfined}` and `procMount: Unmasked`"
)
_BOOT = "with `lsm=landlock,` before the list in /sys/kernel/security/lsm on its command line"
_WSL_2 = (
    "`wsl --update`, then in %UserProfile%\\.wslconfig under [wsl2] `kernelCommandLine = lsm=landlock,yama,bpf`, and "
    "`wsl --shutdown`"
)
_ROUND_ALL = "puts one round the whole container"
_WRITABLE_IN_A_POD = (
    "`cgroup_writable = true` for containerd's runtime (from 2.1 on) or CRI-O's annotation "
    "`io.kubernetes.cri-o.cgroup2-mount-hierarchy-rw: 'true'`"
)
_VERSION_2_ON_WSL = (
    "`kernelCommandLine = cgroup_no_v1=all` below [wsl2] in "
    "%UserProfile%\\.wslconfig, `systemd=true` below [boot] in /etc/wsl.conf"
)
_DELEGATED = "systemd-run --user --scope -p Delegate=yes assay ..."
_BY_NUMBER = ("namespaces", "two uids", "seccomp")
"""Layers that need the numbers of system calls."""

_WSL_1 = "WSL 1 has no Linux kernel: in PowerShell `wsl --set-version DISTRIBUTION 2`"


def remedy(layer: str, host: Host, level: str = "", wanted: str = "") -> str:
    """What to do about a missing layer on that machine; with the level found and the level wanted, the way round it as well."""
    known = _other_machine if layer in _BY_NUMBER and host.machine not in syscalls.NUMBERS else _REMEDIES.get(layer)
    text = known(host) if known else "see docs/internals/sandbox.md"
    if wanted:
        text += f". This machine gives {level}, {wanted} is asked for; `--unsafe` (in Python: minimum_level={level!r}) makes do with it"
    return text


def _other_machine(host: Host) -> str:
    return f"run assay on {' or '.join(syscalls.NUMBERS)}: the system calls of {host.machine} are in no list (inside/syscalls.py)"


def _namespaces(host: Host) -> str:
    if host.wsl == 1:
        return _WSL_1
    match host.container:
        case "Docker" | "a container":
            return f"start the container with `docker run {_DOCKER} ...`{_host_too(host)}"
        case "Podman":
            return f"start the container with `podman run {_PODMAN} ...`{_host_too(host)}"
        case "Kubernetes":
            return f"{_POD}{_host_too(host)}"
        case "":
            return _settings(host)


def _settings(host: Host) -> str:
    """What lifts the settings of the kernel that forbid an ordinary user's namespaces; root needs none of it."""
    commands = [_COMMANDS[setting]() for setting in host.forbids]
    if not commands and host.root:
        return "root lacks CAP_SYS_ADMIN here, or the kernel has no namespaces (CONFIG_USER_NS, CONFIG_PID_NS, CONFIG_NET_NS)"
    if not commands:
        guess = {"Ubuntu": "kernel.apparmor_restrict_unprivileged_userns", "Debian": "kernel.unprivileged_userns_clone"}
        setting = guess.get(host.family, "user.max_user_namespaces")
        commands = [f"allow it ({setting}; nothing in /proc/sys says that it is forbidden): {_COMMANDS[setting]()}"]
    return f"{', and '.join(commands)}; or run assay as root: {_AS_ROOT}"


def _host_too(host: Host) -> str:
    settings = " and ".join(host.forbids)
    return f"; on the machine round it lift {settings}" if settings else ""


def _apparmor() -> str:
    python = real_interpreter()
    profile = f"abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile assay {python} flags=(unconfined) {{ userns, }}\\n"
    return (
        f"let this interpreter make user namespaces: `printf '{profile}' | sudo tee /etc/apparmor.d/assay` and "
        "`sudo apparmor_parser -r /etc/apparmor.d/assay`"
    )


_COMMANDS: dict[str, Callable[[], str]] = {
    "kernel.unprivileged_userns_clone": lambda: "`sudo sysctl -w kernel.unprivileged_userns_clone=1`",
    "kernel.apparmor_restrict_unprivileged_userns": _apparmor,
    "user.max_user_namespaces": lambda: "`sudo sysctl -w user.max_user_namespaces=15000`",
}


def _two_uids(host: Host) -> str:
    match host.container:
        case "Docker" | "a container":
            return f"start the container with `docker run --user 0 {_TWO_UIDS} {_DOCKER} ...`"
        case "Podman":
            return f"as root: `podman run --user 0 {_TWO_UIDS} {_PODMAN} ...`"
        case "Kubernetes":
            return f"`runAsUser: 0` and `capabilities: {{add: [SYS_ADMIN, SETUID, SETGID]}}` in the securityContext; {_POD}"
        case "":
            return "give root its capabilities (CAP_SYS_ADMIN, CAP_SETUID)" if host.root else f"run as root: {_AS_ROOT}"


def _landlock(host: Host) -> str:
    if host.wsl == 1:
        return _WSL_1
    if host.wsl == 2:
        return _WSL_2
    if host.container:
        old = "an old Docker refuses its calls: update it, or `--security-opt seccomp=unconfined`"
        return f"a kernel from 5.13 on, booted {_BOOT}; {old}"
    args = "lsm=landlock,$(cat /sys/kernel/security/lsm)"
    match host.family:
        case "Fedora":
            return f'`sudo grubby --update-kernel=ALL --args="{args}"`, and boot anew (a kernel from 5.13 on)'
        case "Debian" | "Ubuntu":
            command = f"""echo 'GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX '"{args}"'"' | sudo tee /etc/default/grub.d/landlock.cfg"""
            return f"`{command}`, `sudo update-grub`, and boot anew (a kernel from 5.13 on)"
        case "Linux":
            return f"boot a kernel from 5.13 on (CONFIG_SECURITY_LANDLOCK=y) {_BOOT}"


def _seccomp(host: Host) -> str:
    return _WSL_1 if host.wsl == 1 else "use x86-64 or aarch64, on a kernel with CONFIG_SECCOMP_FILTER=y"


def _memory_cgroup(host: Host) -> str:
    """One round the whole container or run is a wall too; only one of assay's own tells whose memory it was."""
    if host.wsl == 1:
        return _WSL_1
    match host.container:
        case "Docker" | "a container":
            own = f"`docker run --user 0 --cap-add SYS_ADMIN {_DOCKER} --security-opt writable-cgroups=true ...` (Docker from 28 on)"
            return f"`docker run --memory 8g` {_ROUND_ALL}; one of assay's own: {own}"
        case "Podman":
            own = f"as root `podman run --user 0 --cap-add SYS_ADMIN {_PODMAN} ...` (`unmask=ALL` makes /sys/fs/cgroup writable)"
            return f"`podman run --memory 8g` {_ROUND_ALL}; one of assay's own: {own}"
        case "Kubernetes":
            own = f"what L4 needs ({_two_uids(host)}), and on the node {_WRITABLE_IN_A_POD}"
            return f"`resources: {{limits: {{memory: 8Gi}}}}` {_ROUND_ALL}; one of assay's own needs {own}"
        case "":
            return _delegation(host)


def _delegation(host: Host) -> str:
    """A cgroup of its own for assay, on a machine with systemd; without that, where /sys/fs/cgroup is writable."""
    if host.wsl == 2:
        return f"{_VERSION_2_ON_WSL}, in PowerShell `wsl --shutdown`, and then `{_DELEGATED}`"
    if host.root:
        return (
            'start it in a cgroup of its own: `systemd-run --scope -p Delegate=yes "$(command -v assay)" ...`; without systemd '
            "/sys/fs/cgroup must be writable"
        )
    return (
        f"start it in a cgroup of its own: `{_DELEGATED}` (where that finds no session: `sudo loginctl enable-linger $USER`, and log "
        f"in anew); with version 1 of cgroups, as root: {_AS_ROOT}"
    )


_REMEDIES: dict[str, Callable[[Host], str]] = {
    "namespaces": _namespaces,
    "virtual machine": lambda _: (
        "run assay inside a virtual machine or under gVisor; no level above L4 can be seen from within"
    ),
    "two uids": _two_uids,
    "landlock": _landlock,
    "seccomp": _seccomp,
    "no new privileges": lambda _: "boot a kernel from 3.5 on",
    "resource limits": lambda _: "raise the hard limits that assay runs under (`ulimit -H -a`; in Docker `--ulimit`)",
    "fair clock": lambda _: (
        "boot a kernel with CONFIG_SCHED_INFO=y; until then wall time is charged, so run few workers"
    ),
    "memory cgroup": _memory_cgroup,
}
