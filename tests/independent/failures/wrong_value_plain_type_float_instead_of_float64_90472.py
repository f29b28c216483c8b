# wrong value: plain, type float instead of float64: f(C2(-1, np.array([4.0, -0.5, -0.5, -0.5]))): result: type float 1.0 instead of float64 np.float64(1.0)
# compiled: False
from dataclasses import dataclass, field
import numpy as np
G0 = 1.25

@dataclass
class C2:
    a: int
    b: np.ndarray

def f(alpha):
    if G0:
        z = np.sign(float('1.5'))
    return z
SCRIPT = ['f(C2(-1, np.array([4.0, -0.5, -0.5, -0.5])))']


