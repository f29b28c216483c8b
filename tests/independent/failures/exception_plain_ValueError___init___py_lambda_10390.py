# exception: plain ValueError __init__.py:<lambda>: f(np.zeros((0,), np.int64), -1): raised ValueError: operands could not be broadcast together with shapes (0,) (2,)
# compiled: False
import numpy as np

def f(alpha, beta):
    return sum([[1.0, 2.5]], [])
SCRIPT = ['f(np.zeros((0,), np.int64), -1)']


