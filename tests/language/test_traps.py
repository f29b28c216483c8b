"""The traps, plain and compiled: values and derivatives; and those that need a story around the function."""
import functools
import importlib.util
import linecache
import textwrap
from dataclasses import dataclass

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from gradscribe.transformer import api
from gradscribe.transformer.testing import leaves_of
from tests.corpus.traps import TRAPS
from tests.support.cases import assert_equal, assert_same, over, ran, tolerance

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
LARGE = 1_000_000


def transformed(cls, fun, compiled, **options):
    """A derivative of fun, or fun itself written again; compiled or not."""
    made = cls(fun, **options)
    return gs.jit(made) if compiled else made


def refused(p, error) -> bool:
    """Is this error as good as the right answer?  It is ours, or what Python raises for numbers that do not fit."""
    return p.may_refuse and isinstance(error, (gs.GradscribeError, ValueError, OverflowError))


def size(args) -> int:
    return sum(np.size(x) for x in leaves_of(args))


# ---- values, types, what is stored, what is raised

@pytest.mark.heavy(one_in=13)
@COMPILED
@over(TRAPS)
def test_value(p, compiled):
    want, got = ran(p.fun, p.make_args), ran(transformed(api.Primal, p.fun, compiled), p.make_args)
    if refused(p, got.error) or p.leaves_int64 and compiled and got.error is not None:
        return
    if p.joins:
        want.out = type(got.out)(want.out)
    assert_same(got, want, rtol=max(p.rtol, tolerance(p.make_args()) or 0.0) if compiled else None)


# ---- derivatives

def ones(out):
    """The cotangent under which the gradient is that of the sum of all results."""
    from gradscribe.transformer.testing import is_float, like, rebuild
    return rebuild(out, iter([like(x, np.ones(np.shape(x))) if is_float(x) else x for x in leaves_of(out)]))


@pytest.mark.heavy(one_in=13)
@COMPILED
@over([p for p in TRAPS if p.gradient])
def test_gradient_on_paper(p, compiled):
    cotangent = ones(p.fun(*p.make_args()))
    got = ran(lambda *args: transformed(api.Vjp, p.fun, compiled, has_aux=False)(args, cotangent), p.make_args)
    if refused(p, got.error) or p.leaves_int64 and compiled and got.error is not None:
        return
    want = p.gradient(*p.make_args())
    bars = got.out if got.error is None else assert_same(got, ran(p.fun, p.make_args))
    for k, x in zip(p.argnums, want, strict=True):
        assert np.shape(bars[k]) == np.shape(x)
        np.testing.assert_allclose(bars[k], x, rtol=max(p.rtol, 1e-12), atol=max(p.rtol, 1e-12))


@pytest.mark.heavy(one_in=38)
@COMPILED
@over([p for p in TRAPS if p.smooth and not p.raises and not p.may_refuse and not p.joins and size(p.make_args()) < LARGE])
def test_gradient_against_differences(p, compiled):
    order = 1 if compiled else 2
    check_grads(gs.jit(p.fun) if compiled else p.fun, p.make_args(), order=order)


@COMPILED
def test_gradient_of_a_long_mean(compiled):
    """The sum of 20 million has its gradient among the traps; that of the mean of squares is 2 x / n."""
    x = np.full(20_000_000, 0.1, dtype=np.float32)
    (bar,) = transformed(api.Vjp, next(p.fun for p in TRAPS if p.name == "large_mean_of_squares"), compiled, has_aux=False)((x,), np.float32(1))
    assert bar.dtype == np.float32 and bar.shape == x.shape
    np.testing.assert_allclose(bar[::999_999], 2 * x[::999_999] / x.size, rtol=1e-5)
    assert bar.min() == bar.max()


# ---- memory

def arrays(x):
    return [a for a in leaves_of(x) if isinstance(a, np.ndarray) and a.size]


@pytest.mark.heavy(one_in=18)
@COMPILED
@over([p for p in TRAPS if not p.raises and not p.may_refuse and size(p.make_args()) < LARGE])
def test_gradients_share_no_memory(p, compiled):
    """With each other, with the arguments, or with the cotangent."""
    args, cotangent = p.make_args(), ones(p.fun(*p.make_args()))
    bars = arrays(transformed(api.Vjp, p.fun, compiled, has_aux=False)(args, cotangent))
    others = arrays(args) + arrays(cotangent)
    for k, bar in enumerate(bars):
        assert bar.flags.writeable
        assert not any(np.shares_memory(bar, x) for x in others + bars[k + 1:])


@pytest.mark.heavy(one_in=15)
@COMPILED
@over([p for p in TRAPS if not p.raises and not p.may_refuse and size(p.make_args()) < LARGE])
def test_derivatives_leave_their_arguments_alone(p, compiled):
    args, cotangent = p.make_args(), ones(p.fun(*p.make_args()))
    transformed(api.Vjp, p.fun, compiled, has_aux=False)(args, cotangent)
    assert_equal(args, p.make_args(), rtol=0.0)
    assert_equal(cotangent, ones(p.fun(*p.make_args())), rtol=0.0)


# ---- a pull-back called again and again

@pytest.mark.parametrize("p", [p for p in TRAPS if "pull-back" in p.construct], ids=lambda p: p.construct)
def test_a_pull_back_called_twice(p):
    out, pullback = gs.vjp(p.fun, *p.make_args())
    first, other = pullback(ones(out)), pullback(2 * ones(out))
    assert_equal(pullback(ones(out)), first, rtol=0.0)
    for bar, twice in zip(first, other):
        np.testing.assert_allclose(twice, 2 * np.asarray(bar), rtol=1e-12)


@COMPILED
def test_a_pull_back_called_twice_inside(compiled):
    def f(x):
        y, pullback = gs.vjp(lambda u: np.sin(u) * u, x)
        (a,) = pullback(np.ones_like(y))
        (b,) = pullback(a)
        return np.sum(a * b + y)

    check_grads(gs.jit(f) if compiled else f, (np.array([0.3, -0.8]),), order=1)


@pytest.mark.parametrize("p", [p for p in TRAPS if p.name in ("overwritten_many_times", "inner_product", "sum_of_two")], ids=lambda p: p.name)
def test_a_pull_back_keeps_what_its_arguments_were(p):
    args = p.make_args()
    out, pullback = gs.vjp(p.fun, *args)
    want = pullback(ones(out))
    for x in arrays(args):
        x[...] = 99.0
    got = pullback(ones(out))
    for x in arrays(got):
        x[...] = 77.0  # what was returned is the caller's
    assert_equal(pullback(ones(out)), want, rtol=0.0)


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


def gradient(f, compiled):
    return gs.jit(gs.grad(f)) if compiled else gs.grad(f)


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


def programs(transformed):
    return [id(p) for found in transformed._cache.programs.values() for p in found]


@COMPILED
@pytest.mark.parametrize("scale", [np.float32([1, 2]), np.array([3.0]), np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1, 2]), 3.0, np.float64(2), 2])
def test_a_global_array_replaced_by_another_kind(compiled, scale, monkeypatch):
    """Another dtype, a length of 1, another number of axes, a number: what was specialised does not fit any more."""
    df = gradient(reads_array, compiled)
    df(X), df(X)
    monkeypatch.setitem(globals(), "SCALE", scale)
    for _ in range(2):
        got = df(X)
        np.testing.assert_allclose(got, 2 * (np.ones((2, 2)) * scale * X if np.ndim(scale) == 2 else scale * X).reshape(-1, 2).sum(axis=0))
        assert got.dtype == np.float64


@COMPILED
@pytest.mark.parametrize("factor, dtype", [(3.0, np.float32), (3, np.float32), (np.float64(3), np.float64), (np.float32(3), np.float32)])
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


# ---- arrays in the caller's containers

@dataclass
class State:
    q: np.ndarray


def scales_in_place(params, state, pair):
    params["w"] *= 2.0
    state.q += params["w"]
    pair[0][1:] = state.q[:-1]
    pair[1][0] *= 3.0
    return np.sum(pair[0] * pair[1])


@pytest.mark.heavy(one_in=2)
@COMPILED
def test_arrays_in_containers_are_stored_into(compiled):
    def make_args():
        return {"w": np.array([0.5, 1.5])}, State(np.array([1.0, -2.0])), [np.ones(2), np.array([0.3, 0.7])]

    assert_same(ran(transformed(api.Primal, scales_in_place, compiled), make_args), ran(scales_in_place, make_args))
    check_grads(gs.jit(scales_in_place) if compiled else scales_in_place, make_args(), order=1)


# ---- aliasing by memory order

@COMPILED
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_store_through_reshape_follows_the_memory_order(compiled, order):
    """Of an array in C order reshape(-1) is a view, of one in F order a copy; also of what is computed from it."""
    def f(x):
        y = x * 2.0
        flat = y.reshape(-1)
        flat[1] = 100.0
        return y

    def g(x, y):
        y[...] = x
        flat = y.reshape(-1)
        flat[1] = 100.0
        return np.sum(y)

    made = transformed(api.Primal, f, compiled)
    both = transformed(api.Primal, g, compiled)
    A = np.arange(6.0).reshape(2, 3)
    for other in ("C", "F", order):  # each after the other: neither may be taken for the other
        x = np.asarray(A, order=other)
        assert_equal(made(x), f(x))
        mine, theirs = np.zeros_like(x), np.zeros_like(x)
        assert both(x, mine) == g(x, theirs)
        assert_equal(mine, theirs)


# ---- one compiled function, arguments of every layout

@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("layout", [lambda x: x, np.asfortranarray, lambda x: np.repeat(np.repeat(x, 2, 0), 3, 1)[::2, ::3], lambda x: x[::-1, ::-1],
                                    lambda x: np.broadcast_to(x[:1], x.shape)], ids=["C", "F", "strided", "reversed", "broadcast"])
@COMPILED
def test_layouts(compiled, layout):
    def f(x):
        return np.sum(np.tanh(x[1:] * x[:-1]) @ np.ones(x.shape[1])) + np.sum(x.T @ x)

    df = gradient(f, compiled)
    x = layout(np.random.default_rng(0).normal(size=(3, 4)))
    want = gs.grad(f)(np.ascontiguousarray(x))
    np.testing.assert_allclose(df(x), want, rtol=1e-12)
