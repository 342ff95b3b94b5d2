# wrong_answer
# An iterable that gives something else at the second look.

class I:
    n = 0

    def __iter__(self):
        I.n += 1
        return iter(range(I.n))


def f(n):
    return I()
