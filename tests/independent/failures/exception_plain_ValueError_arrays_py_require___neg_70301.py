# exception: plain ValueError arrays.py:require: _ negative number _ _ fractional power _ _ complex number: f(-2.5, np.array(6, dtype=np.int8)): raised ValueError: a negative number to a fractional power is a complex number
# compiled: False
import numpy as np

def f(alpha, beta):
    alpha **= 0.5
SCRIPT = ['f(-2.5, np.array(6, dtype=np.int8))']


