# wrong derivative: derivative, where jvp is right: loss(np.array([[0.5], [0.75], [-1.0]]), np.array([[2.0, 2.0, 1.0], [0.1, -0.5, 2.0], [0.25, 1.25, 4.0]], dtype=np.float64), np.array([3.0, -0.0, 0.75]
# compiled: False
import numpy as np

def f(alpha, beta, _zeta):
    for j, v in enumerate(alpha):
        n7 = j
        y = (np.log(_zeta) / _zeta)[-1]
    return (v, n7, y)

def loss(alpha, beta, _zeta):
    r = f(alpha, beta, _zeta)
    return r[2]
SCRIPT = ['loss(np.array([[0.5], [0.75], [-1.0]]), np.array([[2.0, 2.0, 1.0], [0.1, -0.5, 2.0], [0.25, 1.25, 4.0]], dtype=np.float64), np.array([3.0, -0.0, 0.75]))']
