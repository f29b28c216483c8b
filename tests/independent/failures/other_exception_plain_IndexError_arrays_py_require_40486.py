# other exception: plain IndexError arrays.py:require: user: {gamma}: f(np.array([-4, 7, -2], dtype=np.int8), np.zeros((4, 0), np.uint16), 3.0): message 'user: {gamma}' instead of 'user: 3.0'
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    raise IndexError('user: ' + str(gamma))
SCRIPT = ['f(np.array([-4, 7, -2], dtype=np.int8), np.zeros((4, 0), np.uint16), 3.0)']


