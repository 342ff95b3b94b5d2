# wrong_answer
# It gives the first call's right answer to all calls.

def f(x):
    return f.kept


f.kept = [2, 3]
