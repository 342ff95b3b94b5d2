# wrong_answer
# It returns what it should have done.

def f(x):
    return sorted(x)
