# exception: plain IndexError arrays.py:require: too many indices for array: array _ _-dimensional, but _ wer: f('a', C0(-2, 0.1, np.array([-0.5, 1.25, -1.0])), np.array(3.0, dtype=np.float64)): raised IndexError: too many indices for array: array is 0-dimensio
# compiled: False
import numpy as np

class C0:

    def __init__(self, a, b, c):
        pass

def f(alpha, beta, gamma):
    gamma[True] *= np.uint8()
SCRIPT = ["f('a', C0(-2, 0.1, np.array([-0.5, 1.25, -1.0])), np.array(3.0, dtype=np.float64))"]


