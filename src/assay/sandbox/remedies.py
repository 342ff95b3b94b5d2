"""What would bring a missing layer, in plain words with a command: for `assay doctor` and for the error that refuses to run."""

from __future__ import annotations

_REMEDIES = {
    "namespaces": (
        "run as root, or let users make user namespaces: `sysctl -w kernel.unprivileged_userns_clone=1` (Debian), "
        "`sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` (Ubuntu 24.04), `sysctl -w user.max_user_namespaces=15000` (RHEL); "
        "in Docker: `--security-opt seccomp=unconfined --security-opt apparmor=unconfined`, or `--privileged`"
    ),
    "virtual machine": "run assay inside a virtual machine or under gVisor; no level above L4 can be seen from within",
    "two uids": "run as root",
    "landlock": "boot a kernel from 5.13 on with `lsm=landlock,...` on its command line (CONFIG_SECURITY_LANDLOCK=y)",
    "seccomp": "use x86-64 or aarch64, on a kernel with CONFIG_SECCOMP_FILTER=y",
    "no new privileges": "boot a kernel from 3.5 on",
    "resource limits": "raise the hard limits that assay runs under (`ulimit -H -a`)",
    "fair clock": "boot a kernel with CONFIG_SCHED_INFO=y; until then wall time is charged, so run few workers",
    "memory cgroup": (
        "run as root where /sys/fs/cgroup is writable, or let systemd delegate one: `systemd-run --user --scope -p Delegate=yes assay ...`"
    ),
}


def remedy(layer: str, level: str = "", wanted: str = "") -> str:
    """What to do about a missing layer; with the level found and the level wanted, the way round it as well."""
    text = _REMEDIES.get(layer, "see docs/internals/sandbox.md")
    if wanted:
        text += f". This machine gives {level}, {wanted} is asked for; `--unsafe` (in Python: minimum_level={level!r}) makes do with it"
    return text
