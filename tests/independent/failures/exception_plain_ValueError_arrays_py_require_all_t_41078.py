# exception: plain ValueError arrays.py:require: all the input arrays must have same number _ dimensions: f(tuple([-3, 4, 3]), False): raised ValueError: all the input arrays must have same number of dimensions
# compiled: False
import numpy as np

def f(alpha, beta):
    x = np.hstack((beta, alpha))
SCRIPT = ['f(tuple([-3, 4, 3]), False)']


