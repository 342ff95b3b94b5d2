"""Memory that is in use moves onto pages of large blocks: what it holds and where it lies stay the same."""

from __future__ import annotations

import os

import fresh
import pytest

_BEGIN = """
import ctypes, json, os
from assay.sandbox.inside import linux, moving
PAGE = linux.PAGE_BYTES

def place(address):
    "The page's number in the machine's memory, 0 where the kernel doesn't tell."
    with open("/proc/self/pagemap", "rb", buffering=0) as entries:
        return int.from_bytes(os.pread(entries.fileno(), 8, address // PAGE * 8), "little") & (1 << 55) - 1

def lie_in_a_row(address, pages):
    places = [place(address + n * PAGE) for n in range(pages)]
    return all(after == before + 1 for before, after in zip(places, places[1:]))

def held(address, size):
    return ctypes.string_at(address, size)

def filled(pages):
    address = linux.map_private(2 * pages * PAGE) + PAGE
    told = os.urandom(pages * PAGE)
    ctypes.memmove(address, told, len(told))
    return address, told
"""


def told_by(code):
    return fresh.told_by(_BEGIN + code)


@pytest.fixture(scope="module")
def moves():
    """Passes where memory can be moved."""
    if not told_by("print(json.dumps(moving.works()))"):
        pytest.skip("memory can't be moved here (MADV_COLLAPSE, Linux 6.1; makecontext)")


@pytest.mark.usefixtures("moves")
def test_what_is_moved_holds_what_it_held_on_pages_side_by_side():
    row_before, moved, same, row_after = told_by(
        "address, told = filled(300)\nfor n in range(0, 300, 2): ctypes.memset(address + n * PAGE, told[n * PAGE], 1)\n"
        "before = lie_in_a_row(address, 300)\nmoved = moving.onto_blocks([(address, 300 * PAGE)])\n"
        "print(json.dumps([before, moved, held(address, len(told)) == told, lie_in_a_row(address, 300)]))"
    )
    assert moved == 300 * os.sysconf("SC_PAGE_SIZE")
    assert same
    if os.geteuid() == 0:  # nobody else is told where pages lie
        assert (row_before, row_after) == (False, True)


@pytest.mark.usefixtures("moves")
def test_several_spans_share_blocks_and_what_is_left_of_them_is_given_back():
    same, more = told_by(
        "spans = [filled(n) for n in (40, 447, 33)]\n"
        "def mapped(): return int(open('/proc/self/statm').read().split()[0])\n"
        "before = mapped()\nmoving.onto_blocks([(address, len(told)) for address, told in spans])\n"
        "same = all(held(address, len(told)) == told for address, told in spans)\nprint(json.dumps([same, mapped() - before]))"
    )
    assert same
    assert more < 400  # one arena of the interpreter's; 504 are left of the blocks


@pytest.mark.usefixtures("moves")
def test_what_is_moved_can_be_written_and_a_clones_copy_is_its_own():
    assert told_by(
        "address, told = filled(40)\nmoving.onto_blocks([(address, len(told))])\nctypes.memset(address, 1, 1)\n"
        "reader, writer = os.pipe()\n"
        "if not os.fork():\n    ctypes.memset(address, 2, 1); os.write(writer, held(address, 1)); os._exit(0)\n"
        "os.wait()\nprint(json.dumps([os.read(reader, 1)[0], held(address, 1)[0]]))"
    ) == [2, 1]


def test_where_there_are_no_blocks_all_stays_as_it_is_and_nothing_is_kept():
    assert told_by(
        "def refuse(*_): raise OSError(22, 'no')\nlinux.fold = refuse\naddress, told = filled(40)\n"
        "def mapped(): return int(open('/proc/self/statm').read().split()[0])\nbefore = mapped()\n"
        "try: moving.onto_blocks([(address, len(told))])\nexcept OSError as error: errno = error.errno\n"
        "print(json.dumps([errno, held(address, len(told)) == told, mapped() - before < 400, moving.works()]))"
    ) == [22, True, True, False]


@pytest.mark.parametrize(
    "broken",
    [
        "ctypes.CDLL = lambda name: type('Musl', (), {})()",  # another C library, without contexts
        "moving._Stroke.make = lambda self, span, copy: os.kill(os.getpid(), 11)",
        "moving._MAY_MOVE_FIXED = 0",  # the kernel moves nothing, and nothing is lost
        "moving._Stroke.make = lambda self, span, copy: ctypes.memset(span[0], 0, 1) + ctypes.memset(span[0] + 1, 0, 9)",
    ],
)
def test_what_goes_wrong_goes_wrong_in_a_process_that_nobody_needs(broken):
    assert told_by(f"{broken}\nprint(json.dumps(moving.works()))") is False


def test_it_is_tried_once():
    assert (
        told_by(
            "calls = []\nreal = moving.clone\nmoving.clone = lambda flags: calls.append(flags) or real(flags)\n"
            "moving.works(), moving.works()\nprint(json.dumps(len(calls)))"
        )
        == 1
    )
