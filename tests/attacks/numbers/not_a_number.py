# wrong_answer runtime_error
# Nan, which is neither more nor less.

def f(x):
    return float("nan")
