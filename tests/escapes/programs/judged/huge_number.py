"""Returns a number of a million digits."""

# /// expect
# outcome = "wrong_answer|runtime_error|forbidden"
# ///

def f(x):
    return 1 << 3_000_000
