"""What is evaluated first, and what shares what."""
from dataclasses import dataclass

import numpy as np

from tests.corpus.semantics.table import program

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
