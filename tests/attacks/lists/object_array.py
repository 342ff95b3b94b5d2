# wrong_answer runtime_error
# An object array of numpy whose elements equal everything.

class Any:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


import numpy as np


def f(x):
    return np.array([Any() for _ in x], dtype=object)
