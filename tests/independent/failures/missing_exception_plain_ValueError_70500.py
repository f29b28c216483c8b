# missing exception: plain ValueError: f(np.broadcast_to(np.int8(-3), (3,))): Python raises ValueError: output array is read-only
# compiled: False
import numpy as np

def f(alpha):
    alpha **= 1
SCRIPT = ['f(np.broadcast_to(np.int8(-3), (3,)))']


