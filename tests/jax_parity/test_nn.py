"""gs.nn: values and derivatives of jax.nn, as tests/data/record_nn.py recorded them; dtypes, scalars, extremes."""
import json
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads

RECORDS = json.loads((Path(__file__).parents[1] / "data" / "nn.json").read_text(encoding="utf-8"))
ELEMENTWISE = ["relu", "leaky_relu", "elu", "selu", "gelu", "silu", "sigmoid", "log_sigmoid", "softplus"]
OVER_AXES = ["softmax", "log_softmax", "logsumexp", "standardize", "glu"]
WAYS = pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
WEIGHTS = [1.0, -0.5, 0.25, 2.0]


def of(record):
    """The function of a record, with its options."""
    function = getattr(gs.nn, record["name"])
    options = {k: np.array(x) if isinstance(x, list) else tuple(x) if isinstance(x, tuple) else x
               for k, x in record["options"].items()}
    if record["options"].get("axis") == [0, 1]:
        options["axis"] = (0, 1)
    return lambda x: function(x, **options)


def weighted(y):
    y = np.ravel(y)
    return np.sum(y * np.resize(WEIGHTS, y.shape))


def loss_of(record):
    f, weights = of(record), np.resize(WEIGHTS, np.shape(record["value"]))
    return lambda x: np.sum(f(x) * weights)


def names(records):
    return [f"{r['name']}-{'-'.join(map(str, r['options'].items()))}" for r in records]


SMALL = [r for r in RECORDS if r["name"] in ELEMENTWISE]
LARGE = [r for r in RECORDS if r["name"] in OVER_AXES]


def test_all_functions_are_recorded():
    assert {r["name"] for r in RECORDS} | {"one_hot", "initializers"} == set(gs.nn.__all__)


@pytest.mark.heavy(one_in=5)
@WAYS
@pytest.mark.parametrize("record", SMALL, ids=names(SMALL))
def test_elementwise(record, way):
    x = np.array(record["x"])
    f = of(record)
    with np.errstate(all="ignore"):
        value = way(f)(x)
        gradient = way(gs.grad(lambda x: np.sum(f(x))))(x)
    np.testing.assert_allclose(value, record["value"], rtol=1e-13, atol=1e-300)
    defined = ~np.isnan(x)
    if record["name"] in ("gelu", "silu"):
        defined &= np.isfinite(x)  # 0 * inf, there as here
    # y * (1 - y) rounds in jax.nn
    np.testing.assert_allclose(gradient[defined], np.array(record["gradient"])[defined], rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("record", SMALL, ids=names(SMALL))
def test_nothing_overflows_on_the_way(record):
    x = np.array(record["x"])
    x, f = x[np.isfinite(x)], of(record)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        f(x)
        gradient = gs.grad(lambda x: np.sum(f(x)))(x)
    assert np.all(np.isfinite(gradient))


@pytest.mark.heavy(one_in=50)
@WAYS
@pytest.mark.parametrize("record", LARGE, ids=names(LARGE))
def test_over_axes(record, way):
    x = np.array(record["x"])
    value = way(of(record))(x)
    np.testing.assert_allclose(value, record["value"], rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(way(gs.grad(loss_of(record)))(x), record["gradient"], rtol=1e-11, atol=1e-14)


@pytest.mark.heavy(one_in=51)
@WAYS
@pytest.mark.parametrize("record", RECORDS, ids=names(RECORDS))
def test_float32_stays(record, way):
    x = np.array(record["x"])
    x = x[np.isfinite(x)].astype(np.float32) if x.ndim == 1 else x.astype(np.float32)
    f = of(record)
    options = record["options"]
    if "b" in options:
        f = lambda x: gs.nn.logsumexp(x, axis=0, b=np.array([1.0, 0.5, 2.0, 3.0], np.float32))  # noqa: E731
    value, gradient = way(f)(x), way(gs.grad(lambda x: np.sum(f(x))))(x)
    assert np.asarray(value).dtype == gradient.dtype == np.float32
    want = np.array(record["value"])[np.isfinite(record["x"])] if x.ndim == 1 else record["value"]
    np.testing.assert_allclose(value, want, rtol=3e-6, atol=1e-6)
    assert np.all(np.isfinite(gradient))


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_check_grads(name):
    f = getattr(gs.nn, name)
    x = np.array([-3.0, -0.4, 0.3, 2.0])
    check_grads(f, (x,), order=2)
    check_grads(gs.jit(f), (x,), order=1)
    check_grads(f, (0.7,), order=2)
    if name not in ("relu", "leaky_relu", "elu", "selu"):
        check_grads(f, (np.zeros(1),), order=2)  # where one form goes over into the other


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("name", OVER_AXES)
def test_check_grads_over_axes(name):
    f = getattr(gs.nn, name)
    x = np.array([[-1.0, 0.5, 2.0, 0.1], [1.0, 1.5, -0.3, 0.4]])
    check_grads(f, (x,), order=2)
    check_grads(gs.jit(f), (x,), order=1)


@pytest.mark.heavy(one_in=4)
@WAYS
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_numbers(name, way):
    f = getattr(gs.nn, name)
    assert np.ndim(way(f)(0.5)) == 0 and way(f)(0.5) == pytest.approx(f(np.array([0.5]))[0], rel=1e-14)
    assert type(way(f)(np.float32(0.5))) is np.float32
    assert isinstance(way(gs.grad(f))(0.5), float)


def test_the_derivatives_at_kinks():
    assert gs.grad(gs.nn.relu)(0.0) == 0.0
    assert gs.grad(gs.nn.leaky_relu)(0.0) == 1.0
    assert gs.grad(gs.nn.elu)(0.0) == 1.0


def test_signs_and_masks():
    a = np.array([[0.0, 1.0], [-np.inf, -np.inf]])
    b = np.array([[-3.0, 0.5], [1.0, 1.0]])
    with np.errstate(divide="ignore"):
        logs, signs = gs.nn.logsumexp(a, axis=1, b=b, return_sign=True)
    np.testing.assert_allclose(signs * np.exp(logs), np.sum(b * np.exp(a), axis=1))
    with np.errstate(invalid="ignore"):
        assert np.isnan(gs.nn.logsumexp(np.zeros(2), b=np.array([-1.0, 0.5])))
    mask = np.array([True, False])
    assert gs.nn.softmax(np.array([1.0, np.nan]), where=mask).tolist() == [1.0, 0.0]
    assert gs.nn.log_softmax(np.array([1.0, 5.0]), where=mask).tolist() == [0.0, -np.inf]
    gradient = gs.grad(lambda x: gs.nn.logsumexp(x, where=mask))(np.array([1.0, 5.0]))
    assert gradient.tolist() == [1.0, 0.0]


@pytest.mark.heavy(one_in=2)
@WAYS
def test_one_hot(way):
    x = np.array([[0, 2], [-1, 3]])
    for axis in (-1, 0, 1):
        y = way(lambda x: gs.nn.one_hot(x, 3, axis=axis, dtype=np.float64))(x)
        np.testing.assert_array_equal(y, np.moveaxis((x[..., None] == np.arange(3)).astype(float), -1, axis))
    assert way(lambda x: gs.nn.one_hot(x, 3))(x).dtype == np.float32
    assert way(lambda k: gs.nn.one_hot(k, 3))(1).tolist() == [0.0, 1.0, 0.0]


def test_an_odd_number_of_gates():
    for way in (lambda f: f, gs.jit):
        with pytest.raises(ValueError, match="even"):
            way(gs.nn.glu)(np.ones(3))
