"""Raises an exception whose text and name are as long as its memory."""

# /// expect
# outcome = "time_limit|output_limit|runtime_error|memory_limit|forbidden"
# slow = true
# ///

def f(x):
    raise type("E" * (20 << 20), (ValueError,), {})("x" * (20 << 20))
