# exception: plain ValueError __init__.py:<lambda>: f([1], np.array([0.5, -0.5, -2.5]), np.array([[0.1, 0.75, 1.5], [1.0, 1.25, 2.0], [1.5, 1.0, 1.0]], dtype=np.float32), np.array([6, -1, 7], dtype=np.i
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    return sum([[1.0, 2.5]], [])
SCRIPT = ['f([1], np.array([0.5, -0.5, -2.5]), np.array([[0.1, 0.75, 1.5], [1.0, 1.25, 2.0], [1.5, 1.0, 1.0]], dtype=np.float32), np.array([6, -1, 7], dtype=np.int32))']


