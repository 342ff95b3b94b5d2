def f(box):
    old = box.w
    box.w += 1
    return Box(old + old)
