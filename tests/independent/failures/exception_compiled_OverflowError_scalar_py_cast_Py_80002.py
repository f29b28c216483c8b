# exception: compiled OverflowError scalar.py:cast: Python int too large _ convert _ _ long: f(True, np.array([[4, 3, 0], [7, 2, 5], [0, 6, -1]], dtype=np.int8)): raised OverflowError: Python int too large to convert to C long
# compiled: False
import numpy as np

def f(alpha, beta):
    while alpha:
        alpha = alpha / 18446744073709551616
SCRIPT = ['f(True, np.array([[4, 3, 0], [7, 2, 5], [0, 6, -1]], dtype=np.int8))']


