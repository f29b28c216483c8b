"""gs.pmap: what JAX gives on 8 devices, which tests/data holds, and what gs.vmap gives with the same axis name.

Compiling takes most of the time, so each commit has its turn of programs. The readable source, which plain Python runs
on the same threads, is tried more often.
"""
import inspect
import itertools
import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.devices import crew
from gradscribe.test_util import check_grads
from gradscribe.transformer.devices import one_device, pmap
from tests.corpus.pmap_programs import collectives, numbers, programs
from tests.corpus.ported import PORTED
from tests.support.cases import rotating

HERE = Path(__file__).parents[1]
RECORDED = json.loads((HERE / "data" / "pmap.json").read_text())
VALUES = {name: r for name, r in RECORDED.items() if "value" in r}
NAMES = list(programs(gs, gs.lax, np, 8))
KINDS = {"float32": 1e-5}


def as_vmap(f, axis_name=None, *, in_axes=0, out_axes=0, static_broadcasted_argnums=()):
    if static_broadcasted_argnums:
        return lambda x, *same: gs.vmap(lambda x: f(x, *same), axis_name=axis_name)(x)
    return gs.vmap(f, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name)


VMAP = SimpleNamespace(vmap=gs.vmap, jit=gs.jit, grad=gs.grad, jvp=gs.jvp, vjp=gs.vjp, hessian=gs.hessian, pmap=as_vmap)


class Plain(one_device.OneDevice):
    """The program of a device, of which the readable source runs."""

    compiled = False


@pytest.fixture(autouse=True)
def eight(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "8")


@pytest.fixture
def plain(monkeypatch):
    monkeypatch.setattr(pmap, "OneDevice", Plain)


def equal(got, want, rtol=1e-12):
    got, want = np.asarray(got), np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    if got.dtype.kind in "fc":
        rtol = KINDS.get(str(got.dtype), rtol)
        np.testing.assert_allclose(got, want, rtol=rtol, atol=rtol)
    else:
        np.testing.assert_array_equal(got, want)


def as_recorded(name, got):
    r = VALUES[name]
    want = np.array(r["value"])
    if r["dtype"] == "complex128":
        want = want[0] + 1j * want[1]
    equal(got, want.astype(np.int64 if name == "bools psum" else r["dtype"]))  # ours counts in int64, as everywhere


# what JAX gives -------------------------------------------------------------------------------------------
def test_all_programs_are_recorded():
    assert set(RECORDED) - {"jax"} == set(NAMES)
    refused = {name.partition(",")[0] for name in RECORDED if "error" in RECORDED[name]}
    # JAX has the axes of their transposes in the wrong order
    assert refused == {"all_to_all to the end", "all_to_all to the front"}


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("name", rotating(VALUES, 8))
def test_vmap_is_as_jax_has_pmap(name):
    as_recorded(name, programs(VMAP, gs.lax, np, 8)[name]())


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("name", rotating(VALUES, 70))
def test_as_jax_has_it(name):
    as_recorded(name, programs(gs, gs.lax, np, 8)[name]())


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("name", rotating(VALUES, 15))
def test_readable_source_is_as_jax_has_it(name, plain):
    as_recorded(name, programs(gs, gs.lax, np, 8)[name]())


@pytest.mark.parametrize("name", ["all_to_all to the end", "all_to_all to the front"])
def test_the_transposes_that_jax_has_not(name):
    check_grads(gs.vmap(collectives(gs.lax, np, 3)[name], axis_name="i"), (numbers(3, 3),), order=1)


# what vmap gives -------------------------------------------------------------------------------------------
def ids(pair):
    return f"{pair[0]}, {pair[1]}"


ON = [(n, name) for name in NAMES for n in (1, 2, 3)]


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("on", rotating(ON, 220), ids=ids)
def test_as_vmap_has_it(on):
    n, name = on
    equal(programs(gs, gs.lax, np, n)[name](), programs(VMAP, gs.lax, np, n)[name]())


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("on", rotating(ON, 30), ids=ids)
def test_readable_source_is_as_vmap_has_it(on, plain):
    n, name = on
    equal(programs(gs, gs.lax, np, n)[name](), programs(VMAP, gs.lax, np, n)[name]())


def as_with_vmap(name):
    for got, want in zip(PORTED[name](gs.pmap), PORTED[name](as_vmap), strict=True):
        equal(got, want, rtol=1e-10)  # after many steps


@pytest.mark.heavy(one_in=9)
@pytest.mark.parametrize("name", rotating(PORTED, 20))
def test_ported(name):
    as_with_vmap(name)


@pytest.mark.parametrize("name", rotating(PORTED, 4))
def test_readable_source_of_what_is_ported(name, plain):
    as_with_vmap(name)


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_sums_of_complex_numbers_are_compiled(dtype):
    z = (numbers(4) + 1j * numbers(4)[::-1]).astype(dtype)
    got, want = (over(lambda z: gs.lax.psum(z, "i"), axis_name="i")(z) for over in (gs.pmap, gs.vmap))
    assert got.dtype == want.dtype == dtype
    np.testing.assert_allclose(got, want, rtol=1e-5 if dtype == np.complex64 else 1e-12)


@pytest.mark.heavy(one_in=2)
def test_extremes_and_nan():
    x = np.array([[1.0, 1.0], [np.nan, 0.0], [3.0, 3.0], [2.0, 2.0]])
    most, least = gs.pmap(lambda x: (gs.lax.pmax(x, "i"), gs.lax.pmin(x, "i")), axis_name="i")(x)
    np.testing.assert_array_equal(most, [[np.nan, 3.0]] * 4)
    np.testing.assert_array_equal(least, [[np.nan, 0.0]] * 4)


def test_what_is_no_number_is_that_of_all_devices():
    """As with vmap, and with the trees of JAX, for which None is no leaf."""
    assert gs.pmap(lambda x: None)(np.ones(3)) is None
    mode, y, nothing = gs.pmap(lambda x: ("fast", 2.0 * x, None))(np.ones(3))
    assert (mode, y.tolist(), nothing) == ("fast", [2.0, 2.0, 2.0], None)


def test_sums_are_in_the_order_of_the_devices():
    """However threads come."""
    x = 10.0 ** np.arange(-3.0, 5.0)[:, None] * (1.0 + numbers(8, 50) / 3.0)
    want = x[0]
    for k in range(1, 8):
        want = want + x[k]
    f = gs.pmap(lambda x: gs.lax.psum(x, "i"), axis_name="i")
    for _ in range(20):
        np.testing.assert_array_equal(f(x), np.stack([want] * 8))


def test_trees_are_exchanged_leaf_by_leaf(plain):
    """Also a tuple of as many as there are devices."""
    x = numbers(2, 2, 3)
    for f in (lambda x: gs.lax.all_to_all(x, "i", 0, 0), lambda x: gs.lax.psum_scatter(x, "i")):
        for m in (gs.vmap, gs.pmap):
            a, b = m(lambda x: f((x, 2.0 * x)), axis_name="i")(x)
            equal(a, gs.vmap(f, axis_name="i")(x))
            equal(b, 2.0 * a)


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, bool])
def test_dtypes_of_sums(dtype, plain):
    """Integers stay as wide as they are, as in JAX."""
    x = np.array([100, 100]).astype(dtype)
    for m, groups in itertools.product((gs.vmap, gs.pmap), (None, [[0, 1]])):
        y = m(lambda x: gs.lax.psum(x, "i", axis_index_groups=groups), axis_name="i")(x)
        np.testing.assert_array_equal(y, np.full(2, 2 if dtype is bool else np.array(200).astype(dtype)))
        assert y.dtype == (np.int64 if dtype is bool else dtype)


# readable source -------------------------------------------------------------------------------------------
def sgd_step(w, x, y):
    gradient = gs.grad(lambda w: np.mean((x @ w - y) ** 2))(w)
    return w - 0.1 * gs.lax.pmean(gradient, "batch")


def heat_step(u):
    right = gs.lax.ppermute(u[:1], "i", [(1, 0), (2, 1)])
    left = gs.lax.ppermute(u[-1:], "i", [(0, 1), (1, 2)])
    wide = np.concatenate([left, u, right])
    return u + 0.2 * (wide[2:] - 2.0 * u + wide[:-2])


def gathered_product(A, x):
    return A @ gs.lax.all_gather(x, "i", tiled=True)


SHOWN = {
    "sgd_step": lambda: (gs.pmap(sgd_step, axis_name="batch", in_axes=(None, 0, 0)), numbers(3), numbers(3, 4, 3),
                         numbers(3, 4)),
    "heat_step": lambda: (gs.pmap(heat_step, axis_name="i"), numbers(3, 5)),
    "gathered_product": lambda: (gs.pmap(gathered_product, axis_name="i"), numbers(3, 2, 6), numbers(3, 2)),
}


@pytest.mark.parametrize("name", SHOWN)
def test_golden(name):
    """GRADSCRIBE_GOLDEN=write writes the files anew: read the difference before you commit it."""
    file = HERE / "golden" / f"pmap_{name}.py"
    f, *args = SHOWN[name]()
    first = inspect.getsourcelines(globals()[name])[1]
    text = re.sub(r"(?<=adjoint of line )\d+", lambda number: str(int(number[0]) - first + 1), f.source(*args))
    if os.environ.get("GRADSCRIBE_GOLDEN") == "write":
        file.write_text(text)
    assert text == file.read_text()


def test_collectives_stay_in_their_order():
    """One moves into the next statement alone."""
    def f(x):
        low = np.sin(gs.lax.pmin(x, "i"))
        return gs.lax.pmax(x, "i") - gs.lax.psum(x, "i") * low

    body = gs.pmap(f, axis_name="i").source(np.ones(2)).partition("def ")[2].splitlines()[1:]
    assert body == ['    low = np.sin(rt.pmin(axis_i, x))', '    largest = rt.pmax(axis_i, x)',
                    '    return largest - rt.psum(axis_i, x) * low']


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("name", SHOWN)
def test_the_source_runs_on_threads(name):
    """As it stands in the text, on the threads of the devices."""
    f, *args = SHOWN[name]()
    scope = {}
    exec(f.source(*args), scope)
    one = scope[f"pmap_{name}"]
    results = crew.crew_of(3).run([lambda each=each: one(*each, crew.own_axis()) for each, _ in f.parts(args, {}, 3)])
    equal(np.stack(results), f(*args))


# what is refused -------------------------------------------------------------------------------------------
def refused(f, *args, kind=gs.GradscribeError):
    with pytest.raises(kind) as caught:
        f(*args)
    return str(caught.value)


def shares(x):
    return x / gs.lax.psum(x, "i")


def test_more_devices_than_there_are(monkeypatch):
    message = refused(gs.pmap(shares, axis_name="i"), np.ones(9), kind=gs.errors.DeviceError)
    assert "pmap of 9 devices, and there are 8" in message and "GRADSCRIBE_DEVICES=9" in message
    listed = refused(gs.pmap(shares, axis_name="i", devices=gs.devices("cpu")), np.ones(2), kind=gs.errors.DeviceError)
    np.testing.assert_array_equal(gs.pmap(shares, axis_name="i", devices=gs.devices("cpu")[:2])(np.ones(2)), [0.5, 0.5])
    assert listed == (
        'pmap of 2 devices, and a list of 8\nLeave out devices for threads of this process, which are all alike, '
        'or name as many GPUs: devices=gs.devices("cuda")[:2].')
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "2")
    assert "and there are 2" in refused(gs.pmap(shares, axis_name="i"), np.ones(3), kind=gs.errors.DeviceError)


def test_what_is_mapped():
    def first(x, y):
        return x + y

    message = refused(gs.pmap(first), np.ones(2), np.ones(3))
    assert "arguments for 2 devices, and for 3" in message
    assert "pmap of no devices" in refused(gs.pmap(first), np.ones(0), np.ones(0))
    assert "maps no argument" in refused(gs.pmap(first, in_axes=None), 1.0, 2.0)
    assert "along axis 1, and it has a leaf of 1 axis" in refused(gs.pmap(shares, axis_name="i", in_axes=1), np.ones(2))
    assert "along axis 0, and it has a leaf of 0 axes" in refused(gs.pmap(first), np.ones(2), 1.0)
    assert ("in_axes of pmap has 1 entries, and the call has 2"
            in refused(gs.pmap(first, in_axes=(0,)), np.ones(2), np.ones(2)))
    assert "in_axes of pmap has {'a': 0}" in refused(gs.pmap(lambda t: t["b"], in_axes=({"a": 0},)), {"b": np.ones(2)})


def test_where_results_stand(plain):
    f = gs.pmap(shares, axis_name="i", out_axes=1)
    assert "out_axes of pmap has 1 for a result of 0 axes" in refused(f, np.ones(2))


def test_a_store_into_what_all_have(plain):
    def f(x, w):
        w[0] = x
        return w + x

    message = refused(gs.pmap(f, in_axes=(0, None)), np.ones(2), np.ones(3))
    assert "a store into w, which all devices have" in message and "in_axes=0" in message
    w = np.zeros((2, 3))
    np.testing.assert_array_equal(gs.pmap(f)(np.ones(2), w), [[2.0, 1.0, 1.0]] * 2)
    np.testing.assert_array_equal(w, [[1.0, 0.0, 0.0]] * 2)  # each device into its own


def test_an_axis_that_nothing_has():
    for f in (gs.pmap(shares), gs.pmap(shares, axis_name="j")):
        message = refused(f, np.ones(2), kind=NameError)
        assert ("gs.pmap(f, axis_name='i')" in message and "unbound axis name: i" in message
                and 'gs.lax.psum(x, "i")' in message)


def test_a_permutation_that_sends_twice():
    f = gs.pmap(lambda x: gs.lax.ppermute(x, "i", [(0, 1), (0, 2)]), axis_name="i")
    assert "must be unique" in refused(f, np.ones(3))


def test_a_permutation_of_devices_that_are_not_there():
    for pairs in ([(0, 7)], [(7, 0)]):
        message = refused(gs.pmap(lambda x: gs.lax.ppermute(x, "i", pairs), axis_name="i"), np.ones(3))
        assert "there are 3 devices" in message and str(pairs) in message


def test_extremes_have_no_derivative(plain):
    for f in (gs.lax.pmax, gs.lax.pmin):
        message = refused(gs.pmap(gs.grad(lambda x: x * f(x, "i")), axis_name="i"), np.ones(2))
        assert f"a derivative of gs.lax.{f.__name__}, which has none" in message and "gs.stop_gradient" in message
    kept = gs.pmap(gs.grad(lambda x: x * gs.lax.pmax(gs.stop_gradient(x), "i")), axis_name="i")
    np.testing.assert_array_equal(kept(np.array([1.0, 3.0])), [3.0, 3.0])


def test_what_a_device_raises(plain):
    """The others stop; afterwards all go on."""
    def f(x):
        if x > 2.0:
            raise ValueError("too much")
        return gs.lax.psum(x, "i")

    run = gs.pmap(f, axis_name="i")
    with pytest.raises(ValueError, match="too much") as caught:
        run(np.array([1.0, 2.0, 3.0]))
    assert caught.value.__notes__[-1] == "on device 2"
    np.testing.assert_array_equal(run(np.array([1.0, 2.0, 0.5])), [3.5, 3.5, 3.5])
