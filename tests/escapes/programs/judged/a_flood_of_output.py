"""Prints without end while it is asked."""

# /// expect
# outcome = "output_limit"
# ///

def f(x):
    while True:
        print("x" * 1000)
