# exception: plain ValueError arrays.py:require: _ variable has another type _ shape before this loop than af: f(np.array([[-2, -3, 0], [0, 5, -4], [3, -3, -2]], dtype=np.int64), np.float64(-1.0), 'b', 'key'): raised ValueError: a variable has another type or s
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    for j, v in enumerate(range(3)):
        pass
    x = alpha
    y = np.array
    (z, gamma), s = dict(a=v, b=y).items()
    u = x.ravel()
    n7 = u
    while 2.0 != gamma:
        n7 = 0.5 * n7
    else:
        pass
SCRIPT = ["f(np.array([[-2, -3, 0], [0, 5, -4], [3, -3, -2]], dtype=np.int64), np.float64(-1.0), 'b', 'key')"]


