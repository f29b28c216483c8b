"""The specialiser alone: programs that once went wrong, by the kind of mistake, run as the core that it writes.

Each program is called with several arguments in turn, and again from the last to the first, so that what was specialised
for one serves or is refused for another. It must do what Python does: result, dtypes, shapes, kinds, what it stores into
its arguments, and the class of what it raises. `refused=True` allows an error of ours instead, never a wrong answer.
"""
import copy
import dataclasses
import functools
import threading
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api, testing
from gradscribe.transformer.errors.messages import GradscribeError

PROGRAMS = []


def program(*argsets, grads=True, refused=False):
    def register(f):
        PROGRAMS.append(pytest.param(f, argsets, grads, refused, id=f.__name__))
        return f
    return register


def r(*shape, seed=1):
    return np.random.default_rng(seed + sum(shape)).normal(size=shape)


UP, DOWN = abs(r(5)), -abs(r(5))
BOTH = (UP,), (DOWN,)
PAIRS = [(r(n), r(m, seed=7)) for n in (3, 1, 2, 0) for m in (3, 1, 2, 0)]


def outcome(f, args):
    args = copy.deepcopy(args)
    try:
        with np.errstate(all="ignore"):
            return f(*args), args, None
    except Exception as error:
        return None, args, error


def specialised(f):
    """f as the core that the specialiser writes for each call."""
    def call(*args):
        _, run = next(testing.stages(f, args))
        return run(*args)
    return call


def assert_same(got, want, what="result"):
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want), f"{what}: {got!r} instead of {want!r}"
        for k, pair in enumerate(zip(got, want)):
            assert_same(*pair, f"{what}[{k}]")
    elif isinstance(want, dict):
        assert list(got) == list(want), what
        for k in want:
            assert_same(got[k], want[k], f"{what}[{k!r}]")
    elif dataclasses.is_dataclass(want):
        for field in dataclasses.fields(want):
            assert_same(getattr(got, field.name), getattr(want, field.name), f"{what}.{field.name}")
    elif isinstance(want, (np.ndarray, np.generic)):
        assert type(got) is type(want) and got.dtype == want.dtype and got.shape == want.shape, f"{what}: {got!r} instead of {want!r}"
        np.testing.assert_allclose(got, want, rtol=1e-5 if want.dtype == np.float32 else 1e-12, atol=1e-12, err_msg=what)
    elif isinstance(want, (bool, int, float)):  # joined with what a path or an iteration not taken would have made of it
        kinds = {bool: (bool, np.bool_), int: (int, np.integer), float: (float, np.floating)}[type(want)]
        assert isinstance(got, kinds) and (got == want or got != got and want != want), f"{what}: {got!r} instead of {want!r}"
    else:
        assert got is want or got == want, f"{what}: {got!r} instead of {want!r}"


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("f, argsets, grads, refused", PROGRAMS)
def test_program(f, argsets, grads, refused):
    g = specialised(f)
    for args in [*argsets, *reversed(argsets)]:
        want, stored, error = outcome(f, args)
        got, stored_too, error_too = outcome(g, args)
        if refused and isinstance(error_too, GradscribeError):
            continue
        if error_too is not None and (error is None or isinstance(error_too, GradscribeError)):
            raise error_too
        assert isinstance(error_too, type(error)), f"{args}: {error_too!r} instead of {error!r}"
        if error is None:
            assert_same(got, want)
            assert_same(stored_too, stored, "the arguments")


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("f, argsets, grads, refused", PROGRAMS)
def test_gradient(f, argsets, grads, refused):
    checked = set()
    for args in argsets:
        want, _, error = outcome(f, args)
        leaves = testing.leaves_of(want)
        if not grads or error is not None or not leaves or not all(testing.is_float(x) and np.all(np.isfinite(x)) for x in leaves):
            continue
        kinds = str([np.sign(np.shape(x)) for x in testing.leaves_of(args)])
        if kinds in checked or not any(testing.is_float(x) for x in testing.leaves_of(args)):
            continue
        checked.add(kinds)
        try:
            gs.test_util.check_grads(f, copy.deepcopy(args), order=1)
        except GradscribeError:
            if not refused:
                raise


# ---- what shares memory with what ---------------------------------------------------------------------------------------

@program(*BOTH)
def views_of_views(x):
    x[1:][::2] += 1
    x[::-1][0] = 9
    x[2:5][::-1][0] = 8
    x[1:-1][1:-1][0] *= 5
    return x


@program((r(4, 5),))
def views_of_a_matrix(A):
    A[1][2:][0] = 5
    A[:, 1][::2] *= 2
    A.T[1][0] = 6
    A[None][0, 1] = 2
    A[:, ::2][1:, 1] = 13
    A[1:, 1:].T[0, 0] = 14
    B = A.reshape(10, 2)
    B.reshape(2, 10)[1, 5] = 77
    return A


@program((r(5), np.array([0, 0, 2])))
def index_arrays_copy(x, i):
    x[i][0] = 50.0
    y = x[i]
    y[0] = 9.0
    x[[1, 3]] = x[[3, 1]]
    return x, y


@program(*BOTH)
def views_of_another_kind_on_each_path(x):
    y = x[1:] if x[0] > 0 else x[:-1]
    return y * 2


@program(*BOTH)
def windows_of_one_array(x):
    v = x[0:2]
    for i in range(3):
        v[0] += v[1]
        v = x[i + 1:i + 3]
    return x, v * 1.0


@program(*[(r(9), k) for k in (3, 0, 1)], grads=False)
def view_of_a_view_each_time(x, k):
    for _ in range(k):
        x = x[1:]
    return x * 2


@program(*BOTH)
def alias_that_a_new_value_ends(x):
    y = x
    if x[0] > 0:
        y = y * 2
    y = y + x
    x[0] = 3.0
    return y, x


@program(*[(r(4), r(4, seed=3), n) for n in (3, 0, 1)], refused=True)
def aliases_after_an_iteration(x, w, n):
    y, z = x.copy(), w.copy()
    for i in range(n):
        z[0] += 1
        z = y if x[i] > 0 else w.copy()
    return y, z


@program(*[(r(4), r(4, seed=3), n) for n in (3, 0, 1)], refused=True)
def lists_exchanged(x, w, n):
    a, b = [x.copy(), 1.0], [w.copy(), 2.0]
    for _ in range(n):
        a[0][0] += b[1]
        a, b = b, a
    return a, b


@program((r(4), r(4, seed=3)))
def buffers_in_a_list(a, b):
    bufs = [a.copy(), b.copy()]
    for k in range(4):
        bufs[0][k % 3] += bufs[1][0]
        bufs = bufs[::-1]
    return bufs[0] - bufs[1]


@program((r(4, 3),))
def rows_carried(A):
    prev = None
    for row in A:
        if prev is not None:
            row -= 0.5 * prev
        prev = row
    return A


@program(*BOTH)
def store_after_a_call_in_the_value(x):
    def f():
        x[0] = 100.0
        return 1.0
    x[0] += f()
    x[1:3] += f()
    x[[0, 1]] += f()
    return x


@program(*BOTH)
def augmented_after_a_call_that_rebinds(x):
    def f():
        nonlocal x
        x = x * 2
        return 1.0
    y = x
    x += f()
    return x, y


@program((np.array([[3.0]]),), (np.array([3.0]),))
def squeezed_to_no_axes(x):
    y = x.squeeze()
    y += 1.0
    return x, y * 1


# ---- variables of functions in functions, and of loops ------------------------------------------------------------------

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


# ---- sizes --------------------------------------------------------------------------------------------------------------

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


# ---- kinds and dtypes ---------------------------------------------------------------------------------------------------

SCALARS = [2.5, 3, -2, True, np.float64(1.5), np.float32(2.5), np.int64(4), np.int32(3), np.uint8(200), np.bool_(True), np.array(2.5), np.array(3)]


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


# ---- exceptions ---------------------------------------------------------------------------------------------------------

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


# ---- containers and objects ---------------------------------------------------------------------------------------------

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


# ---- what is found outside ----------------------------------------------------------------------------------------------

X = np.array([1.0, 2.0])
OUTSIDE, SIZE = 2.0, 3


def test_what_is_outside_may_change_in_every_way():
    global OUTSIDE
    f = api.Primal(lambda x: x * OUTSIDE)
    for OUTSIDE in (2.0, 3, np.float32(2), np.array([1.0, 1.0]), np.array([[1.0], [2.0]]), np.array([3.0]), np.array([1, 2]), 2.0):
        assert_same(f(X), X * OUTSIDE)


def test_an_int_outside_that_becomes_one():
    global SIZE
    f = api.Primal(lambda x: np.zeros(SIZE) + x)
    for SIZE in (3, 1, 3):
        assert_same(f(np.ones(3)), np.ones(3))
    SIZE = 2
    with pytest.raises(ValueError):
        f(np.ones(3))
    assert_same(f(np.ones(1)), np.ones(2))


def helper(x, k=3.0):
    return x * k


class Model:
    def __init__(self):
        self.w, self.n = np.array([0.5, 2.0]), 2

    def step(self, x):
        return x * self.w

    def __call__(self, x):
        for _ in range(self.n):
            x = self.step(x)
        return helper(x)


def test_objects_and_functions_that_are_redefined():
    model = Model()
    f = api.Primal(model)

    def rewritten(x, k=3.0):
        return x + k

    for change in (lambda: None, lambda: setattr(model, "w", np.array([1.0, 3.0])), lambda: setattr(model, "n", 3),
                   lambda: setattr(helper, "__defaults__", (7.0,)), lambda: setattr(helper, "__code__", rewritten.__code__),
                   lambda: setattr(Model, "step", lambda self, x: x - self.w)):
        change()
        assert_same(f(X), model(X))


def test_two_closures_of_one_text():
    def scaled_by(k):
        return lambda x: x * k
    f, g = scaled_by(2.0), scaled_by(3.0)
    assert_same(api.Primal(lambda x: f(x) + g(x))(X), X * 5)


def test_a_name_that_is_defined_later():
    f = api.Primal(lambda x: later(x))
    with pytest.raises(GradscribeError):
        f(X)
    def later(x):
        return x * 2
    assert_same(f(X), X * 2)


# ---- arguments ----------------------------------------------------------------------------------------------------------

def test_static_arguments_are_told_apart_by_type():
    f = api.Primal(lambda x, k: x * k[0])
    x = np.ones(2, np.float32)
    for k in ((1,), (1.0,), (True,), (np.float64(1),), (0.0,), (-0.0,)):
        got, want = f(x, k), x * k[0]
        assert got.dtype == want.dtype and np.array_equal(np.signbit(got), np.signbit(want))


@pytest.mark.parametrize("x", [np.matrix([[1.0, 2.0], [3.0, 4.0]]), np.ma.masked_array([1.0, 2.0], [True, False]), np.ones(2).astype(np.dtype(float).newbyteorder())],
                         ids=["matrix", "masked array", "byte order"])
def test_arrays_with_rules_of_their_own_are_refused(x):
    f = api.Primal(lambda x: x * x)
    f(np.ones((2, 2)))
    f(np.ones(2))
    with pytest.raises(GradscribeError):
        f(x)


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="long double is float64 on this machine")
def test_numbers_wider_than_64_bits_are_refused():
    for x in (np.longdouble(2.0), np.ones(2, np.longdouble)):
        for made in (api.Primal, api.grad, api.jit):
            with pytest.raises(GradscribeError, match="an argument of dtype"):
                made(lambda x: np.sum(x * 2.0))(x)
    wide = np.longdouble(2.0)
    with pytest.raises(GradscribeError, match="an argument of dtype"):
        api.jit(lambda x: x * wide)(1.0)


def test_half_precision_is_computed_and_not_compiled():
    f = lambda x: np.sum(x * 2)  # noqa: E731
    x = np.ones(2, np.float16)
    assert_same(api.grad(f)(x), np.array([2.0, 2.0], np.float16))
    with pytest.raises(GradscribeError, match="float16 in a function that is compiled"):
        api.jit(f)(x)
    with pytest.raises(GradscribeError, match=r"test_specialise.py:\d+: float16 in a function that is compiled"):
        api.jit(lambda x: x.astype(np.float16) + 1)(np.ones(2))


def test_functions_that_are_called_like_what_the_text_calls():
    from builtins import range as numbers

    def range(v):
        s = 0.0
        for i in numbers(3):
            s = s + v[i] * v[i]
        return s

    def rt(x):
        return np.sum(np.sin(x))

    x = np.array([0.5, 1.0, 2.0])
    np.testing.assert_allclose(api.grad(range)(x), 2.0 * x)
    np.testing.assert_allclose(api.vmap(range)(np.ones((2, 3))), [3.0, 3.0])
    np.testing.assert_allclose(api.jit(range)(x), x @ x)
    np.testing.assert_allclose(api.grad(rt)(x), np.cos(x))
    np.testing.assert_array_equal(api.vmap(abs)(-x), x)
    np.testing.assert_array_equal(api.vmap(len)(np.ones((2, 3))), [3, 3])


def test_arguments_that_share_memory():
    def f(a, b):
        a[0] = 1.0
        return b * 2
    g, z = api.Primal(f), r(6)
    for a, b in ((z, z), (z[1:], z[:-1])):
        with pytest.raises(GradscribeError):
            g(a, b)
    assert_same(g(z[::2], z[1::2]), z[1::2] * 2)
    assert z[0] == 1.0


def test_threads():
    f = gs.grad(lambda x: np.sum(x * x))
    wrong = []

    def work(n):
        for _ in range(20):
            if not np.array_equal(f(np.ones(n)), np.full(n, 2.0)):
                wrong.append(n)
    threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3, 1, 2, 3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


# ---- derivatives inside -------------------------------------------------------------------------------------------------

def test_argnums_may_repeat():
    x, y = r(3), r(3, seed=2)
    both = gs.grad(lambda x, y: np.sum(x * y * y), argnums=(1, -1, 0))(x, y)
    for got, want in zip(both, (2 * x * y, 2 * x * y, y * y)):
        np.testing.assert_allclose(got, want)


def test_vjp_with_aux():
    x = r(3)
    out, pullback, aux = gs.vjp(lambda x: (np.sum(x * x), {"x": x}), x, has_aux=True)
    np.testing.assert_allclose(pullback(1.0)[0], 2 * x)
    np.testing.assert_allclose(aux["x"], x)


def nonlocal_under_grad(x):
    n = 1.0
    def g(v):
        nonlocal n
        n = n + 1.0
        return np.sum(v * n)
    return gs.grad(g)(x) * n


def store_outside_under_grad(x):
    buf = np.zeros(5)
    def g(v):
        buf[0] = v[0]
        return np.sum(v * buf)
    return gs.grad(g)(x)


def stores_into_shared_arguments(x):
    def g(a, b):
        a[0] = 2.0
        return np.sum(a * b)
    return gs.grad(g)(x, x)


@pytest.mark.parametrize("f", [nonlocal_under_grad, store_outside_under_grad, stores_into_shared_arguments])
def test_effects_under_a_derivative_are_refused(f):
    with pytest.raises(GradscribeError):
        api.Primal(f)(UP)


def test_a_function_that_always_raises_raises_under_a_derivative():
    def f(x):
        raise Diverged("always")
    for call in (lambda: gs.grad(f)(UP), lambda: gs.jvp(f, (UP,), (UP,)), lambda: gs.vjp(f, UP), lambda: api.Primal(lambda x: gs.grad(f)(x) * 2)(UP)):
        with pytest.raises(Diverged):
            call()


def twice_in_a_tuple(x):
    a, b = (x[0] * x[1],) * 2
    return a + b


def twice_in_nested_tuples(x):
    (a, b), c = (lambda t: (t, t[1]))((x[0] * x[1],) * 2)
    return a + b + c


def twice_behind_a_star(x):
    a, *rest = (x[0] * x[1],) * 3
    return a + rest[0] * rest[1]


@pytest.mark.parametrize("f", [twice_in_a_tuple, twice_in_nested_tuples, twice_behind_a_star])
def test_a_number_that_several_variables_get_at_once(f):
    assert api.Primal(f)(UP) == f(UP)
