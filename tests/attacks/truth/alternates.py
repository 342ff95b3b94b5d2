# wrong_answer
# An object that is true every second time.

class Turn:
    said = False

    def __bool__(self):
        Turn.said = not Turn.said
        return Turn.said

    __eq__ = lambda self, o: True


def f(x):
    return Turn()
