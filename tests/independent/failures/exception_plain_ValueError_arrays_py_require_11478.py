# exception: plain ValueError arrays.py:require: f(np.array([[5, -4, 2], [7, -1, -1], [-1, 4, -2]], dtype=np.int16), 1, None, 2.0): raised ValueError: The truth value of an array with more than one e
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    it7 = map(bool, alpha)
SCRIPT = ['f(np.array([[5, -4, 2], [7, -1, -1], [-1, 4, -2]], dtype=np.int16), 1, None, 2.0)']


