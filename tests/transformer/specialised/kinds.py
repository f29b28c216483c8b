"""Programs on sizes, kinds, dtypes, exceptions, containers and objects."""
import dataclasses
import functools
from typing import NamedTuple

import numpy as np

from tests.transformer.specialised.table import BOTH, PAIRS, program, r

# ---- sizes -----------------------------------------------------------------------------------------------------------

@program(*[(r(n), 3) for n in (9, 8, 7)])
def shape_that_changes_in_a_loop(x, k):
    while len(x) > k:
        x = x[1:-1] * x[2:]
    return x


@program((r(8),), (r(2),), (r(1),), (r(4),))
def halves(x):
    while len(x) > 1:
        x = x[::2] + x[1::2]
    return x


@program(*PAIRS)
def parts_of_two(x, y):
    z = np.concatenate([x, y])
    n = min(len(x), len(y))
    return x[:n] * y[:n], z[1:] * z[:-1], x[:len(y)] + y[:len(x)]


@program(*PAIRS)
def matrix_of_two(x, y):
    out = np.zeros((len(x), len(y)))
    for i in range(len(x)):
        out[i] = x[i] * y
    return out.T @ x


@program(*[(r(6), k) for k in (1, 2, 3, 6)], *[(r(1), 1)], (r(2), 4))
def rows_of_k(x, k):
    return x.reshape(-1, k).sum(axis=0) * np.arange(k)


@program(*[(r(3), np.int64(k)) for k in (3, 1)])
def size_that_is_a_numpy_scalar(x, k):
    return np.zeros(k) + x


@program(*[(r(n), r(k, seed=5)) for n in (5, 3) for k in (1, 2, 3)])
def convolution(x, h):
    s = np.zeros(len(x) - len(h) + 1)
    for j in range(len(h)):
        s += h[j] * x[j:j + len(s)]
    return s


@program(*[(r(2, 3), k) for k in (0, 1, -1, 2)], grads=False)
def axis_as_an_argument(A, k):
    return np.concatenate([A, A], axis=k), A.sum(axis=k), np.expand_dims(A, k)


# ---- kinds and dtypes ------------------------------------------------------------------------------------------------

SCALARS = [2.5, 3, -2, True, np.float64(1.5), np.float32(2.5), np.int64(4), np.int32(3), np.uint8(200), np.bool_(True),
           np.array(2.5), np.array(3)]


@program(*[(a,) for a in SCALARS], grads=False)
def reductions_of_one(a):
    return np.sum(a), np.mean(a), np.max(a), np.any(a), np.all(a), np.argmax(a)


@program(*[(a,) for a in SCALARS], grads=False)
def conversions(a):
    return bool(a), float(a), int(a), np.float32(a) * 2, not a, np.square(a)


@program(*[(a,) for a in SCALARS], grads=False)
def truth_of_two(a):
    return bool(a > 1 and a < 3), (1 if a and not a > 3 else 2), 0 < a < 4


@program(*[(a, b) for a in SCALARS for b in (1, 2.0, np.float32(2))], grads=False)
def clipped(a, b):
    return np.clip(a, 0, b), np.dot(a, b)


@program(*[(a, n) for a in (1, 2.5) for n in (2, 0, -2.5)], grads=False)
def negative_base(a, n):
    return (-2.0) ** (a if isinstance(a, int) else 2), a * n


@program((np.array([True, False]),), grads=False)
def bools(n):
    return n + n, n * n, n.sum(), n.mean(), n & True, ~n


@program((np.array([True, False]), 0), (np.array([True, False]), 1), (np.array([1, 2]), 0), grads=False)
def no_such_operation_on_bools(n, k):
    return n - n if k == 0 else -n


@program((2, 1.5), (2.0, 1), (True, 2), grads=False)
def attributes_of_python_numbers(a, b):
    return a.real + b if a > 5 else a.dtype


# ---- exceptions ------------------------------------------------------------------------------------------------------

class Diverged(ArithmeticError):
    pass


@program(*BOTH)
def class_of_the_users(x):
    for v in x:
        if v < -0.1:
            raise Diverged("too small")
    return x * 2


@program(*BOTH)
def unpacked_wrongly_on_one_path(x):
    if x[0] > 0:
        a, b = x
    else:
        a = x[0]
    return a


@program(*[(x, n) for x, in BOTH for n in (0, 2)])
def raised_in_a_loop(x, n):
    for _ in range(n):
        if x[0] > 0:
            raise ValueError("in the loop")
        x = x + 1
    return x * 2


@program(*[(r(3), np.array(k)) for k in ([0, 2], [3], [-3], [-4])])
def index_out_of_range(x, k):
    x[k] += 1.0
    return x[k]


@program((3, 0), (3, 2), (-7, 2), (0, 0), grads=False)
def division_of_ints(a, b):
    return a // b, a % b, a / b


@program(BOTH[0], grads=False)
def too_long_an_array_as_a_number(x):
    return float(x)


# ---- containers and objects ------------------------------------------------------------------------------------------

@dataclasses.dataclass
class State:
    a: np.ndarray
    b: float = 1.0
    seen: list = dataclasses.field(default_factory=list)

    @property
    def twice(self):
        return self.b * 2


class Pair(NamedTuple):
    w: np.ndarray
    k: float = 2.0


@program(*BOTH)
def object_and_its_alias(x):
    s = State(x)
    q = s
    q.a[0] = 1.0
    q.b += 2
    s.seen.append(x[1])
    return s.a, s.twice, len(q.seen), len(State(x).seen), Pair(x)._replace(k=s.b)


@program(({"a": r(2), "b": 1.0},), ({"b": 1.0, "a": r(2)},))
def order_of_keys(d):
    return [d[k] * 2 for k in d], list(d)


@program(([1.0, [2.0, 3.0]],), ([1.0, [2.0]],), ([1.0, [2.0, 3.0]],), grads=False)
def structure_of_a_list(t):
    return sum(t[1]) + len(t[1]) * t[0]


@program(*BOTH)
def partial_of_a_value(x):
    f = functools.partial(np.multiply, x[0])
    return f(x) + functools.reduce(lambda a, b: a + b, [x, x * 2])


@program(*[(r(4), [k % 4 for k in range(45)])], grads=False)
def many_static_arguments(x, idx):
    L = [1.0, 2.0, 3.0, 4.0]
    return sum([L[i] * x[0] for i in idx])
