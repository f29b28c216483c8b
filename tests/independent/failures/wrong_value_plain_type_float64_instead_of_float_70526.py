# wrong value: plain, type float64 instead of float: f(1.5): result: type float64 np.float64(1.5) instead of float 1.5
# compiled: False
import numpy as np

def f(alpha):

    def h4():
        return alpha
    n5 = 3
    while n5:
        n5 -= 1
        y = n5
        z = np.sqrt(y) if n5 else h4()
    return z
SCRIPT = ['f(1.5)']


