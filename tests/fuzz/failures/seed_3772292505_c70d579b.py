# seed 3772292505, stages, KeyError: raises KeyError: 't__15'
import numpy as np

def h0(c, d):
    s1 = d
    for i in range(2):
        d += np.sin(np.minimum(s1 + c, s1))
        t2 = np.sin(d * c)
        t3 = np.sin(d / (2.0 + c * c))
        s1 += 0.5 * np.minimum(s1, c)
    return s1

def f(x, g, flag):
    x[1::2] /= 1.3 + np.tanh(x[1::2]) * np.tanh(x[1::2])
    d1 = np.abs(x[-2]) + 0.1
    while d1 > 0.23:
        d1 *= 0.41
        g += 0.3 * h0(g, np.tanh(x.dot(x)))
        g = g + np.sin(x[0])
    return np.tanh(g) + x + 0.7 * d1


ARGS = (np.array([0.2157555333352712, 0.0910720491089545], dtype=np.float64), np.float64(1.1115019727879676), False,)
MORE = ((np.array([1.246339602830751, 0.7386873470711812, 0.9427594934035883], dtype=np.float64), np.float64(-0.6683665816243647), True,),)
SEED = 3772292505
