"""gs.lax.psum and its like: the values and gradients that JAX gives, which tests/data holds, and what is refused."""
import json
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from tests.corpus.collectives import X, programs

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "collectives.json").read_text())
OURS = programs(gs, gs.lax, np)


def test_all_programs_are_recorded():
    assert set(RECORDED) - {"jax"} == set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_as_jax_has_it(name):
    got, want = OURS[name](), RECORDED[name]
    assert got.dtype.kind == want["kind"]
    np.testing.assert_allclose(got, np.array(want["value"]), rtol=1e-12)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("collective", [
    lambda x: gs.lax.psum(x, "i"),
    lambda x: gs.lax.pmean(x, "i"), lambda x: gs.lax.pmax(x, "i"), lambda x: gs.lax.all_gather(x, "i"),
    lambda x: gs.lax.all_gather(x, "i", tiled=True), lambda x: gs.lax.ppermute(x, "i", [(0, 2), (2, 1)]),
    lambda x: x * gs.lax.axis_index("i") + gs.lax.axis_size("i"),
], ids=["psum", "pmean", "pmax", "all_gather", "tiled", "ppermute", "axis_index"])
def test_jitted(collective):
    batched = gs.vmap(collective, axis_name="i")
    np.testing.assert_allclose(gs.jit(batched)(X), batched(X), rtol=1e-12)
    assert gs.jit(batched)(X).shape == batched(X).shape


def test_gradients_of_what_examples_tell_each_other():
    def f(x):
        near = gs.lax.ppermute(x, "i", [(0, 1), (1, 2)])  # example 0 gets zeros
        return np.tanh(near) * gs.lax.psum(x * x, "i") + gs.lax.all_gather(x, "i")[0] * gs.lax.pmean(np.sin(x), "i")

    check_grads(gs.vmap(f, axis_name="i"), (X,), order=2)
    loss = lambda X: np.sum(gs.vmap(f, axis_name="i")(X))  # noqa: E731
    np.testing.assert_allclose(gs.jit(gs.grad(loss))(X), gs.grad(loss)(X), rtol=1e-12)


def test_an_example_that_is_no_target_gets_zeros():
    shifted = gs.vmap(lambda x: gs.lax.ppermute(x, "i", [(0, 1), (1, 2)]), axis_name="i")
    np.testing.assert_array_equal(shifted(X), np.stack([np.zeros(2), X[0], X[1]]))


def test_the_size_is_an_int():
    def f(x):
        return x + np.sum(np.zeros(gs.lax.axis_size("i")) + 1.0)
    np.testing.assert_array_equal(gs.vmap(f, axis_name="i")(X), X + 3.0)
    assert gs.vmap(lambda x: gs.lax.psum(1, "i"), axis_name="i")(X).dtype == np.int64


def test_outside_of_a_vmap():
    for call in (lambda: gs.lax.psum(1.0, "i"), lambda: gs.lax.axis_index("i"),
                 lambda: gs.lax.ppermute(1.0, "i", [(0, 0)])):
        with pytest.raises(NameError, match="unbound axis name: i"):
            call()


def refused(f, *args):
    with pytest.raises(gs.GradscribeError) as caught:
        f(*args)
    return str(caught.value)


def test_an_axis_that_nothing_has():
    def f(x):
        return x / gs.lax.psum(x, "j")

    for run, x in ((gs.vmap(f, axis_name="i"), X), (gs.vmap(f), X), (gs.grad(f), 1.0)):
        message = refused(run, x)
        assert "unbound axis name: j" in message and 'gs.lax.psum(x, "j")' in message and "axis_name='j'" in message
    with pytest.raises(NameError):
        gs.vmap(f)(X)


def test_extremes_have_no_derivative():
    message = refused(gs.vmap(gs.grad(lambda x: x * gs.lax.pmax(x, "i")), axis_name="i"), X[:, 0])
    assert "derivative of gs.lax.pmax" in message and "gs.lax.pmax(x" in message
    kept = gs.vmap(gs.grad(lambda x: x * gs.lax.pmax(gs.stop_gradient(x), "i")), axis_name="i")(X[:, 0])
    np.testing.assert_array_equal(kept, [3.0, 3.0, 3.0])


def test_a_permutation_that_sends_twice():
    message = refused(gs.vmap(lambda x: gs.lax.ppermute(x, "i", [(0, 1), (0, 2)]), axis_name="i"), X)
    assert "must be unique" in message and "gs.lax.ppermute(x" in message
    assert "numbered from 0" in refused(gs.vmap(lambda x: gs.lax.ppermute(x, "i", [(0, 2), (1, -1)]), axis_name="i"), X)


def test_in_a_branch_that_only_some_take():
    def f(x):
        if x > 0.0:
            return gs.lax.psum(x, "i")
        return x

    message = refused(gs.vmap(f, axis_name="i"), X[:, 1])
    assert "course differs between examples" in message and 'return gs.lax.psum(x, "i")' in message


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("m", [gs.vmap, gs.pmap])
def test_several_axes_are_those_of_one_array(m, monkeypatch):
    """Examples are counted in the order of its elements."""
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "2")
    x, both = np.arange(48.0).reshape(2, 3, 8)[:, :, :6] ** 2, ("i", "j")

    def f(x):
        lax = gs.lax
        return (lax.axis_index(both), lax.axis_index(both[::-1]), x[0] * lax.axis_size(both), lax.all_gather(x, both),
                lax.all_gather(x, both[::-1], axis=1), lax.all_gather(x, both, tiled=True), lax.psum_scatter(x, both),
                lax.all_to_all(x, both, 0, 0),
                gs.grad(lambda x: np.sum(lax.all_gather(x, both) * np.arange(36.0).reshape(6, 6)))(x))

    got = m(gs.vmap(f, axis_name="j"), axis_name="i")(x)
    rows, every = x.reshape(6, 6), np.ones((2, 3, 1, 1))
    expected = (np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2).T, 6 * x[..., 0], rows * every,
                x.swapaxes(0, 1).reshape(6, 6).T * every, rows.ravel() * every[..., 0], np.sum(rows, 0).reshape(2, 3),
                rows.T.reshape(2, 3, 6), 6.0 * np.arange(36.0).reshape(2, 3, 6))
    for y, z in zip(got, expected, strict=True):
        np.testing.assert_array_equal(y, z)


def test_several_axes_that_are_refused():
    def refusal(f):
        return refused(gs.vmap(gs.vmap(f, axis_name="j"), axis_name="i"), np.ones((2, 3)))

    assert "all_gather over no axis" in refusal(lambda x: gs.lax.ppermute(x, (), [(0, 0)]))
    assert ("all_gather in groups over several axes"
            in refusal(lambda x: gs.lax.all_gather(x, ("i", "j"), axis_index_groups=[[0, 1]])))
    assert "all_gather over no axis" in refusal(lambda x: gs.lax.all_gather(x, ()))
    assert "unbound axis name: k" in refusal(lambda x: x * gs.lax.axis_index(("i", "k")))
