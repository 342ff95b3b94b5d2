# wrong_answer
# Complex numbers and truth values that come near.

def f(x):
    return complex(x / 3, 1) if x else False
