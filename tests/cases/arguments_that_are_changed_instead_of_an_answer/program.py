def f(xs):
    sorted(xs)
