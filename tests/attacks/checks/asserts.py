# runtime_error wrong_answer
# It raises AssertionError, which a test may take for its own.

def f(n):
    raise AssertionError("no error")
