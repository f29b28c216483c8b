# wrong value: plain, type float64 instead of ndarray: f(tuple([0, 2]), 5, 'key', 0.1): result: type float64 np.float64(3.4e+38) instead of ndarray array(3.4e+38)
# compiled: False
import numpy as np
G0 = np.array([0.25, 0.1, 3.4e+38])

def f(alpha, beta, gamma, delta):
    x = G0[..., 2]
    return x
SCRIPT = ["f(tuple([0, 2]), 5, 'key', 0.1)"]


