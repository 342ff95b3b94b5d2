# wrong_answer
# A float16 that is infinite equals every number that is too large for one.
import numpy as np

def f(x):
    return np.float16("inf")
