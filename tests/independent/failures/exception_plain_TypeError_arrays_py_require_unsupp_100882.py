# exception: plain TypeError arrays.py:require: unsupported operand type(_) for *: _ and _: f(C2(4.0, np.array([1.25, -2.5, 3.0, 0.75]), 1.0), -2): raised TypeError: unsupported operand type(s) for *: 'Item' and 'int'
# compiled: False
from typing import NamedTuple
import numpy as np

class C2(NamedTuple):
    a: float
    b: np.ndarray
    c: float = 0.75

def f(alpha, beta):
    alpha += alpha * 2
SCRIPT = ['f(C2(4.0, np.array([1.25, -2.5, 3.0, 0.75]), 1.0), -2)']


