"""Memory laid out for cloning: a clone is born with its program's pages, and the interpreter's memory lies in large blocks of the heap."""

from __future__ import annotations

import fresh
import pytest

from assay.sandbox.inside import pages

_BEGIN = """
import ctypes, os, re, sys
from assay.sandbox.inside import linux, pages

code = pages.interpreter(pages.mappings(), ctypes.cast(ctypes.pythonapi.PyObject_Malloc, ctypes.c_void_p).value)

def of_code(field, pid="self"):
    total = 0
    for row in open(f"/proc/{pid}/smaps"):
        if span := re.match("([0-9a-f]+)-[0-9a-f]+ ", row):
            inside = code.address <= int(span[1], 16) < code.address + code.size_bytes
        elif inside and row.startswith(field + ":"):
            total += int(row.split()[1])
    return total

def in_clone(field):
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(writer)
        os.read(reader, 1)
        os._exit(0)
    found = of_code(field, child)
    os.close(reader), os.close(writer), os.wait()
    return found
"""
_REFUSED = """
def refuse(*_):
    raise OSError(22, "no")
linux.fold = refuse
"""


def told_by(code: str) -> list[int]:
    """What a fresh interpreter prints as JSON, which knows the interpreter's code and what clones have of it."""
    return fresh.told_by(_BEGIN + code)


@pytest.mark.parametrize("refused", [False, True], ids=["in blocks", "no blocks to be had"])
def test_a_clone_has_the_interpreters_code_from_birth(refused):
    before, after, own = told_by(
        (_REFUSED if refused else "")
        + "before = in_clone('Rss'); pages.hand_down()\nprint([before, in_clone('Rss'), of_code('Rss')])"
    )
    assert before < own * 0.75  # it has met a few by itself until it is looked at
    assert after > own * 0.8


def test_code_lies_in_large_blocks_as_far_as_it_fills_any():
    held, huge_kib, of_clone_kib, fit = told_by(
        "n = pages.hand_down()\nprint([n, of_code('AnonHugePages'), in_clone('AnonHugePages'), len(pages.blocks(code))])"
    )
    if not held:
        pytest.skip("this interpreter's code fills no large block here, or none is to be had")
    assert held <= fit
    assert huge_kib == of_clone_kib == 2048 * held


def test_where_blocks_are_refused_nothing_is_left_behind():
    mapped = "*(sum(m.size_bytes for m in pages.mappings() if not m.path and m.rights == rights) >> 20 for rights in ('rw-', 'r-x'))"
    before = told_by(f"print([{mapped}])")
    assert told_by(f"{_REFUSED}\nn = pages.hand_down()\nprint([{mapped}, n])") == [*before, 0]


def test_files_keep_fewer_mappings_and_what_lies_in_them():
    before, after, same = told_by(
        "import decimal\n"
        "def of_files(): return [m for m in pages.mappings() if m.path.startswith('/')]\n"
        "def held(m): return ctypes.string_at(m.address, m.size_bytes)\n"
        "read_only = {m.address: held(m) for m in of_files() if m.rights != 'rw-'}\n"
        "before = len(of_files()); pages.hand_down()\n"
        "same = all(ctypes.string_at(at, len(data)) == data for at, data in read_only.items())\n"
        "print([before, len(of_files()), int(decimal.Decimal(2) + 1 == 3 and same)])"
    )
    assert after < before * 0.7
    assert same


def test_a_policy_against_it_leaves_mappings_as_they_are():
    refused = "def refuse(*_, **__): raise OSError(13, 'no')\nlinux.protect = linux.fold = refuse\n"
    assert told_by(
        refused + "before = len(pages.mappings())\npages.hand_down()\nprint([len(pages.mappings()) - before])"
    ) == [0]


def test_code_that_lies_nowhere_is_not_handed_down():
    assert pages.interpreter([pages.Mapping(0x1000, 0x1000, "r-x", "/x")], 0x2000) is None


@pytest.mark.parametrize("refused", [False, True], ids=["in blocks", "no blocks to be had"])
def test_what_is_handed_down_still_runs_and_cannot_be_written(refused):
    code = "pages.hand_down()\nimport decimal, json\nprint([sum(' rwxp ' in row for row in open('/proc/self/maps'))])"
    assert told_by((_REFUSED if refused else "") + code) == [0]


_OBJECTS = "kept = [object() for _ in range(400_000)]\n"
_IN_HEAP = (
    "row = next(row for row in open('/proc/self/maps') if '[heap]' in row)\n"
    "first, end = (int(n, 16) for n in row.split()[0].split('-'))\n"
    "print([sum(first <= id(o) < end for o in kept) * 100 // len(kept)])"
)


def test_while_memory_is_gathered_small_objects_come_from_the_heap():
    assert told_by("gathering = pages.Gathering()\n" + _OBJECTS + _IN_HEAP)[0] > 80


def test_afterwards_they_come_from_where_they_did_before():
    assert told_by("pages.Gathering().end()\n" + _OBJECTS + _IN_HEAP)[0] < 50


@pytest.mark.parametrize("size_bytes", [40, 500, 3000])
def test_once_holes_are_filled_what_comes_lies_side_by_side(size_bytes):
    code = (
        f"kept = [bytes({size_bytes}) for _ in range(20_000)]\n"
        "kept = [each for n, each in enumerate(kept) if n % 50]\n"
        "def span():\n"
        f"    made = [bytes({size_bytes}) for _ in range(100)]\n"
        "    return max(map(id, made)) - min(map(id, made))\n"
    )
    without = told_by(code + "print([span()])")[0]
    filled = told_by(code + "pages.fill_holes()\nprint([span()])")[0]
    assert filled < 2 * 100 * (size_bytes + 64) + (1 << 15)
    assert without > 4 * filled


def test_filling_holes_takes_no_more_than_there_is():
    taken, again = told_by("print([pages.fill_holes(), pages.fill_holes()])")
    assert 0 < taken < 4 << 20
    assert again < 1 << 20


def test_the_heap_is_folded_into_large_blocks():
    gathered = "gathering = pages.Gathering()\n" + _OBJECTS + "gathering.end()\nfolded = pages.fold()\n"
    folded, huge_kib = told_by(
        gathered + "print([folded, sum(int(r.split()[1]) for r in open('/proc/self/smaps') if 'AnonHuge' in r)])"
    )
    if not folded:
        pytest.skip("this kernel folds no memory (MADV_COLLAPSE, Linux 6.1)")
    assert huge_kib >= 1024 * folded


@pytest.mark.parametrize(
    ("address", "size_bytes", "expected"),
    [
        (0x200000, 0x200000, [0x200000]),
        (0x200001, 0x200000, []),
        (0x1FF000, 0x200FFF, []),
        (0x1FF000, 0x201000, [0x200000]),
    ],
)
def test_only_whole_blocks_of_a_mapping_count(address, size_bytes, expected):
    assert list(pages.blocks(pages.Mapping(address, size_bytes, "rw-", ""))) == expected


def test_a_file_that_is_only_mapped_as_data_stays_so():
    assert told_by(
        "import mmap, tempfile\nfile = tempfile.TemporaryFile()\nfile.write(bytes(1 << 18)); file.flush()\n"
        "data = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE)\ndata[:] = data[:]\n"
        "def of_it(): return sum('(deleted)' in m.path for m in pages.mappings())\n"
        "before = of_it(); pages.line_up()\nprint([before, of_it()])"
    ) == [1, 1]


_LINED_UP = """
import json
from assay.sandbox.inside import moving
def own(): return [m for m in pages.mappings() if m.rights == "rw-"]
before = [m for m in own() if m.path == code.path]
kept = {str(n): [object() for _ in range(n % 50)] for n in range(5000)}
told = repr({name: len(each) for name, each in kept.items()})
moved = pages.line_up()
again = repr({name: len(each) for name, each in kept.items()})
after = [m for m in own() for b in before if m.address == b.address]
print(json.dumps([moved, told == again, [m.size_bytes for m in before], [(m.size_bytes, m.path) for m in after]]))
"""


def test_what_lies_in_no_block_is_moved_onto_pages_of_some_and_the_interpreter_goes_on():
    moved, same, before, after = told_by(_LINED_UP)
    if not moved:
        pytest.skip("memory can't be moved here")
    assert same
    assert moved > 1 << 20
    assert after == [[size, "" if size >= 1 << 17 else after[n][1]] for n, size in enumerate(before)]


@pytest.mark.parametrize(
    "refused", ["moving.works = lambda: False", _REFUSED, "linux.resident_bytes = lambda *_: 0"], ids=range(3)
)
def test_where_memory_can_not_be_moved_it_stays_where_it_is(refused):
    before, after, moved = told_by(
        f"import json\nfrom assay.sandbox.inside import moving\n{refused}\n"
        "def of_files(): return [m for m in pages.mappings() if m.is_of_file]\n"
        "before, moved, after = of_files(), pages.line_up(), of_files()\nprint(json.dumps([before, after, moved]))"
    )
    assert moved == 0
    assert before == after
