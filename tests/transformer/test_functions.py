"""Functions that are called several times stay functions in readable source: what it says, how it grows,
and that it gives the same."""
import ast
import importlib
import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.readable.lines import broken
from tests.corpus.programs import PROGRAMS
from tests.support.cases import over, rotating
from tests.transformer.called_twice import (assert_equal, defined, eager, layer, layers, pass_,  # noqa: F401  fixtures
                                            written_out)
from tests.transformer.coretext import core
from tests.transforms.test_stages import agree, jvp_of_vjp, vjp


def network(params, x):
    for p in params["layers"]:
        x = layer(x, p)
    return np.sum(x * x)


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
    # two calls, two comments, the last statements and what is given back, for each of 5 more
    assert more <= 5 * 9, more


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
    return ([Cell(rng.normal(size=(3, 3)), [Norm(*rng.normal(size=(2, 3))) for _ in range(2)]) for _ in range(3)],
            np.ones(3))


def test_what_each_call_puts_into_one_container_is_given_as_it(eager):
    text = gs.grad(cells).source(*cell_args())
    reverse = re.search(r"def cell_adjoint.*?\n\n\n", text, re.S)[0]
    assert "def cell_adjoint(x, x_bar, param, residuals):" in reverse and "param.norms[0].gain * " in reverse
    # the first layer is none of its calls
    assert text.count("Cell(W=W_bar,") == 2 == reverse.count("Cell(W=W_bar,") + 1
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


# ---- the corpus

@pytest.mark.heavy(one_in=11)
@over(rotating(PROGRAMS, 2))
def test_the_corpus_with_functions_for_all_that_is_called_twice(p, eager):
    for transform in (vjp, jvp_of_vjp):
        transformed, make_args = transform(p)
        want = agree(transformed, make_args, ("specialised",))
        # without the programs that it has
        transformed = type(transformed)(transformed.__wrapped__, **transformed._options)
        agree(transformed, make_args, ("readable",), want)


# ---- before and after

def test_without_calls_nothing_changes():
    fun = core("def f(x: float):\n    y = np.sin(x)\n    return (y,)")
    assert pass_.share_functions(fun, set()) is fun


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
    assert (text.count("def drag(") == 1 and re.search(r"= drag\(v, 30.0, 0.3\)", text)
            and re.search(r"= drag\(v, 20.0, 0.25\)", text)), text
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
        tests = "".join([f"    if v[{k % 3}] > 0.{k}:\n        v = v - 0.01 * drag(v, {k + 1}.0 * size, rough)\n"
                         for k in range(n)])
        (tmp_path / f"calls_{n}.py").write_text("import numpy as np\nfrom tests.transformer.test_functions import "
                                                f"drag\n\n\ndef f(v, size, rough):\n{tests}    return np.sum(v * v)\n")
        lengths[n] = gs.grad(importlib.import_module(f"calls_{n}").f).source(np.ones(3), 30.0, 0.3).count("\n")
    assert lengths[16] - lengths[8] <= 8 * 24, lengths  # written out each has 60
