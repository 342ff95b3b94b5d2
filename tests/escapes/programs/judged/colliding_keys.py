"""Returns keys that all have one hash, so that the judge's dictionary takes quadratic time."""

# /// expect
# outcome = "forbidden|time_limit|system_error"
# slow = true
# once = true
# ///

def f(x):
    return {i * (2**61 - 1): i for i in range(40_000)}
