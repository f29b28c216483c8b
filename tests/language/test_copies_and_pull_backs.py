"""Copies and pickles of functions and optimisers, and pull-backs as functions."""
import copy
import pickle

import numpy as np
import pytest

import gradscribe as gs
from tests.language.executed_text import SEEN, Holder


# copies and pickles --------------------------------------------------------------------------------
def cube(x):
    return x**3


@gs.jit
def jitted(x):
    return x * x


@gs.custom_vjp
def doubled(x):
    return x * x


doubled.defvjp(lambda x: (x * x, x), lambda x, g: (4.0 * x * g,))
cube_again = gs.custom_jvp(cube)
cube_again.defjvp(lambda primals, tangents: (cube(*primals), 5.0 * tangents[0]))


class Stepper:
    @gs.jit
    def step(self, x):
        return 2.0 * x


FUNCTIONS = [jitted, gs.grad(cube), gs.jit(gs.grad(cube)), gs.jit(cube, static_argnums=(1,)), gs.vmap(cube), doubled,
             gs.grad(doubled), gs.checkpoint(cube), Stepper.step]


@pytest.mark.parametrize("f", FUNCTIONS, ids=repr)
def test_functions_are_copied_and_pickled_like_functions(f):
    loaded = pickle.loads(pickle.dumps(f))
    assert copy.copy(f) is f and copy.deepcopy(f) is f and repr(loaded) == repr(f)
    if f is not Stepper.step:
        x = np.array([2.0]) if f is FUNCTIONS[4] else 2.0
        assert loaded(x) == f(x) == copy.deepcopy([f])[0](x)


def test_functions_with_derivatives_of_their_own_keep_them():
    assert pickle.loads(pickle.dumps(doubled)) is doubled
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(cube_again)  # its rule is a lambda
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(gs.jit(lambda x: x))
    assert gs.grad(copy.deepcopy(cube_again))(2.0) == 5.0


def test_a_copy_of_what_has_state_is_of_the_copy():
    holder = Holder(2.0)
    both = copy.deepcopy({"holder": holder, "f": gs.jit(holder.method)})
    holder.w = 5.0
    assert both["f"](3.0) == 6.0


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("make", [lambda: gs.optim.sgd(0.1), lambda: gs.optim.sgd(0.1, 0.9, nesterov=True),
                                  lambda: gs.optim.adam(gs.optim.warmup(3, gs.optim.cosine(0.1, 9)), b1=0.8),
                                  lambda: gs.optim.rmsprop(gs.optim.exponential(0.1, 10, 0.5)),
                                  lambda: gs.optim.adagrad(gs.optim.constant(0.1), initial=0.5)])
def test_optimisers_are_copied_and_pickled(make):
    optimizer, p = make(), np.array([1.0, 2.0])
    for other in pickle.loads(pickle.dumps(optimizer)), copy.deepcopy(optimizer), copy.copy(optimizer):
        for step in optimizer.update, gs.jit(lambda g, state, p: optimizer.update(g, state, p)):
            (a, state), (b, _) = step(p, optimizer.init(p), p), other.update(p, other.init(p), p)
            assert np.allclose(a, b) and type(state) is gs.optim.State


# pull-backs -----------------------------------------------------------------------------------------
def two(x, d):
    return np.tanh(x * d["a"] * SEEN[0]), np.sum(x) * d["b"]


def grows(x):
    while x < 100.0:
        x = x * x
    return x


@pytest.mark.heavy(one_in=2)
def test_a_pull_back_is_a_function_like_others():
    x, d = np.array([0.5, 1.0, 1.5]), {"a": 2.0, "b": np.ones(2)}
    _, pull = gs.vjp(two, x, d)
    ct = np.array([1.0, 0.0, 2.0]), np.array([1.0, 2.0])
    cts = np.stack([ct[0], ct[0] * 2]), np.stack([ct[1], ct[1] * 3])
    want, many = pull(ct), [pull((cts[0][k], cts[1][k])) for k in range(2)]
    before, SEEN[0] = SEEN[0], 9.0  # it is that of the point where it was made
    try:
        for f in gs.jit(pull), gs.jit(lambda c: pull(c)), pickle.loads(pickle.dumps(gs.jit(jitted))) and pull:
            for a, b in zip(gs.tree.leaves(f(ct)), gs.tree.leaves(want)):
                assert np.allclose(a, b, rtol=1e-14)
        for f in gs.vmap(pull), gs.jit(gs.vmap(pull)):
            for got, *rows in zip(gs.tree.leaves(f(cts)), *map(gs.tree.leaves, many)):
                assert np.allclose(got, np.stack(rows), rtol=1e-14)
        assert np.allclose(gs.grad(lambda c: np.sum(pull((c, ct[1]))[0]))(ct[0]),
                           gs.vmap(lambda e: np.sum(pull((e, 0.0 * ct[1]))[0]))(np.eye(3)))
    finally:
        SEEN[0] = before


def test_a_pull_back_through_a_loop_and_a_linear_map():
    _, pull = gs.vjp(grows, 2.0)
    _, linear = gs.linearize(cube, 2.0)
    assert gs.jit(pull)(1.0) == pull(1.0) == (1024.0,) and gs.vmap(pull)(np.ones(2))[0].tolist() == [1024.0] * 2
    assert gs.jit(linear)(1.0) == linear(1.0) == 12.0 and gs.vmap(linear)(np.array([1.0, 2.0])).tolist() == [12.0, 24.0]
    for f in pull, linear:
        assert pickle.loads(pickle.dumps(f))(1.0) == copy.deepcopy(f)(1.0) == f(1.0)


MODE = "a"


def by_mode(x):
    while x < 100.0:
        x = x * x if MODE == "a" else x * 3.0
    return x


def test_what_is_evaluated_again_must_be_the_same(monkeypatch):
    (_, pull), (_, linear) = gs.vjp(by_mode, 2.0), gs.linearize(by_mode, 2.0)
    monkeypatch.setitem(globals(), "MODE", "b")
    assert pull(1.0) == gs.jit(pull)(1.0) == (1024.0,)  # it evaluates nothing again
    for f in linear, gs.jit(linear):
        with pytest.raises(gs.GradscribeError, match="has changed"):
            f(1.0)
