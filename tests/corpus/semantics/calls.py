"""Unpacking and calls."""
import numpy as np

from tests.corpus.semantics.table import program

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
