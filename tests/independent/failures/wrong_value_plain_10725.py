# wrong value: plain: f(np.array([0.1, 0.5, 1.0]), 'a', np.array([[5, 7], [0, 2]], dtype=np.uint64), 1): result: type float 0.0 instead of bool False
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    alpha *= (w1 := delta)
    v = w1 > delta
    if (y := v) != delta:
        pass
    else:
        y = 2.0
    return y
SCRIPT = ["f(np.array([0.1, 0.5, 1.0]), 'a', np.array([[5, 7], [0, 2]], dtype=np.uint64), 1)"]


