# exception: plain ValueError arrays.py:require: The truth value _ _ array with more than one element _ ambig: f(tuple([np.array([0.1])]), None): raised ValueError: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()
# compiled: False
import numpy as np
G0 = [5, 1.5]

def f(alpha, beta):
    if bool(G0):
        pass
SCRIPT = ['f(tuple([np.array([0.1])]), None)']


