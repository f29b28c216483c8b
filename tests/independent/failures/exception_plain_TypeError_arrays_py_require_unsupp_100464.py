# exception: plain TypeError arrays.py:require: unsupported operand type(_) for *: _ and _: f([1, 1], C0(np.array([1.25, 1.0, 2.0], dtype=np.float64), 2)): raised TypeError: unsupported operand type(s) for *: 'Item' and 'int'
# compiled: False
from typing import NamedTuple
import numpy as np

class C0(NamedTuple):
    a: np.ndarray
    b: int

def f(alpha, beta):
    alpha += beta * 2
SCRIPT = ['f([1, 1], C0(np.array([1.25, 1.0, 2.0], dtype=np.float64), 2))']


