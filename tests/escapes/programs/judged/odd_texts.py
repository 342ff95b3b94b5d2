"""Returns texts that can't be written anywhere."""

# /// expect
# outcome = "wrong_answer|runtime_error"
# ///

def f(x):
    return "\ud800\0\x1b[2J" * 1000
