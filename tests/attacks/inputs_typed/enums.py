# wrong_answer
# Members of an enumeration.

import enum

E = enum.IntEnum("E", {"A": 1, "B": 2})


def f(n):
    return [n > 1, E(n)]
