# wrong value: plain, type int instead of int64: f(-1, np.array([1, 6, 3, 7], dtype=np.uint8)): result['c']: type int 0 instead of int64 np.int64(0)
# compiled: False
import numpy as np

def f(alpha, beta):
    for p, q in zip(beta, beta):
        t = dict(c=np.int64())
    return t
SCRIPT = ['f(-1, np.array([1, 6, 3, 7], dtype=np.uint8))']


