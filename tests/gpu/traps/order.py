"""Random numbers, the order of things, tapes."""
import numpy as np

import gradscribe as gs
from tests.gpu.traps.table import LONG, A, B, X, on

# ---- random numbers

KEY = gs.random.key(7)


@on((X, KEY), (LONG[:50], KEY))
def noise(x, key):
    first, second = gs.random.split(key)
    y = x + gs.random.normal(first, x.shape, np.float64) * gs.random.uniform(second, x.shape, np.float64)
    return (y, gs.random.normal(gs.random.fold_in(key, 3), (), np.float64), gs.random.bits(key, (3,)),
            gs.random.randint(key, (4,), -5, 5))


@on((np.array([0.3]), KEY, 4), (np.array([0.3]), KEY, 0))
def walk(x, key, n):
    s, highest = x[0], 0.0
    for k in range(n):
        s = s * np.exp(0.1 * gs.random.normal(gs.random.fold_in(key, k), (), np.float64))
        highest = max(highest, s)
    return s, highest


@on((np.array([1.0, 0.2]), KEY))
def monte_carlo(x, key):
    z = gs.random.normal(key, (40,), np.float64)
    return np.mean(np.maximum(x[0] * np.exp(x[1] * z - 0.5 * x[1] * x[1]) - 1.0, 0.0))


@on((X.astype("f4"), KEY))
def single_noise(x, key):
    return x + gs.random.normal(key, x.shape), gs.random.uniform(key, (3,)), gs.random.bernoulli(key, 0.5, (5,))


# ---- the order of things

@on((X,), (LONG[:50],))
def sorted_after_a_store(x):
    x[0] = 5.0
    y = np.sort(x)
    x[1] = -5.0
    return y, np.argsort(x), x[x > 0], np.linalg.norm(x)


@on((X, np.array([0, 99]), 0), (X, np.array([0, 1]), 0), (X, np.array([0, 99]), 1))
def the_first_of_two_exceptions(x, i, n):
    y = np.cumsum(x[i])
    y[0] = 1.0
    k = 5 // n
    return y * k


@on((np.eye(3), np.array([0, 99, 1])), (np.eye(3), np.array([0, 1, 1])))
def the_first_of_two_in_a_library(m, i):
    b = m[i]
    return np.linalg.inv(b)


@on((X, np.array([0, 99])), (X, np.array([0, 1])))
def printed_once(x, i):
    print("before", x[0])
    y = x[i]
    print("after", y[0])
    return y


@on((X, 100), (X, 3))
def printed_once_with_a_tape(x, n):
    y = x[0]
    print("before", y)
    for i in range(n):
        y = np.sin(y) + x[1]
    print("after", y)
    return y


@on((X, 3), (X, 0))
def an_array_is_printed_as_it_was(x, n):
    y = x * 2.0
    for k in range(n):
        print(y)
        y[k % 3] = k
    return y


@on((X, 2), (X, 0))
def scalar_of_host_and_device(x, n):
    t = x[0] * 2.0
    u = x + t
    if n > 1:
        t = float(n) ** 0.5
    return u * t, t


@on((X, 3), (X, 0))
def conditional_scalars(x, n):
    s = 1.0
    for i in range(n):
        y = np.sort(x * i)
        if i == 1:
            s = y[0]
        x = y + s
    return x, s


@on((np.float32(0.1), X.astype("f4")), (np.float32(3.0), X.astype("f4")))
def single_scalars(a, x):
    b = a * a + np.float32(1.0) / np.float32(3.0)
    return b, b * x[0], a / np.float32(7.0), np.sum(x) * a, x * b


@on((X, 2), (X, 5))
def lengths_from_the_device(x, n):
    k = int(np.argmax(x))
    return np.zeros(k + n), np.ones((n, k)), x[:k], np.arange(k)


@on((A,), (B,))
def rows_sorted(a):
    out = np.zeros_like(a)
    for i in range(a.shape[0]):
        out[i] = np.sort(a[i])
    return out


@on((X, 70, 3), (X, 5, 0))
def loops_in_loops(x, n, m):
    s, count = 0.0, 0
    for i in range(n):
        k = 0
        while k < m and s < 100.0:
            s += x[k] * i
            k += 1
        count += k
    return s, count


@on((X,), (A,))
def divides_in_a_test(x):
    t, n, y = x.max(), 0, x
    while 1.0 / t > 0.0 and n < 5:
        y = np.sort(y * 2.0)
        t = t * 0.0
        n += 1
    return y, n


@on((X, 2), (X, 9))
def says_its_array(x, n):
    """A check of the host, which says what lies on the device."""
    if n > 5:
        raise ValueError(f"too long for {x}")
    return x * n


# ---- tapes

def rounds_on_one_path(x, a):
    for i in range(len(x)):
        if x[i] > 0.0:
            k = len(x)
            while k > 0:
                a[1:] += np.tanh(a[1:])
                k -= i + 1
    return np.sum(a * a)


@on((X, A), (X[:2], A[:2]))
def what_a_while_saves_is_empty_on_the_other_path(x, a):
    """Memory of one axis that grows, seen as rows, is beside an array that is just empty."""
    return gs.grad(rounds_on_one_path, 1)(x, a.copy())
