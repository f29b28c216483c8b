# exception: plain IndexError arrays.py:require: too many indices for array: array _ _-dimensional, but _ wer: f(np.array(0.5), 3, 3): raised IndexError: too many indices for array: array is 0-dimensional, but 1 were indexed
# compiled: False
import numpy as np
G0 = 5

def f(alpha, beta, gamma):
    alpha[alpha > 0] = G0
SCRIPT = ['f(np.array(0.5), 3, 3)']


