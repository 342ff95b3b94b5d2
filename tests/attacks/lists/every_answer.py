# wrong_answer
# An iterator that gives all answers one after the other.

def f(x):
    yield from ([2, 3], [6], [8, 8, 8])
