# wrong derivative: derivative: loss(3.0, 10, 2.0, np.array([0.0, 3.0, 2.0])): nan along [0.7508559785757041, 0.7696677031032443, array([0. , 0.65319328, 0.78959234])], differences s
# compiled: False
import numpy as np

def f(alpha, beta, gamma, _zeta=np.array):
    s = np.abs(_zeta[:, None] - _zeta)
    s = np.sum(s)
    n11 = 3
    while n11:
        n11 -= 1
        y = (_zeta / np.sqrt(_zeta))[-1]
    return [s, n11, y, s]

def loss(alpha, beta, gamma, _zeta):
    r = f(alpha, beta, gamma, _zeta)
    return r[0] + r[2]
SCRIPT = ['loss(3.0, 10, 2.0, np.array([0.0, 3.0, 2.0]))']
