"""What the host has within reach of a program that gets out, and whether it was touched."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

from assay.sandbox.inside import syscalls

SECRET = "the secret of the host"


def names(folder):
    return sorted(path.name for path in Path(folder).iterdir())


def differences(before, after):
    """What has changed, down to the single entry."""
    if isinstance(before, dict) and isinstance(after, dict):
        return {key: differences(before[key], after[key]) for key in before if before[key] != after[key]}
    return [before, after]


def listed():
    """Numbers of the calls that a sample may make at some level, and of those that end it."""
    names = syscalls.names(f"{syscalls.FREE} {syscalls.FILES} {syscalls.PROCESSES} {syscalls.RULED}")
    return [
        syscalls.NUMBERS[os.uname().machine][name] for name in names if name in syscalls.NUMBERS[os.uname().machine]
    ]


class Host:
    """What the host has within reach, and whether it was touched."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.chmod(0o777)
        self.secret = self.folder / "secret"
        self.secret.write_text(SECRET)
        self.secret.chmod(0o666)
        os.utime(self.secret, (1, 1))
        (self.folder / "folder").mkdir(mode=0o755)
        self.listeners = {
            "tcp": self._inet(socket.AF_INET, "127.0.0.1", socket.SOCK_STREAM),
            "tcp6": self._inet(socket.AF_INET6, "::1", socket.SOCK_STREAM),
            "udp": self._inet(socket.AF_INET, "127.0.0.1", socket.SOCK_DGRAM),
            "stream": self._unix(socket.SOCK_STREAM, str(self.folder / "stream")),
            "datagrams": self._unix(socket.SOCK_DGRAM, str(self.folder / "datagrams")),
            "abstract": self._unix(socket.SOCK_STREAM, f"\0assay-escapes-{os.getpid()}"),
            "abstract datagrams": self._unix(socket.SOCK_DGRAM, f"\0assay-escapes-dgram-{os.getpid()}"),
        }
        self.seen = self._looks()

    def _inet(self, family, address, kind):
        try:
            listener = socket.socket(family, kind)
            listener.bind((address, 0))
        except OSError:
            return None
        return self._listening(listener)

    def _unix(self, kind, name):
        listener = socket.socket(socket.AF_UNIX, kind)
        listener.bind(name)
        if not name.startswith("\0"):
            Path(name).chmod(0o777)
        return self._listening(listener)

    def _listening(self, listener):
        listener.setblocking(False)
        if listener.type == socket.SOCK_STREAM:
            listener.listen()
        return listener

    def _looks(self):
        facts, null = self.secret.stat(), Path(os.devnull).stat()
        return {
            "file": [self.secret.read_text(), f"{facts.st_mode:o}", facts.st_uid, facts.st_mtime, facts.st_nlink],
            "folders": [names(folder) for folder in (self.folder, self.folder / "folder")],
            "null": [null.st_mode, null.st_uid, null.st_mtime_ns, null.st_ctime_ns],
        }

    def there(self):
        """What programs are told."""
        ports = {
            name: one.getsockname()[1] if one else 9
            for name, one in self.listeners.items()
            if name[:3] in ("tcp", "udp")
        }
        return {
            "secret": str(self.secret),
            "secret text": SECRET,
            "folder": str(self.folder),
            "stream": str(self.folder / "stream"),
            "datagrams": str(self.folder / "datagrams"),
            "abstract": self.listeners["abstract"].getsockname().decode(),
            "abstract datagrams": self.listeners["abstract datagrams"].getsockname().decode(),
            "source": str(Path(sys.modules["assay"].__path__[0])),
            "tests": str(Path(__file__).parent),
            "engine": os.getpid(),
            "user": os.getuid(),
            "listed": listed(),
            **ports,
        }

    def touched(self):
        """What was done to it since the last look."""
        was, self.seen = self.seen, self._looks()
        heard = [name for name, one in self.listeners.items() if one and self._heard(one)]
        return differences(was, self.seen) | ({"messages": heard} if heard else {})

    def _heard(self, listener):
        try:
            listener.accept()[0].close() if listener.type == socket.SOCK_STREAM else listener.recv(10)
        except BlockingIOError:
            return False
        return True

    def close(self):
        for one in self.listeners.values():
            if one:
                one.close()
