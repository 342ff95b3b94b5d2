# runtime_error wrong_answer
# It raises a StopIteration that says it is a TypeError too.

class Stop(StopIteration, TypeError):
    pass


def f(n):
    raise Stop
