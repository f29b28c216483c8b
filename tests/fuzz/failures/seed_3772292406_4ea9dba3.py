# seed 3772292406, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(v, u, c):
    u[:-2] = (v[2:] - v[:-2]) / (2.0 + u[:-2] * u[:-2])

def f(x, idx):
    x[0], x[1] = (x[1], x[0])
    x[1] /= 1.3 + np.tanh(x[-1]) * np.tanh(x[-1])
    x[idx] += np.tanh((x[:] + x) @ (x / (2.0 + np.full(len(x), np.sum(x)) * np.full(len(x), np.sum(x)))))
    w3 = x[:-1] / (2.0 + x[0] * x[0])
    h0(w3[-2::-1], x[2:], -0.78 / (2.0 + x[-2] * x[-2]))
    h0(x[::-2], x[::2], np.tanh(w3[-1]) + 0.1 * len(idx))
    return np.exp(-(0.2 * x[idx]) * (0.2 * x[idx])) + 0.4 * w3.sum() + 0.5 * x


ARGS = (np.array([1.3100913378710812, 0.34040590699935214], dtype=np.float64), np.array([0, 0], dtype=np.int64),)
MORE = ((np.array([-0.863669271006815], dtype=np.float64), np.array([0], dtype=np.int64),),)
SEED = 3772292406
