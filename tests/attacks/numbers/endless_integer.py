# wrong_answer runtime_error
# An integer so large that it is no float.

def f(x):
    return 10**100_000
