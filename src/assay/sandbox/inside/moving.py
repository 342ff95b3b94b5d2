"""Moving memory that is in use onto other pages, at one stroke.

A clone copies entry by entry what its parent's memory has of pages that came one by one: 150 ns each, with the child's end. Pages that lie
side by side in one large block of the kernel's go over by the run, at a third of that, *wherever they are mapped*. So what lies at
addresses where no block could (the interpreter's data, its first arenas, both ends of the heap) is copied into blocks, and those pages are
mapped in the place of the old ones.

Between the copy and the exchange nothing may be written, and an interpreter writes to its data with every instruction: it counts
references. So `memcpy` and `mremap` are linked as contexts of the C library (`makecontext(3)`). One call from Python runs both, and nothing
in between.

Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import os
from typing import Any

from assay.sandbox.inside import linux
from assay.sandbox.inside.clone import clone
from assay.sandbox.inside.linux import HUGE_BYTES, PAGE_BYTES

Span = tuple[int, int]
"""An address and a number of bytes, both whole pages."""

_CONTEXT_BYTES = 1 << 13  # glibc's `ucontext_t` has 968 on x86-64, 4,560 on aarch64
_STACK_BYTES = 1 << 16
_LINK, _STACK, _STACK_SIZE = 1, 2, 4
"""Fields of `ucontext_t` that glibc has at these places, each of 8 bytes, on every machine that is known here."""

_MAY_MOVE_FIXED = 3
_TRIED_BYTES = 1 << 17


class _Stroke:
    """Copies memory and has the copy take its place, as one call. AttributeError where the C library has no contexts."""

    def __init__(self) -> None:
        library = ctypes.CDLL(None)
        self._get, self._make = library.getcontext, library.makecontext
        self._copy, self._move = library.memcpy, library.mremap
        self._get.argtypes = [ctypes.c_void_p]
        self._swap = ctypes.PyDLL(None).swapcontext
        self._swap.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self._size_bytes = 3 * _CONTEXT_BYTES + 2 * _STACK_BYTES
        self._room = linux.map_private(self._size_bytes)

    def make(self, span: Span, copy: int) -> None:
        """Copies a span to `copy`, which is mapped and has room for it, and maps those pages where the span is."""
        address, size = span
        back, first, second = (self._room + place * _CONTEXT_BYTES for place in range(3))
        self._prepare(second, back, 0, self._move, (copy, size, size, _MAY_MOVE_FIXED, address))
        self._prepare(first, second, 1, self._copy, (copy, address, size))
        linux.check(self._swap(back, first), "swapcontext")
        if _is_mapped(copy):
            raise OSError(errno.ENOMEM, "mremap: the copy is where it was")

    def _prepare(self, context: int, link: int, stack: int, function: Any, arguments: tuple[int, ...]) -> None:
        linux.check(self._get(context), "getcontext")
        fields = (ctypes.c_uint64 * 5).from_address(context)
        fields[_LINK] = link
        fields[_STACK] = self._room + 3 * _CONTEXT_BYTES + stack * _STACK_BYTES
        fields[_STACK_SIZE] = _STACK_BYTES
        address = ctypes.cast(function, ctypes.c_void_p)
        self._make(ctypes.c_void_p(context), address, len(arguments), *map(ctypes.c_uint64, arguments))

    def close(self) -> None:
        """Gives back what it works with."""
        linux.unmap(self._room, self._size_bytes)


def onto_blocks(spans: list[Span]) -> int:
    """Moves spans of this process's own memory, readable and writable, onto pages of large blocks; returns how many bytes. For a process
    with one thread, where `works`.

    Raises:
        OSError: There are no such blocks to be had, or the kernel moves no more; what was not moved is as it was.
    """
    count = -(-sum(size for _, size in spans) // HUGE_BYTES)
    room = new_blocks(count)
    end = room + count * HUGE_BYTES
    try:
        for start in range(room, end, HUGE_BYTES):
            ctypes.memset(start, 0, 1)  # what was never written to is not folded
            linux.fold(start, HUGE_BYTES)
        with contextlib.closing(_Stroke()) as stroke:
            for span in spans:
                stroke.make(span, room)
                room += span[1]
    finally:
        if room < end:
            linux.unmap(room, end - room)
    return sum(size for _, size in spans)


def _is_mapped(address: int) -> bool:
    try:
        linux.resident_bytes(address, PAGE_BYTES)
    except OSError:
        return False
    return True


def new_blocks(count: int) -> int:
    """Address of new memory that could be so many large blocks.

    Raises:
        OSError: There is none.
    """
    size = count * HUGE_BYTES
    room = linux.map_private(size + HUGE_BYTES)
    address = -(-room // HUGE_BYTES) * HUGE_BYTES
    before, after = address - room, room + HUGE_BYTES - address
    if before:
        linux.unmap(room, before)
    if after:
        linux.unmap(address + size, after)
    return address


@functools.cache
def works() -> bool:
    """Whether memory can be moved here: it is tried in a process that nobody needs, with memory that nobody needs, for should it go wrong
    the process is lost. Tried once; clones of this process know.
    """
    try:
        pid, pidfd = clone(0)
    except OSError:
        return False
    if pid == 0:
        os._exit(_tried())
    os.close(pidfd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def _tried() -> int:
    """0 where it went well."""
    try:
        address = linux.map_private(2 * _TRIED_BYTES)
        told = os.urandom(2 * _TRIED_BYTES)
        ctypes.memmove(address, told, len(told))
        onto_blocks([(address, _TRIED_BYTES), (address + _TRIED_BYTES, _TRIED_BYTES)])
        return int(ctypes.string_at(address, len(told)) != told)
    except (AttributeError, OSError):
        return 1
