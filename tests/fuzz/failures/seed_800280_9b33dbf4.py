# found where a loop is left
import numpy as np

def f(x):
    x[:] -= 0.6 * x
    x[0] = 0.7 * np.sqrt(1.0 + x[-1] * x[-1])
    x[:-1] *= np.tanh(-0.62 + np.max(x))
    for e1, e2b in zip(x, x):
        if e2b <= -0.73:
            e1 -= 0.2 * (x.max() + e2b)
        else:
            e2b = e2b + np.sin(e2b)
            e1 = np.sin(np.sin(0.4 * e1 + np.tanh(e1)))
        x *= np.tanh(np.sqrt(1.0 + np.mean(x) * np.mean(x)))
        t3 = np.tanh(0.08 * (x @ x) * np.zeros(x.shape[0], dtype=np.float64).dot(x[::-1]))
        if 0.8 * np.sqrt(1.0 + 0.4 * e2b * (0.4 * e2b)) >= 0.69:
            return t3
        w4 = np.where(x < 1.31, np.ones(len(x), dtype=np.float64), x) / (2.0 + x[-3] * x[-3])
    return -0.75 + x[0] + 0.4 * x.sum()


ARGS = (np.array([1.1556032476729854, 0.7129024386475251, -1.2112663712894418, -0.0924327482661611, -1.3012093814480599, -0.2247333698541656, -0.687293009227071], dtype=np.float64),)
MORE = ((np.array([0.5585476831307163, -1.137289040718574, -0.4434939600375878, -1.0202108465701252, 1.3565977079260931, -0.17656046180869356, -1.4200019994185014], dtype=np.float64),),)
SEED = 800280
