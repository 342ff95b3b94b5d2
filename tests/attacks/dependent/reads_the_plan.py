# wrong_answer
# It reads the foreseen calls: what a call was made of is the answer to an earlier one. The last answer of a chain is in none of them.

import sys

frame = sys._getframe()
while "plan" not in frame.f_locals:
    frame = frame.f_back
decode = frame.f_globals["codec"].decode


def numbers(value):
    if isinstance(value, bytes):
        try:
            value = decode(value)
        except Exception:
            return []
    if isinstance(value, (list, tuple)):
        return [n for part in value for n in numbers(part)]
    return [value] if isinstance(value, int) else []


asked = numbers(frame.f_locals["plan"])


def f(x):
    later = asked[asked.index(x) + 1 :] if x in asked else []
    return later[0] if later else 0
