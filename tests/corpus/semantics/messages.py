"""What exceptions say."""
import math

import numpy as np

from tests.corpus.semantics.table import program

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


@program((np.ones(2), np.ones(2)), (np.ones(2), np.ones(3)), (np.ones(3), np.ones(1)), (np.ones(1), np.ones(3)),
         (np.ones((2, 3)), np.ones((2, 1))), (np.ones(0), np.ones(1)))
def number_where_a_mask_is_of_another_length(x, m):
    y = x * 1.0
    y[m > 0] = 2.0
    return y


@program((np.ones(2), np.ones(2)), (np.ones(3), np.ones(1)), (np.ones((2, 3)), np.ones((1, 3))))
def changed_where_a_mask_is_of_another_length(x, m):
    y = x * 1.0
    y[m > 0] *= 2.0
    return y, x[m > 0]
