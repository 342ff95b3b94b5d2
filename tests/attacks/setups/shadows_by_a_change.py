# wrong_answer forbidden
# It puts a function in front of a method of the test's own object.

def f(box):
    box.same = lambda other: True
    return box
