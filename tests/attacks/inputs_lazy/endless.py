# wrong_answer memory_limit time_limit forbidden runtime_error
# An iterator without an end.

import itertools


def f(n):
    return itertools.count()
