"""The Linux calls that Python has no name for, one thin function each: the only file that knows C signatures.

Every function raises OSError with the call's name. Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import ctypes
import functools
import os
import struct
from typing import Any

from assay.sandbox.inside import syscalls

MACHINE = os.uname().machine
CALLS = syscalls.NUMBERS.get(MACHINE, {})

NEWNS = 0x00020000
NEWCGROUP = 0x02000000
NEWUTS = 0x04000000
NEWIPC = 0x08000000
NEWUSER = 0x10000000
NEWPID = 0x20000000
NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4  # the same bits as those of MS_...

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
HUGE_BYTES = 2 << 20
"""The kernel's large block, on every machine with pages of 4 KiB."""

_PR_SET_NAME = 15
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_GET_TID_ADDRESS = 1, 4, 36, 38, 40

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
_libc.mremap.restype = ctypes.c_void_p
_libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
_libc.signal.restype = ctypes.c_void_p
_libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
_libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
_NO_CAPABILITIES = struct.pack("Ii", 0x20080522, 0), bytes(24)


def check(result: int, call: str) -> int:
    """`result`, or OSError that names the call where it is negative."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")
    return result


def syscall(name: str, *arguments: Any) -> int:
    """A raw system call by name; ENOSYS where this architecture's number isn't known."""
    if name not in CALLS:
        raise OSError(38, f"{name}: its number on {MACHINE} is not known")
    return check(_libc.syscall(ctypes.c_long(CALLS[name]), *arguments), name)


def unshare(flags: int) -> None:
    """Puts this process into new namespaces (the `NEW...` flags)."""
    check(_libc.unshare(ctypes.c_int(flags)), f"unshare({flags:#x})")


def setns(fd: int, kind: int) -> None:
    """Puts this process into the namespace behind `fd`."""
    check(_libc.setns(fd, kind), "setns")


def mount(source: str | None, target: str, kind: str | None, flags: int = 0, options: str | None = None) -> None:
    """`mount(2)`: source, target, file system type, `MS_...` flags, options."""
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    result = _libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])
    check(result, f"mount {kind or source or ''} on {target}")


def unmount(target: str) -> None:
    """Detaches what is mounted at `target`, now from view, later from the kernel."""
    check(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount {target}")


def make_read_only(target: str, *, devices: bool = False) -> None:
    """Makes a mount and all mounts below it read-only, without set-uid programs and, unless it is to show one, without devices."""
    wanted = ATTR_RDONLY | ATTR_NOSUID | (0 if devices else ATTR_NODEV)
    attributes = struct.pack("QQQQ", wanted, 0, 0, 0)
    recursive = 0x8000
    try:
        syscall("mount_setattr", -100, os.fsencode(target), recursive, attributes, ctypes.c_size_t(len(attributes)))
    except OSError:  # before Linux 5.12: the top mount only, keeping the flags that a user namespace may not clear
        kept = os.statvfs(target).f_flag & (os.ST_NOEXEC | os.ST_NOATIME | os.ST_NODIRATIME | os.ST_RELATIME)
        mount(None, target, None, MS_BIND | MS_REMOUNT | wanted | kept)


def pivot_root(new: str, old: str) -> None:
    """Makes `new` the root of this mount namespace and hangs the former one up at `old`."""
    syscall("pivot_root", os.fsencode(new), os.fsencode(old))


def prctl(option: int, value: int) -> None:
    """`prctl(2)` with one value."""
    check(_libc.prctl(option, value, 0, 0, 0), f"prctl({option})")


def set_name(name: str) -> None:
    """The name under which `ps` shows this process and those that it starts, at most 15 characters."""
    buffer = ctypes.create_string_buffer(name.encode())
    check(_libc.prctl(_PR_SET_NAME, ctypes.addressof(buffer), 0, 0, 0), "prctl(PR_SET_NAME)")


@functools.cache
def thread_id_address() -> int:
    """Where the C library keeps the first thread's id: the kernel must write it anew in a clone (`CLONE_CHILD_SETTID`).

    Asked once: clones have it at the same place, and the server's filter lets nobody ask.
    """
    address = ctypes.c_ulong(0)
    check(_libc.prctl(PR_GET_TID_ADDRESS, ctypes.addressof(address), 0, 0, 0), "prctl(PR_GET_TID_ADDRESS)")
    return address.value


def drop_capabilities() -> None:
    """Gives all capabilities up, for good where no_new_privs is set."""
    make(call_drop_capabilities())


def call_drop_capabilities() -> Call:
    """`drop_capabilities`, made ready for a child."""
    return prepare("capset", *_NO_CAPABILITIES)


def exit_on(signals: tuple[int, ...]) -> None:
    """Makes each of the signals end the process with `_exit(number)`.

    The first process of a pid namespace ignores signals whose action is the default one, so `os.kill(os.getpid(), SIGTERM)` would do
    nothing. A C function as handler makes it end, without any code of Python's between.
    """
    handler = ctypes.cast(_libc._exit, ctypes.c_void_p)  # noqa: SLF001 (the C library's _exit, not a private name)
    for number in signals:
        _libc.signal(number, handler)


def pause_on(signals: tuple[int, ...]) -> None:
    """Makes each of the signals hold the process up as a stop would: the kernel never stops the first process of a pid namespace."""
    handler = ctypes.cast(_libc.pause, ctypes.c_void_p)
    for number in signals:
        _libc.signal(number, handler)


def map_shared(fd: int, offset: int, size_bytes: int) -> int:
    """Address of a shared, writable mapping of a file, without the copy of the descriptor that `mmap.mmap` keeps."""
    return _address(_libc.mmap(None, size_bytes, 3, 1, fd, offset), "mmap")


def map_private(size_bytes: int) -> int:
    """Address of new memory of this process's own, readable and writable."""
    return _address(_libc.mmap(None, size_bytes, 3, 0x22, -1, 0), "mmap")


def unmap(address: int, size_bytes: int) -> None:
    """Gives mapped memory back."""
    check(_libc.munmap(address, size_bytes), "munmap")


def remap(address: int, size_bytes: int, to: int) -> None:
    """Moves mapped memory to another address, in the place of what is mapped there, in one step."""
    may_move, fixed = 1, 2
    _address(_libc.mremap(address, size_bytes, size_bytes, may_move | fixed, to), "mremap")


def _address(result: int | None, call: str) -> int:
    """What a call gave that maps memory, or OSError."""
    if result is None or result == ctypes.c_void_p(-1).value:
        check(-1, call)
    return int(result or 0)


def fold(address: int, size_bytes: int) -> None:
    """Moves mapped memory into huge pages, now (`MADV_COLLAPSE`, Linux 6.1)."""
    check(_libc.madvise(address, size_bytes, 25), "madvise(MADV_COLLAPSE)")


def resident_bytes(address: int, size_bytes: int) -> int:
    """How much of mapped memory there is, rather than only reserved (`mincore(2)`)."""
    told = (ctypes.c_char * -(-size_bytes // PAGE_BYTES))()
    check(_libc.mincore(address, size_bytes, told), "mincore")
    return sum(page & 1 for page in told.raw) * PAGE_BYTES


def protect(address: int, size_bytes: int, *, writable: bool, executable: bool) -> None:
    """Makes mapped memory readable, and writable and executable as asked (`mprotect(2)`)."""
    check(_libc.mprotect(address, size_bytes, 1 | writable << 1 | executable << 2), "mprotect")


def keep_from_children(address: int, size_bytes: int) -> None:
    """Keeps a mapping out of the memory of processes forked from now on (`MADV_DONTFORK`)."""
    check(_libc.madvise(address, size_bytes, 10), "madvise(MADV_DONTFORK)")


Call = tuple[Any, ...]
"""A system call made ready: what `raw_syscall` takes. Nothing is allocated when it is made, and few pages are touched."""


def prepare(name: str, *arguments: Any) -> Call:
    """The call of that name. Plain ints (of 32 bits), bytes, None and `byref` objects cost a child least."""
    if name not in CALLS:
        raise OSError(38, f"{name}: its number on {MACHINE} is not known")
    return (CALLS[name], *arguments)


def make(call: Call) -> None:
    """Makes a prepared call; OSError where it fails."""
    if raw_syscall(*call) < 0:
        raise failure(call)


def failure(call: Call) -> OSError:
    """The error that a prepared call which has just failed left behind."""
    number = last_error()
    name = next((name for name, value in CALLS.items() if value == call[0]), str(call[0]))
    return OSError(number, f"{name}: {os.strerror(number)}")


def last_error() -> int:
    """`errno` after `raw_syscall`, where the C library keeps it; for the process's first thread."""
    return _errno.value


raw_syscall = ctypes.PyDLL(None).syscall
"""`syscall(2)` with the interpreter lock held and without ctypes' own copy of errno: each would cost a child a few pages more."""

raw_syscall.restype = ctypes.c_long
_errno_location = _libc["__errno_location"]
_errno_location.restype = ctypes.c_void_p
_errno = ctypes.c_int.from_address(_errno_location())
