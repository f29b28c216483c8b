# wrong value: plain, value: f(np.array([-1, 3, 5, 4, 5], dtype=np.int8), True): result: value 0.78515625 instead of 0.7853981633974483
# compiled: False
import math
import numpy as np

def f(alpha, beta):
    x = math.atan2(beta, beta)
    return x
SCRIPT = ['f(np.array([-1, 3, 5, 4, 5], dtype=np.int8), True)']


