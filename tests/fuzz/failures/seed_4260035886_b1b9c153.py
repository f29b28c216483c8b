# stages at other arguments: max() over as many items as a mask leaves was refused
import numpy as np

def h0(v):
    v1 = v
    return (np.sin(0.1 * v.shape[0]) + 0.3 * np.sum(np.sin(v1)) + 0.2 * np.sum(v * v), -v + 0.5 * v)

def f(x, y):
    n = len(y)
    s1 = 0.0
    for i in range(x.shape[0] - 1, -1, -2):
        m2 = x[::-1] < -0.62
        z3 = x[m2]
        s4 = 1.0
        for j in range(z3.shape[0] - 1):
            s4 = s4 + np.tanh((s4 + s4) * np.log(2.0 + s1 * s1))
            t7 = 0.1 * max([np.sin(v5) * np.sum(v5b) for v5, v5b in zip(z3, z3)])
            if np.sum(x) <= 1.03:
                return (np.sum(np.full((len(z3), len(x)), s1 ** 3), axis=-2), t7 / (2.0 + t7 * t7))
        t8, w9 = h0(z3[:-2].copy())
        s1 -= np.tanh(s1 * (0.7 * t8) + np.maximum(np.sin(t8), y[i]))
    w10 = x
    return (w10, -0.87 + s1 + 0.2 * np.sum(w10 * w10) + 0.5 * s1 + 0.3 * np.sum(np.sin(x)))


ARGS = (np.array([], dtype=np.float64), np.array([], dtype=np.float64),)
MORE = ((np.array([0.4364769395201562, 0.5573933232625659, 1.3601381827846915], dtype=np.float64), np.array([0.9839987533446455, 1.5967592520827036, 1.3224548306401314], dtype=np.float64),),)
SEED = 4260035886
