# runtime_error wrong_answer
# It raises StopIteration, which would end a loop.

def f(n):
    raise StopIteration(n)
