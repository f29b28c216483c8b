"""Order of evaluation, values of `and` and `or`."""
import numpy as np

from tests.corpus.semantics.table import program

# ---- order of evaluation, values of `and` and `or`, loops


@program((1.0,5))
def s7a(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    return (sum(out), len(out))


@program((1.0,0))
def s7b(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    return len(out)


@program((1.0,0),(1.0,2))
def s7c(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    return sum(out)


@program((1.0,0),(1.0,2))
def s7d(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    return np.sum(out)


@program((1.0,0),(1.0,2))
def s7e(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    return np.stack(out)


@program((1.0,0),(1.0,2))
def s7f(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    return np.array(out)


@program((1.0,0),(1.0,2))
def s7i(x, n):
    out = [x]
    for k in range(n):
        out.append(x * k)
    return np.mean(out) + out[-1]


@program((1.0,0),(1.0,2))
def s7j(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    return out[0]


@program((1.0,0),(1.0,2))
def s7k(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    s = 0.0
    for v in out:
        s += v
    return s


@program((1.0,0),(1.0,2))
def s7l(x, n):
    out = []
    for k in range(n):
        out.append(np.float64(x) * k)
    return sum(out)


@program((1,0),(1,2))
def s7m(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    return sum(out)


@program((1.0,2.0,3.0),(3.0,2.0,1.0))
def ch1(a, b, c):
    n = 0

    def f(v):
        nonlocal n
        n = n * 10 + 1
        return v
    r = f(a) < f(b) < f(c)
    return (r, n)


@program((1.0,2.0,3.0),(3.0,2.0,1.0))
def ch2(a, b, c):
    return (a < (t := b) < c, t)


@program((np.zeros(3),))
def ev1(x):
    n = 0

    def f(v):
        nonlocal n
        n = n * 10 + v
        return v
    x[f(1)] = f(2)
    return (n, x)


@program((np.zeros(3),))
def ev2(x):
    n = 0

    def f(v):
        nonlocal n
        n = n * 10 + v
        return v
    x[f(1)] += f(2)
    return (n, x)


@program((np.zeros(3),))
def ev3(x):
    n = 0

    def f(v):
        nonlocal n
        n = n * 10 + v
        return v
    x[f(0)], x[f(1)] = (f(2), f(3))
    return (n, x)


@program((np.zeros(3),))
def ev4(x):
    i = 0
    i, x[i] = (1, 5.0)
    return (i, x)


@program((np.zeros(3),))
def ev5(x):
    n = 0

    def f(v):
        nonlocal n
        n = n * 10 + v
        return v
    d = {f(1): f(2), f(3): f(4)}
    return n


@program((np.arange(4.),))
def ev6(x):

    def f():
        x[1] = 100.0
        return 1.0
    x[1] += f()
    return x


@program((np.arange(4.),))
def ev7(x):

    def f():
        x[1] = 100.0
        return 1.0
    y = x[1] + f()
    z = f() + x[1]
    return (y, z)


@program((2.0,),(0.0,))
def b1(x):
    return x and 1.0


@program((2.0,),(0.0,))
def b8(x):
    return not x


@program((np.array([2.0]),),(np.array([0.0]),),(np.array([1.,2.]),),(np.array([]),))
def b9(x):
    return not x


@program((np.array([2.0]),),(np.array([0.0]),),(np.array(2.0),),(np.array([1.,2.]),))
def b10(x):
    return 1.0 if x else 2.0


@program((True,),(False,))
def b12(x):
    return x or 2


@program((True,),(False,))
def b13(x):
    return x and 2.5
