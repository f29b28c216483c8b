"""Programs on variables of functions in functions, and of loops."""
import numpy as np

import gradscribe as gs
from tests.transformer.specialised.table import BOTH, DOWN, UP, program, r

# ---- variables of functions in functions, and of loops ---------------------------------------------------------------

@program(*BOTH)
def read_by_a_closure_only(x):
    s = 0.0
    def g():
        return s * 2
    y = 0.0
    for i in range(len(x)):
        y += g()
        s = i * x[i]
    if x[0] > 0:
        s = x[1]
    return y + g()


def scaling(v):
    w = v * 2
    return lambda z: z * w + v


@program(*[(r(4), n) for n in (3, 0, 1)])
def closures_made_in_a_loop(x, n):
    s = 1.0 * x[0]
    for i in range(n):
        s = s + scaling(x[i])(2.0)
    return s


@program(*[(r(4), n) for n in (3, 0, 1)], refused=True)
def closure_that_leaves_a_loop(x, n):
    f = scaling(x[0])
    for i in range(n):
        f = scaling(x[i])
    return f(2.0)


@program(*BOTH, refused=True)
def default_that_leaves_a_branch(x):
    if x[0] > 0:
        t = x[1] * 2
        f = lambda v, k=t: v * k  # noqa: E731
    else:
        f = None
    return f(3.0) if f is not None else x[0]


@program((UP,), (r(3),), (r(2),), (DOWN,), refused=True)
def a_length_that_each_side_computes(y):
    y[1:] = 0.4 * y[1:] if y @ y < 1.0 else np.sin(y)
    return y


@program((UP,), (DOWN,))
def lengths_computed_where_sides_meet(y):
    z = y[1:] * 2.0 if y[0] > 0.0 else y[2:]
    return np.sum(z) + len(y[1:]) * y[0] + len(y[2:]), len(z)


@program(*[(r(n),) for n in (3, 2, 1, 0)])
def sizes_that_turn_negative(x):
    n = len(x)
    w = np.ones(n - 1)
    if n > 1:
        w[::-1] = np.full((n - 2, 2), 0.5).sum() + x[1:]
    return np.sum(np.reshape(x, (n - 0, 1)) + 1.0) + np.sum(w)


@program(*[(r(n, m),) for n in (2, 1, 0) for m in (3, 2, 1, 0)])
def any_length_beside_none(A):
    n, m = A.shape
    return np.sum(A.reshape(n, -1) * 2.0), A.reshape(-1, m - 1).shape


@program(*[(r(3), k) for k in (2, 0, -1, 7)])
def sizes_that_a_test_keeps_from_a_division_by_zero(x, k):
    if k != 0:
        return np.sum(np.ones(7 // k) + np.ones(7 // k)) * np.sum(x)
    return np.sum(x) * 2.0


@program(*[(r(3), k) for k in (0, 2, 4)])
def sizes_of_the_run_that_turn_negative(x, k):
    s = 0.0
    for i in range(4):
        s += np.sum(np.ones(k - i + 1)) * np.sum(x)
    return s


@program(*[(r(3, 4), i) for i in (1, -3, 3, -4)], (r(0, 4), 0))
def views_that_nothing_reads(A, i):
    row, part = A[i], A[i][1:]
    if A[0, 0] > 9.0:
        row[0] = 1.0
    return A * 2.0


@program(*BOTH)
def list_grows_in_a_loop(x):
    out = []
    for i in range(3):
        out.append(x[i] ** 2)
    for v in x:
        out.append(v)
    return np.array(out)


@program(*BOTH)
def list_changed_while_looped_over(x):
    L = [x[0], x[1], x[2]]
    s = 0.0
    for a in L:
        L[2] = a * 2
        s = s + a
    return s


@program(*BOTH)
def dict_changed_while_looped_over(x):
    d = {"a": x[0], "b": x[1]}
    s = 0.0
    for k, v in d.items():
        d["b"] = s + 3.0
        s = s + v
    return s


@program(*BOTH, refused=True)
def list_longer_on_one_path(x):
    L = [x[0]]
    if x[0] > 0:
        L.append(x[1])
    return L[0]


@program(*[(r(4), n) for n in (3, 0, 1)])
def parameters_made_anew(x, n):
    p = {"w": x, "b": [1.0, x * 2]}
    for _ in range(n):
        g = gs.grad(lambda p: np.sum(p["w"] * p["b"][1]) * p["b"][0])(p)
        p = {"w": p["w"] - 0.1 * g["w"], "b": [p["b"][0] - 0.1 * g["b"][0], p["b"][1] - 0.1 * g["b"][1]]}
    return p["w"], p["b"][1]


@program(*BOTH)
def left_early_over_arrays_of_a_list(x):
    ys = [x.copy(), x * 2]
    for k, y in enumerate(ys):
        if y[0] > 0:
            continue
        y[1] = 5
        if k == 1:
            break
    return ys[0], ys[1]


@program((3, r(4)), (5, r(4)), (0, r(4)))
def recursion_by_an_argument(n, x):
    return x if n == 0 else recursion_by_an_argument(n - 1, x * 2)
