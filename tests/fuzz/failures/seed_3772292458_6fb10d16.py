# seed 3772292458, jvp, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def h0(v):
    v[::2] = (v[::2] + v[::-2]) / (2.0 + v[::2] * v[::2])
    t1 = np.sin(v[0])
    return v[:0:-1] - v[:-1]

def f(x, A, c, g, flag):
    n = len(x)
    for i in range(0, A.shape[1], 2):
        if (g if np.zeros_like(A).mean(axis=(0, 1)) > c + g else g) >= -0.64:
            c1 = np.log(2.0 + g * g) / (2.0 + c * c)
        else:
            c1 = np.cos(np.minimum(A.T[i, 0], g))
        A[-2, -1] *= 0.1 * np.sum(A * A, axis=(0, 1))
        w2 = h0(A[:, 0])
        if x[0] / (2.0 + c1 * c1) < -1.06 or flag:
            return (0.2 * (0.7 * A[::-1, :] * (0.7 * A)), -x)
    A.T[1] += np.tanh(0.7 * A[::-1, -1])
    b3 = np.log(2.0 + np.tanh(A.T[1, 0]) * np.tanh(A.T[1, 0])) < -0.32
    A *= 0.6 * x[-2]
    return (np.tanh(A) / (2.0 + np.tanh(A) * np.tanh(A)) + 0.7 * g + 0.5 * A + 0.3 * np.sum(np.sin(x)), np.min(np.full((n, n), c - x[-1], dtype=np.float64), axis=-2) + 0.7 * g + 0.2 * np.sum(A * A))


ARGS = (np.array([0.8952628313557485, -0.32547893758059065], dtype=np.float64), np.array([0.4522589605036944, 1.31377826425721, 0.8286678599245301, 1.553268401714556], dtype=np.float64).reshape(2, 2), -0.5966170902201078, np.float64(1.4389743802637027), False,)
MORE = ((np.array([1.2284189574899762, -0.8631368366434412], dtype=np.float64), np.array([0.3710013075844316, -0.1603389752810791, 1.07235955804485, -0.9970574825800999], dtype=np.float64).reshape(2, 2), -0.537249695698117, np.float64(-1.2258640020009879), False,),)
SEED = 3772292458
