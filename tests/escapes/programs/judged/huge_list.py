"""Returns a list of millions of values."""

# /// expect
# outcome = "wrong_answer|runtime_error|memory_limit|forbidden|time_limit"
# slow = true
# ///

def f(x):
    return list(range(300_000))
