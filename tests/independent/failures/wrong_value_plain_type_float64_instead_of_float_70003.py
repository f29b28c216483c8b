# wrong value: plain, type float64 instead of float: f(np.array([0, 2, 4], dtype=np.uint64), None): result: type float64 np.float64(1.0) instead of float 1.0
# compiled: False
import numpy as np
G0 = True

def f(alpha, beta):
    z = alpha
    z = z + float()
    for v in z:
        pass
    n7 = 3
    while n7:
        n7 -= 1
        for v in (1.0, 2):
            if G0:
                break
    return v
SCRIPT = ['f(np.array([0, 2, 4], dtype=np.uint64), None)']


