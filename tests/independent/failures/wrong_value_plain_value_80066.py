# wrong value: plain, value: f(-0.5, C1(1, 3.0), np.int32(-3)): result: value 0.84130859375 instead of 0.8414709848078965
# compiled: False
import math
import numpy as np

class C1:

    def __init__(self, a, b=2.5):
        pass

def f(alpha, beta, gamma):
    for j, q in enumerate((1.0, 2)):
        x = (w1 := alpha)
    w1, z = (np.uint8(j), w1)
    y = math.sin(w1)
    return y
SCRIPT = ['f(-0.5, C1(1, 3.0), np.int32(-3))']


