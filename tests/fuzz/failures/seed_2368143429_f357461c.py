# seed 2368143429, jit at other arguments, NameError: raises NameError: name 'i2_' is not defined
import numpy as np

def h0(v):
    w1 = v[::-1]

def f(x, flag):
    n = x.shape[0]
    s1 = np.min(x)
    for i in range(len(x) - 1, -1, -1):
        t4 = 0.1 * sum((1.0 for v2, v2b in zip(x, x)))
        if not flag:
            s6 = 0.0
            for j in range(n - 1, i, -1):
                s1, s6 = (s6, np.sin(s1) + np.tanh(s6 % 3.7))
                h0(x)
                s1 += np.sin(np.matmul(x[:], np.sum(np.zeros((x.shape[0], n), dtype=np.float64), axis=1)))
                s6 += np.sin(np.min(np.maximum(np.full(n, s6, dtype=np.float64), x[::-1])))
            c5 = 0.1 * np.dot(x + x[::-1], x)
        else:
            c5 = np.max(x / (2.0 + x * x))
        s1 += np.tanh((1.0 + 0.04 * s1 * (0.04 * s1)) ** 0.7)
    return ((0.03 * s1) ** 2.0 + 0.5 * s1 + 0.4 * x.sum(), np.tanh(x[-3] + 0.07 * s1) + 0.5 * s1 + 0.3 * np.sum(np.sin(x)), x.mean() + 0.5 * s1 + 0.4 * x.sum())


ARGS = (np.array([-1.2631636618836943, -1.3662241582222259, 1.2950662459360682, -1.0778767080379619, -1.0740864142758535, 0.3186044829818777, 1.4595053668343403], dtype=np.float64), True,)
MORE = ((np.array([-0.8085133644565012, 0.6801298950126577, 0.1431765742369957, -1.5087260411019834, 0.5817235733098376, 1.4694029781010047, 0.1674233517418522], dtype=np.float64), False,),)
SEED = 2368143429
