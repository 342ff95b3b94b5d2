# runtime_error wrong_answer
# An answer that is larger than any may be, and then smaller ones.

def f(x):
    return "x" * (20 << 20) if len(x) == 2 else []
