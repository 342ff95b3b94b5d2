"""Leaves by exceptions that end a program well."""

# /// expect
# outcome = "runtime_error"
# slow = true
# ///

def f(x):
    raise {1: SystemExit(0), 2: KeyboardInterrupt, -1: GeneratorExit}[x]
