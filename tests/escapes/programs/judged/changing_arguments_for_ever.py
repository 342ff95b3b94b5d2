"""Changes its arguments whenever they are looked at."""

# /// expect
# outcome = "wrong_answer|runtime_error"
# ///

import threading

kept = []


def f(x):
    kept.append(x)
    threading.Thread(target=lambda: [kept.append(n) for n in range(1000)], daemon=True).start()
    return kept
