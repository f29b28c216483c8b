# wrong value: plain: f(0.25, False, -1, 2): result: type float 1.0 instead of int 1
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):

    def h5():
        return delta if np.array(2.0) else max([1.0])
    g6 = lambda: h5()
    gamma += g6()
    return gamma
SCRIPT = ['f(0.25, False, -1, 2)']


