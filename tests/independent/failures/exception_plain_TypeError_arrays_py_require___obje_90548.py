# exception: plain TypeError arrays.py:require: _ object cannot _ interpreted _ _ integer: f(-3, np.float64(2.0)): raised TypeError: 'float' object cannot be interpreted as an integer
# compiled: False
import numpy as np

def f(alpha, beta):
    n4 = 1
    if alpha:
        pass
    else:
        n4 = 0.75
    n6 = enumerate([], n4)
SCRIPT = ['f(-3, np.float64(2.0))']


