# wrong_answer
# A class that is registered as a real number and answers for itself.

import numbers


class Half:
    __sub__ = __rsub__ = __abs__ = lambda self, *o: 0.0
    __lt__ = __gt__ = lambda self, o: True
    __float__ = lambda self: 1.5
    __round__ = lambda self, n=None: 2.5
    __int__ = __index__ = __trunc__ = lambda self: 4


numbers.Real.register(Half)


def f(x):
    return Half()
