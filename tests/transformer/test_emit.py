"""Readable source: what a good programmer would write by hand, and the same on every run."""
import ast
import enum
import hashlib
import inspect
import os
import re
import statistics
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.core import runnable
from gradscribe.transformer.optimise.inplace import inplace
from gradscribe.transformer.optimise.pipeline import optimise
from gradscribe.transformer.readable import readable
from gradscribe.transformer.readable.lines import broken
from gradscribe.transformer.readable.printer import printed
from tests.corpus.programs import PROGRAMS
from tests.transformer import models
from tests.transformer.coretext import core
from tests.transformer.emitted import first_above, lookup, newton, source  # noqa: F401  by name
from tests.transformer.random_core import Programs, arguments

GOLDEN = Path(__file__).parents[1] / "golden"
CORPUS = {p.name: p for p in PROGRAMS}


# comments ------------------------------------------------------------------------------------------
def commented(W, x):
    # the layer
    h = np.tanh(W @ x)
    return np.sum(h * h)  # its energy


def test_comments_survive_and_adjoints_are_announced():
    text = source(gs.value_and_grad, commented, np.ones((2, 3)), np.ones(3))
    first = inspect.getsourcelines(commented)[1]
    assert text == textwrap.dedent(f"""
        def value_and_grad_commented(W, x):
            # the layer
            h = np.tanh(W @ x)
            product = h * h
            value = np.sum(product)  # its energy

            # adjoint of line {first + 3}: return np.sum(h * h)
            h_bar = 2 * h
            # adjoint of line {first + 2}: h = np.tanh(W @ x)
            W_bar = np.outer((1 - product) * h_bar, x)
            return value, W_bar
    """).strip(), text


def test_a_users_own_bar_is_no_adjoint():
    def centred(x):
        x_bar = np.mean(x)
        y = x - x_bar
        return np.sum(y * y)

    assert "adjoint" not in gs.jit(centred).source(np.ones(3))


def test_the_line_map_knows_the_users_lines():
    made = readable(core("def f(x: float):\n    y = x * 2.0\n    return (y,)"))
    assert made.line_map == {}
    text = gs.jit(newton).source(2.0)
    assert "while abs(y * y - x) > 1e-09:" in text


# all -----------------------------------------------------------------------------------------------
@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("start", range(0, 600, 100))
def test_random_programs(start):
    for seed in range(start, start + 100):
        fun = Programs(seed, statements=4 + seed % 12, depth=1 + seed % 3).function()
        args = arguments(fun, seed)
        expected = [np.copy(r) for r in runnable(fun)(*args)]
        for owned in (frozenset(), frozenset(fun.writes)):
            given = [a.copy() for a in args]
            for got, e in zip(readable(optimise(fun), owned).function()(*given), expected):
                np.testing.assert_allclose(got, e, rtol=1e-10, atol=1e-12)


def test_generated_source_imports_only_numpy_and_the_runtime():
    for name in ("first_above", "lookup"):
        tree = ast.parse(gs.value_and_grad(globals()[name]).source(np.ones(3),
                                                                   *([1.0] if name == "first_above" else [])))
        modules = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        modules |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert modules <= {"numpy", "gradscribe"}


GOLDENS = ("simpson", "gated_sum", "doubling", "first_passage", "guarded_norm", "jacobi_2d", "seidel_2d", "mlp_loss",
           "lu_scalar", "logsumexp", "line_fit", "damp_interior")
MODELS = {"transformer": models.transformer_args, "vae": models.vae_args}


def golden(name):
    """The source, its line numbers counted from the function's first line; a model's from that of its file."""
    if name in MODELS:
        return gs.value_and_grad(getattr(models, name)).source(*MODELS[name]())
    p = CORPUS[name]
    argnums = p.argnums if len(p.argnums) > 1 else p.argnums[0]
    first = inspect.getsourcelines(p.fun)[1]
    text = gs.value_and_grad(p.fun, argnums=argnums).source(*p.make_args())
    return re.sub(r"(?<=adjoint of line )\d+", lambda number: str(int(number[0]) - first + 1), text)


@pytest.mark.parametrize("name", (*GOLDENS, *MODELS))
def test_golden(name):
    """GRADSCRIBE_GOLDEN=write writes the files anew: read the difference before you commit it."""
    file = GOLDEN / f"{name}.py"
    text = golden(name)
    if os.environ.get("GRADSCRIBE_GOLDEN") == "write":
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(text)
    assert text == file.read_text()
    assert max(map(len, text.split("\n"))) <= 100


def equal(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(equal, a, b))
    return type(a) is type(b) and np.array_equal(a, b)


@pytest.mark.parametrize("name", GOLDENS)
def test_the_tree_is_that_of_the_source(name):
    """Node by node and place by place; compiled as it is, it computes the same."""
    p = CORPUS[name]
    g, scope = gs.value_and_grad(p.fun, argnums=p.argnums if len(p.argnums) > 1 else p.argnums[0]), {}
    tree = g.tree(*p.make_args())
    assert ast.dump(tree, include_attributes=True) == ast.dump(ast.parse(g.source(*p.make_args())),
                                                               include_attributes=True)
    exec(compile(tree, "<tree>", "exec"), scope)
    assert equal(scope[f"value_and_grad_{name}"](*p.make_args()), g(*p.make_args()))


def numbers(x, n):
    a = x * (-1.0) ** n - (-0.0) + 1e-09 * x * 1e22 + np.inf * x - np.nan
    b = -x ** 2 - -(x - 1) % 3 // 2 if not x == 2.0 and n > 1 else x ** -n ** 1 / (x / 3.0 / (n * 0.1))
    return np.array([a, b])


def parts(x, i):
    y = x[:, None] + x[None, ::-1]
    y[i, 1:] += (x[1:] - 2.0)[::-1] * x[-1]
    return y[:-1, i + 1].sum() * y[i, -1]


def in_containers(params, x):
    return {"loss": (params["W"] @ x).sum() ** 2, "it's": [x], 'a "b"': (x * 2.0,)}


@pytest.mark.parametrize("f, args, lines", [
    (numbers, (2.5, 2),
     ["(-1.0) ** n", "- -0.0 + 1e-09 * x * 1e+22", "np.inf", "np.nan", "if not x == 2.0 and n > 1:"]),
    (parts, (np.linspace(1.0, 2.0, 4), 1), ["x[:, None] + x[None, ::-1]", "y[i, 1:]", "y[i, -1]"]),
    (in_containers, ({"W": np.eye(3)}, np.ones(3)), ['W = params["W"]', '"it\'s": [', "'a \"b\"': ("]),
], ids=lambda x: getattr(x, "__name__", ""))
def test_what_is_printed_is_what_was_meant(f, args, lines):
    text, scope = gs.jit(f).source(*args), {}
    assert ast.dump(ast.parse(text)) == ast.dump(gs.jit(f).tree(*args)) and all(line in text for line in lines), text
    exec(compile(gs.jit(f).tree(*args), "<tree>", "exec"), scope)
    np.testing.assert_equal(scope[f.__name__](*args), f(*args))


class Colour(enum.Enum):
    RED = 1


def with_objects(x):
    return {Colour.RED: x * 2.0, (1, "a"): Colour.RED, "f": with_objects, "dtype": np.float32}


def test_objects_in_results_are_written_as_python():
    text = gs.jit(with_objects).source(1.0)
    assert ast.dump(ast.parse(text)) == ast.dump(gs.jit(with_objects).tree(1.0))
    assert '{Colour.RED: x * 2.0, (1, \'a\'): Colour.RED, "f": with_objects, "dtype": float32}' in text, text


def mismatched(A, b):
    c = np.concatenate([A, b], axis=1)  # does not fit behind what comes first
    return np.sum(c)


def test_a_line_that_begins_where_it_should_end_is_broken_behind_its_commas():
    line = " " * 104 + "found = given(first, second, third, fourth, fifth)"
    text = broken(line, 100)
    assert "\n" in text and ast.dump(ast.parse(text.strip())) == ast.dump(ast.parse(line.strip()))


@pytest.mark.parametrize("depth", range(1, 40))
def test_comments_and_short_lines_stay_whole_where_the_indentation_fills_the_line(depth):
    body = [ast.parse("x_bar[tmp, -1] += tmp_bar").body[0]]
    body[0].before = ("# adjoint of line 27: return " + "np.sin(" * 30,)
    for _ in range(depth):
        body = [ast.If(ast.Constant(True), body, [])]
    text = printed(ast.Module(body, []))
    *_, comment, line = text.strip().split("\n")
    assert comment.startswith(" " * 4 * depth + "# adjoint of line 27: return"), text
    assert line == " " * 4 * depth + "x_bar[tmp, -1] += tmp_bar" and ast.parse(text), text


def test_long_lines_are_broken():
    args = np.ones((3, 2)), np.ones((3, 1))
    text = gs.jit(mismatched).source(*args)
    long = [line for line in text.split("\n") if len(line) > 100]
    assert not long and ",\n        how='" in text and "'\n        'axis must" in text, text
    assert ast.dump(ast.parse(text)) == ast.dump(gs.jit(mismatched).tree(*args))


@pytest.mark.heavy(one_in=2)
def test_importing_the_printer_warns_of_nothing():
    subprocess.run([sys.executable, "-W", "error", "-c", "import gradscribe.transformer.readable"], check=True)


def digest():
    texts = [golden(n) for n in GOLDENS] + [readable(optimise(Programs(seed).function())).text for seed in range(20)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


@pytest.mark.heavy(one_in=29)
def test_the_same_bytes_whatever_the_hash_seed():
    code = "from tests.transformer.test_emit import digest; print(digest())"
    root = Path(__file__).parents[2]
    made = {subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, cwd=root,
                           capture_output=True, text=True, check=True).stdout for seed in ("1", "2")}
    assert made == {digest() + "\n"}


def count(text):
    return sum(bool(line.strip()) and not line.strip().startswith(("#", "import ", "from ", "@"))
               for line in text.split("\n"))


@pytest.mark.heavy(one_in=5)
def test_few_lines_per_line_of_the_users():
    """But for programs that are calls of libraries, of which most lines are."""
    ratios = []
    for p in PROGRAMS:
        if p.fun.__module__.endswith((".solvers", ".libraries")):
            continue
        if p.raises or p.static_argnums or not isinstance(p.fun(*p.make_args()), (float, np.floating)):
            continue
        own = textwrap.dedent(inspect.getsource(p.fun))
        tree = ast.parse(own).body[0]
        doc = ast.get_docstring(tree) if isinstance(tree, ast.FunctionDef) else None
        made = gs.grad(p.fun, argnums=p.argnums if len(p.argnums) > 1 else p.argnums[0]).source(*p.make_args())
        ratios.append(count(made) / max(1, count(own) - (len(doc.split("\n")) if doc else 0)))
    assert statistics.median(ratios) <= 3


def test_inplace_is_what_readable_prints():
    f = core("""
        def f(x: "f8[n]"):
            y = x * 2.0
            y__1 = rt.update(y, 0.0, np.s_[0])
            return (y__1,)
    """)
    assert runnable(inplace(f))(np.ones(2))[0].tolist() == readable(f).function()(np.ones(2))[0].tolist() == [0, 2]


def stepped(u, steps):
    for t in range(steps):
        u[0] = u[1] * u[0] + np.sin(u[1])
    return np.sum(u ** 2) * steps


def test_beside_a_loop_variable_t_no_adjoint_is_called_t_bar():
    text = gs.grad(stepped).source(np.ones(3), 2)
    assert "for t in range(" in text and "_bar = " in text and not re.search(r"\bt_bar", text)


def driven(A, x, steps):
    log = np.zeros((steps, 2))
    for t in range(steps):
        x = np.tanh(A @ x)
        log[t] = x
    return np.sum(log ** 2)


def test_a_loop_variable_t_keeps_its_name_backwards_beside_a_transpose():
    text = gs.grad(driven, argnums=1).source(np.eye(2), np.ones(2), 3)
    assert "A_T = A.T" in text and "    for t in range(steps - 1, -1, -1):" in text and not re.search(r"\bt\d", text)


def scanned(w, xs):
    def step(carry, x):
        h, c = carry
        h = np.tanh(w * h + x)
        c = 0.9 * c + h
        return (h, c), h * c

    (h, c), ys = gs.lax.scan(step, (0.0, 0.0), xs)
    return np.sum(ys) + h


def test_carries_of_scan_keep_the_users_names():
    text = gs.grad(scanned).source(0.5, np.ones(5))
    assert "carry" not in text and "        h = np.tanh(w * h + xs[i])\n        c = 0.9 * c + h\n" in text


def picked(W, x, y):
    h = np.tanh(W @ x)
    return np.max(h) + np.sum(h * y)


def test_only_adjoints_are_called_so():
    """W.T and h == np.max(h) have another type than W and h, and are no adjoints of them."""
    text = gs.grad(picked, argnums=(0, 1)).source(np.eye(3), np.ones(3), np.ones(3))
    for line in text.splitlines():
        name, equals, value = line.strip().partition(" = ")
        assert not (equals and name.endswith("_bar") and ("==" in value.split("*")[0] or value.endswith(".T"))), line


def test_members_of_several_containers_are_called_by_both_keys():
    def loss(p, x):
        return np.sum(np.tanh(x @ p["hidden"]["W"] + p["hidden"]["b"]) @ p["out"]["W"] + p["out"]["b"]) * p["scale"]

    layer = {"W": np.eye(3), "b": np.ones(3)}
    text = gs.grad(loss).source({"hidden": layer, "out": dict(layer), "scale": 2.0}, np.ones(3))
    assert {"hidden_W", "out_W", "hidden_b_bar", "scale"} <= {n.id for n in ast.walk(ast.parse(text))
                                                              if isinstance(n, ast.Name)}
    assert not re.search(r"\bW\d", text)


def test_factors_meet_in_derivatives():
    text = gs.grad(lambda x: np.sum(3.0 * (x ** 3 - 2.0 * x))).source(np.ones(3))
    assert "-6.0 + 9.0 * x ** 2" in text
    assert "-4.0 * (x - 1)" in gs.grad(lambda x: -np.sum((x - 1) ** 2) * 2).source(np.ones(3))
    half = gs.grad(lambda x: np.sum(np.float32(3.0) * (2.0 * x)))(np.ones(3, np.float32))
    assert half.dtype == np.float32 and (half == 6).all()
    # the user's own rounds as it is written
    assert gs.jit(lambda x: 0.1 * (0.2 * x)).source(3.0).count("0.1 * (0.2 * x)") == 1


def test_a_check_of_sizes_needs_no_array_that_nobody_reads():
    def loss(x, y):
        return np.sum(x * y) + np.sum(np.exp(x))

    text = gs.grad(lambda x, y: (np.sin(x) * y, np.sum(x))[1]).source(np.ones(3), np.ones(3))
    assert "rt.same_sizes(" in text and "np.sin" not in text and "rt.match" not in text
    for f in (gs.grad(loss), gs.jit(gs.grad(loss))):
        np.testing.assert_allclose(f(np.zeros(3), np.ones(3)), 2 * np.ones(3))
        with pytest.raises(ValueError, match=r"operands could not be broadcast together with shapes \(3,\) \(2,\) "):
            f(np.zeros(3), np.ones(2))
