# wrong value: plain, type float64 instead of int: f(np.float64(1.0)): result: type float64 np.float64(10.0) instead of int 10
# compiled: False
import numpy as np
G1 = 10

def f(alpha):
    if (z := G1):
        pass
    else:
        z = alpha
    return z
SCRIPT = ['f(np.float64(1.0))']


