# wrong_answer
# It returns an exception instead of raising it.

def f(x):
    return ValueError("negative", x) if x <= 0 else x
