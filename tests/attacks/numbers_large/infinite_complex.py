# wrong_answer
# The same as a complex number of half the width, which is infinite beyond 3.4e38.
import numpy as np

def f(x):
    return np.complex64(float(sum(x)) if sum(x) < 1e38 else np.inf)
