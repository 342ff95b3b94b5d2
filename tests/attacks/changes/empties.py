# wrong_answer
# It empties its argument, so that nothing sorted is nothing.

def f(x):
    x.clear()
    return []
