# wrong value: plain, type float64 instead of float: f(-3, 2.0, np.array([[4.0, 0.1], [2.0, -0.5], [1.25, 0.25], [2.0, 0.75]], dtype=np.float64), False): result: type float64 np.float64(3.0) instead of f
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta):
    y = gamma
    z = y[1, 0]
    s = max(float('3'), alpha, z)
    return s
SCRIPT = ['f(-3, 2.0, np.array([[4.0, 0.1], [2.0, -0.5], [1.25, 0.25], [2.0, 0.75]], dtype=np.float64), False)']


