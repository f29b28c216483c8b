# other exception: plain OverflowError ?: Python int too large _ convert _ _ long: f(3.4e38, 2.0, True, np.zeros((0,), np.int64)[::-1]): OverflowError: 'Python int too large to convert to C long' instead of IndexError: 'index 2 is ou
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    delta[2] = alpha
SCRIPT = ['f(3.4e38, 2.0, True, np.zeros((0,), np.int64)[::-1])']
