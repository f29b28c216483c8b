"""Functions that are called several times stay functions in readable source: what it says, how it grows, and that it gives the same."""
import ast
import importlib
import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.optimise.functions import Readers
from gradscribe.transformer.readable.lines import broken
from gradscribe.transformer.specialise.evaluator.syntax import rolling
from tests.corpus.programs import PROGRAMS
from tests.support.cases import over, rotating
from tests.transformer.coretext import core
from tests.transforms.test_stages import agree, jvp_of_vjp, vjp

pass_ = importlib.import_module("gradscribe.transformer.optimise.functions")


@pytest.fixture
def eager(monkeypatch):
    """Every function of a few statements counts."""
    monkeypatch.setattr(pass_, "LARGE", 0)
    monkeypatch.setattr(Readers, "least", 2)
    monkeypatch.setattr(Readers, "worth", 0.5)


@pytest.fixture(autouse=True)
def written_out(monkeypatch):
    """Loops over layers, however long: else they would call nothing twice."""
    monkeypatch.setattr(rolling, "LONG", np.inf)


# ---- a network of layers

def layer(x, p):
    h = np.tanh(x @ p["W"] + p["b"])
    s = h * np.exp(-0.5 * h * h) + 0.1 * h ** 3
    m = np.mean(s, axis=-1, keepdims=True)
    r = (s - m) / np.sqrt(np.mean((s - m) ** 2, axis=-1, keepdims=True) + 1e-5)
    return x + p["g"] * r @ p["V"]


def network(params, x):
    for p in params["layers"]:
        x = layer(x, p)
    return np.sum(x * x)


def layers(count, n=4):
    rng = np.random.default_rng(0)
    shapes = {"W": (n, n), "b": (n,), "g": (n,), "V": (n, n)}
    return {"layers": [{k: 0.3 * rng.normal(size=s) for k, s in shapes.items()} for _ in range(count)]}, rng.normal(size=(3, n))


def defined(text, *args, name=None):
    """What the (last) function of a text gives."""
    namespace = {}
    exec(text, namespace)
    return namespace[name or ast.parse(text).body[-1].name](*args)


def assert_equal(a, b):
    """The same to the bit."""
    import optree
    for x, y in zip(optree.tree_leaves(a), optree.tree_leaves(b), strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.heavy(one_in=2)
def test_a_layer_and_its_adjoint_are_written_once():
    texts = {n: gs.value_and_grad(network).source(*layers(n)) for n in (3, 8)}
    names = [node.name for node in ast.parse(texts[3]).body if isinstance(node, ast.FunctionDef)]
    assert names == ["layer", "layer_adjoint", "value_and_grad_network"]
    for n, text in texts.items():
        assert len(re.findall(r"x\d*, residuals\d* = layer\(x\d*, params\[\"layers\"\]\[\d\]\)", text)) == n
        assert len(re.findall(r" = layer_adjoint\(x_bar, params\[\"layers\"\]\[\d\], residuals\d*\)", text)) == n
    bodies = [text.partition("def value_and_grad_network")[0] for text in texts.values()]
    assert bodies[0] == bodies[1]  # the functions do not know how often they are called
    more = len(texts[8].splitlines()) - len(texts[3].splitlines())
    assert more <= 5 * 9, more  # two calls, two comments, the last statements and what is given back, for each of 5 more


def test_what_only_the_adjoint_reads_is_handed_over_as_one():
    text = gs.grad(network).source(*layers(3))
    forward, reverse, _ = text.split("\ndef ")[1:]
    handed, taken = forward.rpartition("return x, (")[2].strip()[:-1], reverse.split("\n")[1].strip()
    assert taken.endswith(" = residuals") and taken.count(",") == handed.count(",") > 4


class Norm(NamedTuple):
    gain: np.ndarray
    shift: np.ndarray


@dataclass
class Cell:
    W: np.ndarray
    norms: list


def cell(x, c):
    x = np.tanh(c.norms[0].gain * x + c.norms[0].shift) @ c.W + np.exp(-x * x)
    return np.sin(c.norms[1].gain * x + c.norms[1].shift) + np.sqrt(1.0 + x * x)


def cells(params, x):
    for c in params:
        x = cell(x, c)
    return np.sum(x * x) * params[0].W[0, 0]         # the first has another adjoint of W


def cell_args():
    rng = np.random.default_rng(1)
    return [Cell(rng.normal(size=(3, 3)), [Norm(*rng.normal(size=(2, 3))) for _ in range(2)]) for _ in range(3)], np.ones(3)


def test_what_each_call_puts_into_one_container_is_given_as_it(eager):
    text = gs.grad(cells).source(*cell_args())
    reverse = re.search(r"def cell_adjoint.*?\n\n\n", text, re.S)[0]
    assert "def cell_adjoint(x, x_bar, param, residuals):" in reverse and "param.norms[0].gain * " in reverse
    assert text.count("Cell(W=W_bar,") == 2 == reverse.count("Cell(W=W_bar,") + 1  # the first layer is none of its calls
    assert len(re.findall(r"x_bar, p_bar\d? = cell_adjoint\(", text)) == 2
    got = gs.grad(cells)(*cell_args())
    there = {"Cell": Cell, "Norm": Norm}
    exec(re.sub(r"^from .* import (Cell|Norm)$", "", text, flags=re.M), there)
    assert_equal(gs.tree.leaves(there["grad_cells"](*cell_args())), gs.tree.leaves(got))


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("count", (2, 3, 6))
def test_the_functions_give_what_the_program_gives(count, monkeypatch):
    args = layers(count)
    f = gs.value_and_grad(network)
    got = f(*args)
    assert "def layer_adjoint(" in f.source(*args)
    assert_equal(defined(f.source(*args), *args), got)
    monkeypatch.setattr(pass_, "LARGE", 10 ** 9)
    whole = gs.value_and_grad(network)
    assert_equal(whole(*args), got)
    assert "def layer" not in whole.source(*args)


@pytest.mark.parametrize("transform", (gs.jit, gs.grad, gs.hessian, lambda f: gs.vmap(gs.grad(f), in_axes=(None, 0))),
                         ids=("jit", "grad", "hessian", "vmap of grad"))
def test_each_transformation_gives_the_same(transform, eager, monkeypatch):
    def loss(w, x):
        for k in range(3):
            x = np.sin(w * x) + np.cos(x) * np.exp(-x * x)
        return np.sum(x) if x.ndim == 1 else np.sum(x, axis=-1)

    args = np.linspace(0.2, 0.8, 3), np.linspace(-1.0, 1.0, 6).reshape(2, 3)
    if transform in (gs.jit, gs.grad, gs.hessian):
        args = args[0], args[1][0]
    f = transform(loss)
    text = f.source(*args)
    got = defined(text, *args)
    monkeypatch.setattr(pass_, "LARGE", 10 ** 9)
    np.testing.assert_allclose(got, transform(loss)(*args), rtol=1e-13)


# ---- names

def part(block, x, k):
    y = np.sin(block * x) + np.cos(x * k)
    z = np.exp(-y * y) / (1.0 + y * y)
    return np.tanh(z + y) + np.sqrt(1.0 + z * z)


def test_a_variable_that_is_called_like_a_function_has_another_name(eager):
    def loss(part_, x):
        part_adjoint = part_ * 2.0
        y = part(part_adjoint, part(part_adjoint, part(part_, x, 1.0), 2.0), 3.0)
        return np.sum(y) + part_adjoint

    text = gs.grad(loss).source(0.7, np.ones(3))
    assert "def part(" in text and "def part_adjoint(" in text
    np.testing.assert_allclose(defined(text, 0.7, np.ones(3)), gs.grad(loss)(0.7, np.ones(3)), rtol=1e-14)


def test_a_function_called_like_the_program_has_another_name(eager):
    inner = {"part": part}

    def part_(block, x):  # noqa: ARG001
        return np.sum(inner["part"](0.3, inner["part"](0.3, x, 1.0), 1.0))

    part_.__name__ = "part"
    text = gs.jit(part_).source(1.0, np.ones(3))
    assert len({node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}) == text.count("def ")
    np.testing.assert_allclose(defined(text, 1.0, np.ones(3)), part_(1.0, np.ones(3)))


def test_members_of_lists_keep_the_name_that_their_list_suggests(eager):
    def loss(ws, x):
        for w in ws:
            x = np.tanh(w @ x) + np.sin(x) * np.exp(-x * x)
        return np.sum(x)

    text = gs.grad(loss).source([np.eye(3)] * 4, np.ones(3))
    assert "def loss_step(x, w" in text and "ws_1" not in text.partition("def grad_loss")[0]


# ---- what is stored, what is raised

def step(x, y):
    t = np.sin(y) * x + np.cos(y) + np.exp(-y * y) / (1.0 + y * y) + np.tanh(x)
    x[:] = t * t
    y += np.tanh(t) * 0.5 + t
    return t


def stored(x, y):
    return step(x, y) + step(x, y) * step(x, y)


def test_stores_into_arguments(eager):
    got, want = ([np.linspace(0.1, 0.9, 3), np.linspace(1.0, 2.0, 3)] for _ in range(2))
    text = gs.jit(stored).source(*got)
    assert "def step" not in text  # it would store into a copy of what it is given
    np.testing.assert_array_equal(defined(text, *got), stored(*want))
    for a, b in zip(got, want):
        np.testing.assert_array_equal(a, b)


def guarded(x, n):
    for k in [1.0, 2.0, 3.0]:
        x = checked(x, k, n)
    return np.sum(x)


def checked(x, k, n):
    y = np.sin(x) * k + np.cos(x) * np.exp(-x)
    if np.sum(y) > n:
        raise ValueError(f"too much: {np.sum(y)} at {k}")
    return y[::-1] + np.tanh(y) * np.mean(y)


def test_an_exception_in_a_function_is_the_programs_and_names_the_users_line(eager):
    x = np.array([1.0, 2.0, 3.0])
    f = gs.grad(guarded)
    assert "def checked" in f.source(x, 1.0)
    np.testing.assert_allclose(f(x, 1e9), gs.grad(lambda x: guarded(x, 1e9))(x))
    for limit in (1.0, 2.0, 3.0):
        with pytest.raises(ValueError) as want:
            guarded(x, limit)
        with pytest.raises(ValueError) as got:
            f(x, limit)
        assert str(got.value) == str(want.value)
        assert "in checked" in got.value.__notes__[0]


# ---- the corpus

@pytest.mark.heavy(one_in=11)
@over(rotating(PROGRAMS, 2))
def test_the_corpus_with_functions_for_all_that_is_called_twice(p, eager):
    for transform in (vjp, jvp_of_vjp):
        transformed, make_args = transform(p)
        want = agree(transformed, make_args, ("specialised",))
        transformed = type(transformed)(transformed.__wrapped__, **transformed._options)  # without the programs that it has
        agree(transformed, make_args, ("readable",), want)


# ---- before and after

def test_without_calls_nothing_changes():
    fun = core("def f(x: float):\n    y = np.sin(x)\n    return (y,)")
    assert pass_.functions(fun, set()) is fun


@pytest.mark.parametrize("line", [
    "    a, b, c = " + "some_function(" + ", ".join(f"argument_{k}" for k in range(12)) + ")",
    "    " + ", ".join(f"target_{k}" for k in range(14)) + " = f(x)",
    "    return " + " + ".join(f"(term_{k} * x)" for k in range(12)),
    "    if " + " and ".join(f"x_{k} > {k}" for k in range(14)) + ":",
    "    x += " + " * ".join(f"some_factor_{k}" for k in range(14)),
    "    return {" + ", ".join(f'"key {k}, [": [a_{k}, b_{k}]' for k in range(12)) + "}",
    "    z[i] = np.where(" + " | ".join(f"(mask_{k} > 0.5)" for k in range(9)) + ", 0, 1)",
    "    f('a text, that (cannot be broken', " + repr("x" * 120) + ", 3)",
])
def test_lines_that_are_too_long(line):
    text = broken(line, 100)
    tail = " pass" if line.endswith(":") else ""
    assert ast.dump(ast.parse("if True:\n" + text.replace("return", "yield") + tail)) == \
        ast.dump(ast.parse("if True:\n" + line.replace("return", "yield") + tail))
    assert max(map(len, text.split("\n"))) <= 100 or "x" * 120 in text


# ---- programs that were wrong once

def common(x, p):
    W, b = p
    h = np.tanh(W * x + b)
    return h * np.exp(-0.5 * h * h) + 0.1 * h ** 3 - np.sin(h) / (1.0 + h * h)


def one(x):
    a = np.sin(x) + np.cos(x) * x
    return np.exp(-a * a) * x + np.tanh(a) - a / (2.0 + x * x) + np.sqrt(1.0 + a * a) * np.cos(a - x)


def other(x):
    a = np.cos(x) * x - np.sin(x)
    return np.exp(-a * a) + np.tanh(a) * x - a / (3.0 + x * x) + np.sqrt(2.0 + a * a) * np.sin(a + x)


def with_activation(x, p, activation):
    return activation(common(x, p)) + x


def activations(ps, x):
    for p, activation in zip(ps, (one, one, other, other)):
        x = with_activation(x, p, activation)
    return np.sum(x * x)


@pytest.mark.heavy(one_in=5)
def test_a_function_that_only_functions_call_is_written():
    args = [(np.linspace(0.1 * k, 0.9, 3), np.ones(3)) for k in range(4)], np.linspace(-1.0, 1.0, 3)
    f = gs.grad(activations)
    text = f.source(*args)
    assert "def common" in text and text.count("\ndef ") > 2
    assert_equal(defined(text, *args), f(*args))
    np.testing.assert_allclose(gs.jit(f)(*args)[0][0], f(*args)[0][0], rtol=1e-12)


def relaxed(x, p):
    u = p["w"]
    for _ in range(3):
        u = 0.5 * u + x
    h = np.tanh(u + p["b"])
    return h * np.exp(-0.5 * h * h) + 0.1 * h ** 3 - np.sin(h) / (1.0 + h * h) + np.cos(u) * x


def relaxing(ps, x):
    for p in ps:
        x = relaxed(x, p)
    return np.sum(x * x)


@pytest.mark.parametrize("transform", (gs.jit, gs.grad, gs.value_and_grad))
def test_a_member_that_a_loop_goes_on_with_keeps_a_variable(transform):
    args = [{"w": np.full(3, 0.3 * k), "b": np.linspace(0.0, 1.0, 3)} for k in range(4)], np.linspace(-1.0, 1.0, 3)
    text = transform(relaxing).source(*args)
    assert "def relaxed" in text
    assert_equal(defined(text, *args), transform(relaxing)(*args) if transform is not gs.jit else relaxing(*args))


def valid(x):
    if np.min(x) < -10.0:
        raise ValueError("too small")
    if np.mean(x) > 10.0:
        raise ValueError("too large")
    if np.sum(x * x) > 1e6:
        raise ValueError("too long")


def validated(x, y, w):
    for v in (x, y, w):
        valid(v)
    return np.sum(x * y * w)


def test_a_function_that_only_checks(eager):
    args = np.ones(3), np.ones(3), np.full(3, 2.0)
    text = gs.grad(validated).source(*args)
    assert "def valid" in text
    assert_equal(defined(text, *args), gs.grad(validated)(*args))
    with pytest.raises(ValueError, match="too large"):
        gs.grad(validated)(np.ones(3), np.full(3, 20.0), np.ones(3))


class Named:
    @staticmethod
    def abs(x, w):
        t = np.tanh(w * x)
        return np.abs(t) * np.exp(-t * t) + np.sin(t) * np.cos(x) - t / (1.0 + x * x) + np.sqrt(1.0 + t * t) * np.cos(t)

    @staticmethod
    def np_(x, w):
        t = np.tanh(w + x)
        return np.abs(t) * np.exp(-t * t) + np.sin(t) * np.cos(x) - t / (2.0 + x * x) + np.sqrt(1.0 + t * t) * np.cos(t)


def oddly_named(x, w, abs_adjoint):
    for _ in range(2):
        x = Named.abs(Named.abs(Named.abs(x, w), abs_adjoint), w)
    return np.sum(x) + Named.np_(Named.np_(1.0, 2.0), w[0])


def test_functions_take_no_name_that_the_text_uses():
    args = np.linspace(-1.0, 1.0, 3), np.full(3, 0.7), np.full(3, 0.4)
    text = gs.grad(oddly_named, argnums=(0, 1, 2)).source(*args)
    assert "def abs2(" in text or "def abs_" in text
    assert_equal(defined(text, *args), gs.grad(oddly_named, argnums=(0, 1, 2))(*args))


def counted(ps, xs, a):
    total = 0.0
    for x in xs:
        total += np.sum(x) * a
    x = xs[0]
    for p in ps:
        x = layer(x, p)
    return np.sum(x) * total / 3


def test_a_number_beside_containers(eager):
    args = layers(3)[0]["layers"], [np.ones((3, 4)), np.zeros((3, 4))], 2.0
    assert_equal(defined(gs.grad(counted).source(*args), *args), gs.grad(counted)(*args))


def unlike(ps, x, c):
    """The first call has no mirror that is like the others'."""
    h = np.zeros(3)
    for p in ps:
        g = np.tanh(p["W"] * x + p["U"] * h)
        c = g * c + np.sin(g) * np.exp(-c * c)
        h = np.tanh(c) * g + np.cos(h) / (1.0 + c * c) - 0.1 * g ** 3
    return np.sum(h)


def test_what_a_call_without_its_mirror_gives_is_unpacked():
    args = [{"W": np.full(3, 0.2 * k), "U": np.linspace(0.0, 1.0, 3)} for k in range(6)], np.ones(3), np.zeros(3)
    text = gs.grad(unlike).source(*args)
    assert_equal(defined(text, *args), gs.grad(unlike)(*args))
    assert text.count("residuals") > 6


# ---- calls in several blocks

def drag(v, size, rough):
    re = np.abs(v) * size + 1e-3
    smooth = 24.0 / re + 6.0 / (1.0 + np.sqrt(re)) + 0.4
    turbulent = rough * (1.0 - np.exp(-re / 1e3)) + 0.1 * np.tanh(re / 50.0)
    blend = 1.0 / (1.0 + np.exp(-(re - 300.0) / 40.0))
    return (1.0 - blend) * smooth + blend * turbulent


def falls(v, size, rough):
    for _ in range(5):
        if v[0] > 1.0:
            v = v - 0.01 * drag(v, size, rough) * v
        elif v[0] > 0.5:
            v = v - 0.02 * drag(v, 2.0 * size, rough) * v
        else:
            v = v + 0.01 * drag(v, size, 0.5 * rough)
    return np.sum(v * v)


def test_a_function_that_branches_call_is_one():
    """Its calls stand in blocks of their own."""
    g, args = gs.value_and_grad(falls), (np.array([1.4, 0.7, 0.2]), 30.0, 0.3)
    text = g.source(*args)
    assert text.count("def drag(") == 1 and len(re.findall(r" = drag\(", text)) == 6
    assert text.count("def drag_adjoint(") == 1 and len(re.findall(r" = drag_adjoint\(v_tape, i, ", text)) == 3
    value, slope = g(*args)
    assert_equal(defined(text, *args), (value, slope))
    e = np.array([0.0, 1e-6, 0.0])
    assert np.isclose(slope[1], (falls(args[0] + e, *args[1:]) - falls(args[0] - e, *args[1:])) / 2e-6, rtol=1e-6)
    np.testing.assert_allclose(gs.jit(g)(*args)[1], slope, rtol=1e-12)


def of_a_table(v):
    if v[0] > 1.0:
        return np.sum(drag(v, 30.0, 0.3))
    if v[0] > 0.5:
        return np.sum(drag(v, 20.0, 0.25))
    return np.sum(drag(v, 10.0, 0.2) + drag(-v, 20.0, 0.25))


def test_constants_that_differ_are_handed_over():
    text = gs.grad(of_a_table).source(np.array([1.4, 0.7, 0.2]))
    assert text.count("def drag(") == 1 and re.search(r"= drag\(v, 30.0, 0.3\)", text) and re.search(r"= drag\(v, 20.0, 0.25\)", text), text
    for x in (1.4, 0.7, 0.3):
        v = np.array([x, 0.7, 0.2])
        assert_equal(defined(text, v), gs.grad(of_a_table)(v))
        np.testing.assert_allclose(gs.jit(gs.grad(of_a_table))(v), gs.grad(of_a_table)(v), rtol=1e-12)
        e = np.array([0.0, 1e-6, 0.0])
        assert np.isclose(gs.grad(of_a_table)(v)[1], (of_a_table(v + e) - of_a_table(v - e)) / 2e-6, rtol=1e-6)


def test_the_text_grows_with_the_calls_not_with_what_they_call(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    lengths = {}
    for n in (4, 8, 16):
        tests = "".join([f"    if v[{k % 3}] > 0.{k}:\n        v = v - 0.01 * drag(v, {k + 1}.0 * size, rough)\n" for k in range(n)])
        (tmp_path / f"calls_{n}.py").write_text(f"import numpy as np\nfrom tests.transformer.test_functions import drag\n\n\ndef f(v, size, rough):\n{tests}    return np.sum(v * v)\n")
        lengths[n] = gs.grad(importlib.import_module(f"calls_{n}").f).source(np.ones(3), 30.0, 0.3).count("\n")
    assert lengths[16] - lengths[8] <= 8 * 24, lengths  # written out each has 60
