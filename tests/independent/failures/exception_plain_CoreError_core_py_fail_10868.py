# exception: plain CoreError core.py:fail: f(np.array([4, 4, 3], dtype=np.uint64)): raised CoreError: after specialise: OBJECT_C2_b is bound twice
# compiled: False
def f(alpha, OBJECT_C2_b):
    alpha_len = alpha.shape[0]
    going, n11 = True, 3
    while going:
        t = n11 - 1
        t__1 = t != 0
        going, n11 = t__1, t
    return ()

from dataclasses import dataclass, field
import numpy as np

@dataclass
class C2:
    a: np.ndarray
    b: int = 2.0
OBJECT_C2 = C2(np.array)

def f(alpha):
    n11 = 3
    while n11:
        n11 -= 1
        if OBJECT_C2:
            pass
        else:
            pass
SCRIPT = ['f(np.array([4, 4, 3], dtype=np.uint64))']


