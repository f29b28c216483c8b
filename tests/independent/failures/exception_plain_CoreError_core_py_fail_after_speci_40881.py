# exception: plain CoreError core.py:fail: after specialise: OBJECT_C__b _ bound twice: f(np.array([-1.0, 0.25, 2.0]), 1, [np.array([0.5, 0.1, 1.25]), np.array([3.0, -0.5, 2.0]), np.array([-0.5, 1.25, 1.0], dtype=np.float64)], 10): raised
# compiled: False
def f(alpha, beta, gamma_0, gamma_1, gamma_2, delta, OBJECT_C0_b):
    alpha_len = alpha.shape[0]
    gamma_0_len = gamma_0.shape[0]
    gamma_1_len = gamma_1.shape[0]
    gamma_2_len = gamma_2.shape[0]
    t = beta != 0
    going, n7 = t, beta
    while going:
        t__3 = n7 - 1
        t__4 = t__3 != 0
        going, n7 = t__4, t__3
    return ()

from dataclasses import dataclass, field
import numpy as np

@dataclass
class C0:
    a: np.ndarray
    b: float = 4.0
OBJECT_C0 = C0(np.array)

def f(alpha, beta, gamma, delta):
    n7 = beta
    while n7:
        n7 -= 1
        gamma, z = dict(a=OBJECT_C0.b, b=alpha)
SCRIPT = ['f(np.array([-1.0, 0.25, 2.0]), 1, [np.array([0.5, 0.1, 1.25]), np.array([3.0, -0.5, 2.0]), np.array([-0.5, 1.25, 1.0], dtype=np.float64)], 10)']


