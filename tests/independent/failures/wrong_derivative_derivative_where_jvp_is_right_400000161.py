# wrong derivative: derivative, where jvp is right: loss(np.array([[4.0, -0.5, -1.0], [1.5, 0.5, -0.5], [1.5, -0.5, -1.0]], dtype=np.float32), np.float32(-0.5), np.array([3.0, 0.0, 0.75])): nan along [a
# compiled: False
import numpy as np

def f(alpha, beta, _zeta):
    y = np.where(_zeta <= 0, 1.0, np.log(_zeta))
    if (s := (beta * beta)) != beta:
        z = np.where(_zeta <= 0, 0.5, np.log(_zeta))
    else:
        pass
    return (y, s, z)

def loss(alpha, beta, _zeta):
    r = f(alpha, beta, _zeta)
    return np.sum(r[0]) + np.sum(r[2])
SCRIPT = ['loss(np.array([[4.0, -0.5, -1.0], [1.5, 0.5, -0.5], [1.5, -0.5, -1.0]], dtype=np.float32), np.float32(-0.5), np.array([3.0, 0.0, 0.75]))']
