# exception: plain CoreError core.py:fail: f(np.array([[0.1, 1.0, 0.5], [0.1, 1.25, 3.0], [-2.5, 0.5, 0.75]]), 1.0, 0.75, C4(np.array([-1.0, 4.0, 1.25], dtype=np.float64), 0.5)): raised CoreErr
# compiled: False
def f(alpha, beta, gamma, a, b, G1_0):
    alpha_len = alpha.shape[0]
    alpha_len1 = alpha.shape[1]
    a_len = a.shape[0]
    going, n15 = True, 3
    while going:
        t = n15 - 1
        t__1 = t != 0
        going, n15 = t__1, t
    return ()

from dataclasses import dataclass, field
import numpy as np
G1 = [4.0]

@dataclass
class C2:
    a: np.ndarray
    b: float = 4.0

class C4(C2):
    pass

def f(alpha, beta, gamma, delta):
    n15 = 3
    while n15:
        n15 -= 1
        t = G1
SCRIPT = ['f(np.array([[0.1, 1.0, 0.5], [0.1, 1.25, 3.0], [-2.5, 0.5, 0.75]]), 1.0, 0.75, C4(np.array([-1.0, 4.0, 1.25], dtype=np.float64), 0.5))']


