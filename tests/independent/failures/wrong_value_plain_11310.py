# wrong value: plain: f(np.array([3.0, 0.5]), 0.5): result: type float 2.0 instead of int 2
# compiled: False
import numpy as np

def f(alpha, beta=0.5):
    for j in range(3):
        for v in (2,):
            beta, v = (v, beta)
        else:
            pass
    return beta
SCRIPT = ['f(np.array([3.0, 0.5]), 0.5)']


