"""What this machine gives: each layer tried by doing it in a throw-away child, and in plain words what would bring a missing one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import msgspec

from assay.errors import SandboxError
from assay.records import Record
from assay.sandbox.host import Host, read_host
from assay.sandbox.inside import BOOT
from assay.sandbox.interpreter import FLAGS, real_interpreter
from assay.sandbox.remedies import remedy

_PATIENCE_S = 60.0


class Layer(Record):
    """One layer: whether it works here; if not, why (the kernel's words) and what would bring it."""

    name: str
    works: bool
    why: str
    remedy: str = ""


class Doctor(Record):
    """The level that samples would run at here, each layer, and the kind of machine that the remedies are for."""

    level: str
    layers: tuple[Layer, ...]
    host: Host = Host()


class _Found(msgspec.Struct):
    name: str
    works: bool
    why: str


class _Answer(msgspec.Struct):
    level: str
    layers: tuple[_Found, ...]


def probe(python: str | None = None) -> Doctor:
    """Tries every layer with the interpreter that samples would run on (this one's, unless another is named).

    Raises:
        SandboxError: The interpreter can't run the probe at all.
    """
    command = [python or real_interpreter(), *FLAGS, BOOT, "probe"]
    answer = subprocess.run(  # noqa: S603 (an interpreter of the user's choice, with our own file)
        command,
        capture_output=True,
        check=False,
        timeout=_PATIENCE_S,
        stdin=subprocess.DEVNULL,
        env={"LANG": "C.UTF-8"},
    )
    if answer.returncode:
        raise SandboxError(
            f"the sandbox can't be probed with {command[0]}: {answer.stderr.decode(errors='replace').strip()}"
        )
    found = msgspec.json.decode(answer.stdout, type=_Answer)
    host = this_host()
    return Doctor(level=found.level, layers=tuple(_explained(layer, host) for layer in found.layers), host=host)


def this_host() -> Host:
    """The machine that this process runs on."""
    return read_host(Path("/"), os.environ, os.geteuid())


def _explained(layer: _Found, host: Host) -> Layer:
    words = "" if layer.works else remedy(layer.name, host)
    return Layer(name=layer.name, works=layer.works, why=layer.why, remedy=words)
