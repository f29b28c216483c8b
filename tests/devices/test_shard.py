"""Arrays that are sharded over devices: what plain NumPy gives, without a gather; what is refused."""
import copy
import pickle

import numpy as np
import pytest

import gradscribe as gs

P = gs.P


@pytest.fixture(autouse=True)
def eight(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "8")


def numbers(*shape):
    return np.random.default_rng(0).normal(size=shape)


def same(got, want):
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_array_equal(got, want)


# what is laid -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("shape, names, spec, piece", [
    ((1,), "i", P("i"), (4, 6)),
    ((2,), "i", P("i"), (2, 6)), ((2,), "i", P(None, "i"), (4, 3)), ((3,), "i", P(None, "i"), (4, 2)),
    ((3,), "i", P(), (4, 6)), ((2, 3), ("a", "b"), P("a", "b"), (2, 2)), ((2, 3), ("a", "b"), P(None, "a"), (4, 3)),
    ((2, 3), ("a", "b"), P(None, ("b", "a")), (4, 1)), ((4, 2), ("a", "b"), P("a", "b"), (1, 3)),
    ((8,), "i", P(), (4, 6))])
def test_pieces_are_blocks(shape, names, spec, piece):
    x = numbers(4, 6)
    y = gs.shard(x, gs.Mesh(shape, names), spec)
    assert [p.shape for p in y.pieces] == [piece] * y.mesh.size
    assert (y.shape, y.ndim, y.size, y.dtype, y.itemsize, y.nbytes, len(y)) == ((4, 6), 2, 24, x.dtype, 8, 192, 4)
    same(np.asarray(y), x)
    same(gs.device_get(y), x)
    used = {name for names in y.axes for name in names}
    count = np.prod([n for name, n in y.mesh.shape.items() if name in used], dtype=int)
    assert len({id(p) for p in y.pieces}) == count  # memory is that of the array, whatever the number of devices


def test_blocks_lie_as_the_names_are_ordered():
    mesh = gs.Mesh((2, 3), ("a", "b"))
    where = {P(("a", "b")): [0, 1, 2, 3, 4, 5], P(("b", "a")): [0, 2, 4, 1, 3, 5], P("a"): [0, 0, 0, 1, 1, 1],
             P("b"): [0, 1, 2] * 2}
    for spec, firsts in where.items():
        y = gs.shard(np.arange(6), mesh, spec)
        assert [int(p[0]) // len(p) for p in y.pieces] == firsts, spec


def test_a_tree_and_what_is_no_array():
    mesh = gs.Mesh((2,), "i")
    tree = {"w": numbers(2, 3), "b": (numbers(4), 3, None, "text", np.float64(2.0)), "e": np.zeros((0, 2), np.float32)}
    y = gs.shard(tree, mesh, {"w": P(None), "b": P(), "e": P("i")})
    assert y["b"][1:] == (3, None, "text", 2.0)
    assert [type(x) for x in gs.tree.leaves(y)] == [gs.Sharded, int, str, np.float64, gs.Sharded, gs.Sharded]
    assert y["e"].pieces[0].shape == (0, 2)
    for a, b in zip(gs.tree.leaves(gs.device_get(y)), gs.tree.leaves(tree), strict=True):
        np.testing.assert_array_equal(a, b)
    again = gs.shard(y["w"], mesh, P())
    assert again is y["w"]
    same(np.asarray(gs.shard(again, gs.Mesh((2,), "j"), P("j"))), tree["w"])


def test_it_has_its_own_memory():
    x = numbers(4, 2)
    before, y = x.copy(), gs.shard(x, gs.Mesh((2,), "i"), P("i"))
    x[:] = 0.0
    same(np.asarray(y), before)
    for whole in (gs.device_get(y), np.array(y)):
        whole[:] = 0.0
    same(np.asarray(y), before)


def test_what_is_done_with_it_is_done_with_the_whole():
    x = numbers(4, 2)
    y = gs.shard(x, gs.Mesh((2,), "i"), P("i"))
    same(np.sin(y) + y * 2.0 - x @ y.T[:, :2] + (1.0 - y), np.sin(x) + x * 2.0 - x @ x.T[:, :2] + (1.0 - x))
    assert ((y == x).all() and not (y != y).any() and np.concatenate([y, y]).shape == (8, 2)
            and float(y[0, 0]) == x[0, 0])
    z = y
    z += 1.0  # as with numbers: another z
    same(z, x + 1.0)
    same(np.asarray(y), x)
    for made in (pickle.loads(pickle.dumps(y)), copy.deepcopy(y), copy.copy(y)):
        same(np.asarray(made), x)
        assert not made.pieces[0].flags.writeable and (made.mesh, made.spec) == (y.mesh, y.spec)
    assert repr(y) == str(y) == f"{y}" == "Sharded(shape=(4, 2), dtype=float64, P('i') on Mesh(i=2), pieces of (2, 2))"


def test_it_is_not_stored_into():
    y = gs.shard(np.ones((4, 2)), gs.Mesh((2,), "i"), P("i"))
    for call in (lambda: y.__setitem__(0, 1.0), lambda: np.add(1.0, 1.0, out=y), lambda: np.copyto(y, 0.0),
                 lambda: y.sort(), lambda: np.asarray(y).fill(0.0), lambda: y.pieces[0].fill(0.0)):
        with pytest.raises((AttributeError, ValueError)):
            call()
    assert (y == 1.0).all()


# pmap -------------------------------------------------------------------------------------------------------
def shares(x, w):
    y = x * w / gs.lax.psum(np.sum(x * w), "i")
    return {"y": y, "sum": np.sum(y)}, gs.lax.psum(w, "i")


@pytest.mark.heavy(one_in=58)
@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_pmap_gives_what_vmap_gives(n, gathers):
    mesh, x, w = gs.Mesh((n,), "devices"), numbers(5, n), numbers(5)
    axes = {"axis_name": "i", "in_axes": (1, None), "out_axes": ({"y": 1, "sum": 0}, None)}
    want = gs.vmap(shares, **axes)(x, w)
    for args in ((gs.shard(x, mesh, P(None, "devices")), w), (x, gs.shard(w, mesh, P())),
                 gs.shard((x, w), mesh, (P(None, "devices"), P()))):
        (out, total) = got = gs.pmap(shares, **axes)(*args)
        assert (out["y"].spec, out["sum"].spec) == (P(None, "devices"), P("devices")) and type(total) is np.ndarray
        assert [p.shape for p in out["y"].pieces] == [(5, 1)] * n and not gathers
        for a, b in zip(gs.tree.leaves(got), gs.tree.leaves(want), strict=True):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_allclose(a, b, rtol=1e-12)
        gathers.clear()


@pytest.mark.heavy(one_in=9)
def test_training_keeps_parameters_where_they_are(gathers):
    """Each device has its own rows of a matrix, of its gradient, of the momentum."""
    mesh, n, rng = gs.Mesh((2, 2), ("a", "b")), 4, np.random.default_rng(1)
    x, y = rng.normal(size=(7, 4 * n)), rng.normal(size=(7, 2))

    def step(p, momentum, x):
        def loss(p):
            return np.sum((gs.lax.psum(x @ p["w"], "i") - y) ** 2) / 7.0

        value, slope = gs.value_and_grad(loss)(p)
        momentum = {k: 0.5 * momentum[k] + slope[k] / n for k in p}  # each device has the loss of all
        return {k: p[k] - 0.01 * momentum[k] for k in p}, momentum, value

    axes = {"axis_name": "i", "in_axes": (0, 0, 1), "out_axes": (0, 0, None)}
    w, cut = rng.normal(size=(n, 4, 2)), x.reshape(7, n, 4)
    mine, theirs = ({"w": w}, {"w": np.zeros_like(w)}), ({"w": w}, {"w": np.zeros_like(w)})
    mine, data = gs.shard(mine, mesh, P(("a", "b"))), gs.shard(cut, mesh, P(None, ("a", "b")))
    over, plain, losses = gs.pmap(step, **axes), gs.vmap(step, **axes), []
    for _ in range(6):
        *mine, value = over(*mine, data)
        *theirs, want = plain(*theirs, cut)
        np.testing.assert_allclose(value, want, rtol=1e-12)
        losses.append(value)
    assert losses[-1] < losses[0] and not gathers
    np.testing.assert_allclose(mine[0]["w"], theirs[0]["w"], rtol=1e-12)
    assert mine[0]["w"].spec == P(("a", "b"))


def test_results_have_their_own_memory():
    x, constant = numbers(2, 3), np.ones(3)
    y = gs.shard(x, gs.Mesh((2,), "i"), P("i"))
    same_one, again, outside = gs.pmap(lambda x, z: (x, z, constant))(y, x)
    assert not any(np.shares_memory(a, b) for a in same_one.pieces for b in y.pieces)
    assert not any(np.shares_memory(a, x) for a in again.pieces)
    assert not any(np.shares_memory(a, constant) for a in outside.pieces) and constant.flags.writeable


def test_the_source_is_that_of_one_device():
    f = gs.pmap(lambda x: x / gs.lax.psum(x, "i"), axis_name="i")
    y = gs.shard(numbers(2, 3), gs.Mesh((2,), "i"), P("i"))
    assert f.source(y) == f.source(np.asarray(y)) and "rt.psum" in f.source(y)


# what is refused --------------------------------------------------------------------------------------------
def refused(call, kind=gs.SpecialisationError):
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


def test_meshes_that_are_none():
    assert ("mesh of 9 devices, and there are 8\nSet GRADSCRIBE_DEVICES=9"
            in refused(lambda: gs.Mesh((3, 3), ("a", "b")), gs.errors.DeviceError))
    for shape, names in (((2, 2), "a"), ((2, 2), ("a", "a")), ((2,), (0,)), ((0,), "a"), ((), ()),
                         ((-2, -2), ("a", "b"))):
        refused(lambda shape=shape, names=names: gs.Mesh(shape, names), ValueError)
    devices = gs.devices("cpu")
    assert (gs.Mesh(np.array(devices).reshape(2, 4), ("a", "b")) == gs.Mesh(tuple(np.array([2, 4])), ("a", "b"))
            == gs.Mesh((2, 4), ["a", "b"]) != gs.Mesh((4, 2), ("a", "b")))
    assert "a device twice" in refused(lambda: gs.Mesh([devices[0]] * 2, "i"), gs.errors.DeviceError)
    assert ("a mesh of [cuda:0, cpu:0]"
            in refused(lambda: gs.Mesh([gs.Device("cuda", 0), devices[0]], "i"), gs.errors.DeviceError))
    assert ("a mesh of 4\nGive how many threads there are along each axis"
            in refused(lambda: gs.Mesh(4, "i"), gs.errors.DeviceError))


def test_specs_that_do_not_fit():
    mesh, x = gs.Mesh((2, 3), ("a", "b")), np.ones((4, 5))
    assert ("shape (4, 5) cannot be cut along axis 1 into 3 equal blocks"
            in refused(lambda: gs.shard(x, mesh, P("a", "b"))))
    assert "cannot be cut along axis 0 into 6" in refused(lambda: gs.shard(x, mesh, P(("a", "b"))))
    assert "P('c') names 'c', and the mesh is Mesh(a=2, b=3)" in refused(lambda: gs.shard(x, mesh, P("c")))
    assert "names 'a' twice" in refused(lambda: gs.shard(x, mesh, P("a", "a")))
    assert "P('a', None, None) for an array of 2 axes" in refused(lambda: gs.shard(x, mesh, P("a", None, None)))
    assert "P('a') for an array of 0 axes" in refused(lambda: gs.shard([x, np.array(1.0)], mesh, P("a")))
    assert "has ('a', None) for a ndarray\nGive it a gs.P" in refused(lambda: gs.shard(x, mesh, ("a", None)))
    assert ("has ['a']: write the name" in refused(lambda: P(["a"]), TypeError)
            and "has 0" in refused(lambda: P(0), TypeError))
    assert "has (P(), P()) for a list" in refused(lambda: gs.shard([x], mesh, (P(), P())))
    for odd in (np.ma.masked_array(x), np.array([None])):
        assert "sharded over devices" in refused(lambda odd=odd: gs.shard(odd, mesh, P()), gs.UnsupportedError)


def test_pmap_of_what_is_laid_otherwise():
    mesh, x = gs.Mesh((4,), "i"), numbers(4, 4)
    y, f = gs.shard(x, mesh, P("i")), gs.pmap(lambda x, z: x + z)
    assert "lay it so: gs.shard(x, mesh, P(None, 'i'))" in refused(lambda: gs.pmap(np.sum, in_axes=1)(y))
    assert "Let the axis be 4 long" in refused(lambda: gs.pmap(np.sum)(gs.shard(numbers(8, 4), mesh, P("i"))))
    assert "which is sharded otherwise" in refused(lambda: gs.pmap(np.sum)(gs.shard(x, mesh, P())))
    two = gs.Mesh((2, 2), ("a", "b"))
    for spec in (P(("b", "a")), P("a"), P("a", "b")):
        assert ("lay it so: gs.shard(x, mesh, P(('a', 'b')))"
                in refused(lambda spec=spec: gs.pmap(np.sum)(gs.shard(x, two, spec))))
    assert "of which each device has a part" in refused(lambda: gs.pmap(lambda x, z: x + z, in_axes=(0, None))(x, y))
    assert "sharded over different meshes" in refused(lambda: f(y, gs.shard(x, gs.Mesh((4,), "j"), P("j"))))
    assert "for 4 devices, and for 3" in refused(lambda: f(y, x[:3]))
    assert "has a leaf of 2 axes" in refused(lambda: gs.pmap(np.sum, in_axes=2)(y))


def test_a_mesh_of_more_devices_than_the_mapped_axes_are_long():
    w = gs.shard(np.ones(3), gs.Mesh((8,), "i"), P())
    message = refused(lambda: gs.pmap(lambda x, w: x * w, in_axes=(0, None))(np.ones((4, 3)), w))
    assert "pmap of 4 devices, and an argument that is sharded over Mesh(i=8)" in message


def test_results_that_are_awaited_are_cut():
    x, mesh = numbers(4, 4), gs.Mesh((4,), "i")
    later, add = gs.jit(lambda x: 2.0 * x, wait=False), lambda x, y: x + y
    same(gs.pmap(add)(x, later(x)), 3.0 * x)
    same(np.asarray(gs.shard_map(add, mesh, P("i"), P("i"))(later(x), gs.shard(later(x), mesh, P("i")))), 4.0 * x)
    over = gs.pmap(lambda x: 2.0 * x, wait=False)
    same(np.asarray(gs.pmap(add)(over(gs.shard(x, mesh, P("i"))), x)), 3.0 * x)


def test_a_program_that_stores_into_a_piece():
    def f(x):
        x[0] = 1.0
        return x

    y = gs.shard(np.zeros((2, 3)), gs.Mesh((2,), "i"), P("i"))
    assert ("read-only, which the function stores into\nStore into a copy"
            in refused(lambda: gs.pmap(f)(y), gs.UnsupportedError))
    assert not np.any(y)


@pytest.mark.parametrize("call", [
    lambda y: gs.jit(np.sum)(y), lambda y: gs.grad(np.sum)([y]), lambda y: gs.vmap(np.sum)(y),
    lambda y: gs.jit(lambda x: x + y)(1.0), lambda y: gs.vjp(lambda x: 2.0 * x, np.asarray(y))[1](y),
    lambda y: gs.jvp(np.sum, (y,), (y,)), lambda y: gs.jit(gs.pmap(np.sum))(y)])
def test_functions_of_one_device(call):
    y = gs.shard(np.zeros((2, 3)), gs.Mesh((2,), "i"), P("i"))
    refused(lambda: call(y), gs.UnsupportedError)
