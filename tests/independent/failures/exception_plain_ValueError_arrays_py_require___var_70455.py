# exception: plain ValueError arrays.py:require: _ variable has another type _ shape before this loop than af: f(np.int64(4), np.array([0, 3, 6], dtype=np.uint8)): raised ValueError: a variable has another type or shape before this loop than after an iteration,
# compiled: False
import numpy as np

def f(alpha, beta):
    [x, z] = {'a': alpha, 'b': alpha}
    while alpha < alpha:
        z = 1
    return z
SCRIPT = ['f(np.int64(4), np.array([0, 3, 6], dtype=np.uint8))']


