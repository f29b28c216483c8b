"""Functions transformed anew in a loop: changed ones, threads, what is forgotten."""
import contextlib
import functools
import gc
import io
import threading
import weakref

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.programs import reuse
from tests.transforms.reused import made  # noqa: F401  fixtures

X = np.array([0.4, 1.7, 2.5])


def cubes(x):
    return np.sum(x ** 3)


def scaled(w):
    return lambda x: np.sum(w * x ** 2)


class Model:
    def __init__(self, w):
        self.w, self.bias = w, 0.0

    def loss(self, x):
        return np.sum(self.w * x ** 2) + self.bias


def test_a_function_that_is_changed_after_it_was_transformed(made):
    def scaled_by(w):
        def f(x, k=2.0):
            return w * k * x
        return f
    for _ in range(3):
        f = scaled_by(5.0)
        g = gs.grad(f)
        assert g(1.0) == 10.0
        f.__defaults__ = (3.0,)
        assert g(1.0) == 15.0
        f.__code__ = (lambda w: lambda x, k=2.0: w * x * x)(None).__code__
        assert g(1.0) == 10.0


def test_calls_within_calls():
    """What a program prints may be read by what calls it again."""
    class Reader(io.StringIO):
        def write(self, text):
            if text.strip() == "2.0":
                found.append(printing(5.0)(1.0))
            return super().write(text)

    def printing(w):
        def f(x):
            print(w)
            return w * x
        return gs.grad(f)
    found = []
    printing(1.0)(1.0)
    with contextlib.redirect_stdout(Reader()):
        assert [printing(w)(1.0) for w in (1.0, 2.0, 3.0)] == [1.0, 2.0, 3.0]
    assert found == [5.0]


def test_threads():
    wrong = []

    def many(w):
        for _ in range(200):
            if gs.grad(scaled(w))(1.0) != 2.0 * w:
                wrong.append(w)
    threads = [threading.Thread(target=many, args=(float(w),)) for w in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_transformations_that_are_not_alike(made):
    assert reuse.alike(gs.grad(scaled(1.0))) == reuse.alike(gs.grad(scaled(2.0))) != reuse.alike(gs.jit(scaled(1.0)))
    assert reuse.alike(gs.grad(scaled(1.0), argnums=(0,))) != reuse.alike(gs.grad(scaled(1.0)))
    assert (reuse.alike(gs.grad(functools.partial(np.multiply, 2.0)))
            is reuse.options_key(gs.vmap(cubes, in_axes=[0])) is None)
    f = scaled(1.0)
    f.scale = 3.0
    assert reuse.alike(gs.grad(f)) is None


def test_results_hold_what_each_function_has(made):
    def made_with(thing):
        return gs.jit(lambda x: (x, thing))
    for thing in (Model, X, "text", cubes, None):
        assert made_with(thing)(1.0)[1] is thing or thing is X
    ones = [Model("a"), Model("b")]
    assert [made_with(thing)(1.0)[1] for thing in ones] == ones


@pytest.mark.heavy(one_in=10)
def test_what_is_not_used_between_two_collections_is_forgotten():
    reuse.entries.clear()
    gone = []
    for w, model in ((np.ones(1000), Model(2.0)), (np.ones(1000), Model(3.0))):
        gs.grad(scaled(w))(np.ones(1000))
        gs.grad(model.loss)(1.0)
        gs.jit(gs.grad(lambda x: x * model.w))(1.0)
        gone += [weakref.ref(w), weakref.ref(model)]
    del w, model
    assert reuse.entries
    gc.collect()
    gs.grad(cubes)(X)
    gc.collect()
    gs.grad(cubes)(X)
    gc.collect()
    assert [ref() for ref in gone] == [None] * 4 and len(reuse.entries) == 1
    for k in range(3 * reuse.MOST):
        reuse.remembered(k, object)
    assert len(reuse.entries) <= reuse.MOST


def test_the_source_is_that_of_each_function():
    names = [gs.grad(scaled(np.ones(3))).source(X) for _ in range(2)]
    assert names[0] == names[1] and "w" in names[0]


@pytest.mark.heavy(one_in=9)
def test_what_is_compiled_anew_leaves_nothing():
    """Re-jitting one function grew by what is known of each."""
    import tracemalloc
    for _ in range(100):
        gs.jit(cubes)(X)
    gc.collect()
    tracemalloc.start()
    for _ in range(20):
        gs.jit(cubes)(X)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(200):
        gs.jit(cubes)(X)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 200 * 100
