# exception: plain ValueError arrays.py:require: the function returns None here, where _ another path _ retur: f(-1, 0.5, np.bool_(True)): raised ValueError: the function returns None here, where on another path it returns a value
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    if (z := 1.25) != alpha:
        z = None
    else:
        pass
    return z
SCRIPT = ['f(-1, 0.5, np.bool_(True))']


