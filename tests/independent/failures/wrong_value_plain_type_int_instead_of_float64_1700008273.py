# wrong value: plain, type int instead of float64: f('b', np.array([[4.0, 2.0]], dtype=np.float64), 2.5): result: type int 2 instead of float64 np.float64(2.0)
# compiled: False
import numpy as np

def f(alpha, beta, _zeta=2.5):
    z = _zeta
    for v in (1.0, 2):
        if z <= 0.1:
            break
        v = np.rint(v)
    return v
SCRIPT = ["f('b', np.array([[4.0, 2.0]], dtype=np.float64), 2.5)"]
