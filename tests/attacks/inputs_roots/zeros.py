# wrong_answer memory_limit forbidden
# No number, an infinite one, an array of a thousand million rows.

import numpy as np


def f(xs):
    return {3: float("nan"), 2: float("inf")}.get(len(xs), np.zeros((2**32 - 1, 0)))
