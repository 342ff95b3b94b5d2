# wrong_answer
# It empties its argument and returns that.

def f(x):
    x.clear()
    return x
