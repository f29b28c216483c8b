# wrong derivative: derivative: loss(np.array([[[-2.5, 0.25, 0.1], [0.75, 4.0, 4.0]], [[-1.0, 0.75, 0.5], [0.25, 3.0, 1.25]]]), C0(10), 3.0, np.array([3.0, 0.0, 0.75])): nan along [a
# compiled: False
import math
from dataclasses import dataclass, field
import numpy as np

@dataclass()
class C0:
    a: int

def gen4(k=3):
    yield np.sin(k)
    yield k

def f(alpha, beta, gamma, _zeta):
    z = np.abs(_zeta[:, None] - _zeta + 0j)
    z = np.sum(np.triu(z) ** 2)
    if None:
        pass
    else:
        n9 = 3
        alpha = C0(n9)
    for i in range(len([1.0])):
        for i, v in enumerate(gen4()):
            x = np.zeros(3)
            np.add.at(x, np.array([[0, 1], [2, 0]]), [[i * z, z], [n9 * -1.0, np.where(_zeta > 0, 1 / _zeta ** 2, 0.0)[-1]]])
    s = [1.0, 2.5, -1.0]
    u = v
    y = (_zeta > 0) * _zeta
    y = np.sum(y ** 0.75)
    return (v, x, s, u, y)

def loss(alpha, beta, gamma, _zeta):
    r = f(alpha, beta, gamma, _zeta)
    return 0.4 * np.sum(r[1]) + 1.1 * r[2][0] + 0.7 * r[2][1] + 1.3 * r[2][2] + 0.7 * r[4]
SCRIPT = ['loss(np.array([[[-2.5, 0.25, 0.1], [0.75, 4.0, 4.0]], [[-1.0, 0.75, 0.5], [0.25, 3.0, 1.25]]]), C0(10), 3.0, np.array([3.0, 0.0, 0.75]))']
