# wrong value: plain, type float64 instead of int: f(4, {'a': np.array([0.25, 0.25])}, 0.1, 2): result: type float64 np.float64(2.0) instead of int 2
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    for v in np.array([0.1]):
        z = delta
        v = max(v, z)
    return v
SCRIPT = ["f(4, {'a': np.array([0.25, 0.25])}, 0.1, 2)"]


