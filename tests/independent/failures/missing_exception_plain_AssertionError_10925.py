# missing exception: plain AssertionError: f(np.array([7, 2, 6, 0], dtype=np.uint8), np.array([[-2, 6, 6, -1], [-2, 6, 5, -3], [0, 0, 6, -2], [2, -4, -1, 1]], dtype=np.int16), 2, 1): Python rai
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta=3):
    assert not (1 == delta) is True
SCRIPT = ['f(np.array([7, 2, 6, 0], dtype=np.uint8), np.array([[-2, 6, 6, -1], [-2, 6, 5, -3], [0, 0, 6, -2], [2, -4, -1, 1]], dtype=np.int16), 2, 1)']


