# wrong value: plain, type float64 instead of ndarray: f(-2.5, False): result: type float64 np.float64(0.0) instead of ndarray array(0.)
# compiled: False
import numpy as np

def f(alpha, beta):
    beta = beta - beta
    q = beta
    y = q
    return np.array([0.0])[y, ...]
SCRIPT = ['f(-2.5, False)']


