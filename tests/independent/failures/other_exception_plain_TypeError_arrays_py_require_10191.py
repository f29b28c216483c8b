# other exception: plain TypeError arrays.py:require: f(np.array([[[-4, 2, 4], [-3, 0, 7], [4, -3, -3]], [[7, -1, 2], [6, 6, -3], [0, 3, 1]]], dtype=np.int32)): TypeError: "Cannot cast ufunc 'power' outpu
# compiled: False
import numpy as np

def f(alpha):
    alpha **= 0.5
SCRIPT = ['f(np.array([[[-4, 2, 4], [-3, 0, 7], [4, -3, -3]], [[7, -1, 2], [6, 6, -3], [0, 3, 1]]], dtype=np.int32))']


