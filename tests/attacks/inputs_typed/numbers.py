# wrong_answer
# Numbers for truth values.

def f(n):
    return [int(n > 1), n]
