# exception: plain TypeError arrays.py:require: Cannot cast ufunc _ output from dtype(_) _ dtype(_) with cas: f(1.25, np.array([[[7, 1, 6, 3]], [[0, 255, 3, 2]]], dtype=np.uint8), np.array([[0.75, 0.25, 0.5, 0.25], [1.25, -1.0, 1.5, 0.1], [-0.5, 1.0, 1.25, 1.5
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    for j in range(len([1.0])):
        pass
    beta *= max(-1.0, j)
SCRIPT = ['f(1.25, np.array([[[7, 1, 6, 3]], [[0, 255, 3, 2]]], dtype=np.uint8), np.array([[0.75, 0.25, 0.5, 0.25], [1.25, -1.0, 1.5, 0.1], [-0.5, 1.0, 1.25, 1.5], [1.5, 3.0, -1.0, -2.5]], dtype=np.float32), np.array([-4, -3, -4, -4], dtype=np.int16))']


