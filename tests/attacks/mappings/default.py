# wrong_answer runtime_error
# A defaultdict that gives whatever is asked for.

from collections import defaultdict


def f(s):
    return defaultdict(lambda: 2)
