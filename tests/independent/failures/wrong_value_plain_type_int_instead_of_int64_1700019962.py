# wrong value: plain, type int instead of int64: f(np.array([[False, False, True, False], [False, True, False, True]], dtype=np.bool_), None): result: type int 2 instead of int64 np.int64(2)
# compiled: False
import numpy as np

def f(alpha, beta):
    z = 3
    for k in range(alpha.shape[0]):
        z = z - np.int64(k)
    return z
SCRIPT = ['f(np.array([[False, False, True, False], [False, True, False, True]], dtype=np.bool_), None)']
