"""Begins a reply and ends well."""

# /// expect
# outcome = "runtime_error"
# ///

import os


def say(data):
    for number in range(3, 20):
        try:
            os.write(number, data)
        except OSError:
            pass


def f(x):
    say(b"\x64\0\0\0abc")
    os._exit(0)
