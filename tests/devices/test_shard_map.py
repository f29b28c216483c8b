"""gs.shard_map: what vmap along each axis of the mesh gives, and what plain NumPy gives; what is refused."""
import json
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.devices import one_device
from tests.corpus.pmap_programs import collectives, extremes, inside
from tests.corpus.shard_map_programs import programs
from tests.support.cases import rotating

P, lax = gs.P, gs.lax


@pytest.fixture(autouse=True)
def eight(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "8")


@pytest.fixture
def plain(monkeypatch):
    """Devices run readable source."""
    monkeypatch.setattr(one_device.OneDevice, "compiled", False)


def numbers(*shape):
    return np.random.default_rng(0).normal(size=shape)


def close(got, want, rtol=1e-12):
    for a, b in zip(gs.tree.leaves(got), gs.tree.leaves(want), strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol)


# what JAX gives ---------------------------------------------------------------------------------------------
RECORDED = json.loads((Path(__file__).parents[1] / "data" / "shard_map.json").read_text())
NAMES = sorted(RECORDED.keys() - {"jax"})


def as_recorded(name):
    got, r = np.asarray(programs(gs, lax, np, P, gs.Mesh)[name]()), RECORDED[name]
    assert (got.shape, str(got.dtype)) == (tuple(r["shape"]), r["dtype"])
    np.testing.assert_allclose(got.ravel(), r["value"], rtol=1e-11, atol=1e-11)


def test_all_programs_are_recorded():
    assert (set(programs(gs, lax, np, P, gs.Mesh)) == set(NAMES)
            and not [name for name in NAMES if "error" in RECORDED[name]])


@pytest.mark.parametrize("name", rotating(NAMES, 10))
def test_readable_source_is_as_jax_has_it(name, plain):
    as_recorded(name)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("name", rotating(NAMES, 60))
def test_as_jax_has_it(name):
    as_recorded(name)


# collectives along an axis of a mesh ------------------------------------------------------------------------
MESHES = {"(i, j)": ((4, 2), ("i", "j")), "(j, i)": ((2, 4), ("j", "i")), "(j, i, k)": ((2, 2, 2), ("j", "i", "k"))}
ALONG = [f"{name}, {what}" for name in collectives(lax, np, 4)
         for what in ("value", "tangent", "grad inside", "vjp inside")]
ALONG += list(extremes(lax, 4))


def program(name, n):
    made = {f"{k}, {what}": f for k, c in collectives(lax, np, n).items() for what, f in inside(gs, np, c).items()}
    return (made | extremes(lax, n))[name]


def over_axes(f, names):
    for name in reversed(names):
        f = gs.vmap(f, axis_name=name)
    return f


def of_one(f, count):
    """f of the one example that a block has."""
    def g(x):
        return f(x.reshape(x.shape[count:])).reshape((1,) * count + (-1,))
    return g


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("on", rotating([(mesh, name) for mesh in MESHES for name in ALONG], 30), ids=str)
def test_collectives_along_an_axis_are_those_of_vmap(on, plain):
    shape, names = MESHES[on[0]]
    n = dict(zip(names, shape))["i"]
    f, x = of_one(program(on[1], n), len(shape)), numbers(*shape, n)
    got = gs.shard_map(f, gs.Mesh(shape, names), P(*names), P(*names))(x)
    want = over_axes(program(on[1], n), names)(x)
    close(np.asarray(got).reshape(*shape, -1), want.reshape(*shape, -1))


SEVERAL = {
    "psum": lambda x: x * lax.psum(x * x, ("i", "j")),
    "psum in another order": lambda x: x * lax.psum(x * x, ("j", "i")),
    "pmean": lambda x: x - lax.pmean(x, ("i", "j")), "pmax": lambda x: x - lax.pmax(x, ("j", "i")),
    "all_gather": lambda x: x * np.sum(lax.all_gather(x, ("i", "j")) * np.arange(1.0, 7.0)[:, None], 0),
    "all_gather in another order": lambda x: x * np.sum(lax.all_gather(x, ("j", "i")) * np.arange(1.0, 7.0)[:, None],
                                                        0),
    "numbers": lambda x: x * lax.axis_index(("i", "j")) + lax.axis_index(("j", "i")) * lax.axis_size(("i", "j")),
    "one after the other": lambda x: lax.psum(np.sin(lax.psum(x, "i")), "j"),
    "of bools": lambda x: lax.psum(x > 0.0, "i") + lax.psum(1, "j"),
    "of integers": lambda x: lax.psum((10.0 * x).astype(np.int8), "j"),
    "a vmap inside": lambda x: gs.vmap(lambda x: x / lax.psum(x * x, ("i", "k")), axis_name="k")(x),
    "a gradient inside": lambda x: gs.grad(lambda x: np.sum(np.sin(lax.psum(x, "i")) * lax.psum(x * x, ("i", "j"))))(x)}


@pytest.mark.parametrize("name", rotating(SEVERAL, 3))
def test_collectives_over_several_axes(name, plain):
    f, mesh, x = SEVERAL[name], gs.Mesh((2, 3), ("i", "j")), numbers(2, 3, 4)
    got = gs.shard_map(of_one(f, 2), mesh, P("i", "j"), P("i", "j"))(x)
    close(np.asarray(got), over_axes(f, ("i", "j"))(x))


# whole programs ---------------------------------------------------------------------------------------------
@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("n", [1, 2, 4, pytest.param(8, marks=pytest.mark.heavy(one_in=4))])
def test_data_parallel_training_gathers_nothing(n, gathers, monkeypatch):
    monkeypatch.setattr(one_device.OneDevice, "compiled", n == 8)
    mesh, rng = gs.Mesh((n,), "data"), np.random.default_rng(1)
    X, y = rng.normal(size=(16, 3)), rng.normal(size=16)
    w = {"w": rng.normal(size=3), "b": 0.5}

    def loss(p, X, y):
        return np.mean((X @ p["w"] + p["b"] - y) ** 2)

    @gs.shard_map(mesh=mesh, in_specs=(P(), P("data"), P("data")), out_specs=(P(), P()))
    def step(p, X, y):
        value, slope = lax.pmean(gs.value_and_grad(loss)(p, X, y), "data")
        return gs.tree.map(lambda x, g: x - 0.1 * g, p, slope), value

    laid, p, values = gs.shard((X, y), mesh, P("data")), w, []
    for _ in range(5):
        p, value = step(p, *laid)
        values.append(value)
        want, slope = gs.value_and_grad(loss)(w, X, y)
        w = gs.tree.map(lambda x, g: x - 0.1 * g, w, slope)
        np.testing.assert_allclose(value, want, rtol=1e-12)
    np.testing.assert_allclose(p["w"], w["w"], rtol=1e-12)
    assert values[-1] < values[0] and not gathers


def blocked(x, W1, W2):
    """Two layers: rows of x along "data", columns of W1 and rows of W2 along "model"."""
    return lax.psum(np.tanh(x @ W1) @ W2, "model")


SPECS = (P("data"), P(None, "model"), P("model"))


def test_a_product_of_blocks(gathers, plain):
    mesh, args = gs.Mesh((2, 4), ("data", "model")), (numbers(6, 5), numbers(5, 8), numbers(8, 3))
    f = gs.shard_map(blocked, mesh, SPECS, P("data", None))
    want = np.tanh(args[0] @ args[1]) @ args[2]
    for given in (args, gs.shard(args, mesh, SPECS), (args[0], *gs.shard(args[1:], mesh, SPECS[1:]))):
        got = f(*given)
        assert got.spec == P("data", None) and len({id(p) for p in got.pieces}) == 2 and not gathers
        close(np.asarray(got), want)
        gathers.clear()
    # what all have is cut where it is
    assert np.asarray(f(gs.shard(args[0], mesh, P()), *args[1:])) == pytest.approx(want)
    again = gs.shard_map(lambda y: y + 1.0, mesh, P("data"), P(("data", "model")), check_vma=False)
    assert again(got).shape == (24, 3)  # each device along "model" has the same three rows


def test_within_other_transformations_it_is_vmap():
    mesh, args = gs.Mesh((2, 4), ("data", "model")), (numbers(6, 5), numbers(5, 8), numbers(8, 3))
    def loss(f):
        return lambda x, W1, W2: np.sum(f(x, W1, W2) ** 2)

    def product(x, W1, W2):
        return np.tanh(x @ W1) @ W2

    f = gs.shard_map(blocked, mesh, SPECS, P("data", None))
    close(gs.grad(loss(f), argnums=(0, 1, 2))(*args), gs.grad(loss(product), argnums=(0, 1, 2))(*args))
    close(gs.jvp(f, args, args)[1], gs.jvp(product, args, args)[1])

    def inside(x, W1, W2):
        return gs.shard_map(blocked, mesh=mesh, in_specs=(P("data"), P(None, "model"), P("model")),
                            out_specs=P("data"))(x, W1, W2)

    close(gs.grad(loss(inside))(*args), gs.grad(loss(product))(*args))


def test_trees_of_specs_within_another_transformation(plain):
    mesh, p = gs.Mesh((2, 3), ("a", "b")), {"w": numbers(4, 6), "v": (numbers(6), 2.0, None)}
    specs = {"w": P(("b",), ("a",)), "v": P()}

    def f(p, x):
        w = p["w"] * p["v"][1] * (1 + lax.axis_index("a") + 10 * lax.axis_index("b"))
        return {"w": w, "sum": lax.psum(np.sum(w), ("a", "b"))}, x * np.sum(p["v"][0])

    p["w"] = numbers(6, 6)
    over = gs.shard_map(f, mesh, (specs, P(("a", "b"))), ({"w": P("b", "a"), "sum": P()}, P(("a", "b"))))
    got, want = over(p, np.arange(6.0)), gs.jit(over)(p, np.arange(6.0))
    close(gs.device_get(got), want)
    i = np.arange(6) // 3 + 10 * (np.arange(6) // 2)[:, None] + 1
    np.testing.assert_allclose(got[0]["w"], p["w"] * 2.0 * i)


def test_a_function_of_no_arguments_and_one_of_texts(plain):
    mesh = gs.Mesh((4,), "i")
    made = gs.shard_map(lambda: np.full((2, 1), 1.0 * lax.axis_index("i")), mesh, (), P(None, "i"))()
    np.testing.assert_array_equal(made, [[0.0, 1.0, 2.0, 3.0]] * 2)
    total, mode, nothing = gs.shard_map(lambda x, mode: (lax.psum(np.sum(x), "i"), mode, None), mesh, (P("i"), P()),
                                        P())(np.ones(8), "mean")
    assert (total, mode, nothing) == (8.0, "mean", None)


def test_strips_with_halos(plain):
    def step(u):
        n = lax.axis_size("i")
        above = lax.ppermute(u[-1:], "i", [(k, k + 1) for k in range(n - 1)])
        below = lax.ppermute(u[:1], "i", [(k + 1, k) for k in range(n - 1)])
        v = np.concatenate([above, u, below])
        return u + 0.1 * (v[2:] - 2.0 * u + v[:-2])

    u = numbers(12, 3)
    laid, v = gs.shard(u, gs.Mesh((4,), "i"), P("i")), np.pad(u, ((1, 1), (0, 0)))
    f = gs.shard_map(step, laid.mesh, P("i"), P("i"))
    close(np.asarray(f(laid)), u + 0.1 * (v[2:] - 2.0 * u + v[:-2]))


# what is refused --------------------------------------------------------------------------------------------
def refused(call, kind=gs.SpecialisationError):
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


def test_results_that_are_not_the_same(plain):
    x, mesh = numbers(4, 6), gs.Mesh((2, 2), ("a", "b"))
    for f, spec in ((np.sum, P()), (lambda x: lax.psum(x, "a"), P()), (lambda x: lax.psum(x, "a"), P("a"))):
        message = refused(lambda f=f, spec=spec: gs.shard_map(f, mesh, P("a", "b"), spec)(x), gs.UnsupportedError)
        assert f"out_specs of shard_map has {spec} on Mesh(a=2, b=2)" in message and "gs.lax.psum" in message
    assert refused(lambda: gs.jit(gs.shard_map(np.sum, mesh, P("a", "b"), P()))(x))
    assert gs.shard_map(np.sum, mesh, P("a", "b"), P(), check_vma=False)(x) == np.sum(x[:2, :3])
    nan = gs.shard_map(lambda x: lax.psum(np.sum(x), ("a", "b")), mesh, P("a", "b"), P())(x * np.nan)
    assert np.isnan(nan)


def test_specs_that_do_not_fit(plain):
    mesh, x = gs.Mesh((4,), "i"), numbers(4, 6)
    f = gs.shard_map(lambda x, y: x + y, mesh, (P("i"), P("i")), P("i"))
    assert "in_specs of shard_map has 2 entries, and the call has 1 argument" in refused(lambda: f(x))
    assert "called with 'y' by name" in refused(lambda: f(x, y=x))
    assert "cannot be cut along axis 0 into 4 equal blocks" in refused(lambda: f(x[:3], x))
    assert "P('i') for an array of 0 axes" in refused(lambda: f(x, 1.0))
    assert "P('i') for an array of 0 axes" in refused(lambda: gs.shard_map(np.sum, mesh, P("i"), P("i"))(x))
    laid = gs.shard(x[:, :4], mesh, P(None, "i"))
    assert "Lay it anew, which gathers it: gs.shard(x, mesh, P('i'))" in refused(lambda: f(laid, x))
    assert ("out_specs of shard_map has (P(), P()) for a ndarray"
            in refused(lambda: gs.shard_map(np.sin, mesh, P("i"), (P(), P()))(x)))
    assert "names 'j', and the mesh is Mesh(i=4)" in refused(lambda: gs.shard_map(np.sin, mesh, P("j"), P()))
    assert "out_specs of shard_map has None" in refused(lambda: gs.shard_map(np.sin, mesh, P("i"), None))
    assert "in_specs of shard_map has 'i'\nGive a gs.P" in refused(lambda: gs.shard_map(np.sin, mesh, ("i",), P()))
    assert "write gs.Mesh" in refused(lambda: gs.shard_map(np.sin, 4, P(), P()), TypeError)
    for call in (lambda: gs.jit(f)(x[:3], x[:3]), lambda: gs.jit(f)(x, 1.0),
                 lambda: gs.jit(gs.shard_map(np.sum, mesh, P("i"), P("i")))(x)):
        refused(call, (gs.SpecialisationError, ValueError))


def test_a_store_into_a_block(plain):
    def f(x):
        x[0] = 0.0
        return x

    x, mesh = np.ones((4, 2)), gs.Mesh((2,), "i")
    for given in (x, gs.shard(x, mesh, P("i"))):
        message = refused(lambda given=given: gs.shard_map(f, mesh, P("i"), P("i"))(given), gs.UnsupportedError)
        assert "a store into x, a block that shard_map has given\nStore into a copy" in message
    assert np.all(x == 1.0)


def test_an_axis_that_the_mesh_has_not(plain):
    f = gs.shard_map(lambda x: lax.psum(x, "c"), gs.Mesh((2, 2), ("a", "b")), P("a"), P("a"))
    assert "unbound axis name: c" in refused(lambda: f(np.ones(4)), NameError)


def test_what_a_device_raises(plain):
    def f(x):
        if x[0] > 2.0:
            raise ValueError("too much")
        return lax.psum(x, "i")

    with pytest.raises(ValueError, match="too much") as caught:
        gs.shard_map(f, gs.Mesh((4,), "i"), P("i"), P())(np.array([1.0, 2.0, 3.0, 0.0]))
    assert caught.value.__notes__[-1] == "on device 2"
