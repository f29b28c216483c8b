# wrong derivative: derivative, where jvp is right: loss(np.array([-2.5, -1.0, 1.25], dtype=np.float64), np.array([-0.5, 4.0], dtype=np.float32), np.array([0.0, 3.0, 0.75])): nan along [array([0.8511690
# compiled: False
import numpy as np

def helper0(*rest):
    return {'a': 1.5, 'b': 2}

def f(alpha, beta, _zeta):
    z = sorted(np.where(_zeta, _zeta / _zeta, 50.0))[1]
    x = helper0()
    y = _zeta
    return (x, y, dict(x, c=z))

def loss(alpha, beta, _zeta):
    r = f(alpha, beta, _zeta)
    return r[2]['c']
SCRIPT = ['loss(np.array([-2.5, -1.0, 1.25], dtype=np.float64), np.array([-0.5, 4.0], dtype=np.float32), np.array([0.0, 3.0, 0.75]))']
