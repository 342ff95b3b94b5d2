"""Memory laid out so that a clone of it is cheap: most of what a sample costs is copied page table entries and faults.

A clone copies an entry for each page that the parent has of memory that was ever written to, one by one unless they lie in one large block
of the kernel's (a huge page, also one that was taken apart since), whose entries go over in one piece. So what the interpreter allocates
while it loads is gathered in the heap, and the heap is folded into such blocks.

The pages of a program file, on the other hand, are not copied: the kernel expects an exec, and lets each child meet every one of them by a
fault of its own (70 of a sample's 390). So the interpreter's own code is copied into large blocks, which then stand in the place of the
file: two entries go over instead of a thousand. What can't be so laid is handed down page by page: a file's mapping that has one page
written to counts as written to, so one byte of it is written over with itself. Other files are not worth that: an entry that is copied and
taken down again costs a tenth of a fault, which brings up to sixteen pages.

What children touch is to lie on few pages, since each that they write to is copied: a count of references is enough. An interpreter that
has loaded much is full of holes, over which whatever comes next is scattered. So the holes are filled before the code comes that every
sample runs, and once more before the first child, which then makes its own objects on fresh pages.

What is left where no block can be is moved onto pages that lie side by side in some (`moving.py`): their entries go over by the run.

All of this is a matter of price alone: where the kernel or the C library doesn't play along, children are cloned as they come.
Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from typing import TYPE_CHECKING, NamedTuple

from assay.sandbox.inside import linux, moving
from assay.sandbox.inside.linux import HUGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

_LARGE_BYTES = 1 << 17
"""A smaller mapping of a file costs a clone about as much as the faults that it spares; less memory isn't worth a mapping of its own."""

_POOL_BYTES = 1 << (14 if sys.version_info >= (3, 10) else 12)
"""What the interpreter's allocator cuts its memory into, each for objects of one size; aligned so, it wastes nothing of an arena."""

_FIRST_AT = 48
"""Where the first object lies in such a piece."""

_FEW = 8

_SMALL, _SMALLEST = range(16, 513, 16), 528
"""The sizes of objects that come in such pieces, and the smallest that comes from the C library, in bytes."""

_MOST_BYTES = 16 << 20
"""More than this is not filled, should the memory come from another allocator than is known here."""


class Mapping(NamedTuple):
    """A private mapping: its address, its size, its rights (`rw-`), its file or what the kernel calls it."""

    address: int
    size_bytes: int
    rights: str
    path: str

    @property
    def is_of_file(self) -> bool:
        """Whether a file lies behind it."""
        return self.path.startswith("/")


class _Arenas(ctypes.Structure):
    """CPython's `PyObjectArenaAllocator`."""

    _fields_ = (("context", ctypes.c_void_p), ("alloc", ctypes.c_void_p), ("free", ctypes.c_void_p))


class Gathering:
    """While it lasts, the interpreter's memory for small objects comes out of the C library's heap, in one piece with all else."""

    def __init__(self) -> None:
        self._usual = _Arenas()
        ctypes.pythonapi.PyObject_GetArenaAllocator(ctypes.byref(self._usual))
        _widen_heap()
        library = ctypes.CDLL(None)
        alloc, free = (ctypes.cast(function, ctypes.c_void_p) for function in (library.aligned_alloc, library.getppid))
        # `alloc(context, size)` is `aligned_alloc(alignment, size)`; what is freed meanwhile is not given back: `getppid` does nothing
        ctypes.pythonapi.PyObject_SetArenaAllocator(ctypes.byref(_Arenas(_POOL_BYTES, alloc, free)))

    def end(self) -> None:
        """Memory comes from where it always came from again."""
        ctypes.pythonapi.PyObject_SetArenaAllocator(ctypes.byref(self._usual))


def fill_holes() -> int:
    """Takes the free room between all that is alive, for good, so that what is made from now on lies close together; returns how many
    bytes.
    """
    small, large, give_back = ctypes.pythonapi.PyObject_Malloc, ctypes.CDLL(None).malloc, ctypes.CDLL(None).free
    small.restype = large.restype = ctypes.c_void_p
    small.argtypes = large.argtypes = (ctypes.c_size_t,)
    give_back.restype, give_back.argtypes = None, (ctypes.c_void_p,)
    taken = 0
    for size in _SMALL:
        address = 0
        while not _is_first(address) and taken < _MOST_BYTES:
            address = small(size)
            taken += size
    _widen_heap()
    end = large(HUGE_BYTES // 2)  # larger than any hole
    give_back(end)
    for size in _falling(HUGE_BYTES // 2):
        while (address := large(size)) < end and taken < _MOST_BYTES:
            taken += size
        give_back(address)
    return taken


def _is_first(address: int) -> bool:
    """Whether an object is the first of its piece, whose first number counts them, and alone there but for what this call makes itself:
    there was room for it in no other.
    """
    return address % _POOL_BYTES == _FIRST_AT and ctypes.c_uint32.from_address(address - _FIRST_AT).value < _FEW


def _widen_heap() -> None:
    """Has the C library take from its heap what is smaller than the largest block of its own that was ever given back: this one."""
    bytearray(HUGE_BYTES)


def _falling(size: int) -> Iterator[int]:
    """Sizes from that one down to the smallest, each a little smaller than the one before."""
    while size > _SMALLEST:
        yield size
        size -= 16 * max(1, size // 256)
    yield _SMALLEST


def fold() -> int:
    """Gives back what is free at the heap's end, and moves the rest of this process's own memory into large blocks, as far as it fills any;
    returns how many.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it
    if trim is not None:
        trim(0)
    own = [m for m in mappings() if m.rights == "rw-" and m.path in ("", "[heap]")]
    return sum(_folded(start) for mapping in own for start in blocks(mapping))


def blocks(mapping: Mapping) -> range:
    """Addresses of the large blocks that lie in a mapping.

    >>> [hex(start) for start in blocks(Mapping(0x1FF000, 0x500000, "rw-", "[heap]"))]
    ['0x200000', '0x400000']
    """
    first = -(-mapping.address // HUGE_BYTES) * HUGE_BYTES
    return range(first, mapping.address + mapping.size_bytes - HUGE_BYTES + 1, HUGE_BYTES)


def line_up() -> int:
    """Moves what lies outside of large blocks, of this process's own memory and of the data of programs and libraries, onto pages that lie
    side by side in some; returns how many bytes. Not for memory that is pinned.
    """
    if not moving.works():
        return 0
    own = mappings()
    movable = {"", "[heap]", *(m.path for m in own if m.is_of_file and m.rights in ("r--", "r-x"))}
    try:
        return moving.onto_blocks(
            [
                (start, size)
                for mapping in own
                if mapping.rights == "rw-" and mapping.path in movable
                for start, size in outside_blocks(mapping)
                if size >= _LARGE_BYTES and 2 * linux.resident_bytes(start, size) > size
            ]
        )
    except OSError:  # no blocks to be had, or what was listed is no longer there: it stays as it is
        return 0


def outside_blocks(mapping: Mapping) -> Iterator[tuple[int, int]]:
    """Addresses and sizes of what lies in no large block of a mapping.

    >>> [(hex(start), hex(size)) for start, size in outside_blocks(Mapping(0x1FF000, 0x403000, "rw-", "[heap]"))]
    [('0x1ff000', '0x1000'), ('0x600000', '0x2000')]
    """
    whole, end = blocks(mapping), mapping.address + mapping.size_bytes
    first, last = (whole[0], whole[-1] + HUGE_BYTES) if whole else (end, end)
    yield mapping.address, first - mapping.address
    yield last, end - last


def _folded(start: int) -> bool:
    try:
        linux.fold(start, HUGE_BYTES)
    except OSError:  # an older kernel, or no block to be had: it stays as it is
        return False
    return True


def hand_down() -> int:
    """Makes clones of this process be born with the interpreter's code, and with as few mappings as its files allow; returns how many large
    blocks hold the code.
    """
    code = interpreter(mappings(), ctypes.cast(ctypes.pythonapi.PyObject_Malloc, ctypes.c_void_p).value or 0)
    if code is None:
        return 0
    starts = [start for start in blocks(code) if _lifted(start)]
    _join()
    for mapping in mappings():
        if mapping.rights in ("r--", "r-x") and mapping.path == code.path and mapping.size_bytes >= _LARGE_BYTES:
            _touched(mapping)
    return len(starts)


def _join() -> None:
    """Makes one mapping of what lies side by side and belongs to one file: code and constants, data and what the loader has protected since
    it wrote to it. A mapping costs a clone and its end as much as forty pages that lie in a block.
    """
    for mapping, rights in joined(mappings()):
        with contextlib.suppress(OSError):  # a policy against it
            linux.protect(mapping.address, mapping.size_bytes, writable="w" in rights, executable="x" in rights)


def joined(own: list[Mapping]) -> Iterator[tuple[Mapping, str]]:
    """Mappings that are only read, and the rights of the neighbour that each can be one with.

    >>> parts = [("r--", 0x1000), ("r-x", 0x2000), ("r--", 0x3000), ("r--", 0x4000), ("rw-", 0x5000)]
    >>> [(hex(m.address), rights) for m, rights in joined([Mapping(at, 0x1000, rights, "/x") for rights, at in parts])]
    [('0x1000', 'r-x'), ('0x3000', 'r-x'), ('0x4000', 'rw-')]
    """
    starts = {mapping.address: mapping for mapping in own}
    ends = {mapping.address + mapping.size_bytes: mapping for mapping in own}
    for mapping in own:
        if mapping.rights == "r--" and mapping.is_of_file:
            beside = starts.get(mapping.address + mapping.size_bytes), ends.get(mapping.address)
            yield from [
                (mapping, other.rights)
                for other in beside
                if other and other.path == mapping.path and other.rights in ("rw-", "r-x")
            ][:1]


def interpreter(own: list[Mapping], inside: int) -> Mapping | None:
    """The file that is mapped at an address, as far as it is mapped in one piece and not to be written to; None if none is.

    >>> exe = [Mapping(0x1000, 0x1000, "r--", "/x"), Mapping(0x2000, 0x3000, "r-x", "/x"), Mapping(0x5000, 0x1000, "rw-", "/x")]
    >>> interpreter(exe, 0x2100)
    Mapping(address=4096, size_bytes=16384, rights='r-x', path='/x')
    """
    found = next((m for m in own if m.address <= inside < m.address + m.size_bytes), None)
    if found is None:
        return None
    first = last = found
    around = [m for m in own if m.path == first.path and m.rights in ("r--", "r-x")]
    for mapping in around:
        last = mapping if mapping.address == last.address + last.size_bytes else last
    for mapping in reversed(around):
        first = mapping if mapping.address + mapping.size_bytes == first.address else first
    return Mapping(first.address, last.address + last.size_bytes - first.address, "r-x", first.path)


def _lifted(start: int) -> bool:
    """Puts a copy that lies in one large block in the place of what is there, readable and executable; False where it isn't to be had, or a
    policy forbids code that comes from no file.
    """
    try:
        copy = moving.new_blocks(1)
    except OSError:
        return False
    try:
        ctypes.memmove(copy, start, HUGE_BYTES)
        linux.fold(copy, HUGE_BYTES)
        linux.protect(copy, HUGE_BYTES, writable=False, executable=True)
        linux.remap(copy, HUGE_BYTES, start)
    except OSError:
        linux.unmap(copy, HUGE_BYTES)
        return False
    return True


def _touched(mapping: Mapping) -> bool:
    """Writes the first byte of a mapping over with itself; False where a policy against writable code forbids it."""
    executable = mapping.rights == "r-x"
    try:
        linux.protect(mapping.address, mapping.size_bytes, writable=True, executable=executable)
    except OSError:
        return False
    byte = ctypes.c_ubyte.from_address(mapping.address)
    byte.value = int(byte.value)
    linux.protect(mapping.address, mapping.size_bytes, writable=False, executable=executable)
    return True


def mappings(pid: int | str = "self") -> list[Mapping]:
    """The private mappings of a process, this one or one that shows them."""
    with open(f"/proc/{pid}/maps", encoding="utf-8", errors="surrogateescape") as maps:
        return list(private(maps.read().splitlines()))


def private(rows: list[str]) -> Iterator[Mapping]:
    """The private mappings among the rows of `/proc/PID/maps`.

    >>> list(private(["1000-3000 r-xp 00000000 08:01 7  /bin/a b", "3000-4000 rw-s 00002000 08:01 7  /bin/a b"]))
    [Mapping(address=4096, size_bytes=8192, rights='r-x', path='/bin/a b')]
    """
    for row in rows:
        span, rights, _, _, _, *path = row.split(None, 5)
        if rights[3] == "p":
            first, end = (int(number, 16) for number in span.split("-"))
            yield Mapping(first, end - first, rights[:3], "".join(path))
