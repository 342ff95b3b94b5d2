# wrong_answer
# A number that is true and false as one likes.

class One(int):
    said = 0

    def __bool__(self):
        One.said += 1
        return One.said % 2 == 1

    __eq__ = lambda self, o: True
    __hash__ = int.__hash__


def f(x):
    return One(1)
