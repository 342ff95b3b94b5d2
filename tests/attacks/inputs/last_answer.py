# wrong_answer
# It gives the answer to the call before.

last = ([], True)


def f(n):
    global last
    out, last = last, ([k * k for k in range(n)], n % 2 == 0)
    return out
