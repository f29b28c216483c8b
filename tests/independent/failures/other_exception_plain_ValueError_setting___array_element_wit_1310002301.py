# other exception: plain ValueError ?: setting _ array element with _ sequence.: f(np.array([[-1.0, 3.0, 1.5]], dtype=np.float32), np.array([1.0, 0.25, 0.5], dtype=np.float32), np.float32(-1.0), np.array(0.25), np.array([-0.0, -0.0
# compiled: False
import numpy as np

def f(alpha, beta, gamma, delta, _zeta):
    delta = _zeta
    alpha[2, 1] = delta
SCRIPT = ['f(np.array([[-1.0, 3.0, 1.5]], dtype=np.float32), np.array([1.0, 0.25, 0.5], dtype=np.float32), np.float32(-1.0), np.array(0.25), np.array([-0.0, -0.0, 2.0]))']
