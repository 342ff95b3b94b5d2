"""An order is read back from where the child's prepared calls look for it."""

from __future__ import annotations

import ctypes
import resource

from assay.sandbox.inside.order import ORDER_BYTES, REHEARSAL_AT, SLOT_AT, Fields, pack_order


def test_slot_descriptors_and_limits_are_found_where_the_calls_look_for_them():
    fields = Fields()
    limits = [(resource.RLIMIT_CPU, (3, 3)), (resource.RLIMIT_AS, (resource.RLIM_INFINITY, 1 << 40))]
    fields.message[:] = pack_order((259, True, 7, 8, 9), limits)
    assert fields.message[SLOT_AT] + 256 * fields.message[SLOT_AT + 1] == 259
    assert fields.message[REHEARSAL_AT] == 1
    assert [field.value for field in (fields.stdout, fields.stderr, fields.session)] == [7, 8, 9]
    found = [ctypes.cast(fields.limit(place), ctypes.POINTER(ctypes.c_uint64 * 2))[0] for place in (0, 1)]
    assert [list(pair) for pair in found] == [[3, 3], [(1 << 64) - 1, 1 << 40]]


def test_an_order_overwrites_all_of_the_one_before():
    six = [(kind, (1, 1)) for kind in range(6)]
    assert len(pack_order((0, False, 4, 5, 6), six)) == len(pack_order((0, False, 4, 5, 6), [])) == ORDER_BYTES
