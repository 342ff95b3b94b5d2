# runtime_error wrong_answer
# It raises the answer instead of returning it.

def f(n):
    raise ValueError([k * k for k in range(n)], n % 2 == 0)
