# wrong value: plain: f(np.array([[1, 3, 4], [7, 0, 4], [4, 7, 0]], dtype=np.uint8)): result: type uint8 np.uint8(1) instead of int 1
# compiled: False
import numpy as np

def f(alpha):
    z = 1
    if (s := alpha[-2, 2]) < z:
        pass
    else:
        s = z
    return s
SCRIPT = ['f(np.array([[1, 3, 4], [7, 0, 4], [4, 7, 0]], dtype=np.uint8))']


