# wrong_answer memory_limit forbidden
# Arrays of one number, and of none with four thousand million rows.

import numpy as np


def f(x):
    return np.array([x / 3]) if x else np.zeros((2**31, 0))
