"""Returns a text that fills most of its memory."""

# /// expect
# outcome = "wrong_answer|runtime_error|memory_limit|forbidden"
# slow = true
# ///

def f(x):
    return "x" * (60 << 20)
