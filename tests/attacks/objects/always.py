# wrong_answer
# It equals everything.

class V:
    def __init__(self, a):
        pass

    __eq__ = lambda self, o: True
    __ne__ = lambda self, o: True


def f(x):
    return V(0)
