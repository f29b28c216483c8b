# exception: plain Untyped kinds.py:result_scalar: f(np.array([[True, True, False], [True, True, True]], dtype=np.bool_)): raised Untyped: only 0-dimensional arrays can be converted to Python scalars
# compiled: False
import math
import numpy as np

def f(alpha=np.array):
    x = alpha
    it7 = map(math.sin, x)
SCRIPT = ['f(np.array([[True, True, False], [True, True, True]], dtype=np.bool_))']


