# seed 3772293188, stages, CoreError: raises CoreError: after dce: the type of t__170 (float64[length]) names length, which is not bound there
import numpy as np

def h0(c, d):
    c = c + np.cos(np.log(2.0 + -0.79 * -0.79))
    return c + 0.65 + 0.5 * c

def f(x, y, c, k):
    n = x.shape[0]
    a1, b2 = (np.zeros(y.shape[0]) + np.ones(n), np.exp(np.tanh(k * 0.15)))
    v3 = x
    v3 += 0.6 * x
    s4 = 0
    for i in range(y.shape[0] - 1, -1, -1):
        s5 = 0.0
        for j in range(n - 1, 0, -1):
            s5 -= 0.5 * np.sum(np.exp(-y * y))
            t6 = h0(c, np.sum(y[:]))
            x[-1 - i] += np.tanh(c)
        if i % 2 == 0 or np.matmul(np.sin(x[::-1]), y) < -(0.6 * x[i]):
            return (a1 + np.sin(v3), c - y[-2])
        t7 = np.where(0.6 * v3 < 0.94, a1, a1).min()
        s4 -= np.tanh(np.minimum(np.maximum(np.sin(s5), np.sin(v3[-1 - i])), b2))
    return (0.6 * x + 0.7 * s4 + 0.5 * v3 + 0.5 * x, c / (2.0 + y[k % a1.shape[0]] * y[k % a1.shape[0]]) + 0.5 * b2 + 0.3 * np.sum(np.sin(a1)) + 0.3 * np.sum(np.sin(y)) + 0.4 * x.sum())


ARGS = (np.array([-0.02977785282895562, -1.3997047235610314], dtype=np.float64), np.array([-1.0446093915557289, 0.02054227496545491], dtype=np.float64), -1.3514567541497673, 3,)
MORE = ((np.array([-0.7746601109189453, -0.10456780997097437, -0.07783480135288978], dtype=np.float64), np.array([-0.187727493818167, -1.3696817850088285, 0.881139327207245], dtype=np.float64), 0.4835070411746729, 2,),)
SEED = 3772293188
