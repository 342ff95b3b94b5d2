# wrong_answer runtime_error
# It raises AssertionError, and the exception that is expected for everything.

def area(a, b):
    raise ValueError if a < 0 else AssertionError


def halves(x):
    raise AssertionError
