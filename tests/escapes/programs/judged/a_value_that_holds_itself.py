"""Returns a list that is its own item."""

# /// expect
# outcome = "wrong_answer|runtime_error|forbidden"
# ///

def f(x):
    value = []
    value.append(value)
    return value
