# wrong value: plain: f(np.uint16(0)): result: type float 1.0 instead of bool True
# compiled: False
import numpy as np
G0 = 1.5
G1 = True

def f(alpha):
    if (w1 := 1.0) >= G0:
        pass
    elif G1 >= 4:
        pass
    else:
        w1 = G1
    return w1
SCRIPT = ['f(np.uint16(0))']


