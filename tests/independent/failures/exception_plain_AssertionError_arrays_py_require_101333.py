# exception: plain AssertionError arrays.py:require: : f(1.5, np.uint16(2), 1.0): raised AssertionError:
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    assert not hasattr(2.5, '__len__')
SCRIPT = ['f(1.5, np.uint16(2), 1.0)']


