"""Loops whose first iteration changes what variables are."""
import numpy as np

from tests.corpus.semantics.table import program

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
