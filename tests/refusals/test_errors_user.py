"""Errors that users meet: their own file, line and column, and what to write instead.

Each case is a function with a mark in its text: «these marks» stand around what the caret must be under. It is put
into a script and into a notebook cell, and transformed.
"""
import inspect
import linecache
import subprocess
import sys
import zlib

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api
from tests.refusals.effect_errors import EFFECTS
from tests.refusals.user_errors import CASES as OTHERS, HEAD, Case

CASES = [*OTHERS, *EFFECTS]


def source(c: Case) -> tuple[str, int, int, int]:
    """(text of a module with the case's function, line, column and end column of what is marked)."""
    text = HEAD + c.text
    before, marked, after = text.replace("»", "«").split("«")
    line = before.count("\n") + 1
    column = len(before) - before.rfind("\n") - 1
    return before + marked + after, line, column, column + len(marked.split("\n")[0])


def refused(f, c: Case):
    with pytest.raises(gs.GradscribeError) as caught:
        c.transform(f)(*c.args)
    return caught.value


def check(error, c: Case, file: str, shown: str) -> None:
    text, line, column, end = source(c)
    assert isinstance(error, c.error) and c.says in error.message and c.instead in error.instead and error.instead
    at = error.origin
    assert (at.file, at.line, at.col) == (file, line, column)
    head, quoted, marks = str(error).splitlines()[:3]
    assert head == f"{shown}:{line}: {error.message}"
    assert quoted == f"{line:>6} | {text.splitlines()[line - 1]}"
    assert marks == " " * 6 + " | " + " " * column + "^" * (end - column)


def cases():
    return pytest.mark.parametrize("c", CASES, ids=lambda c: c.name)


def test_there_are_enough():
    assert len({c.name for c in CASES}) == len(CASES) >= 20


@cases()
def test_in_a_script(c, tmp_path, monkeypatch):
    path = tmp_path / "model.py"
    path.write_text(source(c)[0])
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "model"}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    check(refused(namespace["f"], c), c, str(path), "model.py")


class Shell:
    """IPython's, which compiles cells as a notebook does."""

    def __init__(self):
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config
        self.shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
        for prompt in ("ps1", "ps2", "ps3"):  # nobody sits at it: other tests are to wait for the compiler
            delattr(sys, prompt)

    def run(self, text):
        """The function f that a cell defines, and the number of the cell."""
        result = self.shell.run_cell(text, store_history=True)
        result.raise_error()
        return self.shell.user_ns["f"], result.execution_count


@pytest.fixture(scope="module")
def shell():
    return Shell()


@cases()
def test_in_a_notebook_cell(c, shell):
    f, number = shell.run(source(c)[0])
    check(refused(f, c), c, f.__code__.co_filename, f"cell In[{number}]")


@pytest.mark.parametrize("c",
                         [c for c in CASES if (c.error is gs.ImpurityError or c.name == "a function without a rule")
                          and c.transform is gs.grad], ids=lambda c: c.name)
@pytest.mark.parametrize("transform",
                         [gs.jit, lambda f: gs.jit(gs.grad(f)), api.Primal, lambda f: lambda *args: gs.vjp(f, *args)],
                         ids=["jit", "jit of grad", "primal", "vjp"])
def test_the_same_under_other_transformations(c, transform, tmp_path):
    path = tmp_path / "model.py"
    path.write_text(source(c)[0])
    namespace = {"__name__": "model"}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    with pytest.raises(c.error) as caught:
        transform(namespace["f"])(*c.args)
    assert caught.value.origin.line == source(c)[1]


def test_an_error_in_a_helper_points_into_the_helper(tmp_path):
    path = tmp_path / "helpers.py"
    path.write_text("import numpy as np\n\ndef helper(x):\n    y = x * 2.0\n    return np.sum(np.isfortran(y))\n\n"
                    "def f(x):\n    return 2.0 * helper(x)\n")
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(namespace["f"])(np.ones(3))
    at = caught.value.origin
    assert (at.file, at.line, at.col, at.function) == (str(path), 5, 18, "helper")


def test_all_problems_of_a_function_are_told(tmp_path):
    path = tmp_path / "many.py"
    path.write_text("import numpy as np\n\ndef f(x):\n    class C: pass\n    with open('a') as file:\n        pass\n"
                    "    t = not_there\n    return np.sum(x)\n")
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    with pytest.raises(gs.GradscribeError) as caught:
        gs.grad(namespace["f"])(np.ones(3))
    assert {4, 5, 7} <= {p.origin.line for p in caught.value.problems}
    assert all(p.instead for p in caught.value.problems)


def test_what_is_never_reached_is_not_refused():
    def f(x, verbose=False):
        if verbose:
            with open("log.txt") as file:
                file.write("x")
        return np.sum(x * x)

    np.testing.assert_allclose(gs.grad(f)(np.ones(2)), [2.0, 2.0])


# ---- functions without source

def without_source():
    namespace = {"np": np}
    exec("def f(x):\n    return np.sum(x * x)\n", namespace)
    return namespace["f"]


@pytest.mark.parametrize("f, says, instead", [
    (without_source(), "no source text for f", "linecache"),
    (zlib.crc32, "zlib.crc32 has no rule", "docs/rules.md"),
    (np.asarray_chkfinite, "np.asarray_chkfinite has no rule", "docs/rules.md"),
    (3.0, "not a function", "Pass a function"),
    (Exception, "Exception", "Return numbers"),
], ids=["exec", "C", "NumPy", "number", "class"])
@pytest.mark.parametrize("transform", [gs.grad, gs.jit, lambda f: gs.jit(gs.grad(f))],
                         ids=["grad", "jit", "jit of grad"])
def test_functions_without_source(f, says, instead, transform):
    with pytest.raises(gs.UnsupportedError) as caught:
        transform(f)(np.ones((2, 2)))
    assert says in caught.value.message and instead in caught.value.instead and caught.value.instead


def test_a_helper_without_source_is_refused_where_it_is_called():
    helper = without_source()

    def f(x):
        return 2.0 * helper(x)

    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(f)(np.ones(2))
    assert "no source text" in caught.value.message
    lines, first = inspect.getsourcelines(f)
    assert (caught.value.origin.line, caught.value.origin.col) == (first + 1, lines[1].index("helper"))


def test_with_its_text_in_linecache_it_has_source():
    text, name = "def f(x):\n    return np.sum(x * x)\n", "<made by a program>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"np": np}
    exec(compile(text, name, "exec"), namespace)
    np.testing.assert_allclose(gs.grad(namespace["f"])(np.ones(2)), [2.0, 2.0])


def test_python_c_has_source():
    text = "import numpy as np, gradscribe as gs\nf = lambda x: np.sum(x * x)\nprint(gs.grad(f)(np.ones(2)))"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.stdout.strip() == "[2. 2.]", done.stderr


# ---- errors of the run time

@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("text, args, error", [
    ("def f(x, y):\n    «z = x * y»\n    return np.sum(z)", (np.ones(3), np.ones(4)), ValueError),
    ("def f(x, y):\n    «z = x @ y»\n    return z", (np.ones(3), np.ones(4)), ValueError),
    ("def f(x, i):\n    y = x * 2.0\n    «return y[i]»", (np.ones(3), 7), IndexError),
    ("def f(x, i):\n    y = np.zeros(3)\n    «y[i] = x[0]»\n    return np.sum(y)", (np.ones(3), -4), IndexError),
    ("def f(a, b):\n    «return a / b»", (1.0, 0.0), ZeroDivisionError),
    ("def f(x):\n    if x[0] > 0.0:\n        «raise ValueError(f'bad {x[0]}')»\n    return np.sum(x)", (np.ones(2),),
     ValueError),
    ("def f(x):\n    «assert x[0] < 0.0, 'x must be negative'»\n    return np.sum(x)", (np.ones(2),), AssertionError),
    ("def f(x):\n    if x[0] > 100.0:\n        y = 1.0\n    «return x[0] * y»", (np.ones(2),), UnboundLocalError),
    ("def f(x, n):\n    «return np.sum(x.reshape(n, 2))»", (np.ones(6), 4), ValueError),
], ids=lambda v: v.__name__ if isinstance(v, type) else None)
def test_errors_of_the_run_time_tell_the_line(text, args, error, compiled, tmp_path, monkeypatch):
    before, marked, after = text.replace("»", "«").split("«")
    path = tmp_path / "run.py"
    path.write_text("import numpy as np\n" + before + marked + after)
    monkeypatch.chdir(tmp_path)
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    df = gs.jit(gs.grad(namespace["f"])) if compiled else gs.grad(namespace["f"])
    line = before.count("\n") + 2
    for _ in range(2):
        with pytest.raises(error) as caught:
            df(*args)
        (note,) = caught.value.__notes__
        assert note.startswith(f"run.py:{line}, in f")
        assert marked.strip() in note


# ---- print is an effect that is kept

def prints(x, steps):
    print("start", x)
    s = 0.0
    for k in range(steps):
        s = s + x[k] * x[k]
        print(f"step {k}: {s:.3f}", end=";\n")
    if s > 1.0:
        print("large", [x[0], x[1]], s, (k,), sep=" / ")
    print()
    return s


@pytest.mark.parametrize("transform",
                         [api.Primal, gs.grad, gs.value_and_grad, lambda f: lambda x, n: gs.vjp(f, x, n)[0],
                          lambda f: lambda x, n: gs.jvp(f, (x, n), (x, 0))[0]],
                         ids=["primal", "grad", "value_and_grad", "vjp", "jvp"])
def test_print_prints_what_and_when_the_function_does(transform, capsys):
    x = np.array([0.5, 1.5])
    prints(x, 2)
    want = capsys.readouterr().out
    f = transform(prints)
    for _ in range(2):
        f(x, 2)
        assert capsys.readouterr().out == want


def prints_of_all_kinds(x, z):
    print(x[::-2], x.astype(np.float32)[1], x > 0.0, len(x), x[0] > 0.0, bool(x[0] > 1.0), np.outer(x, x).T[1:3],
          float(x[0]), np.asarray(x[0]))
    print(f"{x[1]:.3f} {x!r} {x[0]!r}", z, z[0], complex(z[1]), np.arange(3, dtype=np.uint64) - np.uint64(1),
          np.uint64(2) ** len(x), x.astype(np.int8)[0])
    y = x * 2.0
    y[0] = 5.0
    print(y)
    y[1] = 7.0
    print(y, end="")
    print(f"{{{y[1]}}}\n", "100%")
    return np.sum(y * y)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("transform", [gs.jit, lambda f: gs.jit(gs.grad(f)), lambda f: gs.jit(f, tiered=True)],
                         ids=["jit", "grad", "tiered"])
def test_compiled_code_prints_the_same(transform, capsys):
    args = np.array([0.5, -1.5, 2.0, 8.25]), np.array([1.0 + 2.0j, -0.5j])
    prints_of_all_kinds(*args)
    want = capsys.readouterr().out
    f, g = transform(prints_of_all_kinds), transform(prints)
    for _ in range(2):
        f(*args)
        assert capsys.readouterr().out == want
    prints(args[0], 3)
    want = capsys.readouterr().out
    g(args[0], 3)
    assert capsys.readouterr().out == want


@pytest.mark.parametrize("transform", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_examples_print_in_the_order_of_the_program(transform, capsys):
    """One statement after the other, each for all examples, as JAX has it;
    a branch of the run time for one example after the other."""
    def f(x):
        print("first", x)
        for k in range(2):
            print(k, x + k)
        if x > 1.5:
            print("large", x)
        return x * x

    transform(gs.vmap(f))(np.array([1.0, 2.0]))
    assert capsys.readouterr().out.split("\n") == ["first 1.0", "first 2.0", "0 1.0", "0 2.0", "1 2.0", "1 3.0",
                                                   "large 2.0", ""]


def test_threads_do_not_share_a_loop_that_prints(capsys):
    def f(x):
        y = np.zeros(len(x))
        for k in range(len(x)):
            v = x[k]
            while v > 1.0:
                v = v / 2.0
            print(k, v)
            y[k] = v
        return np.sum(y)

    gs.jit(f, parallel=True)(np.arange(200.0))
    assert [int(line.split()[0]) for line in capsys.readouterr().out.splitlines()] == [*range(200)]


def test_print_of_single_precision(capsys):
    def f(x):
        print(x[0], x, f"{x[0]} {x[0]:.2f} {x[0]!r}")
        return np.sum(x)

    x = np.array([0.1, 0.2], dtype=np.float32)
    f(x)
    want = capsys.readouterr().out
    gs.grad(f)(x)
    assert capsys.readouterr().out == want
