# exception: plain ValueError arrays.py:require: _ variable has another type _ shape before this loop than af: f(np.array([-0.5], dtype=np.float64), 'a', 0.25, np.array([[4, -1, 300, 0], [6, 6, 2, 1], [6, 3, 5, -2], [5, 5, 300, 1]], dtype=np.int16)): raised Val
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    while gamma != gamma:
        delta = np.std(delta)
SCRIPT = ["f(np.array([-0.5], dtype=np.float64), 'a', 0.25, np.array([[4, -1, 300, 0], [6, 6, 2, 1], [6, 3, 5, -2], [5, 5, 300, 1]], dtype=np.int16))"]


