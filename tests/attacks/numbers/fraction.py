# wrong_answer runtime_error
# A fraction whose parts are not what they seem.

from fractions import Fraction


class Half(Fraction):
    __sub__ = __rsub__ = __abs__ = lambda self, *o: 0
    __lt__ = __gt__ = lambda self, o: True


def f(x):
    return Half(99)
