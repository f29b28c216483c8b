# seed 51000076, stages, KeyError: raises KeyError: '<='
import bisect
import numpy as np
RECORDS = np.array([(0.5, 2, 0.25), (1.5, 1, -0.5), (0.75, 3, 1.0)], dtype=[('mass', float), ('n', int), ('at', float)])

def h1(v):
    v[1::2] *= np.tanh(v[1::2])
    v[1:-1] *= 0.2 * (v[:-2] + v[:-2] * v[:-2])
    n2 = 0.09 * v.sum() + 0.137
    n3 = 0.09 * np.sum(v) + 0.274
    n4 = 0.05 * (v @ v) + 0.411
    p1 = [(n2, 1), (n3, n2), (n4, 0.4)]
    p1.insert(0, p1.pop())
    t5 = 0.2 * max(p1, key=lambda q: q[0])[1] * 1.0

def f(x):
    t1 = 1.13 + x[-1]
    s2 = 0.1
    for r in RECORDS:
        s2 += r['mass'] * np.sin(np.sin(t1 + 0.1 * len(x)) - r['at'])
    t3 = np.tanh(s2 * 0.5)
    n4 = np.sin(np.mean(x)) + 0.137
    n5 = 0.6 * x[0] ** 2 + 0.274
    q6 = sorted([n4, n5])
    bisect.insort(q6, np.sin(np.sqrt(1.0 + t3 * t3)) + 0.05)
    t7 = 0.2 * n4 * bisect.bisect_right(q6, np.sin(np.sqrt(1.0 + t3 * t3)) + 0.05)
    h1(v=x[:0:-1])
    return np.sin(x).min() + 0.5 * t7 + 0.2 * np.sum(x * x)


ARGS = (np.array([-1.3136386556480604, 0.5719269116174521], dtype=np.float64),)
MORE = ((np.array([0.08292301522139489, -0.7680726249178943], dtype=np.float64),),)
SEED = 51000076
