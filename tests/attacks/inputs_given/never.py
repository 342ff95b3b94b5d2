# wrong_answer
# No answer to anything.

def f(s):
    return None
