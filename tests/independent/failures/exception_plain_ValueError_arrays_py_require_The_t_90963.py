# exception: plain ValueError arrays.py:require: The truth value _ _ empty array _ ambiguous. Use `array.size: f(np.array([6, -4, 5, -1], dtype=np.int64), -2.5): raised ValueError: The truth value of an empty array is ambiguous. Use `array.size > 0` to check th
# compiled: False
import numpy as np

def f(alpha, beta=2.5):
    [*y, beta, alpha, beta, x] = [0.1, 4.0, 1.0, 2.5]
    if bool(y):
        pass
SCRIPT = ['f(np.array([6, -4, 5, -1], dtype=np.int64), -2.5)']


