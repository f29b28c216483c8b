"""Errors that users meet: their own file, line and column, and what to write instead.

Each case is a function with a mark in its text: «these marks» stand around what the caret must be under. It is put
into a script and into a notebook cell, and transformed.
"""
import bisect
import inspect
import linecache
import subprocess
import sys
import textwrap
from dataclasses import dataclass

import numba
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api

HEAD = """\
import array
import bisect
import functools
import math
import random
import sys
import time
from dataclasses import dataclass

import numba
import numpy as np

TABLE = np.zeros(3)
LOG = []
SEEN = {"last": 0.0}
COUNT = 0
RNG = np.random.default_rng(0)


@dataclass
class Settings:
    rate: float = 0.1


class Model:
    def __init__(self):
        self.count = 0


SETTINGS, MODEL = Settings(), Model()


@numba.njit
def jitted(x):
    return x * 2.0


@functools.singledispatch
def by_class(n):
    return n * 2.0


"""


@dataclass(frozen=True)
class Case:
    """A function that is refused, how it is called, and what the error says."""

    name: str
    text: str
    error: type = gs.UnsupportedError
    says: str = ""
    instead: str = ""
    transform: object = gs.grad
    args: tuple = (np.array([0.5, 1.5, -0.5]),)


def case(name, text, *about, **more):
    return Case(name, textwrap.dedent(text).strip("\n") + "\n", *about, **more)


IMPURE, TYPES = gs.ImpurityError, gs.SpecialisationError
INTEGERS = np.array([1, 2, 3])
CASES = [
    # ---- syntax
    case("value of a yield", """
        def f(x):
            def parts():
                y = «yield x[0]»
            return sum(parts())
        """, says="a yield whose value is used", instead="a statement of its own"),
    case("yield in a try block", """
        def f(x):
            def parts():
                try:
                    «yield x[0]»
                finally:
                    print("done")
            return sum(parts())
        """, says="a yield inside a try or with block", instead="after the block"),
    case("next of a generator", """
        def f(x):
            def parts():
                yield x[0]
            return «next(parts())»
        """, says="a generator whose values are taken one by one: next() is called", instead="make a list"),
    case("send to a generator", """
        def f(x):
            def parts():
                yield x[0]
            return «parts().send»(None)
        """, says="the attribute send of", instead="Loop over it"),
    case("rest of a generator", """
        def f(x):
            def parts():
                yield x[0]
                yield x[1]
            rest = parts()
            for v in rest:
                break
            return «sum(rest)»
        """, says="a loop that was left early has run over it", instead="once more"),
    case("try / except", """
        def f(x):
            try:
                «y = x[int(x[0])]»
            except IndexError:
                y = x
            return np.sum(y)
        """, says="an except block for what only the run time knows", instead="if"),
    case("set of the run time", """
        def f(x):
            return x[0] * len(«{x[1], 2}»)
        """, error=gs.SpecialisationError, says="it is an item of a set", instead="constant"),
    case("match with a guard", """
        def f(x):
            match (x[0], x[1]):
                case «(0.0, y)» if y > 0:
                    return y
            return 0.0
        """, says="a guard that reads what its pattern captures", instead="if in the block"),
    case("with that raises", """
        def f(x):
            «with np.errstate(all="raise"):»
                y = np.log(x * x)
            return np.sum(y)
        """, says="np.errstate(all='raise')", instead="isfinite"),
    case("class in a function", """
        def f(x):
            «class Point:»
                pass
            return np.sum(x)
        """, says="a class inside a function", instead="top of the module"),
    case("async def", """
        «async def f(x):»
            return np.sum(x)
        """, says="a coroutine", instead="Wait outside"),
    case("nested async def", """
        def f(x):
            «async def g(y):»
                return y
            return np.sum(x)
        """, says="an async function", instead="outside"),
    case("import of a module that is not there yet", """
        def f(x):
            «import mailbox»
            return np.sum(x) * mailbox.X
        """, says="an import of mailbox, which is not imported yet", instead="top of the module"),
    # ---- arrays
    case("a list that grows in a run-time loop", """
        def f(x):
            out = []
            while len(out) < np.sum(x):
                «out.insert(0, x[0] ** 2)»
            return out[0]
        """, says="a list that grows", instead="array before the loop"),
    case("a store into what np.broadcast_to views", """
        def f(x):
            y = x * 1.0
            z = np.broadcast_to(y, (2, 3))
            «y[0] = 5.0»
            return np.sum(z)
        """, says="may share memory", instead="x.copy()"),
    case("aliasing that only the run time knows", """
        def f(x):
            y, z = x * 1.0, x * 2.0
            w = y if x[0] > 0.0 else z
            «w[0] = 5.0»
            return np.sum(y) + np.sum(z)
        """, says="may share memory", instead="x.copy()"),
    case("a function without a rule", """
        def f(x):
            return np.sum(«np.real_if_close(x)» * x)
        """, says="np.real_if_close has no rule", instead="docs/rules.md"),
    case("a function of arrays without a rule", """
        def f(x):
            return np.sum(np.abs(«np.asarray_chkfinite(x)»))
        """, says="np.asarray_chkfinite has no rule", instead="docs/rules.md"),
    case("a method without a rule", """
        def f(x):
            y = x * 1.0
            «y.partition(1)»
            return np.sum(y)
        """, says="has no method 'partition'", instead="docs/rules.md"),
    case("a misspelled attribute", """
        def f(x):
            return np.sum(x) * len(«x.shpe»)
        """, says="no attribute 'shpe'", instead="shape"),
    case("a misspelled function", """
        def f(x):
            return «np.summ»(x)
        """, says="no attribute 'summ'", instead="Did you mean np.sum?"),
    case("a keyword that a rule does not have", """
        def f(x):
            return «np.quantile(x, 0.3, method="hazen")»
        """, says="a quantile with method='hazen'", instead="'linear'"),
    case("where= without out=", """
        def f(x):
            return np.sum(«np.sin(x, where=x > 0.0)»)
        """, says="np.sin with where= and no out=", instead="out=np.zeros"),
    case("object array", """
        def f(x):
            a = «np.array([x[0], None])»
            return np.sum(x)
        """, says="None is used as a number", instead="numbers"),
    # ---- side effects
    case("open", """
        def f(x):
            file = «open("data.txt")»
            return np.sum(x)
        """, IMPURE, says="open does input or output", instead="before the call"),
    case("input", """
        def f(x):
            return x[0] * float(«input()»)
        """, IMPURE, says="input does input or output", instead="before the call"),
    case("np.save", """
        def f(x):
            «np.save("x.npy", x)»
            return np.sum(x)
        """, IMPURE, says="np.save does input or output", instead="before the call"),
    case("np.random", """
        def f(x):
            return np.sum(x * «np.random.rand(3)»)
        """, IMPURE, says="hidden random state", instead="Draw the numbers before the call"),
    case("a generator of random numbers", """
        def f(x):
            return np.sum(x * «RNG.normal(size=3)»)
        """, IMPURE, says="hidden random state", instead="Draw the numbers before the call"),
    case("random", """
        def f(x):
            return x[0] * «random.gauss(0.0, 1.0)»
        """, IMPURE, says="hidden random state", instead="Draw the numbers before the call"),
    case("the clock", """
        def f(x):
            return x[0] * «time.time()»
        """, IMPURE, says="the clock", instead="outside"),
    case("eval", """
        def f(x):
            return x[0] * «eval("2.0")»
        """, IMPURE, says="eval", instead="outside"),
    case("append to a global list", """
        def f(x):
            «LOG.append(x[0])»
            return np.sum(x)
        """, IMPURE, says="a change of LOG", instead="copy"),
    case("item of a global dict", """
        def f(x):
            «SEEN["last"] = x[0]»
            return np.sum(x)
        """, IMPURE, says="a change of SEEN", instead="copy"),
    case("attribute of a global object", """
        def f(x):
            «MODEL.count = 3»
            return np.sum(x)
        """, IMPURE, says="attribute 'count' of the Model", instead="Return the new value"),
    case("attribute of a global dataclass", """
        def f(x):
            «SETTINGS.rate = 0.5»
            return np.sum(x)
        """, IMPURE, says="a change of SETTINGS", instead="copy"),
    case("item of a dict that the caller passed", """
        def f(params):
            «params["b"] = params["a"] * 2.0»
            return np.sum(params["b"])
        """, IMPURE, says="a change of the caller's params", instead="copy", transform=gs.jit, args=({"a": np.ones(2)},)),
    # ---- functions
    case("a function compiled by numba", """
        def f(x):
            return np.sum(«jitted(x)»)
        """, says="jitted is compiled by numba", instead="jitted.py_func"),
    case("a function that is chosen by a class", """
        def f(x):
            return np.sum(x) * «by_class(3)»
        """, says="by_class is a functools.singledispatch", instead="isinstance"),
    case("a function written in C", """
        def f(x):
            return np.sum(x) * «bisect.bisect([1.0, 2.0], x[0])»
        """, says="bisect.bisect_right has no rule", instead="docs/rules.md"),
    case("recursion that the run time ends", """
        def f(x, n=5.0):
            if n < 1.0:
                return x[0]
            return x[0] * «f(x, x[1])»
        """, says="calls itself", instead="write a loop"),
    case("an object of a class", """
        def f(x):
            seen = «array.array("d")»
            return np.sum(x) * len(seen)
        """, says="an object of class array", instead="dataclass"),
    # ---- values
    case("a method of a string made at run time", """
        def f(x):
            return x[0] * len(«str(x[0]).strip»())
        """, says="a string with values of the run time", instead="numbers"),
    case("a test of a string made at run time", """
        def f(x):
            return x[0] if «f"{x[0]:.1f}" == "0.5"» else x[1]
        """, says="a string with values of the run time", instead="Compare the values"),
    case("a name that is not defined", """
        def f(x):
            return np.sum(x * «weight»)
        """, says="'weight' is not defined", instead="Define weight"),
    case("sorted by values of the run time and of several kinds", """
        def f(x):
            return «sorted([x[0], float(x[1])])»[0]
        """, says="numbers of different types in an order", instead="all floats"),
    case("a long tuple indexed by a float's int", """
        def f(x):
            parts = (x[0], x[1], x[2]) * 30
            return «parts[int(x[0])]»
        """, TYPES, says="must be known before", instead="constant"),
    case("a variable of two kinds", """
        def f(x):
            if x[0] > 0.0:
                y = x
            else:
                y = "none"
            return np.sum(«y»)
        """, says="'y' cannot be used here", instead="same kind of value"),
    case("an array that gains an axis in a loop", """
        def f(x):
            y = x
            for i in range(40):
                y = «y»[None]
            return np.sum(y)
        """, says="'y' cannot be used here", instead="same kind of value"),
    # ---- what a derivative is of
    case("grad of an int argument", """
        def f(«n», x):
            return np.sum(x) * n
        """, TYPES, says="has dtype int64", instead="floats", args=(3, np.ones(2))),
    case("grad of an int array", """
        def f(x, «counts»):
            return np.sum(x * counts)
        """, TYPES, says="has dtype int64", instead="floats", transform=lambda f: gs.grad(f, argnums=1), args=(np.ones(3), INTEGERS)),
    case("grad of an array", """
        def f(x):
            «return x * 2.0»
        """, TYPES, says="one float", instead="np.sum"),
    case("grad of a pair", """
        def f(x):
            «return np.sum(x), x»
        """, TYPES, says="one float", instead="gs.vjp"),
    case("grad of nothing", """
        «def f(x):»
            y = x * 2.0
        """, TYPES, says="None", instead="Return a scalar"),
    case("has_aux without a pair", """
        def f(x):
            «return np.sum(x)»
        """, TYPES, says="has_aux=True", instead="Return (value, aux)", transform=lambda f: gs.grad(f, has_aux=True)),
]


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


@pytest.mark.parametrize("c", [c for c in CASES if (c.error is gs.ImpurityError or c.name == "a function without a rule") and c.transform is gs.grad],
                         ids=lambda c: c.name)
@pytest.mark.parametrize("transform", [gs.jit, lambda f: gs.jit(gs.grad(f)), api.Primal, lambda f: lambda *args: gs.vjp(f, *args)],
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
    path.write_text("import numpy as np\n\ndef helper(x):\n    y = x * 2.0\n    return np.sum(np.real_if_close(y))\n\ndef f(x):\n    return 2.0 * helper(x)\n")
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


@numba.njit
def jitted(x):
    return x * 2.0


@pytest.mark.parametrize("f, says, instead", [
    (without_source(), "no source text for f", "linecache"),
    (bisect.bisect, "bisect.bisect_right has no rule", "docs/rules.md"),
    (np.asarray_chkfinite, "np.asarray_chkfinite has no rule", "docs/rules.md"),
    (jitted, "jitted is compiled by numba", "jitted.py_func"),
    (3.0, "not a function", "Pass a function"),
    (Exception, "Exception", "Return numbers"),
], ids=["exec", "C", "NumPy", "numba", "number", "class"])
@pytest.mark.parametrize("transform", [gs.grad, gs.jit, lambda f: gs.jit(gs.grad(f))], ids=["grad", "jit", "jit of grad"])
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


@pytest.mark.heavy(one_in=2)
def test_python_c_has_no_source_before_3_13():
    text = "import numpy as np, gradscribe as gs\nf = lambda x: np.sum(x * x)\nprint(gs.grad(f)(np.ones(2)))"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    if sys.version_info >= (3, 13):
        assert done.stdout.strip() == "[2. 2.]"
    else:
        assert "UnsupportedError" in done.stderr and "Define it in a file" in done.stderr


# ---- errors of the run time

@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("text, args, error", [
    ("def f(x, y):\n    «z = x * y»\n    return np.sum(z)", (np.ones(3), np.ones(4)), ValueError),
    ("def f(x, y):\n    «z = x @ y»\n    return z", (np.ones(3), np.ones(4)), ValueError),
    ("def f(x, i):\n    y = x * 2.0\n    «return y[i]»", (np.ones(3), 7), IndexError),
    ("def f(x, i):\n    y = np.zeros(3)\n    «y[i] = x[0]»\n    return np.sum(y)", (np.ones(3), -4), IndexError),
    ("def f(a, b):\n    «return a / b»", (1.0, 0.0), ZeroDivisionError),
    ("def f(x):\n    if x[0] > 0.0:\n        «raise ValueError(f'bad {x[0]}')»\n    return np.sum(x)", (np.ones(2),), ValueError),
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


@pytest.mark.parametrize("transform", [api.Primal, gs.grad, gs.value_and_grad, lambda f: lambda x, n: gs.vjp(f, x, n)[0],
                                       lambda f: lambda x, n: gs.jvp(f, (x, n), (x, 0))[0]], ids=["primal", "grad", "value_and_grad", "vjp", "jvp"])
def test_print_prints_what_and_when_the_function_does(transform, capsys):
    x = np.array([0.5, 1.5])
    prints(x, 2)
    want = capsys.readouterr().out
    f = transform(prints)
    for _ in range(2):
        f(x, 2)
        assert capsys.readouterr().out == want


def prints_of_all_kinds(x, z):
    print(x[::-2], x.astype(np.float32)[1], x > 0.0, len(x), x[0] > 0.0, bool(x[0] > 1.0), np.outer(x, x).T[1:3], float(x[0]), np.asarray(x[0]))
    print(f"{x[1]:.3f} {x!r} {x[0]!r}", z, z[0], complex(z[1]), np.arange(3, dtype=np.uint64) - np.uint64(1), np.uint64(2) ** len(x), x.astype(np.int8)[0])
    y = x * 2.0
    y[0] = 5.0
    print(y)
    y[1] = 7.0
    print(y, end="")
    print(f"{{{y[1]}}}\n", "100%")
    return np.sum(y * y)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("transform", [gs.jit, lambda f: gs.jit(gs.grad(f)), lambda f: gs.jit(f, tiered=True)], ids=["jit", "grad", "tiered"])
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
    """One statement after the other, each for all examples, as JAX has it; a branch of the run time for one example after the other."""
    def f(x):
        print("first", x)
        for k in range(2):
            print(k, x + k)
        if x > 1.5:
            print("large", x)
        return x * x

    transform(gs.vmap(f))(np.array([1.0, 2.0]))
    assert capsys.readouterr().out.split("\n") == ["first 1.0", "first 2.0", "0 1.0", "0 2.0", "1 2.0", "1 3.0", "large 2.0", ""]


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
