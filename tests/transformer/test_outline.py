"""What a program repeats becomes a function: of layers, of the whole corpus where every repetition counts, and where
something is raised or stored in it."""
import importlib

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import stages
from gradscribe.transformer.core import Let, runnable, walk
from gradscribe.transformer.optimise.outline import Routine
from tests.corpus.programs import PROGRAMS
from tests.support.cases import over, rotating
from tests.transformer.coretext import core
from tests.transforms.test_stages import agree, jvp_of_vjp, vjp

pass_ = importlib.import_module("gradscribe.transformer.optimise.outline")


@pytest.fixture
def eager(monkeypatch):
    """Every repetition of a few statements counts."""
    monkeypatch.setattr(pass_, "LARGE", 0)
    monkeypatch.setattr(pass_.Outliner, "least", 2.0)
    monkeypatch.setattr(pass_.Outliner, "worth", 0.5)
    monkeypatch.setattr(pass_, "CALL", 0.0)


def test_before_and_after(eager):
    before = core("""
        def f(W1: "f8[n, n]", W2: "f8[n, n]", x: "f8[n]", n: int):
            h = matmul(W1, x)
            t = np.tanh(h)
            y = np.sin(t)
            h__1 = matmul(W2, y)
            t__1 = np.tanh(h__1)
            y__1 = np.sin(t__1)
            return (y__1,)
    """)
    after = pass_.outline_repeats(before)
    first, second = after.body.stmts
    assert first.op is second.op and isinstance(first.op, Routine)
    assert (first.args, second.args) == (("W1", "x"), ("W2", "y")) and len(first.names) == len(second.names) == 1
    assert [s.op.name for s in first.op.fun.body.stmts] == ["matmul", "np.tanh", "np.sin"]
    W1, W2, x = np.eye(3), 2.0 * np.eye(3), np.arange(3.0)
    np.testing.assert_array_equal(second.op.fn(W2, first.op.fn(W1, x)), runnable(before)(W1, W2, x, 3)[0])


# ---- a large program

def normed(x, g, b):
    d = x - np.mean(x, axis=-1, keepdims=True)
    return g * d / np.sqrt(np.mean(d * d, axis=-1, keepdims=True) + 1e-5) + b


def block(x, p):
    h = np.tanh(normed(x, p["g"], p["b"]) @ p["W"] + p["c"])
    h = h * np.exp(-0.5 * h * h) + 0.1 * h ** 3
    return x + normed(h, p["k"], p["b"]) @ p["V"]


def network(params, x):
    for k in range(len(params)):  # over the layers themselves it would stay a loop
        x = block(x, params[k])
    return np.sum(x * x)


def layers(count, n=4):
    rng = np.random.default_rng(0)
    shapes = {"g": (n,), "b": (n,), "W": (n, n), "c": (n,), "k": (n,), "V": (n, n)}
    return [{k: 0.3 * rng.normal(size=s) for k, s in shapes.items()} for _ in range(count)], rng.normal(size=(3, n))


def lines(text, name):
    """How many lines a function of a module has."""
    _, _, rest = text.partition(f"def {name}(")
    return rest.split("\ndef ")[0].count("\n")


@pytest.mark.heavy(one_in=4)
def test_a_layer_and_its_adjoint_are_compiled_once():
    texts = {n: gs.jit(gs.value_and_grad(network)).source(*layers(n), stage="compiled") for n in (6, 11)}
    names = [line.split("(")[0][4:] for line in texts[6].splitlines() if line.startswith("def ")]
    assert names[-1] == "network" and any(name.endswith("_adjoint") for name in names) and len(names) >= 3
    for name in names[:-1]:
        assert lines(texts[6], name) == lines(texts[11], name) > 20
        assert texts[11].count(f" = {name}(") >= 9
    more = lines(texts[11], "network") - lines(texts[6], "network")
    assert more <= 5 * 16, more  # lengths of arguments, two calls and some views for each of 5 more layers


@pytest.mark.heavy(one_in=4)
def test_the_functions_give_what_the_program_gives():
    f, args = gs.value_and_grad(network), layers(8)
    want = f(*args)
    [(_, run)] = stages(f, args, names=("lowered",))
    got = run(*args)
    np.testing.assert_allclose(got[0], want[0], rtol=1e-12)
    for a, b in zip(got[1], want[1]):
        for k in b:
            np.testing.assert_allclose(a[k], b[k], rtol=1e-9, atol=1e-12)


# ---- the corpus

@pytest.mark.heavy(one_in=28)
@over(rotating(PROGRAMS, 2))
def test_the_corpus_with_functions_for_all_that_repeats(p, eager):
    for transform in (vjp, jvp_of_vjp):
        transformed, make_args = transform(p)
        want = agree(transformed, make_args, ("specialised",))
        # without the programs that it has
        transformed = type(transformed)(transformed.__wrapped__, **transformed._options)
        agree(transformed, make_args, ("lowered",), want)


@pytest.mark.heavy(one_in=2)
def test_the_corpus_has_repetitions(eager):
    found = 0
    for p in PROGRAMS[::5]:
        transformed, make_args = vjp(p)
        program = transformed._cache.lookup(make_args(), {})
        found += sum(isinstance(s, Let) and isinstance(s.op, Routine)
                     for s in walk(pass_.outline_repeats(program.optimised).body))
    assert found > 20


# ---- what happens in a function

def steps(x, n):
    for k in [1.0, 2.0, 3.0]:
        if np.sum(x) > n:
            raise ValueError(f"too much: {np.sum(x)} at {k}")
        x = 2.0 + np.sin(x) * np.exp(-x) + np.cos(x * x) / (1.0 + x)
        x = x[::-1] + np.tanh(x) * np.mean(x)
    return x


@pytest.mark.heavy(one_in=2)
def test_an_exception_in_a_function(eager):
    x = np.array([1.0, 2.0, 3.0])
    f = gs.jit(steps)
    np.testing.assert_allclose(f(x, 1e300), steps(x, 1e300), rtol=1e-12)
    for limit in (1.0, 8.0, 12.0):
        with pytest.raises(ValueError) as want:
            steps(x, limit)
        with pytest.raises(ValueError) as got:
            f(x, limit)
        assert str(got.value).split(" at ")[1] == str(want.value).split(" at ")[1]


def stored(x, y):
    for k in [0, 1, 2]:
        t = np.sin(y) * x[k] + np.cos(y)
        x[k] = np.sum(t * t)
        y[k:] += np.tanh(t[k:]) * 0.5 + t[k]
    return x * y


@pytest.mark.heavy(one_in=2)
def test_stores_into_arguments(eager):
    got, want = ([np.linspace(0.1, 0.9, 3), np.linspace(1.0, 2.0, 3)] for _ in range(2))
    np.testing.assert_allclose(gs.jit(stored)(*got), stored(*want), rtol=1e-12)
    for a, b in zip(got, want):
        np.testing.assert_allclose(a, b, rtol=1e-12)
