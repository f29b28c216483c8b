# wrong value: plain: f(0.25, False): result: type float 1.0 instead of int 1
# compiled: False
import numpy as np

def f(alpha, beta):
    if (z := float()):
        pass
    else:
        pass
    for i in range(np.array([2, 1]).shape[0]):
        pass
    if i:
        pass
    else:
        i = z
    return i
SCRIPT = ['f(0.25, False)']


