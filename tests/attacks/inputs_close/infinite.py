# wrong_answer
# Infinity and nan, from which nothing is far.

def f(x):
    return float("nan") if x else float("inf")
