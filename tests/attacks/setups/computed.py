# wrong_answer
# It hands over what the class would compute, computed otherwise.

def f(box):
    out = Box(2 * box.w)
    box.__dict__["area"] = (box.w + 1) ** 2
    return out
