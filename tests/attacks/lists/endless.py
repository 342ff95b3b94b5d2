# wrong_answer time_limit
# A generator that never ends.

def f(x):
    while True:
        yield 2
