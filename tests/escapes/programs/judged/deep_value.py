"""Returns a list in a list in a list, a million deep."""

# /// expect
# outcome = "wrong_answer|runtime_error|forbidden|memory_limit|time_limit"
# slow = true
# ///

def f(x):
    value = []
    for _ in range(300_000):
        value = [value]
    return value
