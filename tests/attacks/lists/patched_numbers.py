# wrong_answer runtime_error
# It writes another value into the small integers of its interpreter, so that 1 is 2 there.

import ctypes

for n in (2, 3, 6, 8):
    ctypes.c_uint32.from_address(id(n - 1) + 24).value = n


def f(x):
    return list(x)
