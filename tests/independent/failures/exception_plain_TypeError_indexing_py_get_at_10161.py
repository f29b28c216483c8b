# exception: plain TypeError indexing.py:get_at: f(4.0, np.float64(1.25)): raised TypeError: 'NoneType' object is not subscriptable
# compiled: False
import numpy as np

def f(alpha, beta):
    s = None
    if beta:
        pass
    else:
        for v in 'a':
            pass
        else:
            t = s[2]
SCRIPT = ['f(4.0, np.float64(1.25))']


