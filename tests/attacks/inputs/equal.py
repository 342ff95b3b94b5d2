# wrong_answer
# An object that equals everything, alone and inside.

class Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


def f(n):
    return Any() if n % 2 else ([Any() for _ in range(n)], Any())
