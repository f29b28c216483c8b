"""What users found with many devices: what is asked for in the wrong place says where it belongs,
and idioms of JAX that failed."""
import contextlib
import functools
import io

import numpy as np
import pytest

import gradscribe as gs

lax, P = gs.lax, gs.P
X = np.arange(12.0).reshape(4, 3)


@pytest.fixture(autouse=True)
def devices(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "4")


def refused(f, *args, kind=gs.GradscribeError):
    with pytest.raises(kind) as caught:
        f(*args)
    return str(caught.value)


WITHIN = {
    "gs.local_device_count": lambda x: x * gs.local_device_count(), "gs.device_count": lambda x: x * gs.device_count(),
    "gs.process_index": lambda x: x * gs.process_index(), "gs.process_count": lambda x: x * gs.process_count(),
    "gs.devices": lambda x: x * len(gs.devices()), "gs.device_put": lambda x: gs.device_put(x),
    "gs.device_get": lambda x: gs.device_get(x), "gs.block_until_ready": lambda x: gs.block_until_ready(x),
    "gs.shard": lambda x: gs.shard(x, MESH, P("i")),
    "gs.Mesh": lambda x: gs.shard_map(np.sin, gs.Mesh((1,), "i"), P("i"), P("i"))(x),
}
MESH = gs.Mesh((1,), "i")


@pytest.mark.parametrize("name", WITHIN)
def test_what_is_done_between_calls(name):
    for make in (gs.jit, gs.pmap):
        message = refused(make(WITHIN[name]), X)
        assert f": {name} depends on the devices of this process\n" in message and "^^^" in message


@pytest.mark.heavy(one_in=24)
@pytest.mark.parametrize("collective", [lax.psum, lax.pmean, lax.pmax, lax.pmin, lax.all_gather])
def test_a_collective_is_the_function(collective):
    f = functools.partial(collective, axis_name="i")
    want = gs.vmap(lambda x: collective(x, "i"), axis_name="i")(X)
    for make in (gs.vmap, gs.pmap):
        np.testing.assert_array_equal(make(f, axis_name="i")(X), want)
    np.testing.assert_array_equal(gs.pmap(collective, static_broadcasted_argnums=1, axis_name="i")(X, "i"), want)
    blocks = gs.shard_map(f, gs.Mesh((4,), "i"), P("i"), P("i"))
    np.testing.assert_array_equal(np.asarray(blocks(X)).reshape(want.shape), want)


@pytest.mark.heavy(one_in=11)
@pytest.mark.parametrize("make", [gs.vmap, gs.pmap])
@pytest.mark.parametrize("groups", [[[0, 1], [1, 2]], [[0, 1], [2, 2]], [[0, 1, 2], [3]], [[0, 1]], [[0, 1], [2, 4]],
                                    [0, 1, 2, 3], [[-1, 0], [1, 2]]])
def test_groups_that_are_no_partition(make, groups):
    for collective in (lax.psum, lax.pmean, lax.pmax, lax.all_gather):
        with pytest.raises(ValueError, match="axis_index_groups"):
            make(lambda x: collective(x, "i", axis_index_groups=groups), axis_name="i")(X)


def test_what_is_printed_says_which_device():
    def f(x):
        gs.debug.print("x = {}", x)
        print("begun", end=", ")
        print("ended")
        return x

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        gs.jit(lambda x: print("a line that stays open", end=""))(1.0)
        print()
        gs.pmap(f)(np.arange(3.0))
        gs.pmap(f)(np.arange(1.0))
        gs.jit(f)(7.0)
    lines = out.getvalue().splitlines()  # one may print while another's line stays open
    assert (all(f"device {k}: x = {k}.0\n" in out.getvalue() for k in range(3))
            and lines[-4:] == ["x = 0.0", "begun, ended", "x = 7.0", "begun, ended"]), lines


def test_arrays_that_wait_or_are_laid_over_devices_in_a_closure_and_under_jit():
    mesh = gs.Mesh((4,), "i")
    waiting, laid = gs.jit(np.sin, wait=False)(np.ones(3)), gs.shard(X, mesh, P("i"))
    assert "np.asarray(waiting)" in refused(gs.jit(lambda x: x * waiting), X)
    assert "np.asarray(laid)" in refused(gs.pmap(lambda x: x * laid), X)
    assert "without gs.jit around them" in refused(gs.jit(gs.shard_map(np.sin, mesh, P("i"), P("i"))), laid)
    assert "gs.shard(x, mesh" in refused(gs.device_put, X, P("i"))


def test_numbers_stay_what_they_are():
    tree = gs.shard({"w": X, "rate": 0.1, "n": np.float32(2.0)}, gs.Mesh((4,), "i"), P("i"))
    assert (tree["rate"], tree["n"]) == (0.1, 2.0) and tree["w"].spec == P("i")


def test_parts_that_share_memory():
    def store(x):
        x[0] = 1.0
        return x

    assert ("devices have parts of an argument that share memory"
            in refused(gs.pmap(store), np.broadcast_to(np.zeros(3), (4, 3))))


def test_lists_of_devices():
    cpu = gs.devices("cpu")
    assert "pmap of 4 devices, and devices=2" in refused(gs.pmap(np.sin, devices=2), X)
    assert "a list that has one twice" in refused(gs.pmap(np.sin, devices=[cpu[0]] * 4), X)


@pytest.mark.heavy(one_in=2)
def test_differences_of_blocks():
    f = gs.shard_map(lambda x: np.sin(x) * lax.pmean(x, "i"), gs.Mesh((4,), "i"), P("i"), P("i"))
    gs.test_util.check_grads(f, (X,))
    with pytest.raises(AssertionError, match="differences give"):
        gs.test_util.check_grads(gs.shard_map(lambda x: gs.stop_gradient(np.sin(x)) * x, gs.Mesh((4,), "i"), P("i"),
                                              P("i")), (X,), order=1)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("n, kind, message",
                         [(200_000_000_000, MemoryError, "Allocation failed"), (2**62, ValueError, "array is too big"),
                          (-1, ValueError, "negative dimensions")])
def test_too_much_memory_is_numpys_exception(n, kind, message):
    def f(x, n):
        z = np.ones((n, 2))
        z[0] = x
        return lax.psum(np.sum(z), "i")

    with pytest.raises(kind, match=message):
        gs.pmap(f, axis_name="i", in_axes=(0, None))(X[:2, 0], n)
    assert gs.pmap(f, axis_name="i", in_axes=(0, None))(X[:2, 0], 1)[0] == X[:2, 0].sum() * 2


@pytest.mark.heavy(one_in=21)
@pytest.mark.parametrize("make", [gs.pmap, gs.vmap])
@pytest.mark.parametrize("perm", [[(k, (k + 1) % 12) for k in range(11)], [(0, 7), (7, 3)], []])
def test_a_permutation_over_several_axes(make, perm):
    x = np.random.default_rng(0).normal(size=(3, 4, 2))
    x[0, 0, 0] = np.nan  # where nobody sends are zeros all the same
    for values in (x, x > 0.0, np.float32(x)):
        want = np.zeros((12, 2), values.dtype)
        for source, target in perm:
            want[target] = values.reshape(12, 2)[source]
        got = make(gs.vmap(lambda v: lax.ppermute(v, ("i", "j"), perm), axis_name="j"), axis_name="i")(values)
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got.reshape(12, 2), want)


@pytest.mark.heavy(one_in=4)
def test_a_shuffle_over_several_axes_and_its_derivative():
    x, order = np.random.default_rng(0).normal(size=(3, 4)), [(k * 5 + 2) % 12 for k in range(12)]
    shuffled = gs.pmap(gs.vmap(lambda v: lax.pshuffle(v, ("i", "j"), order), axis_name="j"), axis_name="i")
    np.testing.assert_array_equal(shuffled(x).reshape(12), x.reshape(12)[order])
    gs.test_util.check_grads(lambda x: np.sum(np.sin(shuffled(x)) * np.arange(12.0).reshape(3, 4)), (x,))
    mesh = gs.Mesh((2, 2), ("a", "b"))
    turned = gs.shard_map(lambda v: lax.ppermute(v, ("b", "a"), [(0, 1), (1, 2), (2, 3)]), mesh, P(("a", "b")),
                          P(("a", "b")))
    np.testing.assert_array_equal(np.asarray(turned(np.arange(4.0))), [0.0, 2.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="an example that there is not"):
        gs.pmap(gs.vmap(lambda v: lax.ppermute(v, ("i", "j"), [(0, 17)]), axis_name="j"), axis_name="i")(x)


@pytest.mark.heavy(one_in=2)
def test_none_in_out_axes_is_for_what_all_devices_have_alike():
    """It gave what the first device has computed."""
    square, total = (gs.pmap(lambda a: a * a, out_axes=None),
                     gs.pmap(lambda a: lax.psum(a * a, "i"), axis_name="i", out_axes=None))
    message = refused(square, X)
    assert ("out_axes of pmap has None for a result that is different on device 1" in message
            and "test_device_regressions.py:" in message)
    for within in (gs.jit(square), gs.grad(lambda x: np.sum(square(x))), gs.vmap(lambda a: a * a, out_axes=None)):
        message = refused(within, X)
        assert "differs between examples" in message and "test_device_regressions.py:" in message
    np.testing.assert_array_equal(total(X), np.sum(X * X, axis=0))
    np.testing.assert_allclose(gs.jit(total)(X), total(X), rtol=1e-15)
    np.testing.assert_array_equal(gs.grad(lambda x: np.sum(total(x)))(X), 2.0 * X)
    pair = gs.pmap(lambda a, n: ({"a": a, "n": n}, a * np.nan), in_axes=(0, None), out_axes=({"a": 0, "n": None}, None))
    kept, nothing = pair(X, 3.0)
    np.testing.assert_array_equal(kept["a"], X)
    assert kept["n"] == 3.0 and nothing.shape == X[0].shape and np.isnan(nothing).all()
    same = np.array([[1.0], [1.0], [2.0], [1.0]])
    assert "different on device 2" in refused(square, same) and square(np.ones((4, 1))).tolist() == [1.0]
    assert "different on device 3" in refused(
        lambda x: gs.block_until_ready(gs.pmap(lambda a: a, out_axes=None, wait=False)(x)), np.array([1, 1, 1, 2]))


def test_a_store_into_an_argument_within_another_function_is_refused():
    """gs.pmap stores into its argument, and gs.jit(gs.pmap(f)) did not."""
    def stores(a):
        a += 1.0
        return a.sum()
    x, mesh = np.ones((4, 2)), gs.Mesh((4,), "i")
    for within in (gs.jit(gs.pmap(stores)), gs.jit(lambda x: gs.pmap(stores)(x)),
                   gs.grad(lambda x: gs.pmap(stores)(x).sum()), gs.vmap(gs.pmap(stores), in_axes=None, axis_size=2)):
        message = refused(within, x)
        assert ("gs.pmap within another function, of a function that stores into its argument" in message
                and "test_device_regressions.py:" in message)
    assert ("a store into a block that shard_map has given"
            in refused(gs.jit(gs.shard_map(stores, mesh, P("i"), P("i"))), x))
    assert np.all(x == 1.0)
    np.testing.assert_array_equal(gs.pmap(stores)(x), [4.0] * 4)
    assert np.all(x == 2.0)

    def apart(a):
        a = a * 2.0
        a += 1.0
        return a
    np.testing.assert_array_equal(gs.jit(gs.pmap(apart))(x), x * 2.0 + 1.0)


def test_devices_that_are_not_there_are_named(monkeypatch):
    """An empty list of GPUs was "a list of 0", and of "gpu" there was a list, where target="gpu" was an error."""
    from gradscribe.runtime.cuda import backend
    monkeypatch.setattr(backend, "missing", lambda: "no GPU here")
    assert gs.devices("cuda") == gs.devices("gpu") == []
    for message in (refused(gs.pmap(np.sin, devices=gs.devices("cuda")), X),
                    refused(lambda x: gs.Mesh(gs.devices("gpu"), "i"), X)):
        assert ("an empty list of devices" in message
                and 'gs.devices("cuda") is empty where programs can use no GPU: no GPU here.' in message)
    assert repr(gs.jit(np.sin, target="gpu")) == repr(gs.jit(np.sin, target="cuda"))
    for call in (lambda: gs.devices("tpu"), lambda: gs.jit(np.sin, target="tpu")):
        with pytest.raises(ValueError, match="='tpu': it is .*\"cuda\", which is \"gpu\" as well"):
            call()
    with pytest.raises(gs.errors.DeviceError, match="no GPU here"):
        with gs.default_device("gpu"):
            pass
