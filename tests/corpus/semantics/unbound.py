"""nonlocal, del, variables without a value, scopes of classes and of comprehensions."""
import numpy as np

from tests.corpus.semantics.comprehensions import x
from tests.corpus.semantics.table import program


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
