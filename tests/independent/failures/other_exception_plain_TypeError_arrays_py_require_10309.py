# other exception: plain TypeError arrays.py:require: f(np.array([-4, 5, 2], dtype=np.int16), np.array([[[-2, 1, -1]], [[-3, 6, 127]]], dtype=np.int8)): TypeError: "Cannot cast ufunc 'multiply' output fro
# compiled: False
import numpy as np

def f(alpha, beta):
    beta *= 1 ** (-1)
SCRIPT = ['f(np.array([-4, 5, 2], dtype=np.int16), np.array([[[-2, 1, -1]], [[-3, 6, 127]]], dtype=np.int8))']


