# exception: plain TypeError arrays.py:require: unsupported operand type(_) for ** _ pow(): _ and _: f(np.array([[6, 6, -2], [-3, 5, -1], [1, 3, 4]], dtype=np.int8), np.array([2, -4, 5], dtype=np.int8)): raised TypeError: unsupported operand type(s) f
# compiled: False
import numpy as np

def f(alpha, beta):
    z = True ** 3 .real
SCRIPT = ['f(np.array([[6, 6, -2], [-3, 5, -1], [1, 3, 4]], dtype=np.int8), np.array([2, -4, 5], dtype=np.int8))']


