# wrong_answer
# An exception class, which arrives as a class of the judge's and is true.

def f(x):
    return ValueError
