"""The specialiser alone: programs that once went wrong, by the kind of mistake, run as the core that it writes.

Each program is called with several arguments in turn, and again from the last to the first, so that what was
specialised for one serves or is refused for another. It must do what Python does: result, dtypes, shapes, kinds, what
it stores into its arguments, and the class of what it raises. `refused=True` allows an error of ours instead, never a
wrong answer.
"""
import copy
import dataclasses
import threading

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api, testing
from gradscribe.transformer.errors.messages import GradscribeError
from tests.transformer.specialised.kinds import Diverged
from tests.transformer.specialised.table import PROGRAMS, UP, r


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
        assert (type(got) is type(want) and got.dtype == want.dtype
                and got.shape == want.shape), f"{what}: {got!r} instead of {want!r}"
        np.testing.assert_allclose(got, want, rtol=1e-5 if want.dtype == np.float32 else 1e-12, atol=1e-12,
                                   err_msg=what)
    elif isinstance(want, (bool, int, float)):
        # joined with what a path or an iteration not taken would have made of it
        kinds = {bool: (bool, np.bool_), int: (int, np.integer), float: (float, np.floating)}[type(want)]
        assert (isinstance(got, kinds)
                and (got == want or got != got and want != want)), f"{what}: {got!r} instead of {want!r}"
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
        leaves = testing.numeric_leaves(want)
        if (not grads or error is not None or not leaves
                or not all(testing.is_float(x) and np.all(np.isfinite(x)) for x in leaves)):
            continue
        kinds = str([np.sign(np.shape(x)) for x in testing.numeric_leaves(args)])
        if kinds in checked or not any(testing.is_float(x) for x in testing.numeric_leaves(args)):
            continue
        checked.add(kinds)
        try:
            gs.test_util.check_grads(f, copy.deepcopy(args), order=1)
        except GradscribeError:
            if not refused:
                raise


# ---- what is found outside -------------------------------------------------------------------------------------------

X = np.array([1.0, 2.0])
OUTSIDE, SIZE = 2.0, 3


def test_what_is_outside_may_change_in_every_way():
    global OUTSIDE
    f = api.Primal(lambda x: x * OUTSIDE)
    for OUTSIDE in (2.0, 3, np.float32(2), np.array([1.0, 1.0]), np.array([[1.0], [2.0]]), np.array([3.0]),
                    np.array([1, 2]), 2.0):
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
                   lambda: setattr(helper, "__defaults__", (7.0,)),
                   lambda: setattr(helper, "__code__", rewritten.__code__),
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


# ---- arguments -------------------------------------------------------------------------------------------------------

def test_static_arguments_are_told_apart_by_type():
    f = api.Primal(lambda x, k: x * k[0])
    x = np.ones(2, np.float32)
    for k in ((1,), (1.0,), (True,), (np.float64(1),), (0.0,), (-0.0,)):
        got, want = f(x, k), x * k[0]
        assert got.dtype == want.dtype and np.array_equal(np.signbit(got), np.signbit(want))


@pytest.mark.parametrize("x", [np.matrix([[1.0, 2.0], [3.0, 4.0]]), np.ma.masked_array([1.0, 2.0], [True, False]),
                               np.ones(2).astype(np.dtype(float).newbyteorder())],
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


# ---- derivatives inside ----------------------------------------------------------------------------------------------

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
    for call in (lambda: gs.grad(f)(UP), lambda: gs.jvp(f, (UP,), (UP,)), lambda: gs.vjp(f, UP),
                 lambda: api.Primal(lambda x: gs.grad(f)(x) * 2)(UP)):
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
