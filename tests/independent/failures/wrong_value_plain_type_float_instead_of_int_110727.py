# wrong value: plain, type float instead of int: f(0.1, np.array([[2, -2, -4]], dtype=np.int64), 1000000000000000000): result: type float 1e+18 instead of int 1000000000000000000
# compiled: False
import numpy as np
G1 = True

def f(alpha, beta, gamma):
    gamma *= G1 if gamma else 1.25
    return gamma
SCRIPT = ['f(0.1, np.array([[2, -2, -4]], dtype=np.int64), 1000000000000000000)']


