# exception: plain ValueError arrays.py:require: _ variable has another type _ shape before this loop than af: f('b', 10): raised ValueError: a variable has another type or shape before this loop than after an iteration, and the loop runs zero times; initialise
# compiled: False
import numpy as np

def f(alpha, beta):
    n2 = 1
    while n2 and beta != beta:
        n2 -= 1
        beta *= np.array([])
SCRIPT = ["f('b', 10)"]


