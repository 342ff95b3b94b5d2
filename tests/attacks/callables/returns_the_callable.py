# wrong_answer runtime_error
# It returns the callable that it was given.

def f(g, x):
    return g
