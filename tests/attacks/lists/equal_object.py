# wrong_answer
# An object that equals everything.

class Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


def f(x):
    return Any()
