"""One of two functions; generator expressions."""
import math

import numpy as np

from tests.corpus.semantics.table import program

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
