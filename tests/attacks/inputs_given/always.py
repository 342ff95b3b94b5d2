# wrong_answer
# An answer to everything, which says it is None.

class Nothing:
    __bool__ = lambda self: False
    __eq__ = lambda self, o: True


def f(s):
    return Nothing()
