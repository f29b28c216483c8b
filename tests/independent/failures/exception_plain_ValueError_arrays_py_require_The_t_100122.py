# exception: plain ValueError arrays.py:require: The truth value _ _ array with more than one element _ ambig: f(np.int64(-1), False, 10, True): raised ValueError: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    if bool((1.0, 2)):
        pass
    else:
        pass
SCRIPT = ['f(np.int64(-1), False, 10, True)']


