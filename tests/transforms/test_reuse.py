"""`gs.grad(f)(x)` and `gs.jit(gs.grad(f))(x)` in a loop are transformed and compiled once, and so are functions that
are made anew of the same code, twice; each is what its own cells, objects and globals make of it."""
import contextlib
import enum
import functools
import gc
import threading
import weakref

import numpy as np
import pytest

import gradscribe as gs
from tests.transforms.reused import made  # noqa: F401  fixtures

X = np.array([0.4, 1.7, 2.5])
SCALE = 3.0


def cubes(x):
    return np.sum(x ** 3)


def scaled(w):
    return lambda x: np.sum(w * x ** 2)


class Model:
    def __init__(self, w):
        self.w, self.bias = w, 0.0

    def loss(self, x):
        return np.sum(self.w * x ** 2) + self.bias


def fit(data, power):
    """As a library writes it: functions within functions."""
    def model(x):
        return data * x ** power

    def loss(x):
        return np.sum(model(x))
    return gs.grad(loss)


def test_one_function(made):
    for _ in range(3):
        np.testing.assert_allclose(gs.grad(cubes)(X), 3 * X ** 2)
        np.testing.assert_allclose(gs.jit(gs.grad(cubes))(X), 3 * X ** 2)
        assert gs.value_and_grad(cubes)(2.0) == (8.0, 12.0) and gs.vmap(cubes)(X[:, None]).shape == (3,)
        np.testing.assert_allclose(gs.hessian(cubes)(X), np.diag(6 * X))
    assert len(made) == 5


@pytest.mark.parametrize("way", [gs.grad, lambda f: gs.jit(gs.grad(f))], ids=["plain", "compiled"])
def test_cells_are_those_of_each_function(made, way):
    for w in (np.array([1.0, 2.0, 3.0]), np.array([5.0, 5.0, 5.0]), np.zeros(3)):
        np.testing.assert_allclose(way(scaled(w))(X), 2 * w * X)
    assert len(made) == 2  # its own, and that of a stand-in
    for w, count in ((2.0, 3), (3.0, 3), (np.float32(4.0), 4), (7, 5), (np.ones(1), 6), (2.5, 6)):
        # of another kind: another program
        np.testing.assert_allclose(way(scaled(w))(X), 2 * w * X)
        assert len(made) == count


def test_a_cell_that_changes_is_seen(made):
    w = 2.0

    def f(x):
        return np.sum(w * x)
    first, second = gs.grad(f), gs.grad(lambda x: f(x))
    assert first(X).tolist() == [2.0] * 3 and second(X).tolist() == [2.0] * 3
    w = 5.0
    assert first(X).tolist() == [5.0] * 3 and second(X).tolist() == [5.0] * 3 and gs.grad(f)(X).tolist() == [5.0] * 3
    w = X
    np.testing.assert_array_equal(gs.grad(f)(X), X)


def test_objects_are_those_of_each_method(made):
    models = [Model(w) for w in (1.0, 2.0, 3.0)]
    for model in (*models, *models):
        assert gs.grad(model.loss)(2.0) == 4.0 * model.w and gs.jit(model.loss)(2.0) == 4.0 * model.w
    assert len(made) == 6
    models[0].w = 10.0
    assert gs.grad(models[0].loss)(2.0) == 40.0 and gs.grad(models[1].loss)(2.0) == 8.0
    models[1].w = np.array([1.0, 2.0])
    assert gs.grad(models[1].loss)(2.0) == 12.0 and gs.grad(models[2].loss)(2.0) == 12.0
    models[2].loss = lambda x: x  # hides the method
    assert gs.grad(models[2].loss)(2.0) == 1.0 and gs.grad(Model(4.0).loss)(2.0) == 16.0


def test_functions_within_functions(made):
    for data in (X, X + 1.0, 2.0 * X):
        for power, slope in ((2, 2 * data * X), (3, 3 * data * X ** 2), (2.0, 2 * data * X)):
            np.testing.assert_allclose(fit(data, power)(X), slope)


def test_functions_that_are_told_from_each_other(made):
    def calling(g):
        return gs.grad(lambda x: g(x))

    def with_default(k):
        def f(x, k=k):
            return x * k
        return gs.grad(f)

    def with_keyword(mode):
        def f(x, *, mode=mode):
            return x if mode == "one" else x * x
        return gs.grad(f)

    def with_item(d):
        return gs.grad(lambda x: x * d["w"][0] if d["on"] else x)
    for _ in range(2):
        assert [calling(g)(0.0) for g in (np.sin, np.cos, lambda x: 3.0 * x, lambda x: 4.0 * x,
                                          gs.grad(lambda x: x * x))] == [1.0, -0.0, 3.0, 4.0, 2.0]
        assert [with_default(k)(1.0) for k in (2.0, 3.0, 4)] == [2.0, 3.0, 4.0]
        assert [with_keyword(mode)(3.0) for mode in ("one", "two", "one")] == [1.0, 6.0, 1.0]
        assert ([with_item({"w": [w], "on": on})(1.0) for w, on in ((2.0, True), (3.0, True), (3.0, False))]
                == [2.0, 3.0, 1.0])


def test_a_global_that_changes_is_seen(made, monkeypatch):
    def by_global():
        return gs.grad(lambda x: helper(x) * SCALE)
    monkeypatch.setitem(globals(), "helper", lambda x: x * x)
    assert by_global()(1.0) == 6.0
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert by_global()(1.0) == 10.0 and len(made) == 2
    monkeypatch.setitem(globals(), "helper", lambda x: x)
    assert by_global()(1.0) == 5.0
    monkeypatch.setitem(globals(), "SCALE", "text")
    with pytest.raises((TypeError, gs.GradscribeError)):
        by_global()(1.0)


def test_two_cells_with_one_object_are_told_from_two_objects(made):
    def pair(a, b):
        def f(x):
            return x if a is b else 2.0 * x
        return gs.grad(f)
    one, other = Model(1.0), Model(1.0)
    assert [pair(*p)(1.0) for p in ((one, one), (one, other), (other, other), (other, one))] == [1.0, 2.0, 1.0, 2.0]


def test_stores_go_into_the_arrays_of_each_function(made):
    def store(a):
        def f(x):
            a[0] = x
            return x * a[1]
        return gs.jit(f)
    arrays = [np.array([0.0, k]) for k in (1.0, 2.0, 3.0)]
    assert [store(a)(5.0) for a in arrays] == [5.0, 10.0, 15.0] and [a[0] for a in arrays] == [5.0] * 3

    def counting():
        count = 0

        def f(x):
            nonlocal count
            count += 1
            return x * 2.0
        return gs.jit(f), lambda: count
    for _ in range(3):
        f, count = counting()
        assert (f(1.0), f(2.0), count()) == (2.0, 4.0, 2)


def twice(f):
    @functools.wraps(f)
    def wrapper(*args):
        return 2.0 * f(*args)
    return wrapper


@twice
def doubled(x):
    return x * x


@gs.custom_jvp
def ruled(x):
    return x


ruled.defjvp(lambda primals, tangents: (ruled(*primals), 7.0 * tangents[0]))
inner = gs.jit(gs.grad(lambda x: x ** 3))


class Wider(Model):
    def loss(self, x):
        return 10.0 * super().loss(x)


def test_what_a_function_calls(made):
    def calling(w):
        return [gs.grad(f) for f in (lambda x: doubled(w * x), lambda x: ruled(w * x), lambda x: inner(w * x),
                                     functools.partial(np.multiply, w), functools.partial(lambda w, x: w * x, w),
                                     Wider(w).loss, lambda x: gs.checkpoint(lambda y: w * y * y)(x))]
    for w in (1.0, 2.0, 3.0):
        assert [f(0.5) for f in calling(w)] == pytest.approx([4 * w * w * 0.5, 7 * w, 6 * w * w * 0.5, w, w, 10 * w, w],
                                                             rel=1e-15)


@pytest.mark.heavy(one_in=11)
def test_classes_and_functions_that_are_made_anew_are_not_held(made):
    def local(w):
        class Here:
            def loss(self, x):
                return np.sum(w * x)
        return gs.grad(Here().loss), weakref.ref(Here)
    refs = []
    for w in (1.0, 2.0, 3.0):
        f, ref = local(np.array([w]))
        assert f(np.ones(1)) == [w]
        refs.append(ref)
    del f, ref
    made.clear()
    for _ in range(3):
        gc.collect()
    assert [ref() for ref in refs] == [None] * 3


def test_much_data_and_objects_of_libraries_are_guarded_where_they_are_used(made):
    def near(data, lock):
        model = Model(2.0)
        model.data, model.lock, model.other = data, lock, np.random.default_rng(0)
        return gs.grad(model.loss), gs.grad(lambda x: x * data[3]), gs.grad(lambda x: x if lock is None else x * 2.0)
    for data in ([1.0] * 1_000, [2.0] * 1_000):
        assert [f(1.0) for f in near(data, threading.Lock())] == [4.0, data[3], 2.0]
        assert near(data, None)[2](1.0) == 1.0
    # an object that holds something of whose parts nothing is known is for itself
    assert sum(getattr(fun.__wrapped__, "__func__", None) == Model.loss for fun in made) == 2


class Mode(enum.Enum):
    A = "a"
    B = "b"


def test_guards_about_identity_look_at_the_caller(made):
    def by_mode(m):
        return gs.grad(lambda x: x * x if m is Mode.A else 3.0 * x)

    def by_class(cls):
        return gs.grad(lambda x: cls(x).loss(x) if cls is Model else x)
    for _ in range(4):
        assert [by_mode(m)(2.0) for m in (Mode.A, Mode.B, Mode.B, Mode.A)] == [4.0, 3.0, 3.0, 4.0]
        assert [by_class(cls)(2.0) for cls in (Model, float)] == [12.0, 1.0]


def test_a_variable_that_several_functions_see(made):
    """One assigns it, through a cell of its own, which no stand-in has."""
    def pair(start):
        count = start

        def step(x):
            nonlocal count
            count = count + x
            return count

        def total(x):
            return step(x) * step(x) + count
        return gs.jit(total), gs.grad(total), lambda: count
    for start in (1.0, 2.0, 3.0, 4.0):
        compiled, gradient, count = pair(start)
        assert compiled(0.5) == (start + 0.5) * (start + 1.0) + start + 1.0 and count() == start + 1.0
        with contextlib.suppress(gs.GradscribeError):
            assert gradient(0.5) == pytest.approx(3 * start + 7.0)  # of (c + x) (c + 2 x) + c + 2 x, at c = start + 1


def test_empty_cells(made):
    def late(define):
        f = gs.grad(lambda x: x * w)
        if define:
            w = 2.0
        return f
    for _ in range(3):
        assert late(True)(1.0) == 2.0
        with pytest.raises((NameError, gs.GradscribeError)):
            late(False)(1.0)
