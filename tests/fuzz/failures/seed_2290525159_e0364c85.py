# seed 2290525159, jvp, Unaligned: raises Unaligned: (1, 0)
import numpy as np

def f(x):
    n = x.shape[0]
    w1 = x / (2.0 + x * x)
    if np.sum(x) > 0.39 or x[:].sum() > w1[:].sum():
        return (w1.sum(), x ** 2)
    elif x.sum() > np.sum(0.1 * np.arange(n)) and np.full(len(w1), -0.21).sum() >= 1.03:
        w1[::-1] = w1[:]
        w2 = x
    w1[:0:-1] = np.tanh(x[-2::-1].copy())
    for i in range(0, n, 2):
        w1[1:-1] += 0.6 * np.max(x[1:-1][:, None] + 0.1 * np.arange(x.shape[0]), axis=-1)
        w1[0] = 0.1 * w1.shape[0]
    w1[1:] -= 0.6 * np.where(x[:0:-1] < w1[:-1], np.where(x[-2::-1] < w1[1:], x[-2::-1], x[:0:-1]), x[1:])
    b4 = np.abs(-1.24) > -0.85 or np.exp(--0.64 * -0.64) > x[::-1].sum()
    return (np.sum(x) + 0.3 * np.sum(np.sin(w1)) + 0.3 * np.sum(np.sin(x)), 1.0 / (1.5 + w1[::-1] * w1[::-1]) + 0.5 * x)


ARGS = (np.array([], dtype=np.float64),)
MORE = ((np.array([], dtype=np.float64),),)
SEED = 2290525159
