class V:
    def __init__(self, a):
        self.a = a

    def __eq__(self, other):
        return type(other) is V and other.a == self.a


def f(x):
    return V(2 * x)
