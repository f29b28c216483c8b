# wrong value: plain: f(np.array([5, 4, 65535], dtype=np.uint16), np.float64(1.25), 5, 2): result: type float 1.0 instead of bool True
# compiled: False
import numpy as np
G0 = 1.0
G1 = True

def f(alpha, beta, gamma, delta):
    y = True if G1 else G0
    return y
SCRIPT = ['f(np.array([5, 4, 65535], dtype=np.uint16), np.float64(1.25), 5, 2)']


