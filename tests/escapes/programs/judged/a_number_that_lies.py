"""Returns a number whose class says that it is another one."""

# /// expect
# outcome = "wrong_answer|runtime_error"
# ///

class Number(int):
    def __eq__(self, other):
        return True

    def __index__(self):
        return 2

    __int__ = __index__
    __hash__ = int.__hash__

    @property
    def __class__(self):
        return type("int", (), {})


def f(x):
    return Number(x)
