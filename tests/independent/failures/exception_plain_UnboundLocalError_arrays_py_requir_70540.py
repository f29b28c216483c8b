# exception: plain UnboundLocalError arrays.py:require: cannot access local variable _ where _ _ not associated with: f(tuple([4.0, 3.4e38]), np.int16(7), -2.5, np.array([1.5, -0.5, 0.25, -1.0])): raised UnboundLocalError: cannot access local variable 'v' where it is 
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    if callable(alpha):
        pass
    elif beta != gamma > beta:
        pass
    else:
        for v in 'a':
            pass
    return v
SCRIPT = ['f(tuple([4.0, 3.4e38]), np.int16(7), -2.5, np.array([1.5, -0.5, 0.25, -1.0]))']


