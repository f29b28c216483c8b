# exception: plain TypeError arrays.py:require: unsupported operand type(_) for *: _ and _: f(np.array([[-2, -2, 3, 3]], dtype=np.int64), None): raised TypeError: unsupported operand type(s) for *: 'Item' and 'int'
# compiled: False
from typing import NamedTuple
import numpy as np

class C1(NamedTuple):
    a: float
    b: float
OBJECT_C1 = C1(2.0, 2.5)

def f(alpha, beta):
    beta, beta = OBJECT_C1 * 1
SCRIPT = ['f(np.array([[-2, -2, 3, 3]], dtype=np.int64), None)']

