# exception: plain OverflowError arrays.py:require: _ int _ more than _ bits meets _ float: _ would lose its las: f(-9223372036854775808, np.array([[2.0, 0.25, 0.5], [1.5, 3.0, 1.5], [1.5, 1.5, 2.0], [1.25, -2.5, 3.0]]), 'b'): raised OverflowError: an int of more 
# compiled: False
import numpy as np
G0 = {'a': 2.0, 'b': 2.0}

def f(alpha, beta, gamma):
    for j in range(len((1.0,))):
        alpha = alpha + G0['b']
SCRIPT = ["f(-9223372036854775808, np.array([[2.0, 0.25, 0.5], [1.5, 3.0, 1.5], [1.5, 1.5, 2.0], [1.25, -2.5, 3.0]]), 'b')"]


