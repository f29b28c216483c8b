# wrong derivative: derivative: loss(np.array([[0.25, 1.5, 0.75], [0.0, 0.75, 0.25], [-2.5, 0.5, 2.0]]), {1: 1.0, 'a': 0.25, 'b': 0.1}, np.float64(1.0)): nan along [array([[0.8639441
# compiled: False
import numpy as np

def f(alpha, beta, gamma):
    alpha /= 0
    y = alpha[0:2:-1]
    return y

def loss(alpha, beta, gamma):
    r = f(alpha, beta, gamma)
    return np.sum(r)
SCRIPT = ["loss(np.array([[0.25, 1.5, 0.75], [0.0, 0.75, 0.25], [-2.5, 0.5, 2.0]]), {1: 1.0, 'a': 0.25, 'b': 0.1}, np.float64(1.0))"]


