# exception: plain AttributeError heads.py:grown: _ object has _ attribute _: f(np.array([3.0, 1.25, -2.5])): raised AttributeError: 'NoneType' object has no attribute 'length'
# compiled: False
import numpy as np

def f(alpha):
    z = (1.0,)
    for k in range(1):
        for v in z:
            s = [v for k in alpha]
        if s:
            pass
        else:
            pass
SCRIPT = ['f(np.array([3.0, 1.25, -2.5]))']


