# exception: plain ValueError arrays.py:require: _ variable has another type _ shape before this loop than af: f(4.0, np.array([3, 3, 4], dtype=np.uint8), 3, np.array([[-4, 7, 0]], dtype=np.int16)): raised ValueError: a variable has another type or shape before
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta=np.array):
    n4 = 3
    while n4:
        n4 -= 1
        n5 = n4
        while n5:
            n5 -= 1
            delta = delta + 4.0
SCRIPT = ['f(4.0, np.array([3, 3, 4], dtype=np.uint8), 3, np.array([[-4, 7, 0]], dtype=np.int16))']


