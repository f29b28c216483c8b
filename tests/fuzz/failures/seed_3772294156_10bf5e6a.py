# seed 3772294156, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, y, A, c, g):
    n = len(y)
    m = A.shape[0]
    s1 = 1.0
    for i in range(A.shape[0] - 1, -1, -1):
        x[::-2] = np.tanh(-(x[::2] - y[0]))
        A[::-2, :] += 0.6 * A[m - 1 - i]
        g -= 0.2 * np.matmul(np.exp(np.tanh(np.zeros(m))), np.where(np.zeros(A.shape[0]) < 0.15, 0.1 * np.arange(len(A)), np.ones(m, dtype=np.float64)))
        w2 = y[::-1].copy()
        s1 -= 0.4 * (np.cos(c) * (c + s1))
    return np.ones(A.shape[1]) + y + 0.7 * g + 0.2 * np.sum(A * A) + 0.5 * y


ARGS = (np.array([], dtype=np.float64), np.array([], dtype=np.float64), np.array([], dtype=np.float64).reshape(2, 0), 0.3046981238330393, np.float64(1.5647131240118877),)
MORE = ((np.array([], dtype=np.float64), np.array([], dtype=np.float64), np.array([], dtype=np.float64).reshape(2, 0), -0.7697322042612531, np.float64(-1.3304151098769088),),)
SEED = 3772294156
