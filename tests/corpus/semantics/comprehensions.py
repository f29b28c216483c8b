"""Definitions in functions, comprehensions, and functions that see their variables later."""
import math

import numpy as np

from tests.corpus.semantics.table import program

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
