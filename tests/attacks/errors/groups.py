# runtime_error wrong_answer
# A group of exceptions, which holds the right one.

def f(x):
    raise ExceptionGroup("negative", [ValueError("negative", x)])
