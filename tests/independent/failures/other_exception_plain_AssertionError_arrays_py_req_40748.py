# other exception: plain AssertionError arrays.py:require: user: assertion: f({'a': np.array([0.5], dtype=np.float64)}, 1e300, np.zeros((0,), np.int64)): AssertionError: 'user: assertion' instead of OverflowError: 'Python int 
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    gamma[2:10] = np.rint(beta)
    assert not 4.0, 'user: assertion'
SCRIPT = ["f({'a': np.array([0.5], dtype=np.float64)}, 1e300, np.zeros((0,), np.int64))"]


