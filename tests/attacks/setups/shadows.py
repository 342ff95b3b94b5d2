# wrong_answer forbidden
# It puts a function of its own in front of a method.

def f(box):
    out = Box(0)
    out.same = lambda other: True
    return out
