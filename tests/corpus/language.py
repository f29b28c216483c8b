"""Programs of Python's own semantics, each with some tuples of arguments: what Python gives for them is what is expected."""
import contextlib
import itertools
import math
import operator
import types
import warnings
from dataclasses import dataclass

import numpy as np

import gradscribe as gs

PROGRAMS = []


def program(*args):
    """Enter a function with some tuples of arguments."""
    def enter(fun):
        PROGRAMS.append((fun, args))
        return fun
    return enter


# ---- what branches and loops join


@program((True,np.float32(2)),(False,np.float32(2)))
def join1(c, x):
    return (0.1 if c else x) * np.float64(1)


@program((True,np.uint8(2)),(False,np.uint8(2)))
def join2(c, x):
    return 300 if c else x


@program((True,np.uint8(2)),(False,np.uint8(2)))
def join6(c, x):
    return 5 if c else x


@program((True,np.float32(2),0.1),(False,np.float32(2),0.1))
def join7(c, x, y):
    return y if c else x


@program((np.array([1,2,3], np.float32),))
def acc1(x):
    s = 0.0
    for v in x:
        s = s + v
    return s


@program((np.array([1,2,3], np.float32),))
def acc2(x):
    best = 0
    for v in x:
        if v > best:
            best = v
    return best


@program((np.array([1,2,3],np.int32),))
def acc3(x):
    s = 0
    for v in x:
        s += v
    return s


@program((np.array([1,2,3],np.int64),))
def acc4(x):
    s = np.int64(0)
    for v in x:
        s = s + v * 0.5
    return s


@program((np.array([1.,2,3]),),(np.array([]),))
def acc5(x):
    s = np.int64(0)
    for v in x:
        s = s + v
    return s


@program((True,np.int64(3)),(False,np.int64(3)))
def join8(c, n):
    r = n
    if c:
        r = n * 0.5
    return r


@program((np.array([1,2,3]),3),(np.array([1,2,3]),0))
def arr1(x, n):
    y = x
    for k in range(n):
        y = y * 0.5
    return y


@program((True,),(False,))
def c1(c):
    return 1 / 0 if c else 2.0


@program((True,),(False,))
def c2(c):
    return [][0] if c else 2.0


@program((True,1.0),(False,1.0))
def c3(c, x):
    if c:
        y = math.sqrt(-1.0)
    else:
        y = x
    return y


@program((True,1.0),(False,1.0))
def c4(c, x):
    if c:
        y = math.log(0)
    else:
        y = x
    return y


@program((True,1.0),(False,1.0))
def c6(c, x):
    y = (1, 2)[5] if c else x
    return y


@program((True,1.0),(False,1.0))
def c8(c, x):
    y = 10.0 ** 400 if c else x
    return y


@program((True,1.0),(False,1.0))
def c9(c, x):
    y = 1e+300 ** 3 if c else x
    return y


@program((True,1.0),(False,1.0))
def c11(c, x):
    y = x.foo if c else x
    return y


@program((True,1.0),(False,1.0))
def c12(c, x):
    y = 1 << -1 if c else x
    return y


@program((True,1.0),(False,1.0))
def c14(c, x):
    y = math.exp(1000) if c else x
    return y


@program((True,1.0),(False,1.0))
def c18(c, x):
    y = (-1) ** 0.5 if c else x
    return y


# ---- scopes

x, k = 7.0, 3  # what comprehensions and functions below call otherwise


@program((True,1.0),(False,1.0))
def def1(c, a):
    if c:

        def g(v):
            return v * 2
    else:

        def g(v):
            return v * 3
    return g(a)


@program((2.0,1.0),(-2.0,1.0))
def def2(t, a):
    if t > 0:

        def g(v):
            return v * 2
    else:

        def g(v):
            return v * 3
    return g(a)


@program((2.0,1.0),(-2.0,1.0))
def def3(t, a):
    g = (lambda v: v * 2) if t > 0 else lambda v: v * 3
    return g(a)


@program((2.0,1.0),(-2.0,1.0))
def def4(t, a):
    g = math.sin if t > 0 else math.cos
    return g(a)


@program((2.0,1.0),(-2.0,1.0))
def def5(t, a):

    def mk(s):

        def g(v):
            return v * s
        return g
    g = mk(2.0) if t > 0 else mk(a)
    return g(a)


@program((2.0,1.0),(-2.0,1.0))
def def6(t, a):
    g = lambda v: v
    if t > 0:
        g = lambda v: v * 5
    return g(a) + g(t)


@program((np.array([1.,2,3]),))
def comp1(a):
    return sum([x * 2 for x in a]) + x


@program((np.array([1.,2,3]),))
def comp2(a):
    y = [x for x in a]
    return y[0] + x


@program(([1.,2.,3.],))
def comp3(a):
    y = [max for max in a]
    return max(y)


@program(([1.,2.,3.],))
def comp4(a):
    return [[x * y for x in a] for y in a]


@program(([[1.,2.],[3.,4.]],))
def comp5(a):
    return [x for r in a for x in r]


@program(([1.,2.,3.],))
def comp6(a):
    fs = [lambda: v for v in a]
    return [f() for f in fs]


@program(([1.,2.,3.],))
def comp7(a):
    v = 100.0
    fs = [lambda: v for v in a]
    return fs[0]() + v


@program(([1.,2.,3.],))
def comp8(a):
    v = 100.0
    fs = [lambda v=v: v for v in a]
    return fs[0]() + v


@program(([1.,2.,3.],))
def comp9(a):
    return [a for a in a]


@program(([1.,2.,3.],))
def comp10(x):
    return [x for x in [x[0], x[1]] for y in [x]]


@program(([1.,2.,3.],))
def comp11(a):
    r = [(last := v) for v in a]
    return (last, r)


@program(([1.,2.,3.],))
def comp12(a):
    t = 0.0
    r = [(t := (t + v)) for v in a]
    return (t, r)


@program(([1.,2.,3.],))
def comp13(a):
    return ({i: v for i, v in enumerate(a)}, [i for i in range(3)])


@program((2,[1.,2.,3.]))
def comp14(k, a):
    d = {k: v for k, v in enumerate(a)}
    return d[2] * k


@program((np.array([1.,2,3]),))
def comp15(a):
    i = 5.0
    b = [v * i for i, v in enumerate(a)]
    return (i, b[2])


@program((np.array([1.,2,3]),))
def comp16(a):
    fs = []
    for v in a:
        pass
    return [v for w in a][0]


@program(([1.,2.,3.],))
def late1(a):
    fs = []
    for v in a:
        fs.append(lambda: v)
    return [f() for f in fs]


@program(([1.,2.,3.],))
def late2(a):
    fs = []
    for v in a:
        fs.append(lambda v=v: v)
    return [f() for f in fs]


@program(([1.,2.,3.],))
def late3(a):
    fs = []
    for v in a:

        def g(u=v, *, w=v * 2):
            return u + w
        fs.append(g)
    return [f() for f in fs]


@program((2.0,))
def nl1(a):
    n = a

    def f():

        def g():
            nonlocal n
            n = n * 2
        g()
        g()
    f()
    return n


@program((2.0,))
def nl2(a):

    def counter():
        n = 0

        def inc():
            nonlocal n
            n += 1
            return n
        return inc
    c = counter()
    d = counter()
    return c() + c() * 10 + d() * 100 + a


@program((2.0,))
def del1(a):
    b = a
    del b
    return b


@program((2.0,))
def del2(a):
    del a
    return x


@program((2.0,))
def del3(a):
    x = a
    del x
    return x


@program((2.0,))
def del4(a):
    b = a * 2
    if a > 0:
        del b
    return b


@program((-2.0,))
def del5(a):
    b = a * 2
    if a > 0:
        del b
    return b


@program((2.0,))
def del6(a):
    del b
    return a


@program((2.0,))
def del7(a):
    b = a
    del b
    del b
    return a


@program((2.0,))
def del8(a):
    b = a

    def g():
        return b
    del b
    return g()


@program((2.0,))
def unb1(a):
    y = b
    b = a
    return y


@program((2.0,),(-2.0,))
def unb2(a):
    if a > 0:
        b = 1.0
    return b


@program((2.0,))
def unb3(a):
    y = x
    x = a
    return y


@program((2.0,))
def unb4(a):
    b += a
    return b


@program((2.0,))
def unb5(a):

    def g():
        return b
    y = g()
    b = a
    return y


@program((2.0,))
def unb6(a):
    for i in range(0):
        b = a
    return b


@program((2.0,0),(2.0,2))
def unb7(a, n):
    for i in range(n):
        b = a
    return b


@program((2.0,0),(2.0,2))
def unb8(a, n):
    for i in range(n):
        pass
    return i


@program((2.0,))
def cls1(a):

    def f(n):
        return n if n <= 1 else n * f(n - 1)
    return f(5) * a


@program((np.array([1.,2.]),))
def comp_cl(a):
    v = 3.0
    f = lambda: v
    r = [f() for v in a]
    return sum(r)


@program(([1.,2.],))
def comp_cl2(a):
    v = 3.0
    f = lambda: v
    r = [f() for v in a]
    return sum(r)


@program(([1.,2.],))
def comp_nl(a):
    n = 0

    def inc():
        nonlocal n
        n += 1
        return n
    r = [inc() for _ in a]
    return (r, n)


@program(([1.,2.],))
def comp_it(v):
    return [v for v in [w * 2 for w in v]]


@program((2.0,))
def lam1(a):
    fs = [lambda y: y * i + a for i in range(3)]
    return [f(1.0) for f in fs]


@program((2.0,))
def lam2(a):
    i = 10
    fs = [lambda y: y * i for i in range(3)]
    i = 20
    return ([f(1.0) for f in fs], i)


@program((2.0,))
def lam3(a):
    i = 10
    fs = [[lambda: (i, j) for j in range(2)] for i in range(2)]
    return [g() for r in fs for g in r]


# ---- exceptions

class Plain(Exception):
    pass


class Made(ValueError):
    def __init__(self, x, y=2):
        super().__init__(f"made of {x} and {y}")


class Shown(Plain):
    def __str__(self):
        return f"shown {self.args}"


@program((2.5,),(-1.0,))
def r1(x):
    if x > 0:
        raise ValueError(f'bad {x}')
    return x


@program((2.5,),(-1.0,))
def r2(x):
    if x > 0:
        raise ValueError(f'bad {x:.3f} {x!r} {x * 2:>10}')
    return x


@program((2.5,),(-1.0,))
def r3(x):
    if x > 0:
        raise ValueError('bad', x, 3)
    return x


@program((2.5,),(-1.0,))
def r4(x):
    if x > 0:
        raise ValueError
    return x


@program((2.5,),(-1.0,))
def r5(x):
    if x > 0:
        raise ValueError(x)
    return x


@program((2.5,),(-1.0,))
def r6(x):
    if x > 0:
        raise Made(x)
    return x


@program((2.5,),(-1.0,))
def r7(x):
    if x > 0:
        raise Made(x, y=x * 2)
    return x


@program((2.5,),(-1.0,))
def r8(x):
    if x > 0:
        raise Shown('a', x)
    return x


@program((2.5,),(-1.0,))
def r9(x):
    assert x < 0, f'x is {x}'
    return x


@program((2.5,),(-1.0,))
def r10(x):
    assert x < 0
    return x


@program((2.5,),(-1.0,))
def r11(x):
    assert x < 0, x
    return x


@program((2.5,),(-1.0,))
def r12(x):
    if x > 0:
        raise ValueError('a') from KeyError('b')
    return x


@program((2.5,),(-1.0,))
def r13(x):
    if x > 0:
        raise ValueError('a') from None
    return x


@program((2.5,),(-1.0,))
def r14(x):
    if x > 0:
        raise
    return x


@program((2.5,),(-1.0,))
def r15(x):
    if x > 0:
        raise 3
    return x


@program((2.5,),(-1.0,))
def r16(x):
    if x > 0:
        raise 'abc'
    return x


@program((2.5,),(-1.0,))
def r17(x):
    if x > 0:
        raise x
    return x


@program((np.array([1.,2.]),),(np.array([-1.,2.]),))
def r18(x):
    if x[0] > 0:
        raise ValueError(f'bad {x} {x[0]} {x.shape} {len(x)}')
    return x


@program((np.array([1.,2.]),))
def r19(x):
    for i in range(len(x)):
        if x[i] > 1:
            raise ValueError(f'bad {i} {x[i]} {x[i]:.2f} {x[i]!r}')
    return x


@program((np.array([1,2],np.float32),))
def r20(x):
    for v in x:
        if v > 1:
            raise ValueError(f'bad {v} {v!r}')
    return x


@program((np.array([1,2],np.uint64),),(np.array([1,2**64-1],np.uint64),))
def r21(x):
    for v in x:
        if v > 1:
            raise ValueError(f'bad {v} {v!r}')
    return x


@program((True,),(False,))
def r22(x):
    y = not x
    if x:
        raise ValueError(f'bad {x} {y!r}')
    return y


@program((2.5,))
def r23(x):
    e = ValueError('a')
    if x > 0:
        raise e
    return x


@program((2.5,))
def r24(x):
    e = ValueError(f'a{x}')
    raise e


@program((2.5,))
def r25(x):
    if x > 0:
        raise KeyError('a')
    return x


@program((2.5,))
def r26(x):
    if x > 0:
        raise StopIteration(x)
    return x


@program((2.5,))
def r27(x):
    if x > 0:
        raise OSError(2, 'nope')
    return x


@program((2.5,))
def r28(x):
    if x > 0:
        raise UnicodeDecodeError('a', b'x', 1, 2, 'r')
    return x


@program((2.5,))
def r29(x):
    if x > 0:
        raise ValueError(x=3)
    return x


@program((2.5,))
def r30(x):
    if x > 0:
        raise Made()
    return x


@program((np.array([1.,2.]),))
def r32(x):
    x[0] += 5.0
    if x[0] > 2:
        raise ValueError(f'bad {x[0]}')
    return x


@program((2.5,))
def r34(x):
    m = 'x is {:.2f}'.format(x)
    if x > 2:
        raise ValueError(m)
    return x


@program((2.5,))
def r36(x):
    if x > 2:
        raise ValueError('x is ' + str(x) + repr(x))
    return x


@program((2.5,{"a":1.0}))
def r37(x, d):
    if x > 2:
        raise ValueError(f"{d} {(x, d['a'])} {[x]}")
    return x


@program((2.5,),(-2.5,))
def r38(x):
    if x > 2:
        raise ValueError(f'{x}{{y}}{{}}')
    return x


@program((2.5,4))
def r39(x, n):
    if x > 2:
        raise ValueError(f'{x:.{n}f} {n:>{n}}')
    return x


@program((2.5,4))
def r40(x, n):
    if x > 2:
        raise ValueError(f'x={x!r} n={n:5}')
    return x


# ---- unpacking and calls


@program(([1.],),([1.,2.,3.],))
def un1(a):
    x, y = a
    return x + y


@program(([1.],),([1.,2.,3.],))
def un2(a):
    x, y, *z = a
    return x + y


@program(([1.],))
def un3(a):
    p, q, *r = [1]
    return p


@program((1.0,))
def un4(a):
    p, q = a
    return p


@program((1.0,))
def un5(a):
    p, q = None
    return p


@program((1.0,))
def un6(a):
    p, q = 3
    return p


@program((np.array([1.,2.,3.]),),(np.array([1.]),))
def un7(a):
    p, q = a
    return p


@program((np.array([1.]),),(np.array([1.,2.,3.]),))
def un8(a):
    p, q, *r = a
    return p


@program((1.0,))
def un9(a):
    (p, q), r = ((a,), a)
    return p


@program((1.0,))
def un10(a):
    p, q = (a, a, a)
    return p


@program((1.0,))
def un11(a):
    for p, q in [(a, a, a)]:
        a = p
    return a


@program((1.0,))
def un12(a):
    p, q = {'x': 1.0, 'y': 2.0}
    return p + q


@program((1.0,))
def un13(a):
    p, q = 'ab'
    return p + q


@program((np.float64(1.0),))
def un14(a):
    p, q = a
    return p


@program((np.array(1.0),))
def un15(a):
    p, q = a
    return p


@program((1.0,))
def un16(a):
    p, q = len
    return p


def h(a, b=2.0, /, c=3.0, *, d=4.0, e):
    return a + b + c + d + e


def h0():
    return 1.0


def h2(a, b):
    return a + b


def hv(a, *r):
    return a


def hk(a, *, k):
    return a + k


class K:
    def m(self, a):
        return a

    @staticmethod
    def s(a):
        return a


@program((1.0,))
def call1(x):
    return h(x)


@program((1.0,))
def call2(x):
    return h(a=x, e=1)


@program((1.0,))
def call3(x):
    return h(x, b=1, e=1)


@program((1.0,))
def call4(x):
    return h(x, 1, 2, 3, e=1)


@program((1.0,))
def call5(x):
    return h(x, e=1, z=1)


@program((1.0,))
def call6(x):
    return h0(x)


@program((1.0,))
def call7(x):
    return h2(x)


@program((1.0,))
def call8(x):
    return h2()


@program((1.0,))
def call9(x):
    return h2(x, x, x)


@program((1.0,))
def call10(x):
    return h2(x, a=x)


@program((1.0,))
def call11(x):
    return h2(x, **{'b': x})


@program((1.0,))
def call12(x):
    return h2(x, b=x, **{'b': x})


@program((1.0,))
def call13(x):
    return hv()


@program((1.0,))
def call14(x):
    return hk(x, x)


@program((1.0,))
def call15(x):
    return hk(x)


@program((1.0,),(-1.0,))
def call16(x):
    if x > 0:
        return h2(x)
    return x


@program((1.0,))
def call17(x):

    def g(y, *, z):
        return y * z
    return g(x)


@program((1.0,))
def call18(x):
    f = lambda y: y
    return f()


@program((1.0,))
def call19(x):
    return K.s()


@program((1.0,))
def call20(x):
    return K.m(1)


@program((1.0,))
def call21(x):
    return h2(*[x, x, x, x])


@program((1.0,))
def call22(x):
    return h2(**{1: x})


@program((1.0,))
def call24(x):
    return h2(**x)


@program((1.0,))
def call25(x):
    return h(x, 1.0, e=5.0, c=2.0)


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


@program((9,),(0,))
def w1(n):
    s = 0
    while (k := n) > 0:
        n -= 2
        s += k
    return (s, k)


@program((9,),(0,))
def w2(n):
    s = 0
    while n > 0 and (k := (n * 2)) > 6:
        n -= 2
        s += k
    return s


@program((9,),(0,))
def fe1(n):
    for i in range(n):
        if i == 5:
            break
    else:
        return -1
    return i


@program((9,),(0,),(3,))
def fe2(n):
    r = 0
    for i in range(n):
        if i == 5:
            r = 1
            break
    else:
        r = 2
    return r


@program((9,),(0,),(3,))
def lv1(n):
    i = -1
    for i in range(n):
        pass
    return i


@program((9,),(0,),(3,))
def lv2(n):
    for i in range(n):
        pass
    return i


@program((9,),(0,),(3,))
def lv3(n):
    s = 0
    for i in range(n):
        i = i * 2
        s += i
    return (s,)


@program((9,),(1,),(3,))
def lv4(n):
    s = 0
    for i in range(n):
        s += i
        n = 2
    return (s, n)


@program((9,),(1,),(3,))
def lv5(n):
    for i in range(n):
        i = i * 2
    return i


@program((np.arange(4.),))
def lv6(x):
    for v in x:
        pass
    return v


@program((np.arange(4.),))
def lv7(x):
    s = 0.0
    for k, v in enumerate(x):
        x[3] = 100.0
        s += v
    return s


@program((np.arange(4.),))
def lv8(x):
    s = 0.0
    for v in x:
        x = x * 2
        s += v
    return (s, x)


@program(([1.,2.,3.],))
def lv10(a):
    s = 0.0
    for v in a:
        a = []
        s += v
    return s


@program((5,))
def aug1(n):
    t = (1, 2)
    t += (n,)
    return t


@program((5,))
def aug2(n):
    a = [1]
    b = a
    a += [n]
    return b


@program((5,))
def aug3(n):
    s = 'a'
    s += 'b'
    return len(s)


@program((5.0,))
def aug4(n):

    def g():
        nonlocal n
        n += 1
        n *= 2
        n **= 2
        n //= 3
        n %= 7
        n -= 1
        n /= 2
    g()
    return n


@program((5,))
def aug5(n):
    n <<= 2
    n |= 1
    n &= 13
    n ^= 3
    n >>= 1
    return n


@program((True,1.0),(False,1.0))
def c7(c, x):
    y = int('x') if c else x
    return y


@program((True,1.0),(False,1.0))
def c10(c, x):
    y = int(math.inf) if c else x
    return y


@program((True,1.0),(False,1.0))
def c13(c, x):
    y = 'a' + 1 if c else x
    return y


@program((True,1.0),(False,1.0))
def c15(c, x):
    y = np.uint8(300) if c else x
    return y


@program((True,1.0),(False,1.0))
def c17(c, x):
    y = None + 1 if c else x
    return y


@program((True,1.0),(False,1.0))
def c20(c, x):
    y = len(5) if c else x
    return y


@program((True,1.0),(False,1.0))
def c21(c, x):
    y = float('a') if c else x
    return y


# ---- functions, := and exceptions, mixed

Bad = Plain


@program((1.0,3),(-1.0,3))
def mixed_1(x, n):
    fs = []
    for k in range(3):
        fs.append((lambda v: v * k) if x > 0 else lambda v: v + k)
    return [f(x) for f in fs]


@program((1.0,3),(-1.0,0))
def mixed_2(x, n):
    for k in range(n):
        g = math.sin if x > k else math.cos
        x = x + g(x)
    return x


@program((1.0,3),(-1.0,0))
def mixed_3(x, n):
    g = math.sin
    for k in range(n):
        x = x + g(x)
        g = math.cos
    return x


@program((1.0,3),(-1.0,0),(5.0,2))
def mixed_4(x, n):
    if x > 0:
        if x > 2:
            f = math.sin
        else:
            f = math.cos
    else:
        f = lambda v: v * n
    return f(x)


@program((1.0,),(-1.0,))
def mixed_5(x):

    def f(a, b=2.0):
        return a * b
    g = f if x > 0 else lambda a, b=x: a + b
    return (g(x), g(x, 3.0), g(b=1.0, a=x))


@program((1.0,),(-1.0,))
def mixed_6(x):
    if x > 0:
        y = x * 3
        g = lambda: y
    else:
        y = 5.0
        g = lambda: y + 1
    y = y + 1
    return g()


@program((1.0,),(-1.0,))
def mixed_7(x):
    n = 0

    def inc():
        nonlocal n
        n += 1

    def dec():
        nonlocal n
        n -= 1
    f = inc if x > 0 else dec
    f()
    f()
    return n


@program((1.0,),(-1.0,))
def mixed_8(x):
    try_ = None
    if x > 0:

        def try_(v):
            return v
    return try_(x) if try_ is not None else -5.0


@program((1.0,),(-1.0,))
def mixed_9(x):
    r = []
    [r.append(v) for v in (x, x * 2)]
    return r


@program((1.0,),(-1.0,))
def mixed_10(x):
    y = [(a := (x * 2)), (b := (a + 1)), a * b]
    return (y, a, b)


@program((1.0,),(-1.0,))
def mixed_11(x):
    if x > 0 and (y := (x * 2)) > 1:
        return y
    return x


@program((1.0,),(-1.0,))
def mixed_12(x):
    if x > 0 and (y := (x * 2)) > 1:
        pass
    return y


@program((1.0,),(-1.0,))
def mixed_13(x):
    z = (y := x) if x > 0 else (y := (-x))
    return y * z


@program((1.0,))
def mixed_14(x):
    f = lambda: (t := (x * 2)) + t
    return f()


@program((3,1.0),(0,1.0))
def mixed_15(n, x):
    s = [(x := (x * 2)) for _ in range(n)]
    return x


@program((3,1.0),(0,1.0))
def mixed_16(n, x):
    t = 0.0
    y = np.array([(t := (t + k * x)) for k in range(n)])
    return (t, y)


@program((3,1.0),)
def mixed_17(n, x):
    i = 10
    while (i := (i - n)) > 0:
        if i < 5:
            break
        x = x * 2
    return (x, i)


@program((3,1.0),)
def mixed_18(n, x):
    i = 10
    while (i := (i - n)) > 0:
        if i < 5:
            continue
        x = x * 2
    else:
        x = -x
    return (x, i)


@program((1.0,),(3.0,))
def raised_1(x):
    for k in range(5):
        if x * k > 7:
            raise Bad(k, x * k, 'a', [k, (x,)], {'k': k})
    return x


@program((1.0,),(30.0,))
def raised_2(x):
    while x < 100:
        x = x * 2
        if x > 60:
            raise Bad(f'{x:8.3e}|{x!s}|{x:+}|{int(x):04d}|{x > 3}')
    return x


@program((1,),(70,))
def raised_3(n):
    if n > 60:
        raise Bad(f'{n:b} {n:>6} {n:,} {n / 7:.3%} {-n}')
    return n


@program((2**60,),)
def raised_4(n):
    if n > 60:
        raise Bad(n, n + 1, True, None, 1e+308 * n, float(n))
    return n


@program((np.float64(2),np.float32(3),np.int8(4),np.bool_(True)),)
def raised_5(a, b, c, d):
    if a > 0:
        raise Bad(a, b, c, d, f'{a} {b} {c} {d} {a!r} {b!r} {c!r} {d!r}')
    return a


@program((np.float64("nan"),-0.0,math.inf),)
def raised_6(a, b, c):
    if b == 0:
        raise Bad(f'{a} {b} {c} {a:.2f} {b!r} {c!r}')
    return a


@program((2.0,))
def raised_7(x):

    def check(v, name, lo=0.0):
        if v > lo:
            raise Bad(f'{name} must be at most {lo}, got {v}')
        return v
    return check(-x, 'a') + check(x, 'b', lo=1.0)


@program((2.0,))
def raised_8(x):
    if x > 1:
        raise Bad(str(x) + ' is ' + repr(x)) from ValueError(f'{x}')
    return x


@program((2.0,))
def raised_9(x):
    if x > 1:
        raise Bad from Bad
    return x


@program((2.0,))
def raised_10(x):
    if x > 1:
        raise Bad from 3
    return x


@program((2.0,))
def raised_11(x):
    if x > 1:
        raise NotImplementedError
    return x


@program((2.0,))
def raised_12(x):
    assert x > 5, (x, 'a')
    return x


@program((2.0,))
def raised_13(x):
    assert (x > 5, 'a')
    return x


@program(({"a":2.0},))
def raised_14(d):
    if d['a'] > 1:
        raise KeyError(d['a'])
    return d['a']


@program((2.0,))
def raised_15(x):
    e = ValueError('bad', x)
    if x > 5:
        raise e
    return x


@program((np.arange(3.),5),(np.arange(9.),5))
def raised_17(x, i):
    if i >= len(x):
        raise IndexError(f'{i} is not in an array of {len(x)}, {x.shape}')
    return x[i]


@program((np.arange(6.).reshape(2,3),))
def raised_18(x):
    for row in x:
        if row.sum() > 5:
            raise Bad(f'row {row} {row.sum():.1f} {row * 2}')
    return x


@program((2.0,))
def raised_19(x):
    if x > 1:
        raise Bad('%')
    return x


@program((2.0,))
def raised_20(x):
    if x > 1:
        raise Bad(f"{{x}} {x:{'>'}{9}}")
    return x


@program((2.0,))
def raised_21(x):
    raise Bad(x)
    return x


@program((2.0,))
def raised_22(x):
    return [e for e in (1, 2)][3]


# ---- loops whose first iteration changes what variables are


@program((np.array([1,2,3]),3),(np.array([1,2,3]),1),(np.array([1,2,3]),0))
def loop_1(x, n):
    y = x
    for k in range(n):
        y[0] = 7
        y = y * 0.5
    return (y, x)


@program((np.array([1,2,3]),3),(np.array([1,2,3]),0))
def loop_2(x, n):
    y = x
    z = y
    for k in range(n):
        y = y * 0.5
        z = z + y
    return (y, z, x)


@program((np.array([1,2,3]),3),(np.array([1,2,3]),0))
def loop_3(x, n):
    y = x
    for k in range(n):
        if k == 2:
            break
        y = y * 0.5
    return y


@program((np.array([1,2,3]),3),(np.array([1,2,3]),1))
def loop_6(x, n):
    y = x
    for k in range(n):
        if k == 1:
            continue
        y = y / 2
        z = y.sum()
    return (y, z)


@program((np.array([1,2,3],np.float32),3),)
def loop_7(x, n):
    y = x
    for k in range(n):
        y = y * np.float64(1.5)
    return y


@program((np.float32(1.5),3),(np.float32(1.5),0))
def loop_8(x, n):
    for k in range(n):
        x = x * np.float64(1.1)
    return x


@program((np.float64(1.5),3),(np.float64(1.5),0))
def loop_9(x, n):
    while x < n:
        x = np.array([x, x])
        x = x.sum()
    return x


@program((1.5,3),(1.5,0))
def loop_10(x, n):
    a = x
    for k in range(n):
        a = np.array([x, x * 2]) * a
    return a


@program((np.ones(1),3),(np.ones(1),0))
def loop_11(x, n):
    a = x
    for k in range(n):
        a = np.ones(3) * a * 2
    return a


@program((np.ones((2,3)),3),(np.ones((2,3)),1))
def loop_12(x, n):
    a = x
    for k in range(n):
        a = a.sum(axis=0) if a.ndim == 2 else a * 2
    return a


@program((np.ones(3),3),(np.ones(3),1))
def loop_13(x, n):
    a = (1, 2)
    for k in range(n):
        a = (x,)
        x = x * 2
    return a


@program((1.0,3),(1.0,1))
def loop_15(x, n):
    state = 'first'
    for k in range(n):
        if state == 'first':
            x = x * 10
        state = 'later'
        x = x + 1
    return x


@program((1.0,3),(1.0,1))
def loop_16(x, n):
    first = True
    for k in range(n):
        if first:
            best = x
            first = False
        elif x * k > best:
            best = x * k
    return best


@program((1.0, 30),)
def loop_17(x, n):
    state = 'first'
    while x < n:
        if state == 'first':
            x = x * 10
        state = 'later'
        x = x + 1
    return x


@program((1.0,3),(1.0,0))
def loop_18(x, n):
    s = np.int64(2)
    for k in range(n):
        s = s * x
    return s / 4


@program((1.0,3),(1.0,0))
def loop_19(x, n):
    d = {}
    for k in range(n):
        d = {'a': x * k}
    return d


@program((np.arange(6.),),)
def loop_20(x):
    acc = np.int32(0)
    for v in x:
        acc = acc + v
        if acc > 6:
            break
    return acc


@program((np.arange(6.),),)
def loop_21(x):
    lo = 0
    hi = len(x)
    while lo < hi:
        m = (lo + hi) // 2
        if x[m] < 2.5:
            lo = m + 1
        else:
            hi = m
    return lo


@program((5,1.5),)
def loop_23(n, x):
    s = n
    for k in range(3):
        t = s
        s = s + x
    return (s, t)


@program((True,np.ones(2,np.float32)),(False,np.ones(2,np.float32)))
def loop_24(c, x):
    y = x
    if c:
        y = x * np.float64(2)
    return y


@program((np.array([3.0, 4.0]),), (np.array([]),))
def loop_grows_from_one_element(x):
    p = np.ones(1)
    for i in range(len(x)):
        p = np.concatenate([p, x[i:i + 1]])
    return np.sum(p * p)


# ---- what is evaluated first, and what shares what

@dataclass
class S:
    a: float
    b: list


def b_():
    return 3, 4.0


@program((2.0,))
def order_1(x):
    d = {'a': x}

    def f():
        d['a'] = 100.0
        return 1.0
    d['a'] += f()
    return d['a']


@program((2.0,))
def order_2(x):
    d = [x, x]

    def f():
        d[0] = 100.0
        return 1.0
    d[0] += f()
    return d


@program((2.0,))
def order_3(x):
    s = S(x, [x])

    def f():
        s.a = 100.0
        return 1.0
    s.a += f()
    return s.a


@program((2.0,))
def order_4(x):
    n = x

    def f():
        nonlocal n
        n = 100.0
        return 1.0
    n += f()
    return n


@program((2.0,))
def order_5(x):
    a = np.zeros(3)

    def f():
        nonlocal a
        a = np.ones(3)
        return 1.0
    a += f()
    return a


@program((2.0,))
def order_6(x):
    a = np.zeros(3)

    def f():
        nonlocal a
        a = np.ones(3)
        return 1.0
    a[0] = f()
    return a


@program((2.0,))
def order_7(x):
    a = [np.zeros(3)]
    b = a[0]
    a[0] += x
    return (a, b)


@program((2.0,))
def order_8(x):
    a = [1.0, 2.0]

    def f():
        a.append(x)
        return 0
    a[f()] = a[-1]
    return a


@program((2.0,))
def order_9(x):
    a = [1.0, 2.0]

    def f():
        a.append(x)
        return 0
    return (a + [f()], a)


@program((2.0,))
def order_10(x):
    d = {}

    def f(k):
        d[k] = x
        return len(d)
    return ([f('a'), f('b'), f('a')], list(d))


@program((2.0,))
def order_11(x):
    i = 0
    a = np.zeros(3)

    def nxt():
        nonlocal i
        i += 1
        return i
    a[nxt()], a[nxt() - 2] = (nxt(), nxt())
    return a


@program((2.0,))
def order_12(x):
    a = np.arange(3.0)
    b = a
    a = a + (b := (a * 2))
    return (a, b)


@program((2.0,))
def order_13(x):
    y = x
    return (y, (y := (y + 1)), y)


@program((2.0,))
def order_14(x):
    a = np.ones(2)

    def f():
        a[0] = 50.0
        return a
    return (a + f(), a * 1 + f(), a[0] * f()[1])


@program((2.0,))
def order_15(x):
    a = np.ones(2)
    b = a
    b *= 2
    b = b * 3
    b /= 2
    return (a, b)


@program((2,))
def order_16(n):
    a = np.array([1, 2])
    a //= n
    a += n
    a **= n
    a %= 5
    a <<= 1
    a |= n
    a ^= 3
    a &= 7
    a >>= 1
    a -= 1
    return a


@program((2.0,))
def order_17(x):
    t = (1, [2])
    u = t
    t += (x,)
    return (t, u)


@program((2.0,),(-2.0,))
def order_19(x):
    s = [1.0]
    t = s if x > 0 else [3.0]
    return t[0]


@program((2.0,),(-2.0,))
def order_20(x):
    if x > 0:
        a, b = (1, 2.0)
    else:
        a, b = b_()
    return a + b


@program((2.0,),(-2.0,))
def order_21(x):
    y = x if x > 0 else -x if x < -1 else 0
    return y


@program((2.0,),(-2.0,))
def order_22(x):
    return [x if x > 0 else 0.0, not x, x or 1.0, x and 2.0]


@program((3,))
def order_24(n):
    out = 0
    for i in range(n):
        for j in range(n):
            if j == i:
                break
            if i + j == 3:
                continue
            out += i * 10 + j
        else:
            out += 1000
            continue
        if i == 2:
            break
    else:
        out += 1
    return (out, i, j)


# ---- what exceptions say

class Coded(Exception):
    def __init__(self, code, *more, why=""):
        if code > 100:
            raise RuntimeError(f"too high {code}")
        self.code = code
        super().__init__(code, *more)

    def __str__(self):
        return f"<{self.code}>"


@program((2.0,),(200.0,))
def said_1(x):
    if x > 1:
        raise Coded(x, x * 2, why=f'{x}')
    return x


@program((2.0,))
def said_2(x):
    if x > 1:
        raise Coded(x) from Coded(x * 3)
    return x


@program((2.0,),(200.0,))
def said_3(x):
    if x > 1:
        raise ValueError('a') from Coded(x)
    return x


@program((2.0,))
def said_4(x):
    if x > 1:
        raise ValueError(f"{math.sqrt(x):.3f} and {np.sqrt(x):.3f} {np.array([x, x])} {(x, [x], {'a': x})}")
    return x


@program((np.ones((2,3)),np.ones(4)),)
def said_5(a, b):
    if a.shape[1] != b.shape[0]:
        raise ValueError(f'shapes {a.shape} and {b.shape} do not fit: {a.shape[1]} != {len(b)}')
    return a


@program((np.ones((2,3)),),)
def said_6(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(a.shape[1]):
            if a[i, j] * j > 1:
                raise ValueError(f'at {i},{j}: {a[i, j]}')
    return a


@program((2.0,3))
def said_7(x, n):

    def chk(v):
        if v < 0:
            raise ValueError(f'negative: {v}')
        return v
    for k in range(n):
        x = chk(x - k)
    return x


@program((2.0,3))
def said_8(x, n):
    out = []
    for k in range(n):
        if x * k > 3:
            raise ValueError(f'{k}: {out}')
        out.append(x * k)
    return np.sum(out)


@program((2.0,3))
def said_9(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    if len(out) > 2:
        raise ValueError(f'{len(out)} {out[-1]} {np.array(out)}')
    return x


@program((2.0,3))
def said_10(x, n):
    if x > 1 and n > 2:
        raise ValueError('both', x, n)
    elif x > 1:
        raise KeyError(n)
    return x


@program((2.0,3),(2.0,-3))
def said_11(x, n):
    if x > 1:
        if n > 0:
            raise ValueError(n)
        else:
            raise KeyError(x)
    return x


@program((2.0,None))
def said_12(x, y):
    if x > 1:
        raise ValueError(f"{y} {y!r} {True} {'s'!r}")
    return x


@program((3,))
def said_16(n):
    x = 1.5
    while True:
        x = x * x
        if x > 1000000000.0:
            raise OverflowError(f'{x:g} after {n}')


@program((np.arange(3),))
def said_17(a):
    a = a + 1
    if a.sum() > 2:
        raise ValueError(f'{a} {a.dtype} {a.sum()} {a.sum()!r} {a.mean()}')
    return a


@program(((1.0,2.0),))
def said_18(p):
    a, b = p
    if a < b:
        raise ValueError(p, *p, f'{p}')
    return a


# ---- everyday accumulators of narrow numbers


@program((np.array([1,-2,3],np.float32),))
def single_1(x):
    total = 0
    for v in x:
        if v > 0:
            total += v
    return total


@program((np.array([1,-2,3],np.float32),))
def single_2(x):
    lo, hi = (np.inf, -np.inf)
    for v in x:
        lo = min(lo, v)
        hi = max(hi, v)
    return (lo, hi)


@program((np.array([1,-2,3],np.float32),))
def single_4(x):
    lr = 0.1
    w = x
    for k in range(3):
        w = w - lr * w
        lr = lr * 0.9
    return w


@program((np.array([1,-2,3],np.float32),))
def single_5(x):
    y = np.zeros_like(x)
    s = 0.0
    for i in range(len(x)):
        s = s * 0.9 + x[i] * 0.1
        y[i] = s
    return y


@program((np.array([1,-2,3],np.float32),))
def single_7(x):
    out = [v if v > 0 else 0.1 * v for v in x]
    return out


@program((np.array([1,-2,3],np.float32),))
def single_8(x):

    def leaky(v):
        return v if v > 0 else 0.01 * v
    return np.array([leaky(v) for v in x])


@program((np.array([1,-2,3],np.int32),))
def single_9(x):
    count = 0
    for v in x:
        if v > 0:
            count += 1
    return count


@program((np.array([1,-2,3],np.int32),))
def single_10(x):
    s = 0
    for v in x:
        s = s * 2 + v
    return s


@program((np.array([1,2,3],np.uint8),))
def single_11(x):
    m = 0
    for v in x:
        if v > m:
            m = v
    return m


@program((np.array([1,2,3]),))
def single_12(x):
    m = -1
    for v in x:
        if v > m:
            m = v
    return m


@program((np.array([1,2,3]),))
def single_13(x):
    p = 1
    for v in x:
        p *= v
    return p


@program((np.array([1.,2,3]),))
def single_14(x):
    n = len(x)
    m = n
    for v in x:
        m = m + v
    return m / n


@program((np.float32(2.0),),(np.float32(-2.0),))
def single_18(x):
    sign = 1 if x > 0 else -1
    return sign * x


@program((np.float32(2.0),),(np.float32(-2.0),))
def single_19(x):
    eps = 0.1
    if x < 0:
        eps = 0.3
    return eps * x


@program((2.0,3),(-2.0,3))
def single_21(x, n):
    t = 0
    for k in range(n):
        t = t + x if k % 2 else t - k
    return t


@program((np.array([1,-2,3],np.float32),np.float32(0.5)))
def single_22(x, a):
    clip = max(0.0, min(1.0, a))
    return x * clip


@program((np.array([1,-2,3],np.float32),))
def single_23(x):
    m = 0
    t = 0
    for v in x:
        t += 1
        m = m + (v - m) / t
    return m


@program((np.array([[1,-2],[3,4]],np.float32),))
def single_24(x):
    tr = 0.0
    for i in range(2):
        for j in range(2):
            if i == j:
                tr += x[i, j]
            else:
                tr -= 0.5 * x[i, j]
    return tr


@program((np.array([1,-2,3],np.float32),))
def single_25(x):
    state = 0.0
    while abs(state) < 3:
        state = state + x.max()
    return state


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


# ---- one of two functions


@program((np.array([1.,2.,3.]),),(np.array([1.,-2.,3.]),))
def either_1(x):
    a = x.copy()
    b = x.copy()

    def fa():
        a[0] = 9.0
        return a

    def fb():
        b[0] = 7.0
        return b
    g = fa if x[1] > 0 else fb
    r = g()
    return (a, b, r)


@program((np.array([1.,2.,3.]),),(np.array([1.,-2.,3.]),))
def either_2(x):
    a = x.copy()

    def fa(v):
        v[0] = 9.0

    def fb(v):
        v[1] = 7.0
    (fa if x[1] > 0 else fb)(a)
    return a


@program((np.array([1.,2.,3.]),3),(np.array([1.,-2.,3.]),2))
def either_3(x, n):
    fs = [np.sin, np.cos, np.tan]
    for k in range(n):
        f = fs[k]
        x = f(x)
    return x


@program((1.0,"a"),(-1.0,"b"))
def either_5(x, k):
    fs = {'a': math.sin, 'b': math.cos}
    return fs[k](x)


@program((1.0,3),(-1.0,2))
def either_6(x, n):
    op = max if x > 0 else min
    return op(x, 0.5)


@program((1.0,3),(-1.0,2))
def either_7(x, n):

    def g(k):
        return 1.0 if k == 0 else x * g(k - 1)
    f = g if x > 0 else lambda k: -g(k)
    return f(n)


@program((1.0,3),(-1.0,2))
def either_8(x, n):
    if x > 0:

        def f(v):
            return v + 1
    else:
        f = None
    return f(x)


@program((1.0,3),(-1.0,2))
def either_9(x, n):
    if x > 0:

        def f(v):
            return v + 1
    return f(x)


@program((1.0,3),(-1.0,2))
def either_10(x, n):
    total = 0.0
    for k in range(n):
        if k % 2 == 0:

            def f(v):
                return v * k
        else:

            def f(v):
                return v + k
        total += f(x)
    return total


@program((1.0,3),(-1.0,2))
def either_12(x, n):
    fs = [lambda v: v + 1, lambda v: v * 2]
    if x > 0:
        fs.append(lambda v: v - 5)
    else:
        fs.append(lambda v: v - 7)
    return [f(x) for f in fs]


@program((1.0,3),(-1.0,2))
def either_13(x, n):

    def outer():
        if x > 0:
            return lambda v: v * x
        return lambda v: v - x
    return outer()(n)


@program((1.0,3),(-1.0,2))
def either_14(x, n):
    import_ = 5

    def outer(f, *a):
        return f(*a)
    return outer(outer, lambda p, q: p * q + import_, x, n)


@program((1.0,3),(-1.0,2))
def either_15(x, n):
    t = (math.sin, 2.0) if x > 0 else (math.cos, 3.0)
    return t[0](x) * t[1]


@program((1.0,3),(-1.0,2))
def either_16(x, n):
    d = {'f': math.sin, 'w': 2.0} if x > 0 else {'f': math.cos, 'w': 3.0}
    return d['f'](x) * d['w']


# ---- generator expressions

@program((np.array([1.0, -2.0, 3.0]),), (np.array([]),), (np.array([2, 3]),))
def generator_in_a_sum(x):
    return sum(v * v for v in x if v > 0)


@program((np.array([1.0, -2.0, 3.0]), 2.0), (np.array([-1.0]), 0.5))
def generators_in_all_that_consume(x, a):
    listed = [*(a * v for v in x)], tuple(v for v in x), sorted(-v for v in x[:1]), list(enumerate(v for v in x[:2]))
    table = dict((name, a * v) for name, v in zip("ab", x))
    return listed, table, ", ".join(str(k) for k in range(3)), max(v for v in x), min(v * v for v in x)


@program((np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, 3.0]),), (np.array([]),))
def any_of_a_generator_stops(x):
    return any(v > 0 for v in x), all(v > -1.5 for v in x), any(1 // (2 - k) for k in range(1, 3)), any(() for _ in x)


@program((np.array([1.0, -2.0, 3.0]),), (np.array([-2.0]),))
def largest_of_few(x):
    return max(v for v in x if v > 0.0)


@program((2.0,))
def generators_run_out_and_keep_their_variables(x):
    g = (k * x for k in (1, 2, 3))
    fs = list((lambda: k * x) for k in range(3))
    return next(g), sum(g), list(g), [f() for f in fs], [f() for f in ((lambda: k * x) for k in range(3))]


@program((np.array([1.0, 2.0]), 3))
def generators_of_several_loops(x, n):
    pairs = ((a, b) for a in (x[0], x[1]) for b in range(2) if b or a is x)
    total = sum(a * b for a in x for b in x if a < b)
    for k in range(n):
        total = total + sum(v * k for v in x)
    return total, list(pairs), sum(u * v for u, v in zip(x, (w + 1 for w in x)))


@program((2.0,))
def generator_has_no_length(x):
    return len(x * k for k in range(3))


# ---- match

@dataclass
class Circle:
    r: float


@dataclass
class Rectangle:
    a: float
    b: float


@program((Circle(2.0),), (Rectangle(2.0, 3.0),), (Rectangle(1.0, 3.0),), (("square", 3.0),), ([1.0, 2.0, 3.0],),
         ({"kind": "line", "n": 2.0, "m": 1.0},), (3,), (0,), (None,))
def match_of_static_things(shape):
    match shape:
        case Circle(r=r):
            return 3.0 * r * r
        case Rectangle(1.0, b=b):
            return b
        case Rectangle(a, b):
            return a * b
        case ("square", a):
            return a * a
        case [first, *rest] if len(rest) == 2:
            return first + sum(rest)
        case {"kind": "line", "n": n, **others}:
            return n, others
        case 0 | 1:
            return "small"
        case int(k) | float(k):
            return k * 2
        case None:
            return "nothing"


@program((0, 2.0), (1, 2.0), (2, 2.0), (7, 2.0))
def match_of_numbers_of_the_run(k, x):
    match k:
        case 0:
            y = x
        case 1 | 2 if x > 1.0:
            y = x * x
        case _:
            return -x
    return y + 1.0


@program(("sin", 0.5), ("cos", 0.5), ("tan", 0.5))
def match_of_strings(name, x):
    match name:
        case "sin":
            return math.sin(x)
        case "cos":
            return math.cos(x)
        case other:
            raise ValueError(f"no function {other} of {x}")


@program(((0.0, 2.0),), ((1.0, 2.0),))
def match_with_captures_where_the_run_decides(point):
    match point:
        case (0.0, y):
            return y
        case (x, y):
            return x + 10 * y


@program((1.0,))
def match_class_with_too_many(x):
    match x:
        case float(a, b):
            return a
    return x


# ---- with, try

class Level:
    def __init__(self):
        self.depth = 0
        self.left = []

    def __enter__(self):
        self.depth += 1
        return self

    def __exit__(self, kind, problem, traceback):
        self.depth -= 1
        self.left.append(None if kind is None else kind.__name__)
        return kind is KeyError


@program((np.array([1.0, 4.0]), {"a": 1.0}), (np.array([1.0, 4.0]), {"b": 2.0}))
def with_blocks(x, table):
    level = Level()
    with np.errstate(divide="ignore", invalid="ignore"), contextlib.nullcontext(3.0) as three:
        y = np.log(x) * three
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = y + 1.0
    with level as inner:
        y = y * inner.depth
    with level:
        y = y * table["a"]
    with contextlib.suppress(KeyError):
        y = y + table["b"]
    return y, level.depth, level.left


@program((2.0, {"a": 1.0}, "a"), (2.0, {"a": 1.0}, "b"), (2.0, {"a": 1.0}, []))
def try_of_what_is_known(x, table, key):
    seen = []
    try:
        y = table[key] * x
        seen.append("found")
    except KeyError as problem:
        y = -x
        seen.append(f"missing {problem}")
    except (TypeError, ValueError) as problem:
        y = 0.0
        seen.append(str(problem))
    else:
        seen.append("else")
    finally:
        seen.append("finally")
    return y, seen


class Special(ValueError):
    pass


@program((1.0, 0), (1.0, 1), (1.0, 2), (1.0, 3))
def try_with_exceptions_of_mine(x, k):
    def part(k):
        if k == 1:
            raise Special("one", k)
        if k == 2:
            raise IndexError("two")
        if k == 3:
            raise RuntimeError("three")
        return x
    try:
        try:
            return part(k)
        except IndexError as problem:
            raise Special("again") from problem
        except Special:
            raise
    except Special as problem:
        return problem.args, x


@program((np.ones(3), 3), (np.ones((2, 3)), 3), (2.0, 3))
def try_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        try:
            total += len(x) * k
        except TypeError:
            total += k
            continue
    return total


@program((np.ones(3), np.ones(3)), (np.ones(3), np.ones(4)))
def try_of_shapes(a, b):
    try:
        return a + b
    except ValueError as problem:
        return "do not fit"


@program((np.ones(3), 0), (np.ones(3), 1))
def try_with_the_text_of_the_exception(a, k):
    try:
        return a + np.ones(4) if k else a[5]
    except (ValueError, IndexError) as problem:
        return f"{problem}", type(problem).__name__


# ---- sets of what is known

@program((np.array([1.0, 2.0, 4.0]), ["b", "a", "b"]), (np.array([1.0]), []))
def sets_of_names(x, names):
    seen, order = set(), []
    for k, name in enumerate(names):
        if name not in seen:
            order.append(x[k])
        seen.add(name)
    odd = {2 * k + 1 for k in range(len(names))} | {8, 0, 16}
    odd -= {8}
    odd.discard(77)
    both = odd & set(range(4))
    return order, sorted(seen), [v for v in odd], both, len(both | {3}), {1, 3} <= odd, sum(both), max(odd), seen == {"a", "b"}


@program((1.0,))
def set_that_changes_in_a_loop(x):
    s = {1, 2, 3}
    for k in s:
        s.add(k + 10)
    return x


@program(([1.0],))
def set_of_a_list(x):
    return {x}, 1.0


@program((2.0, True), (2.0, False))
def set_changed_on_one_path(x, more):
    s = {1}
    if more:
        s.add(2)
    return len(s) * x


# ---- itertools, operator, namespaces, methods of arrays

THREE = np.array([1.0, 2.0, 3.0])


@program((THREE, ["a", "b"]))
def itertools_of_known_lengths(x, names):
    a, b, c = x
    pairs = sum(u * v for u, v in itertools.product([a, b], repeat=2)), sum(x[i] * j for i, j in itertools.permutations(range(3), 2))
    more = sum(u * v for u, v in itertools.combinations(x, 2)), list(itertools.chain([a], (b,))), [*itertools.chain.from_iterable([[a], [c]])]
    filled = [(u, v) for u, v in itertools.zip_longest(names, [a], fillvalue=0.0)]
    sums = list(itertools.accumulate([a, b, c])), list(itertools.accumulate([1.0, 2.0], operator.mul, initial=a))
    return pairs, more, filled, sums, [(n, k) for n, k in zip(names, itertools.cycle([a, b, c]))]


@program((THREE,))
def itertools_one_step_at_a_time(x):
    a, b, c = x
    it = iter([a, b, c, a, b])
    first = list(itertools.islice(it, 2)), next(it), [k * v for k, v in zip(itertools.count(1), itertools.repeat(a, 2))]
    kept = [*itertools.takewhile(lambda k: k < 2, range(5))], [*itertools.dropwhile(lambda k: k < 2, range(4))]
    rest = [*itertools.compress([a, b, c], [1, 0, 1])], [*itertools.filterfalse(None, [0, 1])], list(itertools.islice([a, b, c], 1, None, 2))
    slopes = [v - u for u, v in itertools.pairwise([a, b, c])], list(itertools.starmap(operator.mul, [(a, 2.0), (b, 3.0)]))
    return first, list(it), kept, rest, slopes, [(k, sum(x[i] for i in g)) for k, g in itertools.groupby(range(3), key=lambda i: i // 2)]


@program((THREE,))
def islice_of_a_wrong_number(x):
    return list(itertools.islice([x[0]], -1))


@program(({"a": THREE, "b": 2.0},))
def functions_that_operator_makes(p):
    first = operator.itemgetter("a")
    return first(p).sum(), operator.itemgetter("b", "a")(p)[0], operator.attrgetter("T.T")(p["a"])[0], operator.methodcaller("sum")(p["a"])


@program((THREE, 2))
def namespaces(x, n):
    given = types.SimpleNamespace(**{"w": x, "n": n})
    p = types.SimpleNamespace(w=given.w * 2.0, k=given.n)
    p.w = p.w + 1.0
    p.more = [p.w[0]]
    return np.sum(p.w) * p.k + p.more[0]


@program((THREE,), (np.arange(4),), (np.array([[1.0, 2.0], [3.0, 4.0]]),))
def methods_of_arrays(x):
    square = x.reshape(-1, 1)
    return x.tolist(), x.item(1), x[0].tolist(), square.mT, x.itemsize, x.nbytes, x.__len__(), x.compress([True, False], axis=0), x.sum()[None], x.sum()[()]


@program((2.0,))
def python_number_has_no_items(x):
    return x[None]


@program((np.float32(2.0),))
def numpy_number_has_no_place(x):
    return x[0]


@program((1.5, THREE))
def format_of_a_string(x, y):
    raise ValueError("{} of {name!r}: {1:.2f}".format(x, y[1], name="a"))


@program((1.5,))
def format_without_a_value(x):
    return "{} {}".format(x)


@program((THREE, 1), (THREE, 7), (THREE, -3), (THREE, -4), (np.array(2.0), 0), (np.ones((2, 2)), 3), (np.ones((2, 2)), (1, 0)), (THREE, (1, 0)), (THREE, None))
def item_at_a_place(x, k):
    return x.item(k), x.item(*[0] * x.ndim)


TWO_BY_THREE = np.arange(6.0).reshape(2, 3)


@program((TWO_BY_THREE,), (TWO_BY_THREE.T,), (np.asfortranarray(TWO_BY_THREE),), (THREE,), (np.arange(6).reshape(3, 2),))
def flat_is_read(x):
    flat = x.flat
    total = sum(v * k for k, v in enumerate(flat)) + max(x.flat) + np.sum(flat)
    return total, flat[2], flat[-1], flat[1:], flat[[[0, 1]]], flat[x.ravel() > 1], flat[...], np.array(flat), flat.copy(), len(flat), list(x.flat)[0]


@program((TWO_BY_THREE,), (TWO_BY_THREE.T,), (np.asfortranarray(TWO_BY_THREE),), (np.arange(6),))
def flat_is_stored_into(x):
    y, z, u = x.T.copy().T, x.copy(), x.T
    y.flat[1], y.flat[-1] = 7.0, x[0] if x.ndim == 1 else x[0, 0]
    y.flat[2:4] = [9.0, 8.0, 7.0]
    y.flat[[0, 0]] = 5, 6
    z.flat = x.T
    z.flat[z.flatten() > 3] = [1.0, 2.0]
    u.flat[1] = 3.5
    return y, z, u


@program((TWO_BY_THREE,), (TWO_BY_THREE.T,))
def flat_sees_stores(x):
    total = 0.0
    for k, v in enumerate(x.flat):
        total += v
        x.flat[-1 - k] = total
    x[0, 0] = 100.0
    return total, x


@program((TWO_BY_THREE, 6), (TWO_BY_THREE, -7))
def flat_out_of_range(x, k):
    x.flat[k] = 1.0
    return x


@program((TWO_BY_THREE,))
def flat_has_one_axis(x):
    return x.flat[x > 1.0]


@program((TWO_BY_THREE,))
def an_array_at_one_place_of_flat(x):
    x.flat[0] = [1.0]
    return x


@program((THREE, 1.5), (THREE, 7.0), (np.zeros(0), 1.0))
def the_largest_of_those_that_there_are(x, limit):
    return max((v * v for v in x if v > limit), default=-1.0), min((v for v in x if v < limit), default=limit)


@program((THREE, True), (THREE, False))
def one_of_two_contexts(x, quiet):
    with np.errstate(divide="ignore") if quiet else contextlib.nullcontext():
        return np.log(x)


@program((THREE,))
def iterators_of_their_own(x):
    first, second, third = itertools.tee(x, 3)
    next(second)
    return list(first), list(zip(second, third)), [*map(list, itertools.tee(v for v in x))]


class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __array__(self, dtype=None, copy=None):
        return np.linspace(self.low, self.high, 3)


@program((1.0, 2.0))
def objects_that_are_arrays(x, y):
    between = Interval(x, y)
    return np.sum(between), np.asarray(between), np.exp(between), np.stack([between, np.array([x, y, x])])


def scaled_items(x, scale):
    return (scale * v for v in x)


@program((THREE, 2.0))
def a_generator_that_outlives_its_function(x, scale):
    first, second = scaled_items(x, scale), scaled_items([1.0, 2.0], x[0])
    return sum(first), list(second)


@program((THREE, 2.0), (-THREE, 2.0))
def a_generator_sees_its_variables_later(x, scale):
    items = (scale * v for v in x)
    if x[0] > 0.0:
        other = 1.0
    else:
        other = 2.0
    scale = 3.0
    for k in range(len(x)):
        other = other * x[k]
    return sum(items) * other


# ---- generator functions

def halves(x, n):
    for _ in range(n):
        x = 0.5 * x
        yield x


def sums_so_far(x):
    """One array, again and again."""
    total = np.zeros(2)
    for v in x:
        total[0] += v
        total[1] = total[0] * v
        yield total
    total[:] = 9.0


def roots(x):
    y = x
    while True:
        y = 0.5 * (y + x / y)
        yield y


def small_ones(x, limit):
    for k, v in enumerate(x):
        if v < 0.0:
            continue
        if v > limit:
            return
        yield v, k
        yield -v, k


def leaves_of(tree):
    if isinstance(tree, (list, tuple)):
        for part in tree:
            yield from leaves_of(part)
    else:
        yield tree


def differences(x):
    items = iter(x)
    last = next(items)
    for v in items:
        yield v - last
        last = v


class Grid:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            yield 2.0 * v


@program((2.0, 5), (2.0, 0), (THREE, 3))
def loops_over_a_generator(x, n):
    total, seen = 0.0 * x, []
    for k, v in enumerate(halves(x, n), 1):
        w = k * v
        total = total + w * w
        seen.append(np.sum(w))
    return total, np.array(seen), [np.sum(v) for v in halves(x, n)]


@program((2.0, 5))
def a_variable_after_a_loop_over_a_generator(x, n):
    for v in halves(x, n - 5):
        pass
    return v


@program((THREE,), (-THREE,))
def one_array_that_a_generator_fills_again(x):
    total = np.zeros(2)
    for v in sums_so_far(x):
        total += v
    kept = list(sums_so_far(x))
    return total, sum(sums_so_far(x)), kept[0], [v[1] for v in sums_so_far(x)], sum(v[0] for v in sums_so_far(x))


@program((THREE,),)
def a_store_into_what_a_generator_reads(x):
    y, seen = x.copy(), []
    for v in halves(y, 4):
        y[1] += 1.0
        v[0] = 0.0
        seen.append(v[1] + v[0] + y[0])
    return seen, y


@program((2.0, 1e-3), (16.0, 1e-9))
def an_endless_generator_that_is_left(x, small):
    for k, y in enumerate(roots(x)):
        if abs(y * y - x) < small:
            break
    else:
        k = -1
    return y, k, first_root_below(x, small)


def first_root_below(x, small):
    for y in roots(x):
        if abs(y * y - x) < small:
            return y
    return None


@program((THREE, 10.0), (THREE, 1.5), (-THREE, 10.0))
def a_generator_with_conditions(x, limit):
    total, count = 0.0, 0
    for v, k in small_ones(x, limit):
        if v < -1.5:
            continue
        total += v * (k + 1)
        count += 1
    return total, count, np.array([1.0 * k for _, k in small_ones(x, limit)]), any(v > 1.0 for v, _ in small_ones(x, limit))


@program((THREE,))
def a_generator_that_calls_itself(x):
    tree = (x, [2.0 * x, (x[0], 3)], x)
    return sum(np.sum(v) * k for k, v in enumerate(leaves_of(tree))), len(list(leaves_of(tree)))


@program((THREE,), (np.zeros(0),))
def a_stop_iteration_in_a_generator(x):
    return sum(differences(x)), max(differences(x))


@program((THREE,), (np.zeros(0),))
def a_stop_iteration_that_the_loop_raises(x):
    total = 1.0
    try:
        for v in halves(total, 2):
            total += v
            if len(x) == 0:
                raise StopIteration
        total += sum(differences(x))
    except StopIteration:
        total = -total
    except RuntimeError:
        total = 7.0
    return total


@program((THREE,))
def a_class_whose_iterator_is_a_generator(x):
    grid = Grid(x)
    a, *others = grid
    return a, others, sum(grid), list(grid), max(grid), [*grid, 1.0], [v * w for v in grid for w in Grid(x[:2])]


@program((THREE,))
def a_generator_that_has_run(x):
    values = halves(x[1], 3)
    return sum(values), list(values), sum(values, 4.0)


@program((THREE, 3))
def a_generator_inside_of_a_function(x, n):
    scale = 1.0

    def scaled():
        nonlocal scale
        for k in range(n):
            scale = scale * x[k % 3]
            yield scale, k
        yield 5.0, -1

    total = 0.0
    for v, k in scaled():
        scale = scale + 0.5
        total += v * k
    return total, scale


@program((THREE, True), (THREE, False))
def generators_in_a_branch(x, flag):
    total = 0.0
    if x[0] > 0.0:
        for v in halves(x, 2) if flag else sums_so_far(x):
            total += v[1]
    return total


@program((THREE,))
def what_takes_a_generator_at_once(x):
    names = dict((str(k), v) for k, v in enumerate(halves(x[0], 2)))
    return (names, tuple(halves(x[1], 2)), sorted(halves(x[1], 3)), max(halves(x[1], 2), default=0.0), min(halves(1.0, 0), default=3.0),
            all(v > 0 for v in halves(x[1], 2)), any(halves(0.0, 2)), sum(map(abs, filter(None, halves(x[0], 2)))), len(set(halves(1.0, 3))))


@program((THREE,))
def nothing_of_a_generator_that_is_not_looped_over(x):
    y = x.copy()

    def stores():
        y[0] = 5.0
        yield y[0]

    stores()
    return y


@program((THREE,))
def a_loop_over_a_generator_in_a_loop_over_one(x):
    total, found = 0.0, None
    for k, a in enumerate(halves(x, 4)):
        for b in halves(a, 5):
            if b[1] < 0.2:
                break
            total += b[2]
        else:
            continue
        if k > 1:
            found = k
    return total, found


@program((3.0,))
def what_a_generator_has_no_such_thing(x):
    return len(halves(x, 2))


def relaxed(x, rate):
    y = x.copy()
    while True:
        y[1:-1] += rate * (y[:-2] - 2.0 * y[1:-1] + y[2:])
        yield y


@program((np.array([1.0, 2.0, 3.0, 4.0, 6.0]), 0.2))
def the_array_of_a_generator_after_the_loop(x, rate):
    for y in relaxed(x, rate):
        if y[3] > 4.3:
            break
    y[0] = 7.0
    return y, [y[1] for _, y in zip([z.copy() for z in first_of(relaxed(x, rate))], [x, y])]


def first_of(items):
    for k, item in enumerate(items):
        if k == 3:
            return
        yield item


@program((THREE, 2.0))
def a_second_name_that_a_loop_gives(x, r):
    z, items = x.copy(), [r]
    for k in range(3):
        y, others = z, items
        z[k] *= r
        items[0] = items[0] + x[k]
    y[0] = 5.0
    others[0] = others[0] * 2.0
    return y * z, items


@program((np.float64(2.0),), (np.float64(-2.0),), (np.float64(0.0),))
def numpy_s_class_of_what_paths_join(b):
    t = np.float64(max(0, b))
    return t, np.float64(b if b > 1 else 3)


@program((np.int64(2),), (2.5,))
def the_union_of_nothing_and_a_number(x):
    s = []
    return np.union1d(s, x)


def a_bool_between_numbers(p=3):
    yield (lambda u: u * p)(np.inf)
    yield True
    yield p


@program((2.0,))
def the_largest_of_a_generator_of_bools_and_numbers(x):
    return max(a_bool_between_numbers()) + x


@gs.checkpoint
def computed_again(x):
    return np.sin(x)


@program((2.0, 0.0), (2.0, 3.0))
def a_division_beside_a_checkpoint(x, y):
    y //= y
    return computed_again(x)


@program((THREE,), (-THREE,))
def places_that_are_bools(x):
    return np.take(x, [True, False]), np.take(x, x > 1), x.take(x > 1), np.take(x, True), np.take(x, x > 0, mode="clip"), np.take(1.5, [[False]])
