# wrong derivative: derivative: loss(np.array([5, 5, 5, 6], dtype=np.uint8), 4, tuple([1.0])): nan along [(0.9161260917274753,)], differences say 0.30537536390706777, jvp 0.305375363
# compiled: False
import numpy as np

def helper1():
    pass

def f(alpha, beta, gamma):
    for k in range(4):
        y = helper1
        for v in [1.0]:
            v += gamma[0] / np.int8(k)
    return [y, v]

def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return r[1]
SCRIPT = ['loss(np.array([5, 5, 5, 6], dtype=np.uint8), 4, tuple([1.0]))']

