# exception: plain ValueError arrays.py:require: The truth value _ _ empty array _ ambiguous. Use `array.size: f(np.int16(1), 4.0, None): raised ValueError: The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    *gamma, alpha, x, beta = range(3)
    if bool(gamma):
        pass
SCRIPT = ['f(np.int16(1), 4.0, None)']


