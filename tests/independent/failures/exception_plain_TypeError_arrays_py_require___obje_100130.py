# exception: plain TypeError arrays.py:require: _ object _ not iterable: f(2, np.array([-2, -2], dtype=np.int64)): raised TypeError: 'str' object is not iterable
# compiled: False
import numpy as np

def f(alpha, beta=np.array):
    *beta, = format(alpha)
SCRIPT = ['f(2, np.array([-2, -2], dtype=np.int64))']


