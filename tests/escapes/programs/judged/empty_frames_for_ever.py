"""Never stops sending, and never reads."""

# /// expect
# outcome = "forbidden|time_limit|runtime_error"
# ///

import os


def f(x):
    while True:
        os.write(3, bytes(65536))
