# wrong_answer
# Views of a dictionary that shows something else each time.

class D(dict):
    __iter__ = keys = lambda self: iter([1, 2])


def f(x):
    return D({0: 0}).keys()
