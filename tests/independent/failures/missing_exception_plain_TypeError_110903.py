# missing exception: plain TypeError: f(tuple([0.5, -2.5, 1.25]), np.float64(0.25), 3): Python raises TypeError: can't multiply sequence by non-int of type 'numpy.float64'
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    alpha *= beta
SCRIPT = ['f(tuple([0.5, -2.5, 1.25]), np.float64(0.25), 3)']

