import numpy as np

def f(x):
    return np.sum(np.array(x, dtype=float))
