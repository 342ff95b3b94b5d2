"""What the supervisor tells the zygote about one child to start, and where the child's prepared calls find it in memory.

An order is numbers only, and every order overwrites the one before: a child sees its own and nothing of another's. Runs inside the server
process: standard library only, CPython >= 3.9.
"""

from __future__ import annotations

import ctypes
import struct

_ORDER = struct.Struct("HBxiiixxxxxxxx12Q")
_LIMIT = struct.Struct("QQ")
SLOT_AT, REHEARSAL_AT, _DESCRIPTORS_AT, _LIMITS_AT = 0, 2, 4, 24
ORDER_BYTES = _ORDER.size


def pack_order(child: tuple[int, bool, int, int, int], limits: list[tuple[int, tuple[int, int]]]) -> bytes:
    """The order's bytes.

    `child`: slot, whether it is only a rehearsal, the descriptors of stdout, stderr and session. `limits`: what `limits.plan` gave.
    """
    values = [bound % (1 << 64) for _, pair in limits for bound in pair]  # RLIM_INFINITY is -1 here, all ones there
    return _ORDER.pack(*child, *values, *[0] * (12 - len(values)))


class Fields:
    """The zygote's room for an order: read into `message`, seen by C through the fields."""

    def __init__(self) -> None:
        self.message = bytearray(ORDER_BYTES)
        self.stdout, self.stderr, self.session = (
            ctypes.c_int.from_buffer(self.message, _DESCRIPTORS_AT + 4 * place) for place in range(3)
        )
        self._limits = ctypes.c_char.from_buffer(self.message, _LIMITS_AT)

    def limit(self, place: int) -> object:
        """The limit at that place of `limits.plan`, as `prlimit64` takes it."""
        return ctypes.byref(self._limits, place * _LIMIT.size)
