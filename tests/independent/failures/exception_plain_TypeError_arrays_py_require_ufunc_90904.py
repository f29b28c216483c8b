# exception: plain TypeError arrays.py:require: ufunc _ not supported for the input types, and the inputs co: f(0.75, np.array([-4, 5, -2, 3], dtype=np.int16), 0.1): raised TypeError: ufunc 'bitwise_and' not supported for the input types, and the inputs could 
# compiled: False
import numpy as np
G0 = 0.75

def f(alpha, beta, gamma):
    if (s := (-129)) < G0:
        y = beta
    else:
        s = alpha
    u = y & s
SCRIPT = ['f(0.75, np.array([-4, 5, -2, 3], dtype=np.int16), 0.1)']


