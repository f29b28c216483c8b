# wrong value: plain, type float64 instead of float: f(np.int64(1)): result: type float64 np.float64(1.0) instead of float 1.0
# compiled: False
import numpy as np

def f(alpha):
    alpha += -(w1 := 1.5)
    w1 //= max(w1, alpha)
    return w1
SCRIPT = ['f(np.int64(1))']


