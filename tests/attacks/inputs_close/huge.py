# wrong_answer
# Numbers beyond all floats.

def f(x):
    return 10**400
