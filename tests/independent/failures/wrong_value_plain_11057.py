# wrong value: plain: f(0.5, np.array([[7, 2, 0], [4, 5, 1], [3, 7, 1]], dtype=np.uint64)): result: type float 128.0 instead of int 128
# compiled: False
import numpy as np

def f(alpha, beta):
    if (t := 128) > alpha:
        pass
    else:
        t = 2.5
    return t
SCRIPT = ['f(0.5, np.array([[7, 2, 0], [4, 5, 1], [3, 7, 1]], dtype=np.uint64))']


