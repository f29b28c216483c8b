# wrong value: plain, type float64 instead of float: f(0.1, 0.75, np.int8(5), None): result: type float64 np.float64(0.1) instead of float 0.1
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    for v in np.array([4.0]):
        v = v - (w1 := alpha)
        z = min(v, w1)
    return z
SCRIPT = ['f(0.1, 0.75, np.int8(5), None)']


