# runtime_error wrong_answer
# It raises whatever the number is, with the right text.

def f(x):
    raise ValueError("negative", x)
