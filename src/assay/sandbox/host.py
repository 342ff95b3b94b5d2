"""Which kind of machine this is, as far as it decides what would bring a missing layer: read from files that systems and engines leave.

Only advice rests on it: what a layer does is found by doing it (`inside.ladder`). A wrong guess here costs a reader a minute and no wall.
"""

from __future__ import annotations

import platform
import re
from typing import TYPE_CHECKING, Literal

from assay.records import Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Family = Literal["Debian", "Ubuntu", "Fedora", "Linux"]
"""Distributions whose commands are alike: Fedora's are those of Red Hat's too, `Linux` is any other."""

Container = Literal["", "Docker", "Podman", "Kubernetes", "a container"]

_LIKE: dict[str, Family] = {
    "ubuntu": "Ubuntu",
    "debian": "Debian",
    "fedora": "Fedora",
    "rhel": "Fedora",
    "centos": "Fedora",
}
_SETTINGS = (
    ("kernel/unprivileged_userns_clone", "0"),
    ("kernel/apparmor_restrict_unprivileged_userns", "1"),
    ("user/max_user_namespaces", "0"),
)
_CONTAINED = re.compile(r"docker|kubepods|containerd|libpod|lxc|crio")


class Host(Record):
    """A machine: its distribution's name and family, its processor, the container and the WSL that assay is in (0: none, else its version).

    `forbids` are the kernel's settings, by the names that `sysctl` knows, that keep an ordinary user from making user namespaces.
    """

    name: str = "Linux"
    family: Family = "Linux"
    machine: str = "x86_64"
    container: Container = ""
    wsl: int = 0
    root: bool = False
    forbids: tuple[str, ...] = ()

    def __str__(self) -> str:
        places = (f"in {self.container}" if self.container else "", f"on WSL {self.wsl}" if self.wsl else "")
        return " ".join(
            word for word in (self.name, *places, "as root" if self.root else "as an ordinary user") if word
        )


def read_host(root: Path, environment: Mapping[str, str], uid: int) -> Host:
    """The machine whose files lie below `root`, as a user with that uid and environment finds it."""
    release = _release(root)
    kernel = _text(root / "proc/sys/kernel/osrelease").lower()
    return Host(
        name=release.get("PRETTY_NAME", "") or f"Linux on {platform.machine()}",
        family=_family(release),
        machine=platform.machine(),
        container=_container(root, environment),
        wsl=0 if "microsoft" not in kernel else 2 if "microsoft-standard" in kernel or "wsl2" in kernel else 1,
        root=uid == 0,
        forbids=tuple(
            path.replace("/", ".") for path, value in _SETTINGS if _text(root / "proc/sys" / path).strip() == value
        ),
    )


def _release(root: Path) -> dict[str, str]:
    text = _text(root / "etc/os-release") or _text(root / "usr/lib/os-release")
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {name.strip(): value.strip().strip("\"'") for name, _, value in pairs}


def _family(release: Mapping[str, str]) -> Family:
    names = [release.get("ID", ""), *release.get("ID_LIKE", "").split()]
    return next((_LIKE[name] for name in names if name in _LIKE), "Linux")


def _container(root: Path, environment: Mapping[str, str]) -> Container:
    if "KUBERNETES_SERVICE_HOST" in environment or (root / "var/run/secrets/kubernetes.io").exists():
        return "Kubernetes"
    if (root / "run/.containerenv").exists() or environment.get("container") == "podman":
        return "Podman"  # with --read-only it lays an empty /run over its mark
    if (root / ".dockerenv").exists():
        return "Docker"
    contained = environment.get("container") or _CONTAINED.search(_text(root / "proc/1/cgroup"))
    return "a container" if contained else ""


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
