# exception: plain ValueError arrays.py:require: _ variable has another type _ shape before this loop than af: f(3.0): raised ValueError: a variable has another type or shape before this loop than after an iteration, and the loop runs zero times; initialise it 
# compiled: False
import numpy as np

def f(alpha):
    z = np.int8()
    if (s := int()) < z:
        pass
    else:
        s = 0.5
    while s > 1:
        z = alpha - z
SCRIPT = ['f(3.0)']


