# wrong value: plain: f(tuple([np.array([1.25, 3.0, 1.25]), np.array([3.0, 0.25, 0.1], dtype=np.float64), np.array([0.25, 1.5, 0.1], dtype=np.float64)]), False): result: ty
# compiled: False
import numpy as np
G0 = {'a': 0.5, 'b': 2}

def f(alpha, beta):
    alpha = G0['a']
    if (y := (np.float32(alpha) if beta else alpha)):
        pass
    else:
        pass
    return y
SCRIPT = ['f(tuple([np.array([1.25, 3.0, 1.25]), np.array([3.0, 0.25, 0.1], dtype=np.float64), np.array([0.25, 1.5, 0.1], dtype=np.float64)]), False)']


