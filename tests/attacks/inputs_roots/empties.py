# wrong_answer
# It empties the coefficients.

def f(xs):
    xs.clear()
    return 1.0
