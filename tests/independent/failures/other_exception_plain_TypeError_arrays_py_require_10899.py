# other exception: plain TypeError arrays.py:require: f(np.array([[6, 2], [-1, -4]], dtype=np.int8), np.bool_(True), np.array([[[7, 2]], [[7, 6]]], dtype=np.int8)): TypeError: "Cannot cast ufunc 'multiply
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    alpha *= np.array(1, dtype=np.uint64)
SCRIPT = ['f(np.array([[6, 2], [-1, -4]], dtype=np.int8), np.bool_(True), np.array([[[7, 2]], [[7, 6]]], dtype=np.int8))']


