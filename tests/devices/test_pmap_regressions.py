"""`gs.pmap` where it gave what `gs.vmap` and NumPy do not, or no error where these have one."""
import _thread
import dataclasses
import signal
import threading
import time

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.devices import jobs
from gradscribe.transformer.devices.async_calls import worker

X = np.array([1.0, 2.0, 3.0])


@pytest.fixture(autouse=True)
def three_devices(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "3")


@dataclasses.dataclass
class Pair:
    a: object
    b: object
    kind: str = dataclasses.field(default="kind", metadata={"static": True})


@pytest.mark.parametrize("in_axes, given", [((0, None), lambda w: (X, w)), (((0, None),), lambda w: ((X, w),))])
def test_store_into_what_all_devices_have(in_axes, given):
    def f(*args):
        x, w = args if len(args) == 2 else args[0]
        w[0] += x
        return x

    shared, mapped = np.zeros(2), gs.pmap(f, in_axes=in_axes)
    for _ in range(2):  # the second call is refused as the first one is
        with pytest.raises(gs.errors.UnsupportedError, match="which all devices have"):
            mapped(*given(shared))
    assert shared.tolist() == [0.0, 0.0]


def test_stores_that_another_device_sees():
    def f(x, y):
        x[:] = y + 1.0
        return np.sum(y)

    a = np.arange(16.0).reshape(4, 4)
    rows = np.lib.stride_tricks.as_strided(np.zeros(6), (3, 3), (8, 8))
    for x, y in (a[:3], a[1:]), (rows, np.ones((3, 3))):
        before = x.copy()
        with pytest.raises(gs.errors.UnsupportedError, match="share memory"):
            gs.pmap(f)(x, y)
        assert np.array_equal(x, before)


def helper(x):
    return gs.lax.psum(np.sin(x) * np.cos(x), "i")


def sums_in_three_branches(x):
    return helper(x) if x > 9.0 else (helper(2.0 * x) if x > 1.5 else helper(3.0 * x))


def permutes_in_two_branches(x):
    if x > 1.5:
        return gs.lax.ppermute(x, "i", [(0, 1), (1, 2), (2, 0)])
    return gs.lax.ppermute(2.0 * x, "i", [(0, 2), (2, 1), (1, 0)])


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("f", [sums_in_three_branches, permutes_in_two_branches])
def test_collectives_of_different_branches_do_not_meet(f):
    with pytest.raises(RuntimeError, match="outside of branches"):
        gs.pmap(f, axis_name="i")(X)


def used_on_one_side(x):
    y = gs.lax.psum(np.sin(x), "i")
    return y * x if x > 1.5 else x


@pytest.mark.heavy(one_in=2)
def test_gradient_of_a_collective_that_one_branch_reads():
    expected = np.cos(X) * 5.0 + np.where(X > 1.5, np.sum(np.sin(X)), 1.0)
    for transform in (gs.pmap, gs.vmap):
        np.testing.assert_allclose(transform(gs.grad(used_on_one_side), axis_name="i")(X), expected)


@pytest.mark.heavy(one_in=2)
def test_exception_with_an_array_after_a_collective():
    def f(x):
        y = gs.lax.psum(x, "i")
        if x[0] == 2.0:
            raise ValueError(f"bad: {x}")
        return gs.lax.psum(y * x, "i")

    with pytest.raises(ValueError, match="bad: ...") as raised:
        gs.pmap(f, axis_name="i")(X[:, None])
    assert "on device 1" in raised.value.__notes__


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("dtype", [np.int8, np.bool_])
def test_mean_of_ints_is_one_of_floats(dtype):
    x = np.array([100, 100, 27]).astype(dtype)
    found = gs.pmap(lambda x: gs.lax.pmean(x, "i"), axis_name="i")(x)
    assert found.dtype == np.float64 and found[0] == np.mean(x)


@pytest.mark.parametrize("f, shown", [(lambda x, n: x if n > 1 else None, "None on device 0"),
                                      (lambda x, n: np.ones(n) * x, r"shape \(1,\) on device 0"),
                                      (lambda x, n: tuple([x] * n), "a tuple of 1 on device 0, and a tuple of 2")])
def test_results_that_differ_between_devices(f, shown):
    with pytest.raises(gs.errors.SpecialisationError, match=shown):
        gs.pmap(f)(X, np.array([1, 2, 2]))


def test_axes_as_vmap_has_them():
    pair = Pair(X, np.ones((2, 3)))
    for transform in (gs.pmap, gs.vmap):
        found = transform(lambda p, none, *, mode: Pair(p.a if mode == "same" else -p.a, p.b), in_axes=(Pair(0, 1), 0),
                          out_axes=Pair(0, 1))(pair, None, mode="same")
        assert np.array_equal(found.a, X) and found.b.shape == (2, 3) and found.kind == "kind"


@pytest.mark.parametrize("number, call", [(-1, lambda f: f(X, 3)), (1, lambda f: f(X, n=3))])
def test_static_argument_from_the_end_or_by_name(number, call):
    assert call(gs.pmap(lambda x, n: x * np.ones(n)[0] * n, static_broadcasted_argnums=number)).tolist() == [3, 6, 9]


@pytest.mark.parametrize("options, error", [(dict(devices=["a", "b", "c"]), gs.errors.DeviceError),
                                            (dict(devices=3), gs.errors.DeviceError),
                                            (dict(in_axes=0.5), gs.errors.SpecialisationError),
                                            (dict(axis_name=["i"]), gs.errors.SpecialisationError)])
def test_options_that_mean_nothing(options, error):
    with pytest.raises(error):
        gs.pmap(lambda x: x, **options)(X)


def test_array_of_objects():
    with pytest.raises(gs.errors.UnsupportedError, match="dtype object"):
        gs.pmap(lambda x: x)(np.array([1.0, None, 2.0], dtype=object))


def test_value_that_one_device_refuses_names_it():
    with pytest.raises(gs.errors.RefusedValue) as raised:
        gs.pmap(lambda x: float(x) ** 0.5)(np.array([1.0, -1.0, 1.0]))
    assert "on device 1" in raised.value.__notes__


@pytest.mark.heavy(one_in=2)
def test_call_that_waits_while_another_is_interrupted():
    def slow(x):
        s = 0.0
        for _ in range(40_000_000):
            s = np.sin(s + x)
        return s

    total, found = gs.pmap(lambda x: gs.lax.psum(x, "i"), axis_name="i"), []
    total(X), gs.pmap(slow).source(X)
    others = [threading.Timer(0.3, lambda: found.append(total(X))), threading.Timer(0.6, _thread.interrupt_main)]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background may ignore it
    try:
        for other in others:
            other.start()
        with pytest.raises(KeyboardInterrupt):
            gs.pmap(slow)(X)
            time.sleep(5.0)
    finally:
        signal.signal(signal.SIGINT, before)
    for other in others:
        other.join(20.0)
    assert found[0].tolist() == total(X).tolist() == [6.0, 6.0, 6.0]


def test_a_later_program_that_stores_is_checked_before_it_runs():
    """The first program stores nothing; that of the other constant would store into what two devices have."""
    def f(x, y, stores):
        if stores:
            x[0] = 5.0
        return np.sum(x * y)

    made, a = gs.pmap(f, static_broadcasted_argnums=2), np.ones((3, 2))
    assert made(a[:2], a[1:], False).tolist() == [2.0, 2.0]
    with pytest.raises(gs.errors.UnsupportedError, match="share memory"):
        made(a[:2], a[1:], True)
    assert a.tolist() == np.ones((3, 2)).tolist()


def test_a_number_of_devices_that_is_none(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "many")
    with pytest.raises(ValueError, match="GRADSCRIBE_DEVICES='many'"):
        gs.pmap(lambda x: x)(X)


def test_a_store_into_an_array_from_outside_is_refused():
    seen = np.zeros(3)

    def f(x):
        seen[:] = x
        return seen.sum()

    with pytest.raises(gs.errors.UnsupportedError, match="a store into seen, which all devices have"):
        gs.pmap(f)(np.ones((1, 3)))
    assert not seen.any()


def test_call_that_is_not_waited_for_reads_closures_as_they_are():
    scale, shift, busy, begun = 1.0, np.zeros(3), threading.Event(), threading.Event()
    later = gs.pmap(lambda x: x * scale + shift, wait=False)
    np.asarray(later(X))
    worker().submit([], lambda: (begun.set(), busy.wait(5)))  # calls queue up behind it
    begun.wait(5)
    first = later(X)
    scale, shift[:] = 2.0, 1.0
    second = later(X)
    shift, scale = np.ones(3, np.float32), 3  # of another type: another program
    third = later(X)
    scale = shift = None
    busy.set()
    assert np.asarray(first).tolist() == np.repeat(X, 3).reshape(3, 3).tolist()
    assert np.asarray(second)[:, 0].tolist() == [3.0, 5.0, 7.0]
    assert np.asarray(third)[:, 0].tolist() == [4.0, 7.0, 10.0]


def test_processes_tell_each_other_how_many_devices_they_have_and_of_which_dtypes(monkeypatch):
    heard, total = [], gs.pmap(lambda x: gs.lax.psum(x, "i"), axis_name="i")

    def agree(name, text):
        heard.append(text)
        raise jobs.OutOfStep(name)

    monkeypatch.setattr(jobs, "process_count", lambda: 2)
    monkeypatch.setattr(jobs, "agree", agree)
    for x in X, X[:2], np.array([1, 2, 3]):
        with pytest.raises(jobs.OutOfStep):
            total(x)
    assert len(set(heard)) == 3


class TwoAlike:
    """The communicator of two processes that have the same."""

    def Allgather(self, sent, received):
        received[:] = np.tile(sent, 2)

    def allgather(self, thing):
        return [thing, thing]


@pytest.mark.parametrize("x, spec", [(np.zeros((2, 0)), gs.P("d")), (np.ones((3, 2), order="F"), gs.P(None, "d"))])
def test_processes_gather_arrays_as_they_are(monkeypatch, x, spec):
    for name, fake in (("process_count", lambda: 2), ("process_index", lambda: 0), ("world", TwoAlike),
                       ("agree", lambda *_: None)):
        monkeypatch.setattr(jobs, name, fake)
    assert np.array_equal(gs.device_get(gs.shard(x, gs.Mesh((2,), "d"), spec)), x)


def test_axes_that_are_named_where_one_is_not_there():
    blocks = gs.shard_map(lambda x: gs.lax.psum(x, "z"), gs.Mesh((3, 1), ("r", "c")), gs.P("r"), gs.P())
    with pytest.raises(NameError, match=r"those around have 'r', 'c'\."):
        blocks(X)


@pytest.mark.heavy(one_in=20)
@pytest.mark.parametrize("f", [lambda x, n: gs.lax.psum((x, x.astype(np.int64))[n], "i"),
                               lambda x, n: gs.lax.psum(x.reshape(int(n) + 1, -1), "i").ravel(),
                               lambda x, n: gs.lax.all_gather(x.reshape(int(n) + 1, -1), "i").ravel(),
                               lambda x, n: gs.lax.ppermute((x, x.astype(np.int64))[n], "i", [(0, 1), (1, 2), (2, 0)])])
def test_operands_of_one_size_that_differ_in_dtype_or_shape(f):
    mapped, x = gs.pmap(f, axis_name="i"), np.arange(6.0).reshape(3, 2)
    assert mapped(x, np.zeros(3, np.int64)).shape == mapped(x, np.ones(3, np.int64)).shape
    with pytest.raises(gs.errors.OutOfStep, match="of different"):
        mapped(x, np.array([0, 1, 0]))


def test_results_whose_dtypes_differ_are_laid_over_devices_as_they_are_stacked():
    mesh, x, n = gs.Mesh((3,), "d"), X + 0.5, np.array([1, 0, 1])
    for f in (lambda x, n: (x, np.int64(x))[n], lambda x, n: (1.5, 2)[n]):
        stacked = gs.pmap(f)(x, n)
        laid = gs.pmap(f)(*gs.shard((x, n), mesh, gs.P("d")))
        assert laid.dtype == stacked.dtype == np.float64
        assert np.asarray(laid).tolist() == stacked.tolist() and stacked[1] % 1.0 == 0.5


def test_made_within_another_function():
    def f(x):
        return gs.pmap(lambda y: 2.0 * y, wait=False)(x) + gs.jit(np.sin, wait=False)(x)

    for made in gs.jit(f), gs.jit(f, wait=False), gs.grad(lambda x: np.sum(f(x))):
        assert np.asarray(made(X)).shape == (3,)
    assert np.allclose(gs.jit(f)(X), f(X))
