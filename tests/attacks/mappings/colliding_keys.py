# wrong_answer runtime_error
# Keys of other types that are equal to those wanted to nobody but Python.

def f(s):
    return {0: 2, False: 1, 0.0: 1, "a\0": 2}
