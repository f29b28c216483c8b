"""What was found from outside: programs that look too plain to test, each held against Python itself,
plain and compiled.

An item is a program and its arguments; `agree` runs Python and compares. `gradient` names the argument to differentiate
by. What is refused says so (`refused="what is said"`); all else must work.
"""
import copy
import math
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import gradscribe as gs
from tests.corpus.from_outside.classes import MODEL, Model, ModelData, Normalised, State
from tests.corpus.from_outside.constants import power_at_zero  # noqa: F401  tests/found_again finds it here
from tests.corpus.from_outside.table import ITEMS
from tests.support.agreement import Together, agree, compare, differences

# ---- what a function sees from outside
SETTING = None


class Settings:
    limit = None
    rates = [1.0, None]

    @staticmethod
    def scale(x):
        return 2.0 * x


def with_setting(x):
    return x if SETTING is None else x * SETTING


def with_class_attribute(x):
    return x if Settings.limit is None else min(x, Settings.limit)


def with_static_method(x):
    return Settings.scale(x)


def with_item_of_a_class_list(x):
    return x if Settings.rates[1] is None else x * Settings.rates[1]


def changed(monkeypatch, fun, *changes, args=(2.0,), ways=("plain", "compiled"), **options):
    """The function before and after each change (target, name, value) of the world."""
    same = Together(fun, **options)
    same(*args, gradient=0)
    for target, name, value in changes:
        monkeypatch.setattr(target, name, value, raising=False)
        same(*args, gradient=0)


def here():
    import sys
    return sys.modules[__name__]


def test_a_global_that_was_none(monkeypatch):
    changed(monkeypatch, with_setting, (here(), "SETTING", 3.0), (here(), "SETTING", None),
            (here(), "SETTING", np.float64(4.0)))


def test_a_class_attribute_that_was_none(monkeypatch):
    changed(monkeypatch, with_class_attribute, (Settings, "limit", 1.0), (Settings, "limit", 0.5),
            (Settings, "limit", None))


def test_a_static_method_that_is_replaced(monkeypatch):
    changed(monkeypatch, with_static_method, (Settings, "scale", staticmethod(lambda x: x * x)))


def test_an_item_of_a_class_list_that_was_none(monkeypatch):
    changed(monkeypatch, with_item_of_a_class_list, (Settings, "rates", [1.0, 3.0]))
    monkeypatch.undo()
    monkeypatch.setattr(Settings, "rates", [1.0, None])
    same = Together(with_item_of_a_class_list)
    same(2.0)
    Settings.rates[1] = 5.0
    same(2.0)


def largest_of(x):
    return max(x, 1.0) + sum([x, x])


def test_a_global_that_hides_a_builtin(monkeypatch):
    changed(monkeypatch, largest_of, (here(), "max", lambda a, b: a * b + 10.0), (here(), "sum", lambda xs: xs[0]))


def closure_over_none():
    rate = None

    def f(x):
        return x if rate is None else rate * x

    def change(value):
        nonlocal rate
        rate = value
    return f, change


def test_a_variable_of_a_closure_that_was_none():
    f, change = closure_over_none()
    same = Together(f)
    for value in (None, 3.0, np.float64(2.0), None):
        change(value)
        same(2.0, gradient=0)


class Plain:
    """An object with attributes that are set on the instance."""

    factor = 2.0


PLAIN = Plain()


def with_instance(x):
    return x * PLAIN.factor


def test_an_attribute_set_on_an_instance(monkeypatch):
    monkeypatch.setattr(here(), "PLAIN", Plain())
    same = Together(with_instance)
    same(3.0, gradient=0)
    PLAIN.factor = 5.0
    same(3.0, gradient=0)
    del PLAIN.factor
    same(3.0, gradient=0)
    Plain.factor = 7.0
    try:
        same(3.0, gradient=0)
    finally:
        Plain.factor = 2.0


@dataclass
class WithoutFields:
    def scaled(self, x):
        return 2.0 * x


NO_FIELDS = WithoutFields()


def with_an_object_without_fields(x):
    return NO_FIELDS.scaled(x)


@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit], ids=["plain", "compiled"])
def test_an_attribute_set_on_an_object_without_fields(monkeypatch, way):
    monkeypatch.setattr(here(), "NO_FIELDS", WithoutFields())
    f = way(with_an_object_without_fields)
    assert [f(1.0), f(1.0)] == [2.0, 2.0]
    NO_FIELDS.scaled = lambda x: 3.5 * x
    with pytest.raises(gs.GradscribeError, match="attribute 'scaled' of its own"):
        f(1.0)


@dataclass
class Holder:
    inner: object


def stores_into_the_first(a, b):
    a[0] = a[0] * b[0]
    return a[0] * b[0] + b[1]


def changes_the_first(a, b):
    a["x"] = a["x"] * b["x"]
    return a["x"] * b["x"]


def sets_the_first(a, b):
    a.x = a.x * b.x
    return a.x * b.x


TWICE = "passed in two places"


@pytest.mark.parametrize("fun, make, said", [
    (stores_into_the_first, lambda: np.array([2.0, 3.0]), "two arguments share memory"),
    (changes_the_first, lambda: {"x": 2.0}, TWICE), (sets_the_first, lambda: State(2.0), TWICE),
    (stores_into_the_first, lambda: [2.0, 3.0], TWICE)], ids=["array", "dict", "object", "list"])
def test_one_object_in_two_places(fun, make, said):
    """It is refused from outside, where only the call shows that it is one;
    within the program it has the derivative of the program."""
    together, apart, x = Together(fun, refused=said), Together(fun), make()
    apart.ways = together.ways  # one program for all these calls
    together(x, x)
    apart(make(), make())
    together(x, x)
    slope = differences(lambda y: fun(y, y), [make()], 0)
    for way in (lambda f: f, gs.jit):
        compare(way(lambda x: gs.grad(lambda y: fun(y, y))(x))(make()), slope, "the gradient", rtol=1e-5)
        with pytest.raises(gs.GradscribeError, match=said):
            way(gs.grad(fun, argnums=(0, 1)))(x, x)


def leaves(x):
    return gs.transformer.testing.numeric_leaves(x)


def test_keys_that_are_equal_and_differ():
    def f(d):
        key = list(d)[0]
        return d[key] * (10.0 if key is True else 20.0 if isinstance(key, float) else 30.0)
    same = Together(f)
    for key in (1, True, 1.0, 1):
        same({key: 2.0}, gradient=0)


def test_arguments_that_are_equal_and_differ():
    def f(x, kind):
        return x * 2.0 if kind is True else x * 3.0 if isinstance(kind, float) else x * 5.0
    for order in ((1, True, 1.0, np.float64(1.0), np.True_), (1.0, True, 1, np.int64(1))):
        same = Together(f)
        for kind in order:
            same(2.0, kind, gradient=0)


def test_post_init_does_not_run_on_gradients():
    def f(p):
        return 3.0 * p.x + 4.0 * p.y
    for way in (gs.grad(f), gs.jit(gs.grad(f))):
        g = way(Normalised(3.0, 4.0))
        assert (g.x, g.y) == (3.0, 4.0)


@pytest.mark.parametrize("way", ["plain", "compiled"])
def test_transformed_methods_keep_self(way):
    wrap = gs.jit if way == "compiled" else lambda f: f
    for m in (ModelData(3.0), Model(3.0)):
        def f(x):
            return m.jitted(x) + m.saved(x)
        assert wrap(gs.grad(f))(2.0) == pytest.approx(3.0 + 3.0 * math.cos(6.0))
        assert wrap(gs.grad(lambda x: MODEL.jitted(x)))(2.0) == 3.0

    def g(m, x):
        return m.jitted(x) + m.saved(x)
    got = wrap(gs.grad(g))(ModelData(3.0), 2.0)
    assert got.w == pytest.approx(2.0 + 2.0 * math.cos(6.0))


def read_only():
    x = np.array([1.0, 2.0])
    x.flags.writeable = False
    return x


def test_store_into_a_read_only_array():
    def f(x):
        x[0] = 5.0
        return x[0]
    for way in (gs.test_util.primal, gs.jit):
        with pytest.raises(ValueError, match="assignment destination is read-only"):
            way(f)(read_only())

    def g(x):
        y = x
        y *= 2.0
        return np.sum(y)
    for way in (gs.test_util.primal, gs.jit):
        with pytest.raises(ValueError, match="read-only"):
            way(g)(read_only())


@pytest.mark.parametrize("twin", [copy.deepcopy, copy.copy, lambda f: pickle.loads(pickle.dumps(f))],
                         ids=["deepcopy", "copy", "pickle"])
@pytest.mark.parametrize("make", [lambda: gs.jit(cube), lambda: gs.grad(cube), lambda: gs.jit(gs.grad(cube)),
                                  lambda: gs.vmap(cube), lambda: gs.value_and_grad(cube)],
                         ids=["jit", "grad", "jit grad", "vmap", "value_and_grad"])
def test_copies_of_transformed_functions(twin, make):
    f = make()
    x = np.array([2.0, 3.0]) if isinstance(f, type(gs.vmap(cube))) else 2.0
    want = f(x)
    np.testing.assert_array_equal(twin(f)(x), want)


def cube(x):
    return x**3


@pytest.mark.parametrize("twin", [copy.deepcopy, copy.copy, lambda f: pickle.loads(pickle.dumps(f))],
                         ids=["deepcopy", "copy", "pickle"])
def test_copies_of_optimisers(twin):
    for make in (gs.optim.sgd, gs.optim.adam):
        o = make(0.1)
        t = twin(o)
        assert type(t) is type(o)
        params, grads = {"w": np.ones(2)}, {"w": np.array([1.0, 2.0])}
        first = o.update(grads, o.init(params), params)
        second = t.update(grads, t.init(params), params)
        np.testing.assert_array_equal(leaves(first)[0], leaves(second)[0])


def test_a_sum_over_a_list_that_grows_no_times():
    def f(x, n):
        out = []
        k = 0
        while k < n:
            out.append(x * k)
            k = k + 1
        return sum(out) + x
    xs, ns = np.array([1.0, 2.0, 3.0]), np.array([2, 0, 3])
    want = np.array([f(x, n) for x, n in zip(xs, ns)])
    for way in (lambda g: g, gs.jit):
        np.testing.assert_array_equal(way(gs.vmap(f))(xs, ns), want)

    def g(x, n):
        total = 0.0
        out = [x * k for k in range(n)]
        for v in out:
            total = total + v
        return total + x
    want = np.array([g(x, n) for x, n in zip(xs, ns)])
    for way in (lambda g: g, gs.jit):
        np.testing.assert_array_equal(way(gs.vmap(g))(xs, ns), want)


def test_open_under_ipython_is_no_names_own(monkeypatch):
    """IPython puts an `open` of its own among the names of a session; the refusal points at the user's line."""
    def impostor(*args, **kwargs):
        raise ValueError("not allowed")
    scope = {"open": impostor, "__name__": "session"}
    import linecache
    text = "def f(x):\n    open('a')\n    return x\n"
    linecache.cache["<session>"] = (len(text), None, text.splitlines(True), "<session>")
    exec(compile(text, "<session>", "exec"), scope)
    with pytest.raises((gs.GradscribeError, ValueError)) as caught:
        gs.jit(scope["f"])(2.0)
    assert "<session>" in str(caught.value) or "not allowed" in str(caught.value)


def test_vmap_of_a_pull_back():
    def f(x):
        return np.array([x[0] * x[1], np.sin(x[0]), x[1] ** 2])
    x = np.array([0.5, 2.0])
    y, pull = gs.vjp(f, x)
    rows = np.stack([np.asarray(pull(e)[0] if isinstance(pull(e), tuple) else pull(e)) for e in np.eye(3)])
    got = gs.vmap(pull)(np.eye(3))
    np.testing.assert_allclose(got[0] if isinstance(got, tuple) else got, rows)
    got = gs.jit(pull)(np.ones(3))
    np.testing.assert_allclose(got[0] if isinstance(got, tuple) else got, rows.sum(0))


# ---- the tests
def options_of(options, **more):
    return {**options, **more}


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("fun, args, options", ITEMS)
def test_plain(fun, args, options):
    agree(fun, *args, **options_of({n: x for n, x in options.items() if n != "gradient"}, compiled=False))


@pytest.mark.heavy(one_in=111)
@pytest.mark.parametrize("fun, args, options", ITEMS)
def test_compiled(fun, args, options):
    agree(fun, *args, **options_of({n: x for n, x in options.items() if n != "gradient"}, compiled="only"))


WITH_GRADIENT = [p for p in ITEMS if p.values[2].get("gradient") is not None]


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("fun, args, options", WITH_GRADIENT)
def test_gradient(fun, args, options):
    agree(fun, *args, **options_of(options, compiled=False))


@pytest.mark.heavy(one_in=38)
@pytest.mark.parametrize("fun, args, options", WITH_GRADIENT)
def test_compiled_gradient(fun, args, options):
    agree(fun, *args, **options_of(options, compiled="only"))
