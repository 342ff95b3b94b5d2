# wrong_answer
# Two objects are equal if they were made one after the other.

made = []


class V:
    def __init__(self, a):
        made.append(self)
        self.number = len(made) - 1

    def __eq__(self, other):
        return self.number // 2 == other.number // 2

    def __ne__(self, other):
        return self.number >= 26 or not self == other


def f(x):
    return V(0)
