"""What the program takes by key: kinds, static arguments, helpers under caches, refusals that point to the call."""
import functools
import textwrap
from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs
from tests.language.executed_text import Holder, difference, executed


# what the program takes by key -----------------------------------------------------------------
class Pair(NamedTuple):
    a: float
    b: float


def by_kind(x, k):
    return (x * x if isinstance(k, bool) else 3.0 * x if isinstance(k, (int, np.integer))
            else 5.0 * x if isinstance(k, np.generic) else 7.0 * x)


def by_keys(x, d):
    for k in d:
        x = 2.0 * x if isinstance(k, bool) else x * x if isinstance(k, int) else 3.0 * x
    return x + (1.0 if isinstance(d, OrderedDict) else 0.0)


def by_class(x, k):
    return x * x if isinstance(k, Pair) else 3.0 * x if isinstance(k, tuple) else 5.0 * x


def by_sign(x, k):
    return x * (4.0 + np.arctan2(0.0, k) if k == k else 2.0)


KEYS = {by_kind: [1, True, 1.0, np.float64(1.0), np.int64(1), np.bool_(True)],
        by_keys: [{1: 0.0}, {True: 0.0}, {1.0: 0.0}, OrderedDict({1: 0.0}), {}, {1: 0.0, True + 1: 0.0}],
        by_class: [(1.0, 2.0), Pair(1.0, 2.0), [1.0, 2.0]],
        by_sign: [0.0, -0.0, float("nan"), 1.0, np.float64(-0.0), np.float64(0.0)]}


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", KEYS)
@pytest.mark.parametrize("static", [False, True])
def test_the_key_of_a_call_tells_what_is_equal_and_differs(f, static):
    made = gs.jit(f, static_argnums=1 if static else ()), gs.grad(f)
    for k in [k for k in KEYS[f] for _ in range(3)] + KEYS[f][::-1]:
        if static and f in (by_keys, by_class) and not isinstance(k, tuple):
            continue
        jitted, derivative = made[0](1.5, k), made[1](1.5, k)
        assert np.allclose([jitted, derivative], [f(1.5, k), difference(lambda x: f(x, k), 1.5)]), k


def test_static_arguments_must_have_a_hash():
    with pytest.raises(ValueError, match="hashable"):
        gs.jit(by_kind, static_argnums=1)(1.0, [1])


@dataclass(frozen=True)
class Scale:
    k: float

    def __call__(self, x):
        return x * self.k if isinstance(self.k, float) else x * x


def test_equal_callables_are_told_apart():
    assert gs.jvp(Scale(1), (3.0,), (1.0,)) == (9.0, 6.0)
    assert gs.jvp(Scale(1.0), (3.0,), (1.0,)) == (3.0, 1.0)


def test_an_attribute_that_hides_a_method_is_refused():
    it = Holder(2.0)
    g = gs.grad(lambda it, x: it.method(x), argnums=1)
    for _ in range(3):
        assert g(it, 3.0) == 2.0
    it.method = lambda x: x * x
    with pytest.raises(gs.GradscribeError, match="hides that of its class"):
        g(it, 3.0)


def test_what_may_change_without_a_trace_is_refused():
    for text in ("V = iter([1.0, 2.0])", "V = {}.items()", "V = (i for i in [1.0])", "V = bytearray(2)",
                 "V = np.nditer(np.ones(2))"):
        namespace = executed(f"import collections\nimport numpy as np\n{text}\ndef f(x):\n"
                             "    return x * len(list(V))\n", {"__name__": "outside"})
        with pytest.raises(gs.GradscribeError, match="may change|has no rule"):
            gs.grad(namespace["f"])(1.0)


def test_what_contains_itself_is_refused():
    around = [1.0]
    around.append(around)
    for f, arguments in (lambda x: x * around[0], (1.0,)), (lambda a: a[0], (around,)):
        with pytest.raises(gs.GradscribeError, match="contains itself"):
            gs.grad(f)(*arguments)


# helpers in other clothes ----------------------------------------------------------------------------
@functools.lru_cache(maxsize=None)
def table(n):
    return np.arange(n) * 2.0


def uses_table(x):
    return np.sum(table(3) * x) * x


def stores_into_table(x):
    t = table(3)
    t[0] = 5.0
    return np.sum(t) * x


def key_without_hash(x):
    return np.sum(table((np.ones(2) * x,)))


def test_cached_helpers():
    assert gs.grad(uses_table)(3.0) == gs.jit(gs.grad(uses_table))(3.0) == 36.0 and not gs.check(uses_table)
    for f in gs.grad(stores_into_table), gs.jit(stores_into_table):
        with pytest.raises(gs.ImpurityError, match="cached"):
            f(1.0)
    for f in gs.grad(key_without_hash), gs.jit(key_without_hash):
        with pytest.raises(TypeError, match="unhashable type: 'numpy.ndarray'"):
            f(1.0)


def test_a_refusal_in_a_library_points_to_the_users_call():
    def lines(x):
        return len(textwrap.wrap("a b c", width=int(x)))

    with pytest.raises(gs.GradscribeError) as caught:
        gs.jit(lines)(3.0)
    assert caught.value.origin.file == __file__ and "textwrap.wrap(" in caught.value.origin.text
    assert "(in wrap, " in str(caught.value)


def test_the_open_of_ipython_is_open():
    @functools.wraps(open)
    def modified(file, *args, **kwargs):
        if file in {0, 1, 2}:
            raise ValueError(file)
        return open(file, *args, **kwargs)

    def reads_file(x):
        return x * float(modified("a.txt").read())

    with pytest.raises(gs.ImpurityError, match="open does input or output") as caught:
        gs.grad(reads_file)(1.0)
    assert "modified(" in caught.value.origin.text


class Doubled(NamedTuple):
    a: int
    b: int

    def __getitem__(self, k):
        return 2 * tuple.__getitem__(self, k)


DOUBLED = Doubled(3, 1)


def test_items_of_a_tuple_with_items_of_its_own_are_the_tuples():
    def f(x):
        for p, q in zip([2, 7], DOUBLED):
            x = x + p * q
        return x, q

    for way in (gs.test_util.primal(f), gs.jit(f)):
        for x in (1.0, 2.0, 3.0):  # by the fast path, after the first
            assert way(x) == f(x)
