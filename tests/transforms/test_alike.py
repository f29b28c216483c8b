"""Nests that are alike become one function of the module in a large program: the same numbers, and less to compile."""
import importlib

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.specialise.evaluator.syntax import rolling

outline = importlib.import_module("gradscribe.transformer.optimise.outline")
RNG = np.random.default_rng(29)


@pytest.fixture(autouse=True)
def written_out(monkeypatch):
    """Loops over tuples, however long: else their rounds would not stand beside each other."""
    monkeypatch.setattr(rolling, "LONG", np.inf)


def deep(weights, x):
    for w in weights:
        x = np.tanh(w @ x) * 0.5
    return np.sum(x ** 2)


def of_two_kinds(x, shift):
    total = 0.0
    for k in (1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5):
        a = np.concatenate([x[-1:], x[:-1]]) * k + shift
        b = np.concatenate([a[1:], a[:1]]) * (k + 1.0) + np.max(a)
        total = total + np.sum(np.exp(-b * b)) * k
        x = np.where(b > 0.0, a, x) * 0.5
    return total, x


def moved_in_place(x):
    y = x.copy()
    for k in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0):
        y[1:] = y[:-1] * k
        y[::2] += y[1::2]
        v = y[2:]
        v[:] = y[1:-1] - v
        v[0] = k
    return y


def layers(count):
    return tuple([0.3 * RNG.normal(size=(6, 6)) for _ in range(count)]), RNG.normal(size=6)


def test_layers_have_few_loops():
    made, args = gs.jit(gs.value_and_grad(deep, argnums=(0, 1))), layers(30)
    text = made.source(*args, stage="compiled")
    assert "_nest(" in text and text.count("for ") < 30
    for got, want in zip(gs.tree.leaves(made(*args)), gs.tree.leaves(gs.value_and_grad(deep, argnums=(0, 1))(*args)),
                         strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-300)


def test_a_small_program_calls_nothing():
    assert "_nest" not in gs.jit(gs.grad(deep)).source(*layers(2), stage="compiled")


@pytest.mark.parametrize("way", ["value", "grad", "batched"])
def test_the_same_numbers(way):
    loss = lambda x, shift: sum([np.sum(r) for r in of_two_kinds(x, shift)])  # noqa: E731
    f = {"value": of_two_kinds, "grad": gs.grad(loss, argnums=(0, 1)),
         "batched": gs.vmap(of_two_kinds, in_axes=(0, None))}[way]
    x = RNG.normal(size=(3, 12) if way == "batched" else 12)
    assert "_nest" in gs.jit(f).source(x, 0.25, stage="compiled")
    for got, want in zip(gs.tree.leaves(gs.jit(f)(x, 0.25)), gs.tree.leaves(f(x, 0.25)), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-11)


def logged(ws, x):
    log = np.zeros((13, 3))
    for w, i in zip(ws, range(50)):
        x = np.tanh(x * x[1] + 0.3 * (w @ x))
        log[i] = w.T @ x
    return np.sum(log ** 2)


def test_the_caller_reads_what_a_nest_has_stored():
    """x_bar[1] += c, after the nest that makes x_bar: LLVM must not believe that only the nest knows this memory."""
    args = tuple([RNG.normal(size=(3, 3)) for _ in range(8)]), RNG.normal(size=3)
    made = gs.jit(gs.grad(logged, argnums=(0, 1)))
    assert "@rm.apart\ndef logged_nest" in made.source(*args, stage="compiled")
    for got, want in zip(gs.tree.leaves(made(*args)), gs.tree.leaves(gs.grad(logged, argnums=(0, 1))(*args)),
                         strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-15)


def test_what_overlaps_is_stored_in_order():
    x = RNG.normal(size=10)
    np.testing.assert_allclose(gs.jit(moved_in_place)(x), moved_in_place(x), rtol=1e-12)


def step(x, k):
    y = np.sin(x) * k
    for i in range(1, len(x)):
        y[i] = y[i] * 0.5 + 0.25 * y[i - 1]
    x[0] = y[-1]
    return y, x[::-1]


def from_functions(x):
    total = 0.0
    for k in (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0):
        x = x.copy()
        y, back = step(x, k)
        x[1:] = x[1:] * 0.5 + y[:-1]
        back[1:] = back[1:] + y[1:] * k
        total = total + np.sum(x * back) + np.max(y)
        x = np.exp(-y * y) + back
    return total


@pytest.mark.parametrize("way", [lambda f: f, gs.grad, lambda f: lambda x: gs.jvp(f, (x,), (np.cos(x),))])
def test_arrays_that_functions_give(way, monkeypatch):
    monkeypatch.setattr(outline, "LARGE", 0)  # what repeats becomes functions, which give arrays
    monkeypatch.setattr(outline.Outliner, "least", 2.0)
    monkeypatch.setattr(outline.Outliner, "worth", 0.5)
    x = RNG.normal(size=9)
    for got, want in zip(gs.tree.leaves(gs.jit(way(from_functions))(x.copy())),
                         gs.tree.leaves(way(from_functions)(x.copy())), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-10)
