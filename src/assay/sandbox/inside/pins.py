"""Pages that every child writes to are copied when it is born, instead of one by one by faults of its own.

A clone shares its parent's pages, and the first to write to one gets a copy, by a fault that costs about twice what the copy does; the
parent, which writes to the same pages between two clones, meets as many. But a page that is *pinned* (a device may be about to write to it)
is never shared: the kernel gives a clone a copy at once. Memory is pinned by registering it as a buffer of an `io_uring`, which nobody then
uses. Which pages those are is seen after a rehearsal: while its child waits, what it has written to is mapped by the zygote alone.

A block of the kernel's that lies whole in the zygote goes over to a clone in one piece, and pinning a page takes it apart: it pays only
where many of its pages are written to. The ring belongs to the server, whose descriptors no child keeps; what registers a buffer is taken
away by each child's filter like all that only confining needs. A matter of price alone: where there is no `io_uring`, children are cloned
as they come.
Runs inside the server process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import time
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Callable

from assay.sandbox.inside import linux
from assay.sandbox.inside.linux import HUGE_BYTES, PAGE_BYTES
from assay.sandbox.inside.pages import Mapping, blocks, mappings

if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int]

_PRESENT, _ONLY_HERE = 1 << 63, 1 << 56  # of an entry of /proc/PID/pagemap
_PARAMETERS_BYTES = 120  # of `struct io_uring_params`
_REGISTER_BUFFERS = 0
_WORTH = 40
"""So many pages of a large block must be written to by each child, for pinning them to pay for the block's being taken apart."""
_MOST = 300
"""And no more: else it isn't what a child has written to, but memory that it has given back."""
_COUNTS = struct.Struct("QQ")
_SPAN = struct.Struct("QQ")
_MOST_SPANS = 2048
_PATIENCE_S, _MOMENT_S, _ANSWER_BYTES = 10.0, 0.002, 1 << 16


def open_ring() -> int | None:
    """Makes a ring whose only use is to pin memory; None where the kernel has none to give."""
    try:
        return linux.syscall("io_uring_setup", 1, ctypes.create_string_buffer(_PARAMETERS_BYTES))
    except OSError:  # an older kernel, or an administrator's wish
        return None


class Pinner:
    """The zygote's end: all that it needs to pin its own memory, made before the memory is laid out."""

    def __init__(self, ring: int | None) -> None:
        self._room = bytearray(_COUNTS.size + _MOST_SPANS * _SPAN.size)
        self._spans = ctypes.byref((ctypes.c_char * len(self._room)).from_buffer(self._room), _COUNTS.size)
        self._ring = ring

    def pin(self, source: int) -> int:
        """Reads what `pack` made from a pipe and pins those spans; returns how many."""
        own, count = self._read(source)
        return self._register(count) or self._register(own)

    def _read(self, source: int) -> tuple[int, int]:
        room = memoryview(self._room)
        got = os.readv(source, [room])
        own, count = _COUNTS.unpack_from(room)
        while got < _COUNTS.size + count * _SPAN.size:
            got += os.readv(source, [room[got:]])
        return own, count

    def _register(self, count: int) -> int:
        """Pins the first spans; returns how many: all or none. Before Linux 6.5 pages of files can't be pinned, written to or not."""
        if self._ring is None or not count:
            return 0
        try:
            linux.syscall("io_uring_register", self._ring, _REGISTER_BUFFERS, self._spans, count)
        except OSError:
            return 0
        return count


def pack(spans: list[Span], of_files: list[Span]) -> bytes:
    """What `Pinner.pin` reads: how many spans (address, bytes) are the process's own memory, these, and what it has of files."""
    chosen = [*spans, *of_files][:_MOST_SPANS]
    return b"".join((_COUNTS.pack(min(len(spans), _MOST_SPANS), len(chosen)), *(_SPAN.pack(*span) for span in chosen)))


NONE = pack([], [])


def converse(session: socket.socket, said: tuple[bytes, ...], meanwhile: Callable[[], object]) -> None:
    """Says to a child what is to be said, hears each answer, does something while it waits for more, and hears its end.

    Raises:
        TimeoutError: It doesn't answer. (One that has ended is no error here: what its end was will be seen.)
    """
    session.settimeout(_PATIENCE_S)
    with suppress(ConnectionError):
        for piece in said:
            session.sendall(piece)
            session.recv(_ANSWER_BYTES)
        time.sleep(_MOMENT_S)
        meanwhile()
        session.shutdown(socket.SHUT_WR)
        while session.recv(_ANSWER_BYTES):  # unread, it would be a failure of the child's
            pass


def hot(pid: int) -> bytes:
    """What a process has to itself of the memory that it shares with a clone that lives, as `pack` gives it: what the clone has written to,
    and the process itself since. Nothing where the process doesn't show it.
    """
    try:
        with open(f"/proc/{pid}/pagemap", "rb", buffering=0) as entries:
            found = [(mapping, [*_written(mapping, entries.fileno())]) for mapping in mappings(pid)]
    except OSError:
        return NONE
    own = [span for mapping, pages in found if not mapping.is_of_file for span in spans(worth(mapping, pages))]
    of_files = [span for mapping, pages in found if mapping.is_of_file for span in spans(pages)]
    return pack(own, of_files)


def _written(mapping: Mapping, entries: int) -> Iterator[int]:
    """Addresses of the pages of a writable mapping that nobody else has."""
    if mapping.rights != "rw-":
        return
    count = mapping.size_bytes // PAGE_BYTES
    told = os.pread(entries, 8 * count, mapping.address // PAGE_BYTES * 8)
    for place, (entry,) in enumerate(struct.iter_unpack("Q", told)):
        if entry & _PRESENT and entry & _ONLY_HERE:
            yield mapping.address + place * PAGE_BYTES


def worth(mapping: Mapping, pages: list[int]) -> list[int]:
    """Those of a mapping's pages that it pays to pin: not few of a large block, which may lie in one piece, nor all.

    >>> worth(Mapping(0x1FF000, 0x201000, "rw-", ""), [0x1FF000, 0x200000])
    [2093056]
    """
    whole = {start // HUGE_BYTES for start in blocks(mapping)}
    counts = Counter(page // HUGE_BYTES for page in pages)
    return [page for page in pages if page // HUGE_BYTES not in whole or _WORTH <= counts[page // HUGE_BYTES] <= _MOST]


def spans(pages: list[int]) -> list[Span]:
    """Pages side by side, taken together.

    >>> spans([0x1000, 0x2000, 0x5000])
    [(4096, 8192), (20480, 4096)]
    """
    starts = [page for before, page in zip([-1, *pages], pages) if page != before + PAGE_BYTES]
    ends = [page + PAGE_BYTES for page, after in zip(pages, [*pages[1:], -1]) if after != page + PAGE_BYTES]
    return [(start, end - start) for start, end in zip(starts, ends)]
