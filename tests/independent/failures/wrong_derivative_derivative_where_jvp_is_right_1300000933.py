# wrong derivative: derivative, where jvp is right: loss(np.array([[2.0, 1.5, -2.5, 0.1], [-1.0, -1.0, 4.0, 0.5], [1.25, 3.0, 0.25, 0.75], [0.25, 1.0, 1.5, 0.25]]), -1, np.array([-0.0, 1.25, 0.0, 0.75])
# compiled: False
import numpy as np

def helper1_other():
    return p

def gen3():
    for j in range:
        pass

def f(alpha, beta, _zeta=np.array):
    for i, v in enumerate(alpha):
        y = np.zeros(3)
        np.add.at(y, np.array([[0]]), [[np.where(_zeta > 0, np.cbrt(_zeta), 0.0)[-1]]])
    s = np.mean(np.sqrt(_zeta), where=_zeta > 0)
    y[...] = 0.5
    z = [max(v - 0.01, 0.0) ** 0.5 for v in _zeta]
    v = y
    t = None
    return (v, y, s, z)

def loss(alpha, beta, _zeta):
    r = f(alpha, beta, _zeta)
    return 1.3 * np.sum(r[0]) + 1.1 * np.sum(r[1]) + 0.7 * r[2]
SCRIPT = ['loss(np.array([[2.0, 1.5, -2.5, 0.1], [-1.0, -1.0, 4.0, 0.5], [1.25, 3.0, 0.25, 0.75], [0.25, 1.0, 1.5, 0.25]]), -1, np.array([-0.0, 1.25, 0.0, 0.75]))']
