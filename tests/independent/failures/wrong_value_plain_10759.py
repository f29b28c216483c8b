# wrong value: plain: f(np.array([[0, 7, 6], [7, 2, 2], [5, 0, 7]], dtype=np.uint32)): result: type float 1.0 instead of int 1
# compiled: False
import numpy as np
G0 = [1]

def f(alpha):
    y = G0[0] or 1.0
    return y
SCRIPT = ['f(np.array([[0, 7, 6], [7, 2, 2], [5, 0, 7]], dtype=np.uint32))']


