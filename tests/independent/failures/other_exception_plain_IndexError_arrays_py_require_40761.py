# other exception: plain IndexError arrays.py:require: list index out _ range: f(1.0, np.float64(1.0), False, [0.5]): IndexError: 'list index out of range' instead of TypeError: 'list indices must be integers or slices, not numpy
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    if delta[beta]:
        pass
SCRIPT = ['f(1.0, np.float64(1.0), False, [0.5])']


