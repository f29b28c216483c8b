"""Functions, := and exceptions, mixed."""
import math

import numpy as np

from tests.corpus.semantics.exceptions import Plain
from tests.corpus.semantics.table import program

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
