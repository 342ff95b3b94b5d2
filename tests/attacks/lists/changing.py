# wrong_answer
# A list whose items are other ones each time that they are asked for.

class L(list):
    turn = 0

    def __iter__(self):
        L.turn += 1
        return iter([[2, 3], [6], [8, 8, 8]][L.turn % 3])

    def __getitem__(self, i):
        return list(self)[i]


def f(x):
    return L()
