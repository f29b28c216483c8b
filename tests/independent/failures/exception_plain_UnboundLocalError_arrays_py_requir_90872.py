# exception: plain UnboundLocalError arrays.py:require: cannot access local variable _ where _ _ not associated with: f(np.float32(-1.0), np.array([[1, 0, 4], [1, 4, 2], [4, 6, 3]], dtype=np.uint8)): raised UnboundLocalError: cannot access local variable 'z' where it 
# compiled: False
import numpy as np

def helper1(p, m=2.5):
    if (p < p >= m or all([])) is True:
        z = None
    return z

def f(alpha, beta):
    z = helper1(alpha)
SCRIPT = ['f(np.float32(-1.0), np.array([[1, 0, 4], [1, 4, 2], [4, 6, 3]], dtype=np.uint8))']


