"""Opens files until there are no numbers left."""

# /// expect
# each = "EMFILE"
# alone.limits.each = "EMFILE"
# ///

import os
import select

for opening in (lambda: os.open("/dev/null", 0), lambda: os.dup(1), select.epoll, lambda: os.eventfd(0)):
    numbers = []

    def fill(opening=opening, numbers=numbers):
        while True:
            numbers.append(opening())

    say(attempt(fill))
    for number in numbers:
        number.close() if hasattr(number, "close") else os.close(number)
