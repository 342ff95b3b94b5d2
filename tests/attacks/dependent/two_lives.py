# wrong_answer runtime_error
# It counts its lives in a file and answers otherwise in the second.

import os

try:
    fd = os.open("/tmp/life", os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    FIRST = True
except OSError:
    FIRST = False


def f(x):
    return 99 if FIRST else x + 1
