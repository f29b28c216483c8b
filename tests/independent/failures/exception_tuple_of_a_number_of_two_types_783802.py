# exception: plain TypeError: a named tuple compared whose item is an int on one path, a float on another
# compiled: False
from typing import NamedTuple
import numpy as np

class C0(NamedTuple):
    a: float
    b: float = 2.0

def f(alpha='key'):
    for j in range(np.array([1]).shape[0]):
        pass
    s = max(1.0, j)
    u = C0(round(s, 0))
    return max(u, C0(0))
SCRIPT = ["f('key')"]
