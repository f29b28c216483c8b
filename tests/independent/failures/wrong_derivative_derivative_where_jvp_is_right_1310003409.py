# wrong derivative: derivative, where jvp is right: loss('key', 0.25, np.array([0.0, 2.0])): nan along [0.7218211184813336, array([0. , 0.95405189])], differences say 0.14182066158108242, jvp 0.14182066
# compiled: False
import numpy as np

def f(alpha, beta, _zeta):
    y = _zeta - 0.01
    for j, v in enumerate(y):
        s = np.zeros(3)
        np.add.at(s, [[0]], [np.where(_zeta, np.power(_zeta, 0.25), 0.0)[1]])
        t = 'a'
    for i in range(s.shape[0]):
        pass
    return (s, t, i, alpha, beta)

def loss(alpha, beta, _zeta):
    r = f(alpha, beta, _zeta)
    return np.sum(r[0])
SCRIPT = ["loss('key', 0.25, np.array([0.0, 2.0]))"]
