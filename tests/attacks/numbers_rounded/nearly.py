# wrong_answer
# A float32 equals all numbers that are rounded to it.
import numpy as np

def f(x):
    return np.float32(sum(x) + 1e-9)
