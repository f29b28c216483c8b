"""Loops: `else`, what their variables are afterwards, augmented assignment, branches."""
import math

import numpy as np

from tests.corpus.semantics.table import program


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
