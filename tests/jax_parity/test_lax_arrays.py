"""Convolutions, windows, parts of arrays and the rest of gs.lax: JAX's values and gradients, which tests/data/lax.json
holds; plain, compiled, over a batch."""
import json
from pathlib import Path

import numpy as np
import optree
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from gradscribe.transformer.api import Primal
from tests.corpus.lax_calls import calls, loss, numbers

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "lax.json").read_text(encoding="utf-8"))
CALLS = calls(gs.lax, np)
CHUNKS = [list(CALLS)[k:k + 2] for k in range(0, len(CALLS), 2)]
X, W = numbers(2, 5, 6, 4), numbers(3, 2, 4, 6)


def agree(tree, want, dtypes=True):
    got = optree.tree_leaves(tree)
    assert len(got) == len(want)
    for x, y in zip(got, want):
        assert list(np.shape(x)) == y["shape"] and (not dtypes or str(np.asarray(x).dtype) == y["dtype"])
        np.testing.assert_allclose(np.ravel(x), y["values"], rtol=1e-10, atol=1e-11)


def gradient(name):
    f, args = CALLS[name]
    return gs.grad(loss(f, np, gs.tree.leaves), argnums=tuple(range(len(args))))


def test_all_calls_are_recorded():
    assert set(RECORDED) - {"jax"} == set(CALLS)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("name", CALLS)
def test_values(name):
    f, args = CALLS[name]
    for way in (lambda f: f, Primal):
        agree(way(f)(*args), RECORDED[name]["value"])


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("name", CALLS)
def test_gradients(name):
    if RECORDED[name]["gradient"] is not None:  # JAX has none of some windows
        agree(gradient(name)(*CALLS[name][1]), RECORDED[name]["gradient"])
    else:
        check_grads(CALLS[name][0], CALLS[name][1], order=1)


@pytest.mark.heavy(one_in=172)
@pytest.mark.parametrize("names", CHUNKS, ids=lambda names: names[0])
def test_compiled(names):
    """Several calls and their gradients in one program."""
    gradients = [gradient(name) for name in names]
    values, bars = gs.jit(lambda args: ([CALLS[name][0](*args[name]) for name in names],
                                        [g(*args[name]) for name, g in zip(names, gradients)]))(
                                            {name: CALLS[name][1] for name in names})
    for name, value, bar in zip(names, values, bars):
        agree(value, RECORDED[name]["value"])
        if RECORDED[name]["gradient"] is not None:
            agree(bar, RECORDED[name]["gradient"])


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("name", CALLS)
def test_over_a_batch(name):
    """Each example gives what it gives alone."""
    f, args = CALLS[name]
    batch = [np.stack([x, 1.5 * x - 0.2]) for x in args]
    got = gs.vmap(f)(*batch)
    for k in range(2):
        alone = f(*[x[k] for x in batch])
        for x, y in zip(optree.tree_leaves(got), optree.tree_leaves(alone), strict=True):
            np.testing.assert_allclose(x[k], y, rtol=1e-12, atol=1e-13)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("name", ["strides", "2 groups", "dilated operand", "sum of pairs", "dynamic_slice"])
def test_second_order(name):
    f, args = CALLS[name]
    check_grads(f, args, order=2)


def test_one_program_for_many_sizes():
    f = Primal(lambda x, w: gs.lax.reduce_window(gs.lax.conv_general_dilated(x, w, (2, 1), "SAME", dimension_numbers=(
        "NHWC", "HWIO", "NHWC")), -np.inf, gs.lax.max, (1, 2, 2, 1), (1, 2, 1, 1), "VALID"))
    for n, height, width in ((2, 9, 8), (3, 12, 7), (1, 30, 30)):
        x = numbers(n, height, width, 4)
        np.testing.assert_allclose(f(x, W), f.__wrapped__(x, W), rtol=1e-12)
    assert len({id(f._cache.lookup((numbers(n, 4 * n, 5 * n, 4), W), {})) for n in (3, 4, 5)}) == 1


def test_what_dtypes_give():
    for way in (lambda f: f, Primal):
        f = way(lambda x, w: gs.lax.conv_general_dilated(x, w, (1, 1), "SAME",
                                                         dimension_numbers=("NHWC", "HWIO", "NHWC")))
        assert (f(X.astype(np.float32), W.astype(np.float32)).dtype == np.float32
                and f(X.astype(np.float32), W).dtype == np.float64)
        pooled = way(lambda x: gs.lax.reduce_window(x, -np.inf, gs.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"))
        assert pooled(X.astype(np.float32)).dtype == np.float32


def test_not_a_number_stays():
    x = np.array([1.0, np.nan, 0.0, 2.0])
    for way in (lambda f: f, Primal):
        for f in (gs.lax.max, gs.lax.min):
            got = way(lambda x, f=f: gs.lax.reduce_window(
                x, np.float64(f(0.0, 0.0) * 0.0 + (-9.0 if f is gs.lax.max else 9.0)), f, (2,), (1,), "VALID"))(x)
            assert np.isnan(got[:2]).all() and not np.isnan(got[2])


NHWC = ("NHWC", "HWIO", "NHWC")


@pytest.mark.parametrize("call, message", [
    (lambda x, w: gs.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC, batch_group_count=2),
     "batch_group_count must be 1"),
    (lambda x, w: gs.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=NHWC,
                                              preferred_element_type=np.float32),
     "preferred_element_type must be None"),
    (lambda x, w: gs.lax.conv_general_dilated(x, w, (1, 1), "FULL", dimension_numbers=NHWC), "padding is 'SAME'"),
    (lambda x, w: gs.lax.conv_general_dilated(x, w, (1, 1), "SAME", (2, 1), dimension_numbers=NHWC),
     "where lhs_dilation is not 1"),
    (lambda x, w: gs.lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=NHWC), "need 2 numbers"),
    (lambda x, w: gs.lax.conv_general_dilated(x, w, (1, 1), [(0, 1)], dimension_numbers=NHWC), "padding needs"),
    (lambda x, w: gs.lax.conv_general_dilated(x, w[:, :, :3], (1, 1), "SAME", dimension_numbers=NHWC),
     "feature_group_count times"),
    (lambda x, w: gs.lax.conv_general_dilated(x, w[:, :, :1, :5], (1, 1), "SAME", dimension_numbers=NHWC,
                                              feature_group_count=4), "must divide"),
    (lambda x, w: gs.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHCC")),
     "'NHCC' does not"),
    (lambda x, w: gs.lax.reduce_window(x, 0.0, gs.lax.add, (2, 2), (1, 1), "SAME"), "need 4 numbers"),
    (lambda x, w: gs.lax.pad(x, 0.0, [(0, 0, -1)] * 4), "less than nothing"),
    (lambda x, w: gs.lax.dynamic_slice(x, (0, 0, 0, 0), (3, 1, 1, 1)), "at most those of the array"),
    (lambda x, w: gs.lax.dot(x, w), "vectors and matrices"),
    (lambda x, w: gs.lax.slice(x, (0, 0, 0, 0), (2, 5, 7, 4)), "limit <= length"),
])
def test_what_is_called_wrongly(call, message):
    for way in (lambda f: f, Primal):
        with pytest.raises((ValueError, TypeError), match=message):
            way(call)(X, W)
