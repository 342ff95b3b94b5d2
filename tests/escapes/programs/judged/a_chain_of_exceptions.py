"""Raises an exception that has a million causes."""

# /// expect
# outcome = "runtime_error|memory_limit"
# slow = true
# ///

def f(x):
    last = None
    for _ in range(200_000):
        one = ValueError()
        one.__cause__ = last
        last = one
    raise last
