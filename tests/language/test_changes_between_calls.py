"""What changes around a function between two calls: helpers, globals, cells, objects, source."""
import functools
import importlib.util
import linecache
import statistics
import textwrap

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api
from tests.language.trapping import gradient, transformed
from tests.support.cases import assert_equal

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])


# ---- what changes around the function between two calls

def helper(x):
    return np.sum(x * x)


MODE = "square"
SCALE = np.array([1.0, 2.0])
FACTOR = 2.0


def calls_helper(x):
    return helper(x)


def reads_mode(x):
    return np.sum(x * x) if MODE == "square" else np.sum(x * x * x)


def reads_array(x):
    return np.sum(SCALE * x * x)


def reads_number(x):
    return FACTOR * np.sum(x * x)


def module(path, text):
    path.write_text(textwrap.dedent(text))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


X = np.array([0.5, -1.5])


@COMPILED
def test_a_helper_redefined_in_its_module(compiled, monkeypatch):
    df = gradient(calls_helper, compiled)
    np.testing.assert_allclose(df(X), 2 * X)
    np.testing.assert_allclose(df(X), 2 * X)  # by the way that the second call takes
    monkeypatch.setitem(globals(), "helper", lambda x: np.sum(x * x * x))
    np.testing.assert_allclose(df(X), 3 * X * X)
    np.testing.assert_allclose(df(X), 3 * X * X)
    monkeypatch.undo()
    np.testing.assert_allclose(df(X), 2 * X)


class Notebook:
    """Cells as IPython runs them: each compiled under a name of its own that linecache knows, in one namespace."""

    def __init__(self):
        self.namespace, self.cells = {"np": np, "gs": gs, "__name__": "__main__"}, 0

    def run(self, text):
        self.cells += 1
        text, name = textwrap.dedent(text), f"<ipython-input-{self.cells}-{id(self):012x}>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), self.namespace)
        return self.namespace


@COMPILED
def test_a_helper_redefined_in_a_notebook_cell(compiled):
    notebook = Notebook()
    notebook.run("def helper(x):\n    return np.sum(x * x)\n")
    f = notebook.run("def f(x):\n    return 2.0 * helper(x)\n")["f"]
    df = gradient(f, compiled)
    np.testing.assert_allclose(df(X), 4 * X)
    notebook.run("def helper(x):\n    return np.sum(x * x * x)\n")
    np.testing.assert_allclose(df(X), 6 * X * X)
    notebook.run("def helper(x, k=3.0):\n    return k * np.sum(x)\n")
    np.testing.assert_allclose(df(X), 6 * np.ones(2))


@COMPILED
def test_a_function_redefined_in_a_notebook_cell(compiled):
    """The old function keeps its own text, though the cell of the new one has the same name for it."""
    notebook = Notebook()
    old = notebook.run("def f(x):\n    return np.sum(x * x)\n")["f"]
    new = notebook.run("def f(x):\n    return np.sum(x * x * x)\n")["f"]
    np.testing.assert_allclose(gradient(old, compiled)(X), 2 * X)
    np.testing.assert_allclose(gradient(new, compiled)(X), 3 * X * X)


@COMPILED
def test_a_global_string_changed(compiled, monkeypatch):
    df = gradient(reads_mode, compiled)
    for mode, want in [("square", 2 * X), ("cube", 3 * X * X), ("square", 2 * X), ("cu" + "be", 3 * X * X)]:
        monkeypatch.setitem(globals(), "MODE", mode)
        for _ in range(2):
            np.testing.assert_allclose(df(X), want)


@COMPILED
def test_a_global_array_changed(compiled, monkeypatch):
    """In place and replaced; the new value is used, and nothing is specialised again."""
    df = gradient(reads_array, compiled)
    monkeypatch.setitem(globals(), "SCALE", np.array([1.0, 2.0]))
    for _ in range(2):
        np.testing.assert_allclose(df(X), 2 * SCALE * X)
    made = programs(df)
    SCALE[0] = 7.0
    np.testing.assert_allclose(df(X), 2 * np.array([7.0, 2.0]) * X)
    monkeypatch.setitem(globals(), "SCALE", np.array([-1.0, 0.5]))
    np.testing.assert_allclose(df(X), 2 * np.array([-1.0, 0.5]) * X)
    assert programs(df) == made


CHOSEN = True


def reads_a_flag_in_a_loop(x, n):
    """What is decided by sizes makes them constants, and numbers from outside with them."""
    k, middle = 2, 0.0
    while k > 0:
        k = k - 1
        for _ in range(2 * k + 1):
            middle = statistics.median([CHOSEN, n])
    return np.sum(x) * middle if CHOSEN else np.sum(x * x)


@COMPILED
def test_a_global_flag_that_a_loop_meets_first(compiled, monkeypatch):
    df = gradient(reads_a_flag_in_a_loop, compiled)
    for chosen, want in [(True, 2.5 * np.ones_like(X)), (False, 2 * X), (True, 2.5 * np.ones_like(X))]:
        monkeypatch.setitem(globals(), "CHOSEN", chosen)
        np.testing.assert_allclose(df(X, 4), want)


def programs(transformed):
    return [id(p) for found in transformed._cache.programs.values() for p in found]


@COMPILED
@pytest.mark.parametrize("scale", [np.float32([1, 2]), np.array([3.0]), np.array([[1.0, 2.0], [3.0, 4.0]]),
                                   np.array([1, 2]), 3.0, np.float64(2), 2])
def test_a_global_array_replaced_by_another_kind(compiled, scale, monkeypatch):
    """Another dtype, a length of 1, another number of axes, a number: what was specialised does not fit any more."""
    df = gradient(reads_array, compiled)
    df(X), df(X)
    monkeypatch.setitem(globals(), "SCALE", scale)
    for _ in range(2):
        got = df(X)
        np.testing.assert_allclose(
            got, 2 * (np.ones((2, 2)) * scale * X if np.ndim(scale) == 2 else scale * X).reshape(-1, 2).sum(axis=0))
        assert got.dtype == np.float64


@COMPILED
@pytest.mark.parametrize("factor, dtype",
                         [(3.0, np.float32), (3, np.float32), (np.float64(3), np.float64), (np.float32(3), np.float32)])
def test_a_global_number_replaced_by_another_kind(compiled, factor, dtype, monkeypatch):
    """A Python float is weak, a NumPy scalar is not."""
    f = transformed(api.Primal, reads_number, compiled)
    x = X.astype(np.float32)
    f(x), f(x)
    monkeypatch.setitem(globals(), "FACTOR", factor)
    for _ in range(2):
        assert_equal(f(x), reads_number(x), rtol=1e-6)
        assert f(x).dtype == dtype


@COMPILED
def test_a_static_number_replaced_by_an_equal_one(compiled):
    """2, 2.0 and True are equal and not the same: as a global that had to be known, too."""
    notebook = Notebook()
    f = notebook.run("AXIS = 1\ndef f(x):\n    return np.sum(np.sin(np.sum(x, axis=AXIS)))\n")["f"]
    df = gradient(f, compiled)
    A = np.array([[0.1, 0.2], [0.3, 0.4]])
    want = np.cos(A.sum(axis=1))[:, None] * np.ones((2, 2))
    np.testing.assert_allclose(df(A), want)
    np.testing.assert_allclose(df(A), want)
    notebook.namespace["AXIS"] = 0
    np.testing.assert_allclose(df(A), np.cos(A.sum(axis=0))[None, :] * np.ones((2, 2)))
    notebook.namespace["AXIS"] = 1.0
    with pytest.raises((TypeError, gs.GradscribeError)):
        df(A)


@COMPILED
def test_a_closure_cell_changed(compiled):
    factor, power = 2.0, "square"

    def f(x):
        return factor * (np.sum(x * x) if power == "square" else np.sum(x))

    df = gradient(f, compiled)
    np.testing.assert_allclose(df(X), 4 * X)
    factor = 5.0
    np.testing.assert_allclose(df(X), 10 * X)
    power = "one"
    np.testing.assert_allclose(df(X), 5 * np.ones(2))


class Model:
    """An object with numbers and a switch."""

    def __init__(self):
        self.w, self.kind = np.array([1.0, 2.0]), "linear"

    def loss(self, x):
        return np.sum(self.w * x) if self.kind == "linear" else np.sum(self.w * x * x)


@COMPILED
def test_an_object_changed(compiled):
    model = Model()
    df = gradient(model.loss, compiled)
    np.testing.assert_allclose(df(X), model.w)
    model.w = np.array([-3.0, 4.0])
    np.testing.assert_allclose(df(X), model.w)
    model.kind = "square"
    np.testing.assert_allclose(df(X), 2 * model.w * X)


def test_source_edited_on_disk_after_import(tmp_path):
    path = tmp_path / "edited.py"
    f = module(path, """
        import numpy as np
        def f(x):
            return np.sum(x * x)
        """).f
    path.write_text(path.read_text().replace("x * x", "x * x * x"))
    with pytest.raises(gs.UnsupportedError) as caught:
        gs.grad(f)(X)
    assert "changed since it was loaded" in str(caught.value) and caught.value.instead
    assert caught.value.origin.file == str(path) and caught.value.origin.line == 3


def test_source_moved_on_disk_after_import(tmp_path):
    """Lines above it do not change what a function is."""
    path = tmp_path / "moved.py"
    f = module(path, "import numpy as np\ndef f(x):\n    return np.sum(x * x)\n").f
    path.write_text("# a comment\n\n" + path.read_text())
    np.testing.assert_allclose(gs.grad(f)(X), 2 * X)


def scaled(factor):
    def decorate(fun):
        @functools.wraps(fun)
        def wrapper(*args, **kwargs):
            return factor * fun(*args, **kwargs)
        return wrapper
    return decorate


@scaled(3.0)
def decorated(x):
    return np.sum(x * x)


@COMPILED
def test_a_decorator_that_scales_its_result(compiled):
    """`inspect` looks through functools.wraps, so that the scaling would vanish."""
    np.testing.assert_allclose(gradient(decorated, compiled)(X), 6 * X)

    def calls(x):
        return decorated(x) + 1.0

    np.testing.assert_allclose(gradient(calls, compiled)(X), 6 * X)
