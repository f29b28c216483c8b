"""gs.at(x)[index]: NumPy's `ufunc.at` on a copy is what each update must give; x stays as it is."""
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from gradscribe.transformer.api import Primal
from tests.support.cases import rotating

X = np.array([[0.35, 0.7, -0.2], [1.1, -0.6, 0.9]])
V = np.array([2.0, 3.0, -1.0, 0.5])
I, J = np.array([0, 1, 0, 0]), np.array([2, 0, 2, 1])  # noqa: E741
UFUNCS = {"add": np.add, "multiply": np.multiply, "divide": np.divide, "min": np.minimum, "max": np.maximum}
PLACES = {  # index, values of V
    "a row": (1, slice(0, 3)), "an element": ((0, -1), 0), "a slice": ((slice(None), slice(1, None)), slice(0, 2)),
    "a new axis": ((None, 0), slice(0, 3)), "backwards": ((..., slice(None, None, -2)), slice(0, 2)),
    "elements, some twice": ((I, J), slice(0, 4)), "rows, some twice": (I, slice(0, 3)),
    "a list": (([0, 1], [1, 1]), 1), "negative": ((np.array([-1, -1]), 0), slice(0, 2)),
}
CASES = ([(method, place) for method in UFUNCS for place in PLACES]
         + [("set", place) for place in PLACES if "twice" not in place and place != "negative"])


def ours(method, place):
    index, part = PLACES[place]
    return lambda x, v: getattr(gs.at(x)[index], method)(v[part])


def expected(method, place):
    index, part = PLACES[place]
    new = X.copy()
    if method == "set":
        new[index] = V[part]
    else:
        UFUNCS[method].at(new, index, V[part])
    return new


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("method, place", CASES)
def test_updates(method, place):
    f, want = ours(method, place), expected(method, place)
    for run in (f, Primal(f)):
        x = X.copy()
        np.testing.assert_allclose(run(x, V), want, rtol=1e-14)
        np.testing.assert_array_equal(x, X)


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("method, place", rotating(CASES))
def test_compiled(method, place):
    x = X.copy()
    np.testing.assert_allclose(gs.jit(ours(method, place))(x, V), expected(method, place), rtol=1e-14)
    np.testing.assert_array_equal(x, X)


@pytest.mark.parametrize("method, place", rotating(CASES))
def test_gradients(method, place):
    check_grads(ours(method, place), (X, V), order=1)


@pytest.mark.heavy(one_in=9)
@pytest.mark.parametrize("method", rotating([*UFUNCS, "set"]))
def test_gradients_compiled_and_of_second_order(method):
    place = "elements, some twice" if method != "set" else "a slice"
    check_grads(gs.jit(ours(method, place)), (X, V), order=2)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("method", [*UFUNCS, "set"])
def test_at_a_mask(method):
    def f(x):
        return getattr(gs.at(x)[x > 0.5], method)(2.0)

    def rows(x):
        return getattr(gs.at(x)[np.array([False, True])], method)(2.0)

    for g, mask in ((f, X > 0.5), (rows, np.array([False, True]))):
        want = X.copy()
        want[mask] = 2.0 if method == "set" else UFUNCS[method](want[mask], 2.0)
        for run in (g, Primal(g), gs.jit(g)):
            np.testing.assert_array_equal(run(X), want)
    check_grads(f, (X,), order=1)


@pytest.mark.heavy(one_in=2)
def test_apply_and_get():
    def f(x):
        return gs.at(x)[I, J].apply(np.sin), gs.at(x)[1].apply(lambda row: row * row), gs.at(x)[I, J].get()

    want = X.copy()
    for i, j in zip(I, J):
        want[i, j] = np.sin(want[i, j])
    for run in (f, Primal(f), gs.jit(f)):
        applied, squared, part = run(X)
        np.testing.assert_allclose(applied, want, rtol=1e-15)
        np.testing.assert_array_equal(squared, [X[0], X[1] ** 2])
        np.testing.assert_array_equal(part, X[I, J])
        part[:] = 0.0  # an array of its own
    check_grads(f, (X,), order=2)


@pytest.mark.heavy(one_in=2)
def test_in_a_loop_and_over_a_batch():
    def heat(u, steps):
        for k in range(steps):
            u = gs.at(u)[1:-1].add(0.25 * (u[:-2] - 2.0 * u[1:-1] + u[2:]))
            u = gs.at(u)[k % 4].multiply(0.5)
        return u

    u = np.array([1.0, 4.0, 2.0, -1.0])
    check_grads(lambda u: heat(u, 3), (u,), order=2)
    us = np.stack([u, 2.0 * u, u + 1.0])
    np.testing.assert_allclose(gs.jit(gs.vmap(heat, in_axes=(0, None)))(us, 3), [heat(x, 3) for x in us], rtol=1e-14)
    hits = gs.vmap(lambda x, k: gs.at(x)[k].add(1.0))(np.zeros((2, 3)), np.array([[0, 0], [1, 2]]))
    assert hits.tolist() == [[2.0, 0.0, 0.0], [0.0, 1.0, 1.0]]


@pytest.mark.heavy(one_in=13)
def test_the_dtype_is_that_of_the_array():
    x = X.astype(np.float32)
    for method in (*UFUNCS, "set"):
        for index in (0, X > 0.5, (I, J)):
            for make in (lambda f: f, gs.jit):
                assert make(lambda x: getattr(gs.at(x)[index], method)(1.5))(x).dtype == np.float32


def test_out_of_range():
    for run in (lambda x: gs.at(x)[5].set(1.0), lambda x: gs.at(x)[np.array([0, 5])].multiply(2.0)):
        for make in (lambda f: f, Primal, gs.jit):
            with pytest.raises(IndexError):
                make(run)(X)


def test_several_values_at_a_mask():
    for make in (lambda f: f, Primal, gs.jit):
        with pytest.raises(ValueError, match="must be one number"):
            make(lambda x: gs.at(x)[x > 0.0].set(np.ones(3)))(X)


def test_an_error_shows_the_line_of_the_update():
    def f(x):
        y = 2.0 * x
        return gs.at(y)["first"].set(1.0)

    with pytest.raises(IndexError) as caught:
        gs.grad(f)(X)
    (note,) = caught.value.__notes__
    assert 'gs.at(y)["first"]' in note and "test_at.py" in note


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("update", [lambda p: p.multiply(0.5), lambda p: p.divide(2), lambda p: p.min(0.5),
                                    lambda p: p.add(0.5), lambda p: p.apply(np.sqrt)])
@pytest.mark.parametrize("index", [slice(1, None), np.array([0, 0]), np.array([True, False, True])],
                         ids=["slice", "array", "mask"])
@pytest.mark.parametrize("way", [lambda f: f, gs.test_util.primal, gs.jit], ids=["outside", "readable", "compiled"])
def test_floats_do_not_become_ints(way, index, update):
    with pytest.raises(TypeError):
        way(lambda x: update(gs.at(x)[index]))(np.array([3, 5, 7]))
