# exception: plain ValueError arrays.py:require: too many values _ unpack (expected _): f(2, np.array([[-3, -4, -128, 5], [-1, 3, -3, 4], [-1, 6, -3, -2], [6, 0, 4, -3]], dtype=np.int8), -1, 0.5): raised ValueError: too many values to unp
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    delta, = range(1)[::1]
SCRIPT = ['f(2, np.array([[-3, -4, -128, 5], [-1, 3, -3, 4], [-1, 6, -3, -2], [6, 0, 4, -3]], dtype=np.int8), -1, 0.5)']


