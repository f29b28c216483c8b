# wrong value: plain: f(np.array([0.1, -0.5, 1.0], dtype=np.float64), -1): result: type float 2.0 instead of int 2
# compiled: False
import numpy as np

def f(alpha, beta):
    for v in [1.0]:
        pass
    n4 = 3
    while n4:
        n4 -= 1
    else:
        for v in range(3):
            pass
    return v
SCRIPT = ['f(np.array([0.1, -0.5, 1.0], dtype=np.float64), -1)']


