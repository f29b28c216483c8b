"""What branches and loops join."""
import math

import numpy as np

from tests.corpus.semantics.table import program

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


# ---- a number, or a view of an array that only one path has


@program((4.0, np.ones((3, 3))), (-4.0, np.ones((3, 3))), (4.0, np.ones((1, 3))))
def row_or_number(b, g):
    if b > 0.0:
        b = (b * g)[0]
    return np.sum(b)


@program((4.0, np.ones((3, 3))), (1.5, np.ones((3, 3))), (-4.0, np.ones((3, 3))))
def row_of_some_round(b, g):
    z = 1.0
    for k in range(3):
        if b > k:
            z = (b * g)[::-1, k]
    return np.sum(z * z) + b


@program((4.0, np.ones((3, 3))), (-4.0, np.ones((3, 3))))
def turned_or_number(b, g):
    z = (b * g).T if b > 0.0 else np.float64(1.0)
    z = z * b
    return np.sum(z * z)


@program((4.0, np.ones((3, 3))), (-4.0, np.ones((3, 3))))
def row_or_number_and_then_an_error(b, g):
    if b > 0.0:
        b = (b * g)[0]
    raise ValueError(f"{b}")
