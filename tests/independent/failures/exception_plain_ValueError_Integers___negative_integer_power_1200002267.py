# exception: plain ValueError ?: Integers _ negative integer powers are not allowed.: f(np.array([[6]], dtype=np.int64), C0(np.array([4.0, 1.5, -0.5])), None, 0.1): raised ValueError: Integers to negative integer powers are not allowed.
# compiled: False
from dataclasses import dataclass, field
import numpy as np

@dataclass
class C0:
    a: np.ndarray

def f(alpha, beta, gamma, delta):
    return alpha[:1:-1] ** (-1)
SCRIPT = ['f(np.array([[6]], dtype=np.int64), C0(np.array([4.0, 1.5, -0.5])), None, 0.1)']
