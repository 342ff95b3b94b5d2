# wrong_answer runtime_error forbidden
# It calls back with objects of its own, which the test's code then handles.

class Number(int):
    __instancecheck__ = True
    __rmul__ = lambda self, o: 2


class Liar:
    __class__ = int
    __rmul__ = __mul__ = lambda self, o: 2


def f(g, x):
    try:
        return [g(Liar()), g(Number(5))]
    except BaseException:
        return [2, 4]
