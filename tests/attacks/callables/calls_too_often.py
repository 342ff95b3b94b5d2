# wrong_answer runtime_error
# It calls back more often than need be, so that asserts are counted.

def f(g, x):
    for _ in range(50):
        g(1)
    raise ValueError
