"""Stores into arrays that a function sees from outside: Python does the same to them, a derivative leaves them."""
import types

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Primal

G, H = np.zeros(3), np.zeros((2, 3))
V = H[0]
L = [np.ones(2), np.zeros(2)]
O = types.SimpleNamespace(w=np.zeros(2))
M = types.ModuleType("m")
M.a = np.zeros(2)


class Meter:
    counts = np.zeros(2)

    def count(self, x):
        self.counts[0] += 1.0
        Meter.counts[1] += x
        return self.counts[1]


def one_element(x):
    G[0] += x
    return G[0] * 2.0


def in_branches_and_loops(x):
    for k in range(3):
        if x > k:
            G[k] = x * k
    while H[0, 0] < x:
        H[0, 0] += 0.5
    H[1] += G
    return np.sum(G) + H[1, 2]


def through_a_view(x):
    right = H[:, 1:]
    right += x
    return right[0]


def in_containers_and_attributes(x):
    L[1][0] = x
    O.w[1] = x * 2.0
    M.a[:] += x
    return L[1][0] + O.w[1] + M.a[0]


class Layer:
    def __init__(self):
        self.w = np.zeros(2)

    def step(self, x):
        self.w += x
        self.w *= 2.0
        return self.w[0]


LAYER = Layer()


def put_back_where_it_was(x):
    M.a += x
    Meter.counts -= x
    return LAYER.step(x) + M.a[0]


def of_a_class(x):
    return Meter().count(x) * x


def by_a_helper(x):
    return one_element(x) + one_element(x + 1.0)


def the_array_itself(x):
    G[1] = x
    return G


def outside_of_it(x):
    G[0] = x
    G[5] = x
    return x


def before_it_raises(x):
    G[0] = x
    if x > 2.0:
        raise ValueError("too large")
    return x


def _counter():
    count = np.zeros(2)

    def of_a_closure(x):
        count[1] += x
        return count * x

    return of_a_closure, count


of_a_closure, COUNT = _counter()
ARRAYS = (LAYER.w, G, H, L[1], O.w, M.a, Meter.counts, COUNT)
FUNCTIONS = (one_element, put_back_where_it_was, in_branches_and_loops, through_a_view, in_containers_and_attributes,
             of_a_class, by_a_helper, the_array_itself, outside_of_it, before_it_raises, of_a_closure)


@pytest.fixture(autouse=True)
def zeros():
    for x in ARRAYS:
        x[...] = 0.0


def course(f):
    """What three calls give, and what the arrays are afterwards."""
    given = []
    for x in (1.5, 0.5, 2.5):
        try:
            given.append(np.array(f(x)))
        except Exception as error:
            given.append((type(error), str(error)))
    seen = [x.copy() for x in ARRAYS]
    for x in ARRAYS:
        x[...] = 0.0
    return given, seen


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("way", [Primal, gs.jit])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_as_python(f, way):
    for got, want in zip(course(way(f)), course(f)):
        assert repr(got) == repr(want)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", [f for f in FUNCTIONS if f is not outside_of_it])
def test_a_derivative_and_vmap_leave_them(f):
    def loss(x):
        return np.sum(f(x))

    slope = (loss(1.5 + 1e-6), [x.__setitem__(..., 0.0) for x in ARRAYS], loss(1.5 - 1e-6),
             [x.__setitem__(..., 0.0) for x in ARRAYS])
    want = (slope[0] - slope[2]) / 2e-6
    for got in (gs.grad(loss)(1.5), gs.jit(gs.grad(loss))(1.5), gs.jvp(loss, (1.5,), (1.0,))[1],
                gs.grad(lambda x: np.sum(gs.vmap(loss)(x)))(np.array([1.5, 1.5]))[1]):
        np.testing.assert_allclose(got, want, rtol=1e-6)
    assert not any(map(np.any, ARRAYS))


def test_another_array_under_the_name():
    global G
    step, old = gs.jit(one_element), G
    step(1.0)
    G = np.ones(4)
    assert step(1.0) == 4.0 and G[0] == 2.0 and old[0] == 1.0
    G = np.ones(3, np.float32)
    assert step(1.0) == 4.0 and G[0] == 2.0
    G = old


def test_a_read_only_array():
    G.flags.writeable = False
    try:
        with pytest.raises(ValueError, match="read-only"):
            gs.jit(one_element)(1.0)
    finally:
        G.flags.writeable = True


def stores_into_what_a_view_shows(x):
    V[0] = x
    H[0, 0] += 1.0
    return V[0]


def stores_into_both(a, x):
    a[0] = x
    G[0] = G[0] + 2.0
    return a[0]


def instead_of_that_of_the_class(x):
    meter = METER
    meter.counts += x
    return meter.counts[0]


METER = Meter()


def test_another_attribute_is_refused():
    """Python would give the object an attribute of its own."""
    with pytest.raises(gs.ImpurityError, match="a store into the attribute 'counts'"):
        gs.jit(instead_of_that_of_the_class)(1.0)


def test_two_names_of_one_memory_are_refused():
    for call in (lambda: gs.jit(stores_into_what_a_view_shows)(1.0),
                 lambda: gs.jit(stores_into_both)(G, 1.0), lambda: gs.grad(stores_into_both)(G, 1.0),
                 lambda: gs.jit(lambda x: gs.grad(stores_into_both, 1)(G, x))(1.0)):
        with pytest.raises(gs.GradscribeError, match="share memory|also reads from outside"):
            call()
    assert not any(map(np.any, ARRAYS))


def test_a_checkpoint_may_not_store_into_them():
    with pytest.raises(gs.ImpurityError, match="changes a variable, array or list from outside"):
        gs.jit(lambda x: gs.checkpoint(one_element)(x) + 1.0)(2.0)


def test_devices_do_not_store_into_one_array(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "2")
    with pytest.raises(gs.UnsupportedError, match="a store into G, which all devices have"):
        gs.pmap(one_element)(np.arange(float(gs.local_device_count())))
