# wrong value: plain, value: f(2, np.float32(-0.5), 9223372036854775807, np.zeros((0, 0), np.float32)): result: value -0.46364760398864746 instead of -0.4636476090008061
# compiled: False
import math
import numpy as np

def f(alpha, beta, gamma, delta):

    def h7():
        return math.atan(beta)
    s = h7()
    return s
SCRIPT = ['f(2, np.float32(-0.5), 9223372036854775807, np.zeros((0, 0), np.float32))']


