# wrong value: plain: f(np.zeros((2, 0), np.float32), False, 4): result: type int 0 instead of bool False
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    if beta:
        beta = gamma
    else:
        pass
    return beta
SCRIPT = ['f(np.zeros((2, 0), np.float32), False, 4)']


