"""Everyday accumulators of narrow numbers."""
import numpy as np

from tests.corpus.semantics.table import program

# ---- everyday accumulators of narrow numbers


@program((np.array([1,-2,3],np.float32),))
def single_1(x):
    total = 0
    for v in x:
        if v > 0:
            total += v
    return total


@program((np.array([1,-2,3],np.float32),))
def single_2(x):
    lo, hi = (np.inf, -np.inf)
    for v in x:
        lo = min(lo, v)
        hi = max(hi, v)
    return (lo, hi)


@program((np.array([1,-2,3],np.float32),))
def single_4(x):
    lr = 0.1
    w = x
    for k in range(3):
        w = w - lr * w
        lr = lr * 0.9
    return w


@program((np.array([1,-2,3],np.float32),))
def single_5(x):
    y = np.zeros_like(x)
    s = 0.0
    for i in range(len(x)):
        s = s * 0.9 + x[i] * 0.1
        y[i] = s
    return y


@program((np.array([1,-2,3],np.float32),))
def single_7(x):
    out = [v if v > 0 else 0.1 * v for v in x]
    return out


@program((np.array([1,-2,3],np.float32),))
def single_8(x):

    def leaky(v):
        return v if v > 0 else 0.01 * v
    return np.array([leaky(v) for v in x])


@program((np.array([1,-2,3],np.int32),))
def single_9(x):
    count = 0
    for v in x:
        if v > 0:
            count += 1
    return count


@program((np.array([1,-2,3],np.int32),))
def single_10(x):
    s = 0
    for v in x:
        s = s * 2 + v
    return s


@program((np.array([1,2,3],np.uint8),))
def single_11(x):
    m = 0
    for v in x:
        if v > m:
            m = v
    return m


@program((np.array([1,2,3]),))
def single_12(x):
    m = -1
    for v in x:
        if v > m:
            m = v
    return m


@program((np.array([1,2,3]),))
def single_13(x):
    p = 1
    for v in x:
        p *= v
    return p


@program((np.array([1.,2,3]),))
def single_14(x):
    n = len(x)
    m = n
    for v in x:
        m = m + v
    return m / n


@program((np.float32(2.0),),(np.float32(-2.0),))
def single_18(x):
    sign = 1 if x > 0 else -1
    return sign * x


@program((np.float32(2.0),),(np.float32(-2.0),))
def single_19(x):
    eps = 0.1
    if x < 0:
        eps = 0.3
    return eps * x


@program((2.0,3),(-2.0,3))
def single_21(x, n):
    t = 0
    for k in range(n):
        t = t + x if k % 2 else t - k
    return t


@program((np.array([1,-2,3],np.float32),np.float32(0.5)))
def single_22(x, a):
    clip = max(0.0, min(1.0, a))
    return x * clip


@program((np.array([1,-2,3],np.float32),))
def single_23(x):
    m = 0
    t = 0
    for v in x:
        t += 1
        m = m + (v - m) / t
    return m


@program((np.array([[1,-2],[3,4]],np.float32),))
def single_24(x):
    tr = 0.0
    for i in range(2):
        for j in range(2):
            if i == j:
                tr += x[i, j]
            else:
                tr -= 0.5 * x[i, j]
    return tr


@program((np.array([1,-2,3],np.float32),))
def single_25(x):
    state = 0.0
    while abs(state) < 3:
        state = state + x.max()
    return state
