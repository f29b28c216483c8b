"""Python's own semantics, from outside: each program gives what Python gives (value, type,
exception and its message), or is refused."""
import copy

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api
from tests.corpus.language import PROGRAMS

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])


def outcome(fun, args):
    """(value or None, exception or None, the arguments afterwards)"""
    args = copy.deepcopy(args)
    try:
        return fun(*args), None, args
    except Exception as error:
        return None, error, args


def transformed(fun, compiled):
    return gs.jit(fun) if compiled else api.Primal(fun)


def same(got, want, compiled=False):
    """Equal in type, dtype, shape and value, all the way down;
    compiled code may round a product and a sum once, which shows in float32."""
    assert type(got) is type(want), (got, want)
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for g, w in zip(got, want):
            same(g, w, compiled)
    elif isinstance(want, dict):
        assert list(got) == list(want)
        same(list(got.values()), list(want.values()), compiled)
    elif isinstance(want, (np.ndarray, np.generic, float)):
        assert np.shape(got) == np.shape(want) and np.asarray(got).dtype == np.asarray(want).dtype
        np.testing.assert_allclose(got, want, rtol=4 * np.finfo(np.float32).eps
                                                   if compiled and np.asarray(want).dtype == np.float32 else 1e-12)
    else:
        assert got == want


def as_python(fun, *args, compiled):
    """The transformed function does what Python does."""
    want, raised, after = outcome(fun, args)
    got, error, stored = outcome(transformed(fun, compiled), args)
    if raised is not None or error is not None:
        assert ((type(error), str(error)) == (type(raised), str(raised))
                and len(error.args) == len(raised.args)), repr(error)
        same(error.args, raised.args)
        assert repr(error.__cause__) == repr(raised.__cause__)
        return
    same(got, want, compiled)
    same(stored, after, compiled)


# ---- what is first met inside a loop or a branch

TABLEAU = [[0.0, 0.0], [0.5, 0.0]]
WEIGHTS = [0.0, 1.0]
VECTOR = np.array([1.0, 2.0, 3.0])
NESTED = {"W": np.array([[1.0, 2.0], [0.5, -1.0]]), "b": [np.array([1.0, 2.0]), 3.0]}


def runge_kutta(x, n):
    for _ in range(n):
        slopes = []
        for i in range(2):
            inner = x
            for j in range(i):
                inner = inner + 0.1 * TABLEAU[i][j] * slopes[j]
            slopes.append(-inner * inner)
        for i in range(2):
            x = x + 0.1 * WEIGHTS[i] * slopes[i]
    return x


def met_in_a_while(x, n):
    while n > 0:
        if x > 2.0:
            x = x * WEIGHTS[1] - 0.5
        else:
            x = x + NESTED["b"][1] * x
        n = n - 1
    return x


def met_in_a_function(x, n):
    def step(x):
        return x + NESTED["b"][1] * TABLEAU[1][0]
    best = None
    for k in range(n):
        if best is None or step(x) > best:
            best = step(x) * k
    return x if best is None else best


def lengths_met_in_a_loop(x, n):
    y = x
    for _ in range(n):
        y = y + VECTOR * x
    return np.sum(y)


@gs.custom_vjp
def scaled(x):
    return x * WEIGHTS[1]


scaled.defvjp(lambda x: (scaled(x), None), lambda _, g: (g * WEIGHTS[1],))


def rule_met_in_a_loop(x, n):
    for _ in range(n):
        x = x + scaled(x) * gs.grad(lambda y: y * TABLEAU[1][0])(x)
    return x


@pytest.mark.heavy(one_in=6)
@COMPILED
@pytest.mark.parametrize("fun", [runge_kutta, met_in_a_while, met_in_a_function, lengths_met_in_a_loop,
                                 rule_met_in_a_loop], ids=lambda f: f.__name__)
def test_lists_from_outside_in_loops(fun, compiled):
    for n in (0, 1, 4):
        as_python(fun, 0.6, n, compiled=compiled)
    slope = (fun(0.6 + 1e-6, 4) - fun(0.6 - 1e-6, 4)) / 2e-6
    grad, batch = gs.grad(fun), gs.vmap(fun, in_axes=(0, None))
    np.testing.assert_allclose((gs.jit(grad) if compiled else grad)(0.6, 4), slope, rtol=1e-6)
    np.testing.assert_allclose((gs.jit(batch) if compiled else batch)(np.array([0.6, 3.0]), 4),
                               [fun(0.6, 4), fun(3.0, 4)], rtol=1e-12)


@pytest.mark.heavy(one_in=94)
@COMPILED
@pytest.mark.parametrize("fun, sets", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_as_python(fun, sets, compiled):
    for args in sets:
        as_python(fun, *args, compiled=compiled)


# ---- lists that grow 0 times in one example

def sum_of_grown(n, x):
    out = []
    for k in range(n):
        out.append(x * k)
    return np.sum(out)


def array_of_grown(n, x):
    out = []
    for k in range(n):
        out.append(x * k)
    return np.sum(np.array(out) ** 2) + len(out)


@pytest.mark.heavy(one_in=3)
@COMPILED
@pytest.mark.parametrize("fun", [sum_of_grown, array_of_grown], ids=lambda f: f.__name__)
def test_no_items_in_one_example(fun, compiled):
    n, x = np.array([0, 2, 3]), np.array([1.0, 2.0, 3.0])
    batch, slopes = gs.vmap(fun), gs.vmap(gs.grad(fun, argnums=1))
    want = [fun(*each) for each in zip(n.tolist(), x.tolist())]
    np.testing.assert_allclose((gs.jit(batch) if compiled else batch)(n, x), want)
    want = [(fun(a, b + 1e-6) - fun(a, b - 1e-6)) / 2e-6 for a, b in zip(n.tolist(), x.tolist())]
    np.testing.assert_allclose((gs.jit(slopes) if compiled else slopes)(n, x), want, rtol=1e-6)


# ---- exceptions under transformations

def guarded(x):
    if x > 3.0:
        raise ValueError(f"{x:.2f} is too much", x)
    return x * x


def guarded_array(x):
    y = x * 2.0
    for k in range(len(y)):
        if y[k] > 3.0:
            raise KeyError(f"item {k} of {y}: {y[k]!r}")
    return np.sum(y * y)


@pytest.mark.heavy(one_in=2)
@COMPILED
@pytest.mark.parametrize("transform, args, message", [
    (gs.grad(guarded), (4.0,), "('4.00 is too much', 4.0)"),
    (gs.vmap(guarded), (np.array([1.0, 5.0, 4.0]),), f"('5.00 is too much', {np.float64(5.0)!r})"),
    (gs.vmap(gs.grad(guarded)), (np.array([1.0, 5.0]),), f"('5.00 is too much', {np.float64(5.0)!r})"),
    (gs.grad(guarded_array), (np.array([1.0, 2.0]),), repr(f"item 1 of [2. 4.]: {np.float64(4.0)!r}")),
    (gs.vmap(guarded_array), (np.array([[1.0, 1.0], [1.0, 2.0]]),), repr(f"item 1 of [2. 4.]: {np.float64(4.0)!r}")),
])
def test_messages_of_derivatives_and_batches(transform, args, message, compiled):
    with pytest.raises((ValueError, KeyError)) as caught:
        (gs.jit(transform) if compiled else transform)(*args)
    assert str(caught.value) == message


def test_an_array_that_was_stored_into_in_a_message():
    def f(x):
        x[0] = 5.0
        if x[0] > 2.0:
            raise ValueError(f"bad {x}")
        return x[0]

    with pytest.raises(ValueError, match=r"bad \[5\. 2\.\]"):
        api.Primal(f)(np.array([1.0, 2.0]))
    with pytest.raises(gs.UnsupportedError, match="stores into its arguments"):
        gs.jit(f)(np.array([1.0, 2.0]))


def test_two_exception_classes_of_one_name():
    def made(text):
        class Wrong(Exception):
            pass

        def f(x):
            if x > 0.0:
                raise Wrong(text)
            return x
        return f, Wrong

    for f, cls in [made("a"), made("b")]:
        with pytest.raises(cls):
            api.Primal(f)(1.0)


# ---- joins

def test_a_number_that_a_narrower_one_cannot_be_stays_what_it_is():
    def larger(x, n):
        return max(10.1, x) * n

    def either(x, n):
        return n if x > 0 else x

    for f, n in ((larger, 1), (either, 0.1)):
        for x in (np.float32(9.0), np.float32(-9.0), np.float32(12.0)):
            for compiled in (False, True):
                as_python(f, x, n, compiled=compiled)


def test_an_int_that_is_no_float_is_not_rounded():
    def f(x, n):
        best = 0.5
        for k in range(3):
            best = n if x > k else best
        return best

    assert api.Primal(f)(1.0, 5) == gs.jit(f)(1.0, 5) == 5
    for compiled in (False, True):
        with pytest.raises(OverflowError, match="more than 53 bits"):
            transformed(f, compiled)(1.0, 2 ** 53 + 1)


def widening(x, n):
    s, y = np.int64(1), x.astype(np.int64)
    for k in range(n):
        if y.dtype == np.int64 and k > 0:
            return np.float64(-1.0)
        s = s * x[k] + y[0] // 2
        y = y * 0.5
    return s * np.sum(y)


def widening_while(x, n):
    s = np.int64(2)
    while s < n:
        s = s * x[1]
    return s * 1.0


@pytest.mark.heavy(one_in=2)
@COMPILED
@pytest.mark.parametrize("fun", [widening, widening_while], ids=lambda f: f.__name__)
def test_a_loop_whose_first_iteration_changes_types(fun, compiled):
    x = np.array([1.5, 2.5, 3.5])
    for n in (1, 3) if fun is widening else (3, 20):
        as_python(fun, x, n, compiled=compiled)
        grad, e = gs.grad(fun), np.array([0.0, 1e-6, 0.0])
        np.testing.assert_allclose((gs.jit(grad) if compiled else grad)(x, n)[1],
                                   (fun(x + e, n) - fun(x - e, n)) / 2e-6, rtol=1e-6, atol=1e-9)


def chosen(x):
    def times(a):
        return lambda v: a * v
    f = times(x[0]) if x[1] > 0.0 else times(x[2])
    return np.sum((np.sin if x[0] > 0.0 else lambda v: v * v)(x)) * f(x[1])


def assigned_inside(x):
    t = 0.0
    y = [t := t + v * v for v in x]
    while (n := np.sum(x * x)) > 1.0:
        x = x / 2.0
    return np.sum(np.array(y)) * t + n


@pytest.mark.heavy(one_in=4)
@COMPILED
@pytest.mark.parametrize("fun", [chosen, assigned_inside], ids=lambda f: f.__name__)
def test_derivatives_and_batches(fun, compiled):
    wrap = gs.jit if compiled else lambda f: f
    X = np.array([[0.5, 1.5, -0.7], [-0.5, -1.5, 0.7]])
    np.testing.assert_allclose(wrap(gs.vmap(fun))(X), [fun(x) for x in X], rtol=1e-12)
    for x in X:
        slopes = [(fun(x + d) - fun(x - d)) / 2e-6 for d in 1e-6 * np.eye(3)]
        np.testing.assert_allclose(wrap(gs.grad(fun))(x), slopes, rtol=1e-6, atol=1e-8)
