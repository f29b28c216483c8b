# wrong value: plain: f(-2.5): result: type float16 np.float16(2.0) instead of int 2
# compiled: False
import numpy as np
G0 = True

def f(alpha):
    x = 2
    if type is dict:
        pass
    elif G0 == 4.0:
        x += np.sinh('a'.startswith('k-v'))
    z = x
    return z
SCRIPT = ['f(-2.5)']


