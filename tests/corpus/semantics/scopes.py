"""More scopes: lambdas, closures and variables of loops."""
import numpy as np

from tests.corpus.semantics.table import program

# ---- more scopes


@program((2.0,))
def scope_1(x):

    def f():
        return [g() for g in [lambda: x, lambda: x * 2]]
    return f()


@program((np.arange(3.),))
def scope_2(x):
    return [v * w for v in x for w in x if w is not None]


@program((np.arange(3.),2))
def scope_3(x, n):
    return np.array([[i * j + v for j in range(n)] for i, v in enumerate(x)])


@program((np.arange(3.),2))
def scope_4(x, n):
    i = 100
    y = [i + v for v in x]
    z = [i for i in range(n)]
    return (y, z, i)


@program((np.arange(3.),2))
def scope_5(x, n):

    def g(v):
        return v + n
    return np.array([g(v) for v in x])


@program((np.arange(3.),2))
def scope_6(x, n):
    m = 0.0

    def g(v):
        nonlocal m
        m = m + v
        return m
    r = np.array([g(v) for v in x])
    return (r, m)


@program((np.arange(3.),2))
def scope_7(x, n):
    n = [n for n in x if n is x][0:]
    return len(n)


@program((np.arange(4.),2))
def scope_8(x, n):
    return {k: v for k, v in zip('abc', x)}


@program((np.arange(4.),2))
def scope_9(x, n):
    a = [v for v in x]
    v = 5
    del v
    try_ = 1
    return a[0] + try_


@program((np.arange(4.),2))
def scope_10(x, n):
    for i in range(n):
        y = [x[i] * j for j in range(3)]
        i = 7
    return (y, i)


@program((2.0,3))
def scope_11(x, n):

    def a():

        def b():

            def c():
                nonlocal x
                x = x + n
            c()
        b()
        return x
    return a() + x


@program((2.0,3))
def scope_12(x, n):
    fs = []
    for i in range(3):

        def f(i=i):
            return i * x
        fs.append(f)
    return (sum([f() for f in fs]), fs[1](10))


@program((2.0,3))
def scope_13(x, n):

    def f():
        return y
    y = x
    a = f()
    y = x * 2
    return (a, f())


@program((2.0,3))
def scope_14(x, n):

    def f():
        return y
    return f()
    y = 1


@program((2.0,3))
def scope_15(x, n):
    if n > 100:
        y = 1

    def f():
        return y
    return f()


@program((2.0,3),(-2.0,3))
def scope_16(x, n):
    if x > 0:
        y = 1

    def f():
        return y
    return f()


@program((2.0,3),(-2.0,3))
def scope_17(x, n):
    while x > 0:
        y = x
        x = x - 1
    return y


@program((2.0,3),(-2.0,3))
def scope_19(x, n):
    y = x
    for k in range(n):
        if x > 0:
            del y
    return y


@program((2.0,3))
def scope_20(x, n):
    x: float
    y: float = x
    return y


@program((2.0,3))
def scope_21(x, n):
    z: float
    return z


@program((2.0,3))
def scope_22(x, n):
    lst = [x, n]
    a, (b, *c), d = (1, (2, 3, 4), lst)
    [e, f] = lst
    return (a, b, c, d, e, f)


@program((2.0,3))
def scope_23(x, n):
    a = b, c = [x, n]
    return (a, b, c)


@program((2.0,[1.0,2.0]))
def scope_24(x, y):
    i = 0
    y = list(y)
    i, y[i] = (1, x)
    return y


@program((2.0,3))
def scope_25(x, n):

    def f(*args, **kw):
        return (args, kw)
    return f(x, *[n, n], a=x, **{'b': n})


@program((2.0,3))
def scope_26(x, n):
    f = lambda *a, k=x, **kw: (a, k, kw)
    return (f(n), f(k=n), f(z=x))


@program((2.0,3))
def scope_27(x, n):

    def f(a, b=[]):
        b.append(a)
        return b
    f(x)
    return f(n)


@program((2.0,3))
def scope_28(x, n):
    return (lambda: (yield_ := x) + yield_)()


@program((2.0,3))
def scope_30(x, n):
    order = []

    def say(v):
        order.append(v)
        return v
    d = {say(1): say(2)}
    l = [say(3), say(4)]
    r = say(5) < say(6) < say(0) < say(7)
    q = say(0) and say(8) or say(9)
    f = lambda a, b: a
    f(say(10), b=say(11))
    return (order, r, q)
