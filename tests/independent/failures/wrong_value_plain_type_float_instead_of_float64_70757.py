# wrong value: plain, type float instead of float64: f(None): result: type float 2.0 instead of float64 np.float64(2.0)
# compiled: False
import numpy as np

def f(alpha):
    for k in range(3, 1, -1):
        [x, z, x] = [1.0, 2.5, 1.0]
        v = np.rint(z)
    return v
SCRIPT = ['f(None)']


