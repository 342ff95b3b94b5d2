# wrong_answer runtime_error
# An array of numpy that equals everything, with an always true result.

import numpy as np


class A(np.ndarray):
    def __eq__(self, other):
        return True

    def all(self, *_):
        return True


def f(x):
    return np.zeros(len(x)).view(A)
