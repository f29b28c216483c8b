# wrong derivative: derivative, where jvp is right: loss(1, np.array([4.0, 1.5], dtype=np.float64), np.array([0.0, 0.75])): nan along [array([0.97174673, 0.76166981]), array([0. , 0.65927939])], differe
# compiled: False
import numpy as np
G0 = 1

def gen4(p=3):
    yield p

def f(alpha, beta, _zeta):
    beta = (_zeta / np.sqrt(_zeta))[1]
    z = G0
    for v in gen4():
        pass
    m_ = _zeta > 0
    x = beta / v
    s = 0
    return (z, v, m_, x, s)

def loss(alpha, beta, _zeta):
    r = f(alpha, beta, _zeta)
    return r[3]
SCRIPT = ['loss(1, np.array([4.0, 1.5], dtype=np.float64), np.array([0.0, 0.75]))']
