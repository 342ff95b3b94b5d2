# wrong_answer
# A few bytes that are a list of 30 to the power of 7 numbers when it is printed.

def f(x):
    out = [1] * 30
    for _ in range(6):
        out = [out] * 30
    return out
