"""What was found from outside: programs that look too plain to test, each held against Python itself, plain and compiled.

An item is a program and its arguments; `agree` runs Python and compares. `gradient` names the argument to differentiate by. What is
refused says so (`refused="what is said"`); all else must work.
"""
import collections
import copy
import dataclasses
import functools
import math
import pickle
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import Together, agree, compare, differences

ITEMS: list[tuple] = []


def item(*args, more=(), name="", **options):
    """Hold the decorated function against Python at these arguments, and at `more` of them."""
    def register(fun):
        for k, given in enumerate([args, *more]):
            ITEMS.append(pytest.param(fun, given, options if k == 0 else {n: x for n, x in options.items() if n != "gradient"},
                                      id=f"{fun.__name__}{'' if k == 0 else f'_{k}'}"))
        return fun
    return register


X = np.array([0.5, -1.5, 2.0])


# ---- constants
@item(2.0, 4, gradient=0, more=[(2.0, 3), (0.0, 2)])
def negative_constant_to_a_power(x, n):
    return x * (-1.0) ** n


@item(0.3, gradient=0)
def alternating_series(x):
    total = 0.0
    for k in range(6):
        total = total + (-1) ** k * x ** (2 * k + 1) / (2 * k + 1)
    return total


@item(0.0, 0, gradient=0, more=[(0.0, 1), (0.0, 2), (2.0, 0), (-2.0, 3)])
def power_at_zero(x, k):
    return x**k


@item(np.array([0.0, 1.0, 2.0]), gradient=0)
def polynomial_by_powers_of_the_index(x):
    return np.sum(x ** np.arange(3))


@item(2.0, gradient=0)
def constants_with_signs(x):
    return -2.0**2 * x + (-2.0) ** 2 * x - (-x) ** 2 + -x**2 - -1.0 * x


# ---- flags
@item(1.5, True, gradient=0, more=[(1.5, False)])
def flag_is_true(x, flag):
    return 2.0 * x if flag is True else 3.0 * x


@item(1.5, True, gradient=0, more=[(1.5, False)])
def flag_is_false(x, flag):
    return 2.0 * x if flag is False else 3.0 * x


@item(1.5, gradient=0, more=[(1.5, True)])
def default_flag_is_not_true(x, flag=False):
    return 2.0 * x if flag is not True else 3.0 * x


@item(1.5, more=[(-1.5,)])
def computed_flag_is_true(x):
    return (x > 0.0) is True, (x > 0.0) is False, (x > 0) is not False


@item(np.float64(1.5), more=[(np.array([1.0, -2.0]),)])
def numpy_bool_is_not_true(x):
    return np.all(x > 0.0) is True


@item(1.0)
def truth_of_containers(x):
    return bool([0.0]), bool([x]), bool(()), bool([]), bool({}), bool((x,)), bool({"a": 0.0}), bool(""), bool("a"), not [], not [x]


@item(1.0)
def truth_of_views_and_ranges(x):
    d, e = {}, {"a": x}
    return bool(d.items()), bool(e.items()), bool(d.keys()), bool(d.values()), bool(e.values()), bool(range(0)), bool(range(2)), bool(range(3, 1))


@dataclass
class Nothing:
    pass


@item(1.0)
def truth_of_an_object_without_fields(x):
    nothing = Nothing()
    return x if nothing else -x


@item(3.0, gradient=0)
def if_of_a_range(x):
    total = x
    if range(0):
        total = total * 2.0
    if range(1):
        total = total * 5.0
    return total


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
    changed(monkeypatch, with_setting, (here(), "SETTING", 3.0), (here(), "SETTING", None), (here(), "SETTING", np.float64(4.0)))


def test_a_class_attribute_that_was_none(monkeypatch):
    changed(monkeypatch, with_class_attribute, (Settings, "limit", 1.0), (Settings, "limit", 0.5), (Settings, "limit", None))


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
class State:
    x: float
    y: float = 1.0


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


SEEN, TWICE = "a change of the caller's a, which others see as well", "passed in two places"


@pytest.mark.parametrize("fun, make, said, of_the_gradient", [
    (stores_into_the_first, lambda: np.array([2.0, 3.0]), "two arguments share memory", "two arguments share memory"), (changes_the_first, lambda: {"x": 2.0}, SEEN, TWICE),
    (sets_the_first, lambda: State(2.0), SEEN, TWICE), (stores_into_the_first, lambda: [2.0, 3.0], SEEN, TWICE)], ids=["array", "dict", "object", "list"])
def test_one_object_in_two_places(fun, make, said, of_the_gradient):
    """It is refused from outside, where only the call shows that it is one; within the program it has the derivative of the program."""
    together, apart, x = Together(fun, refused=said), Together(fun, refused=said if said is SEEN else ""), make()
    apart.ways = together.ways  # one program for all these calls
    together(x, x)
    apart(make(), make())
    together(x, x)
    slope = differences(lambda y: fun(y, y), [make()], 0)
    for way in (lambda f: f, gs.jit):
        compare(way(lambda x: gs.grad(lambda y: fun(y, y))(x))(make()), slope, "the gradient", rtol=1e-5)
        with pytest.raises(gs.GradscribeError, match=of_the_gradient):
            way(gs.grad(fun, argnums=(0, 1)))(x, x)


def leaves(x):
    return gs.transformer.testing.leaves_of(x)


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


# ---- classes
@dataclass
class Vec:
    x: float
    y: float

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, s):
        return Vec(self.x * s, self.y * s)

    def __rmul__(self, s):
        return Vec(self.x * s, self.y * s)

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __abs__(self):
        return math.sqrt(self.x**2 + self.y**2)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __getitem__(self, k):
        return (self.x, self.y)[k]

    def __len__(self):
        return 7

    def __iter__(self):
        return iter([self.x, self.y])

    def __contains__(self, v):
        return v == 2.0

    def __call__(self, t):
        return self.x + t * self.y

    def __bool__(self):
        return False

    def __eq__(self, other):
        return "equal"

    def __lt__(self, other):
        return self.x < other.x


class Pair(NamedTuple):
    a: float
    b: float

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)

    def __mul__(self, s):
        return Pair(self.a * s, self.b * s)

    def __len__(self):
        return 9

    def __bool__(self):
        return False


@item(Vec(1.0, 2.0), Vec(3.0, 5.0), gradient=0)
def vectors(a, b):
    c = a + b * 2.0 - 3.0 * a
    return c.x * c[1] + abs(-c) + a @ b


@item(Vec(1.0, 2.0), more=[(Vec(2.0, 0.0),)])
def special_methods_of_a_dataclass(a):
    return len(a), bool(a), a == a, a != a, a(3.0), 2.0 in a, a < Vec(9.0, 9.0), list(a), [v * 2.0 for v in a], 1 if a else 2, not a


@item(1.0, 2.0, gradient=0)
def item_of_a_sum_of_vectors(x, y):
    return (Vec(x, y) + Vec(y, x))[0] * x


@item(Pair(1.0, 2.0), 3.0, gradient=0)
def operators_of_a_named_tuple(p, s):
    q = p + p * s
    return q.a * q.b


@item(Pair(1.0, 2.0), 3.0)
def special_methods_of_a_named_tuple(p, s):
    return p + p, p * 2.0, len(p), bool(p), p == Pair(1.0, 2.0), p[0], p[-1], p[:1], list(p), 1.0 in p, p._asdict()


@dataclass
class Normalised:
    x: float
    y: float

    def __post_init__(self):
        n = math.hypot(self.x, self.y)
        self.x, self.y = self.x / n, self.y / n


@item(Normalised(3.0, 4.0), 2.0, gradient=1)
def result_with_post_init(p, s):
    q = Normalised(p.x * s, p.y + s)
    return q.x


@item(3.0, 4.0)
def post_init_runs_once(x, y):
    return Normalised(x, y), Normalised(y, x).x


def test_post_init_does_not_run_on_gradients():
    def f(p):
        return 3.0 * p.x + 4.0 * p.y
    for way in (gs.grad(f), gs.jit(gs.grad(f))):
        g = way(Normalised(3.0, 4.0))
        assert (g.x, g.y) == (3.0, 4.0)


@dataclass
class WithDefaults:
    x: float
    scale: float = 2.0
    items: list = field(default_factory=list)
    hidden: float = field(default=5.0, init=False)
    kind: str = field(default="a", repr=False, compare=False)

    def __post_init__(self):
        self.items.append(self.x)


@item(3.0)
def defaults_of_a_dataclass(x):
    a, b = WithDefaults(x), WithDefaults(2.0 * x, scale=x, kind="b")
    return a, b, a.hidden, a.items, b.items, a.kind


class Model:
    def __init__(self, w):
        self.w = w

    def plain(self, x):
        return self.w * x

    @gs.jit
    def jitted(self, x):
        return self.w * x

    @gs.checkpoint
    def saved(self, x):
        return np.sin(self.w * x)


@dataclass
class ModelData:
    w: float

    @gs.jit
    def jitted(self, x):
        return self.w * x

    @gs.checkpoint
    def saved(self, x):
        return np.sin(self.w * x)


MODEL = Model(3.0)


@item(2.0, gradient=0)
def jitted_methods(x):
    return MODEL.plain(x)


def plain_methods(m, x):
    return m.w * x + np.sin(m.w * x)


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


@dataclass(frozen=True)
class Frozen:
    x: float
    y: float = 0.0


@item(Frozen(1.0))
def store_into_frozen(p):
    p.x = 2.0
    return p.x


@item(1.0)
def store_into_frozen_made_inside(x):
    p = Frozen(x)
    p.x = 2.0
    return p.x


@item(1.0)
def augmented_store_into_frozen(x):
    p = Frozen(x)
    p.x += 2.0
    return p.x


@item(Pair(1.0, 2.0))
def store_into_a_named_tuple(p):
    p.a = 3.0
    return p


@item(1.0)
def too_many_for_a_dataclass(x):
    return Vec(x, x, x)


@item(1.0)
def unknown_for_a_dataclass(x):
    return Vec(x, y=x, z=x)


@item(1.0)
def missing_for_a_dataclass(x):
    return Vec(x)


@item(1.0)
def twice_for_a_dataclass(x):
    return Vec(x, x=x)


@item(1.0)
def missing_for_a_named_tuple(x):
    return Pair(x)


@item(1.0)
def too_many_for_a_named_tuple(x):
    return Pair(x, x, x)


@item(1.0)
def unknown_for_a_named_tuple(x):
    return Pair(x, c=x)


@item(1.0)
def keyword_only_fields(x):
    return KeywordOnly(x)


@dataclass(kw_only=True)
class KeywordOnly:
    x: float


class Clamped(NamedTuple("Clamped", [("a", float)])):
    def __new__(cls, a):
        return super().__new__(cls, abs(a) + 1.0)


@item(-3.0)
def new_of_a_named_tuple(x):
    return Clamped(x).a


class Counted:
    def __new__(cls, x):
        made = object.__new__(cls)
        made.x = 2.0 * x
        return made


@item(-3.0, gradient=0)
def new_of_a_class(x):
    return Counted(x).x


@dataclass
class Celsius:
    degrees: float
    _seen = 3

    @property
    def kelvin(self):
        return self.degrees + 273.15

    @kelvin.setter
    def kelvin(self, k):
        self.degrees = k - 273.15

    @classmethod
    def freezing(cls):
        return cls(0.0)

    @classmethod
    def of_kelvin(cls, k):
        return cls(k - 273.15)

    @staticmethod
    def double(x):
        return 2.0 * x


@item(Celsius(20.0), 300.0, gradient=1)
def properties_and_class_methods(c, k):
    d = Celsius.of_kelvin(k)
    d.kelvin = d.kelvin + c.kelvin
    return d.degrees + Celsius.freezing().kelvin + c.double(k) + Celsius._seen + c.of_kelvin(k).degrees


# ---- iterators and containers
@item([1.0, 2.0], [3.0])
def strict_zip(a, b):
    return [x * y for x, y in zip(a, b, strict=True)]


@item([1.0, 2.0], [3.0, 4.0], gradient=0)
def strict_zip_of_equal_lengths(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


@item(np.array([1.0, 2.0]), np.array([3.0]))
def strict_zip_of_arrays(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


@item([1.0, 2.0], [3.0, 4.0])
def zip_runs_out(a, b):
    z = zip(a, b)
    return list(z), list(z)


@item([1.0, 2.0, 3.0])
def iterators_run_out_across_break(a):
    it = iter(a)
    first = 0.0
    for v in it:
        first = v
        break
    rest = [v for v in it]
    return first, rest, list(it)


@item([1.0, 2.0, 3.0])
def enumerate_and_reversed_run_out(a):
    e, r, m = enumerate(a), reversed(a), map(lambda v: 2.0 * v, a)
    return list(e), list(e), list(r), list(r), list(m), list(m)


@item([1.0, 2.0, 3.0])
def next_of_iterators(a):
    z = zip(a, a[1:])
    first = next(z)
    return first, list(z), next(z, None), next(iter([]), 5.0)


@item([1.0, 2.0])
def next_of_nothing(a):
    it = iter(a)
    next(it), next(it)
    return next(it)


@item(2.0)
def map_is_lazy(x):
    seen = []

    def note(v):
        seen.append(v)
        return v * x
    m = map(note, [1.0, 2.0, 3.0])
    before = len(seen)
    first = next(m)
    between = len(seen)
    rest = list(m)
    return before, first, between, rest, seen


@item(5, more=[(1,), (0,)])
def index_of_a_range(n):
    return range(n)[-1], range(n)[0]


@item(2.0)
def indices_of_ranges(x):
    r = range(2, 20, 3)
    return r[-1], r[1:3], r[::-1], len(r), 5 in r, 6 in r, r.index(8), r.count(5), r.start, r.stop, r.step, list(r), r == range(2, 19, 3), r[2] * x


@item(2.0, gradient=0)
def dict_of_keywords(y):
    d = dict(x={"a": y}, y=2.0)
    return d["x"]["a"] * d["y"]


@item(2.0, 3.0)
def dicts_by_all_ways(v, w):
    d = dict([("a", v)])
    d.update(other=w)
    d.update({"b": v}, c=w)
    d.update([("d", v), ("a", w)])
    return d, dict(d, z=v), dict({"q": v}), dict(zip("ab", (v, w))), {**d, "a": v}, dict(x=1)


@item(2.0)
def update_with_a_keyword_called_other(v):
    d = {}
    d.update(other={"a": v})
    return d


@item(2.0)
def repeat_of_a_shared_list(x):
    a = [x, 1.0]
    b = a
    a *= 2
    b += [5.0]
    return a, b, len(b), a is b


@item([1.0, 2.0])
def repeat_of_an_argument_in_place(a):
    a = list(a)
    a *= 2
    a += (3.0,)
    return len(a)


@item(2.0)
def tuple_plus_list(x):
    return (1, x) + [2]


@item(2.0)
def list_plus_tuple(x):
    return [1, x] + (2,)


@item(2.0)
def list_iadd_tuple(x):
    a = [1, x]
    a += (2,)
    return a


@item(2.0, gradient=0)
def sum_of_lists(x):
    return sum(sum([[x, 2.0], [x * x]], []))


@item(2.0)
def sum_with_a_start(x):
    return sum([x, x], 1.0), sum((x, 2), start=x), sum([(x,), (x,)], ()), sum([]), sum([], x)


@item(2.0)
def keywords_of_string_methods(x):
    return "a-b-c".split(sep="-"), "a-b-c".split(sep="-", maxsplit=1), "{a}-{b}".format(a=1, b="z"), "ab".encode(encoding="ascii"), "x{}y{}".format(1, 2)


@item(2.0)
def string_keys_by_methods(x):
    d = {"w_1": x, "w_2": 3.0 * x}
    return [d[k] for k in d if k.endswith("_1")], {k.split(sep="_")[1]: v for k, v in d.items()}, d["{name}_2".format(name="w")]


@item([1.0, 2.0], 10.0, gradient=1)
def lambda_in_a_comprehension(a, v):
    f = [lambda: v for v in a][0]
    return f() * v


@item([1.0, 2.0], 10.0)
def late_lambdas_in_a_comprehension(a, v):
    fs = [lambda t: t * v for v in a]
    gs_ = [(lambda t, v=v: t * v) for v in a]
    return [f(2.0) for f in fs], [g(2.0) for g in gs_], v


@item(2.0)
def callables(x):
    def g(y):
        return y
    return (callable(g), callable(x), callable(abs), callable(Vec), callable([]), callable("a"), callable(Vec(x, x)), callable(Pair(x, x)),
            callable(lambda: 0), callable(None), callable(State(x)), callable([x].append), callable("".join))


@item(2.0)
def instances(x):
    n = len([x])
    return (isinstance(range(3), range), isinstance(f"{x}", str), isinstance(x, float), isinstance(x, (int, str)), isinstance(True, int),
            isinstance([x], list), isinstance((x,), tuple), isinstance(Pair(x, x), tuple), isinstance({}, dict), isinstance(zip(), zip),
            isinstance(slice(1), slice), isinstance({}.items(), list), isinstance(n, int), isinstance(x > 1.0, bool), isinstance(None, type(None)),
            isinstance(Vec(x, x), Vec), isinstance(x, int | float), isinstance(np.float64(x), float), isinstance(len, type(len)))


@item(2.0)
def types(x):
    def g():
        return 1
    return (type(range(3)) is range, type(f"{x}") is str, type(x) is float, type([x]), type((x,)), type({}), type(Pair(x, x)), type(Vec(x, x)),
            type(g) is type(lambda: 0), type({}.items()) is type({}.keys()), type(x > 1) is bool, type(zip()) is zip, type(1) is int, type("a"))


@item(X)
def identity_of_views(x):
    y = x
    return x is y, x[:] is x, x[:] is not x, x.T is x, x.copy() is x, np.asarray(x) is x, x.reshape(3) is x, x.ravel() is x, x[...] is x


@item([1.0, 2.0])
def identity_of_containers(a):
    b, c, d = a, a[:], (a, a)
    return b is a, c is a, c == a, d[0] is d[1], a.copy() is a, list(a) is a, d is (d), tuple(d) is d, d[:] is d, [] is [], None is None


# ---- numbers
F32 = np.float32


@item(F32(1e30), more=[(F32(0.1),), (F32(-2.5),)])
def float_of_a_single(x):
    return float(x) ** 2


@item(F32(0.5), gradient=0)
def float_of_a_single_in_math(x):
    return math.sin(float(x)) * float(x)


@item(F32(0.1), gradient=0)
def sum_in_double_of_singles(x):
    total = 0.0
    for _ in range(10):
        total += float(x)
    return total


@item(True, F32(0.3), more=[(False, F32(0.3))])
def number_that_joins_a_single(c, x):
    y = 0.1 if c else x
    return y * np.float64(1.0)


@item(F32(9), refused="the two sides do not fit together", more=[(F32(11),)])
def largest_of_a_number_and_a_single(x):
    return max(10.1, x), min(10.1, x), max(x, 10.1)


@item(np.uint64(9), refused="the two sides do not fit together")
def largest_of_a_negative_and_an_unsigned(x):
    return max(-1, x), min(-1, x), max(x, -1)


@item(True, np.uint8(7), more=[(False, np.uint8(7))])
def number_out_of_range_in_a_branch(c, x):
    y = 300 if c else x
    return y


@item(X, 1, more=[(X, 2), (X, True), (X, 0)])
def int_beside_a_fraction(x, n):
    if 1.5 == n or 2 == n:
        return x
    return 0


@item(X, 0, more=[(X, 1)])
def int_below_a_fraction(x, n):
    y = x
    if not n < 0.5:
        y = None
    return y


@item(3, more=[(-2,)])
def int_beside_what_is_no_number(n):
    if n != float("inf") and n != math.nan:
        y = ()
    else:
        y = n
    return y


@item(0.5, gradient=0, more=[(-2.0,)])
def clipped_between_itself(x):
    return np.clip(x, x, x) * np.clip(x, x, 1.0)


@item(0.25, -2, refused="a number that has another type on each path")
def full_of_an_int_on_one_path(a, b):
    return np.full(3, a if a == 0 else b)


@item(X, 0.0, more=[(X, 1.0), (X, 5.0)])
def bools_of_two_classes(x, d):
    t = bool(x[0] < d)
    u = np.bool_(x[0] < d)
    return (d > 0.75 and np.bool_(True), True if x[0] < d else bool(x[1] > d), bool(u) if u else bool(x[1] > d),
            np.bool_(t) if t else np.bool_(x[1] > d))


@item(2.0, refused="a number that has another type on each path", more=[(0.0,)])
def times_a_number_that_is_an_int_on_one_path(x):
    if x:
        x = 0
    return () * x


@item(np.uint32(6), refused="a number that has another type on each path")
def power_of_a_bool_of_either_class(x):
    b = x * x <= x or {"a": x} == {"a": x}
    return pow(b, -2)


@item(0.5, refused="the imaginary part of an array of reals")
def store_into_the_zeros_of_imag(x):
    s = np.imag([x])
    s[-1] -= 1.0
    return s


@item(2)
@item(0.0, refused="a number that has another type on each path")
def shift_of_a_number_that_is_an_int_on_one_path(x):
    z = x
    if z == 0.0:
        z = 1
    return np.bitwise_left_shift(z, 6)


@item(np.int32(7), refused="a bool as an index", more=[(np.float64(4.0),)])
def store_by_a_bool_into_a_number(x):
    x[x > 0] *= 2.5
    return x


@item(3.0)
def resized_to_an_array_of_lengths(x):
    return np.resize([x, 2.0], np.array([3, 1])), np.resize([], np.array([3, 0]))


@item(3.0, refused="np.gradient at coordinates that are bools")
def gradient_at_coordinates_that_are_bools(x):
    return np.gradient([1.0, x], [True, False])


@item(0.5, gradient=0)
def imports_inside(x):
    import math
    import os.path
    from math import pi, sin as sine

    import numpy.linalg as la
    import scipy.special
    from numpy import linalg
    from scipy.special import erf

    def helper(y):
        from numpy import exp
        return exp(y)

    assert os.path is not None
    return math.cos(x) * pi + sine(x) + erf(x) + scipy.special.erfc(2 * x) + la.norm(np.array([x, 1.0])) + helper(x) + linalg.norm([x, 2.0])


@item(0.5, gradient=0, more=[(-0.5,)])
def import_on_one_path(x):
    y = x
    if x > 0:
        from math import exp
        y = exp(x)
    return y


@item(0.5)
def imported_after_it_is_read(x):
    y = math.sin(x)
    import math
    return y


@item(0.5)
def import_of_what_a_module_lacks(x):
    from math import sinn
    return sinn(x)


@item(-1.0, 2.0, more=[(-1.0, 0.5), (-1.0, 3.0)])
def numpy_power_of_a_negative_constant(c, x):
    return np.power(-1.0, x), np.power(c, x)


@item(2.0, more=[(3.0,), (-3.0,), (0.5,), (0.0,)])
def minus_infinity_to_a_power(x):
    return (-np.inf) ** x


@item(2.0, more=[(3.0,), (0.0,)])
def minus_infinity_to_a_numpy_power(x):
    return np.power(-np.inf, x), (-math.inf) ** np.float64(x), np.float64(-np.inf) ** x


SMALL = [np.dtype(t).type for t in "bBhHiIlL"]


def compared_with_a_number(a, n):
    return a > n, a >= n, a < n, a <= n, a == n, a != n, n < a, n == a


@pytest.mark.heavy(one_in=12)
@pytest.mark.parametrize("dtype", SMALL)
@pytest.mark.parametrize("n", [-1, -129, 300, 70000, 2**31, 2**40, 2**63 - 1, -(2**63), 0, 5])
def test_small_integers_compared_with_numbers_out_of_their_range(dtype, n):
    compared = together(compared_with_a_number)
    compared(np.array([0, 5, 100], dtype), n)
    compared(dtype(5), n)


@functools.cache
def together(fun, **options):
    return Together(fun, **options)


def compared_with_a_constant(a):
    return a > -1, a < 300, a == 300, a != -1, a >= -(2**40), a <= 2**40, -1 < a, 300 > a


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("dtype", SMALL)
def test_small_integers_compared_with_constants_out_of_their_range(dtype):
    agree(compared_with_a_constant, np.array([0, 5, 100], dtype))
    agree(compared_with_a_constant, dtype(5))


NUMPY_TYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.bool_, np.float32, np.float64]


def math_of_a_numpy_scalar(x):
    return math.exp(x), math.sin(x), math.cos(x), math.sqrt(x), math.tanh(x), math.atan(x), math.hypot(x, x), math.tan(x), math.atan2(x, x)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("dtype", NUMPY_TYPES)
def test_math_of_numpy_scalars_is_in_double(dtype):
    agree(math_of_a_numpy_scalar, dtype(1))
    if dtype not in (np.bool_,):
        agree(math_of_a_numpy_scalar, dtype(3))


@item(np.array([250, 3], np.uint8), 300, more=[(np.array([250, 3], np.uint8), 5), (np.array([250, 3], np.uint8), -1)])
def augmented_by_a_number_out_of_range(a, n):
    a += n
    return a


@item(np.array([250, 3], np.uint8), 300, more=[(np.array([250, 3], np.uint8), 5), (np.array([250, 3], np.uint8), -1)])
def store_of_a_number_out_of_range(a, n):
    a[1] = n
    return a


@item(300, more=[(5,), (-1,)])
def full_of_a_number_out_of_range(n):
    return np.full(2, n, np.uint8)


@item(np.array([1, 2, 3]), math.nan, more=[(np.array([1, 2, 3]), 2.7), (np.array([1, 2, 3]), math.inf), (np.array([1, 2, 3]), 1e30)])
def float_stored_into_ints(a, x):
    a[1] = x
    return a


@item(2**53, 2.0**53)
def exact_comparison_of_int_and_float(n, x):
    return n + 1 == x, n == x, n + 1 > x, n + 1 >= x, n - 1 < x, n + 1 <= x, n + 1 != x


@item(np.int64(-(2**63)), np.int64(-1))
def smallest_by_minus_one(a, b):
    return a // b, a % b


@item(np.array([-(2**63), 7]), np.array([-1, -1]))
def smallest_by_minus_one_in_arrays(a, b):
    return a // b, a % b, abs(a), -a


@item(-(2**63), -1, compiled_refuses="does not fit into a 64-bit integer")
def smallest_python_int_by_minus_one(a, b):
    return a // b


@item(np.array([-0.0, 0.0, -1.0]), more=[(np.array([-0.0]),), (np.array([-0.0, -0.0]),)])
def sign_of_zero(x):
    return np.clip(x, 0.0, 1.0), np.clip(x, -1.0, -0.0), np.cumsum(x), np.amax(x), np.amin(x), np.sum(x), np.maximum(x, 0.0), \
        np.minimum(x, 0.0), np.maximum(x, -0.0), np.abs(x), -x, x + 0.0, x * 0.0, x - 0.0, np.max(x), np.sort(x)


@item(np.array([200, 100, 3]))
def sums_in_a_small_dtype(x):
    return (np.sum(x, dtype=np.uint8), np.sum(x, dtype=np.int16), np.sum(x, dtype=bool), np.sum(x, dtype=np.float32), np.mean(x, dtype=np.float32),
            np.cumsum(x, dtype=np.uint8), x.sum(dtype=np.int8))


@item(np.array([0.1, 0.7, 300.2]))
def sums_of_floats_in_a_small_dtype(x):
    return np.sum(x, dtype=np.int16), np.sum(x, dtype=np.float32), np.mean(x, dtype=np.float32), np.sum(x, dtype=np.int64)


@item(5, 2, more=[(5, 0), (5, 62), (-5, 70), (0, 100)])
def shifts(a, n):
    return a >> n


@item(5, -1)
def shift_right_by_a_negative_count(a, n):
    return a >> n


@item(5, -1)
def shift_left_by_a_negative_count(a, n):
    return a << n


@item(5, 2, more=[(1, 62), (0, 100), (5, 0)])
def shift_left(a, n):
    return a << n


@item(5, 70, compiled_refuses="does not fit into a 64-bit integer")
def shift_left_by_too_many(a, n):
    return a << n


@item(np.array([5, -5]), np.array([70, -1]))
def shifts_of_arrays(a, n):
    return a >> n, a << n, np.right_shift(a, n), np.left_shift(a, n)


@item(np.array([1, 2, 3], np.uint8), math.inf, more=[(np.array([1, 2, 3], np.uint8), 1e30), (np.array([1, 2, 3], np.uint8), math.nan)])
def too_large_floats_stored_into_small_ints(a, x):
    a[0] = x
    return a


@item(np.array([1.0, 2.0, 3.0]), gradient=0)
def add_at(x):
    out = np.zeros(3)
    np.add.at(out, np.array([0, 0, 2]), x)
    return out[0] * out[2]


@item(np.array([1, 2, 3], np.uint8), 300, more=[(np.array([1, 2, 3], np.uint8), 2), (np.array([1, 2, 3], np.uint8), -1)])
def add_at_of_a_number_out_of_range(a, n):
    np.add.at(a, np.array([0, 0]), n)
    return a


@item(np.array([7, 200], np.uint8), 2.5, more=[(np.array([7, -100], np.int8), -2.5), (np.array([7, -100], np.int16), 0.5)])
def remainders_of_small_ints_with_floats(a, x):
    return a % x, divmod(a, x), a**x, a // x, x % a, x**a, a[0] % x, divmod(a[0], x), pow(a[0], x), a[1] // x, x % a[0]


# ---- arguments of functions
@item(np.array([0.0, 1.0]))
def linspace_of_arrays(x):
    return np.linspace(x, x + 2.0, 3), np.linspace(x, 5.0, 2)


@item(0.5, gradient=0)
def linspace_of_numbers(x):
    return np.sum(np.linspace(x, 2.0, 5) ** 2)


@item(0.5)
def linspace_with_retstep(x):
    return np.linspace(x, 2.0, 5, retstep=True)


@item(0.5)
def linspace_of_a_dtype(x):
    return np.linspace(x, 2.0, 5, dtype=np.float32), np.linspace(x, 2.0, num=4, endpoint=False)


# ---- wrong or missing exceptions, and crashes
@item(2.5, more=[(-1.0,)])
def raise_with_the_value(x):
    if x > 0.0:
        raise ValueError(f"bad {x}")
    return x


@item(3, 2.5)
def raise_with_formatted_values(n, x):
    if n > 0:
        raise ValueError(f"bad {n} and {x:.3f} and {x!r:>10}", 3)
    return x


@item(X, 2.5)
def getattr_with_a_default(x, y):
    return getattr(x, "shape", None), getattr(x, "missing", 5.0), getattr(Vec(y, y), "z", None), getattr(Vec(y, y), "x", None), \
        getattr(y, "shape", "none"), getattr(SETTING, "limit", 3.0), hasattr(x, "shape"), hasattr(y, "shape"), hasattr(Vec(y, y), "z")


@item(math.inf, more=[(-math.inf,), (1.0,), (math.nan,)])
def sine_of_infinity(x):
    return math.sin(x)


@item(1000.0, more=[(-1000.0,), (math.inf,)])
def exponential_out_of_range(x):
    return math.exp(x)


@item(np.array([2.5]))
def float_of_one_element(x):
    return float(x) * 2.0


@item(np.array([[2.5]]))
def conversions_of_one_element(x):
    return float(x), int(x), bool(x)


@item(np.array([2.5, 1.0]))
def float_of_two_elements(x):
    return float(x)


@item(2.0)
def wrong_call_of_a_helper(x):
    return helper_of_two(x)


@item(2.0)
def unknown_keyword_of_a_helper(x):
    return helper_of_two(x, b=1.0, c=2.0)


@item(2.0)
def too_many_for_a_helper(x):
    return helper_of_two(x, x, x)


@item(2.0)
def twice_for_a_helper(x):
    return helper_of_two(x, x, a=x)


def helper_of_two(a, b):
    return a * b


@item(2.0)
def wrong_call_of_a_builtin(x):
    return abs(x, x)


@item(2.0)
def wrong_call_of_a_lambda(x):
    return (lambda a, b: a * b)(x)


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


@item(X)
def math_of_an_array(x):
    return math.sqrt(x)


@item(np.array([4.0]), gradient=None, more=[(np.array(4.0),), (np.array([[4.0]]),)])
def math_of_one_element(x):
    return math.sqrt(x)


@item(1.0)
def too_few_for_a_star(x):
    a, b, *c = [x]
    return a


@item(1.0)
def too_many_to_unpack(x):
    a, b = [x, x, x]
    return a


@item(1.0)
def too_few_to_unpack(x):
    a, b, c = (x, x)
    return a


@pytest.mark.parametrize("twin", [copy.deepcopy, copy.copy, lambda f: pickle.loads(pickle.dumps(f))], ids=["deepcopy", "copy", "pickle"])
@pytest.mark.parametrize("make", [lambda: gs.jit(cube), lambda: gs.grad(cube), lambda: gs.jit(gs.grad(cube)), lambda: gs.vmap(cube),
                                  lambda: gs.value_and_grad(cube)], ids=["jit", "grad", "jit grad", "vmap", "value_and_grad"])
def test_copies_of_transformed_functions(twin, make):
    f = make()
    x = np.array([2.0, 3.0]) if isinstance(f, type(gs.vmap(cube))) else 2.0
    want = f(x)
    np.testing.assert_array_equal(twin(f)(x), want)


def cube(x):
    return x**3


@pytest.mark.parametrize("twin", [copy.deepcopy, copy.copy, lambda f: pickle.loads(pickle.dumps(f))], ids=["deepcopy", "copy", "pickle"])
def test_copies_of_optimisers(twin):
    for make in (gs.optim.sgd, gs.optim.adam):
        o = make(0.1)
        t = twin(o)
        assert type(t) is type(o)
        params, grads = {"w": np.ones(2)}, {"w": np.array([1.0, 2.0])}
        first = o.update(grads, o.init(params), params)
        second = t.update(grads, t.init(params), params)
        np.testing.assert_array_equal(leaves(first)[0], leaves(second)[0])


C = [0.5, 0.25]
TABLEAU = [[0.0, 0.0], [0.5, 0.0]]


@item(1.0, 4, gradient=0)
def list_of_floats_read_in_a_loop(x, n):
    for _ in range(n):
        x = x + C[0] * x
    return x


@item(1.0, 4, gradient=0)
def butcher_tableau(x, n):
    for _ in range(n):
        k1 = -x
        k2 = -(x + 0.1 * TABLEAU[1][0] * k1)
        x = x + 0.1 * (C[0] * k1 + C[1] * k2)
    return x


@item(np.arange(12.0).reshape(3, 4), gradient=0)
def column_of_the_loops_index(x):
    total = 0.0
    for k in range(4):
        total = total + np.sum(x[:, k:k + 1] * x[:, :1])
    return total


@item(np.arange(12.0).reshape(3, 4), 2, more=[(np.arange(12.0).reshape(3, 4), 3), (np.arange(12.0).reshape(3, 4), 4),
                                              (np.arange(12.0).reshape(3, 4), -1)], message=False)
def column_of_an_argument(x, k):
    return x[:, k:k + 1] * np.ones((3, 2))


@item(np.arange(4.0), gradient=0)
def rows_as_slices(x):
    y = np.zeros((4, 4))
    for k in range(4):
        y[:, k:k + 1] = (x * k).reshape(4, 1)
    return np.sum(y * y)


@item(2.0, gradient=0)
def inner_function_that_rebinds_its_own_variable(x):
    scale = x

    def step(y):
        s = scale
        for _ in range(2):
            s = s * y
        return s
    for _ in range(3):
        x = x - 0.001 * gs.grad(step)(x)
    return x


@item(np.array([1.0, 2.0, 3.0]), np.float64(2.0))
def stacks_of_odd_things(x, s):
    return np.vstack(x), np.vstack((s, s)), np.hstack((s, s)), np.hstack(x), np.vstack((x, x)), np.hstack((x, s)), np.vstack((1.0, s))


@item(1.0, 2.0)
def linspace_of_one_point(a, b):
    return np.linspace(a, b, 1), np.linspace(a, b, 0), np.linspace(a, b, 1, endpoint=False)


@item(X)
def expand_several_axes(x):
    return np.expand_dims(x, (0, 2)), np.expand_dims(x, -1), np.expand_dims(x, (0, -1))


@item(np.array([[3.0, 1.0], [2.0, 0.0]]), np.array([[3, 1], [2, 0]]))
def sort_of_all(x, n):
    return np.sort(x, axis=None), np.sort(n, axis=None)


@item(np.array(2.5), more=[(np.float64(2.5),)])
def reductions_of_no_axes(x):
    return np.sum(x, axis=0), np.max(x, axis=0), np.min(x, axis=0), np.sum(x), np.mean(x)


@item(np.array(2.5), message=False)
def reduction_of_no_axes_along_a_wrong_one(x):
    return np.sum(x, axis=1)


@item(2.0)
def constant_that_overflows(x):
    return 10.0**400 * x


@item(2.0)
def constant_that_overflows_by_a_name(x):
    big = 1e300
    return big**3 * x


@item(1e300, 3, more=[(10.0, 400), (2.0, 3)])
def power_that_overflows(x, n):
    return x**n


@item(math.inf, more=[(math.nan,), (2.7,), (-2.7,), (-0.0,)])
def int_of_a_float(x):
    return int(x)


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


@item(2.0, False, more=[(2.0, True)])
def constant_that_raises_in_a_branch(x, flag):
    if flag:
        return 1 / 0
    return x


@item(2.0, False, more=[(2.0, True)])
def index_that_raises_in_a_branch(x, flag):
    a = [x]
    return a[3] if flag else a[0]


@item(2.0, False, more=[(2.0, True)])
def math_that_raises_in_a_branch(x, flag):
    return math.sqrt(-1.0) * x if flag else x


@item(2.0, compiled_refuses="float16 in a function that is compiled")
def root_of_a_bool(x):
    return np.sqrt(not 1), np.sqrt(True), np.exp(not 0), np.sin(x > 1.0), np.sqrt(x > 1.0)


@item(collections.OrderedDict(a=2.0, b=3.0))
def copy_of_an_ordered_dict(d):
    e = d.copy()
    e["a"] = e["a"] * 2.0
    return e, d


@item(4)
@item(-2, refused="a negative number to a fractional power", more=[(-8,)])
def complex_power_that_is_not_used(n):
    y = pow(n, 0.5)
    return n


@item(4.0)
@item(-2.0, refused="a negative number to a fractional power")
def complex_power(x):
    return x**0.5


@item(-5.0, 0.0, more=[(1.0, 0.0), (-5.0, 2.0), (0.5, 0.5)])
def both_operands_of_and(x, y):
    return (x > 0.0) & (1 / y > 1.0)


@item(5.0, math.nan, more=[(5.0, 2.0), (-1.0, 0.5)])
def both_operands_of_or(x, y):
    return (x > 0.0) | (int(y) > 1)


@item(-5, math.nan, message=False, more=[(1, 2.5), (3, 2.5)])
def in_a_range_that_raises(x, y):
    return x in range(int(y))


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


# ---- refused before, though users write it
@dataclass
class Shape:
    size: float

    def area(self):
        return self.size * self.size

    def named(self, scale=1.0):
        return scale * self.area()


@dataclass
class Ring(Shape):
    hole: float = 0.0

    def area(self):
        return super().area() - self.hole**2

    def named(self, scale=1.0):
        return super(Ring, self).named(scale=scale) + 1.0


@item(Ring(3.0, 1.0), gradient=0)
def super_methods(r):
    return r.area() * 2.0 + r.named(2.0)


class Base:
    def __init__(self, a):
        self.a = a


class Derived(Base):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b


@item(2.0, gradient=0)
def super_init(x):
    d = Derived(x, 3.0)
    return d.a * d.b


@item([3.0, 1.0, 2.0], gradient=None)
def sorted_of_runtime_values(a):
    return sorted(a), sorted(a, reverse=True), sorted(a, key=lambda v: -v), sorted((a[0], 5.0)), sorted(a, key=abs, reverse=True)


@item([3.0, 1.0, 2.0], gradient=0)
def median_of_a_sorted_list(a):
    s = sorted(a)
    return s[1] * s[2]


@item(2.0)
def sorted_of_static_values(x):
    d = {"b": x, "a": 1.0}
    return sorted(d), sorted(d, reverse=True), sorted([3, 1, 2], key=lambda n: -n), sorted(d.items(), key=lambda p: p[0]), \
        sorted(["bb", "a"], key=len), sorted("cab", reverse=True), sorted({3: x, 1: x}), sorted(range(3), reverse=True)


@item([3.0, -5.0, 2.0], gradient=0)
def largest_by_key(a):
    return max(a, key=abs) + min(a, key=lambda v: v * v)


@item([3.0, -5.0, 2.0])
def largest_with_a_default(a):
    return max([], default=None), min((), default=3.0), max(a, default=1.0), max(3.0, -5.0, key=abs), max(["a", "bbb"], key=len), max({"a": 1, "b": 2})


@item([1.0, 2.0], [1.0, 2.0], more=[([1.0, 2.0], [1.0, 3.0]), ([1.0], [1.0, 2.0])])
def lists_compared(a, b):
    return a == b, a != b, a == [1.0, 2.0], (1.0, 2.0) == tuple(a), a == tuple(a), a < b, a >= b, [] == [], [a] == [b], {"x": a} == {"x": b}


@item(2.0, 3.0)
def dicts_united(x, y):
    d1, d2 = {"a": x}, {"b": y, "a": 1.0}
    d3 = d1 | d2
    d4 = d1
    d4 |= d2
    return d3, d1, d2 | {"c": x}, d4 is d1


@item(Vec(1.0, 2.0), 5.0, gradient=1)
def dataclass_replaced(p, x):
    q = dataclasses.replace(p, x=x * 2.0)
    return q.x * q.y


@item(State(1.0, 2.0), 5.0)
def dataclass_functions(p, x):
    return dataclasses.asdict(p), dataclasses.astuple(p), dataclasses.replace(p), [f.name for f in dataclasses.fields(p)], dataclasses.is_dataclass(p)


@item([1.0, [2.0]], State(1.0))
def copies(a, p):
    a, p = [1.0, [a[1][0]]], State(p.x)
    b, c, q = copy.copy(a), copy.deepcopy(a), copy.copy(p)
    a[1][0] = 5.0
    p.x = 7.0
    return a, b, c, q, b[1] is a[1]


@item(X)
def copies_of_arrays(x):
    y, z = copy.copy(x), copy.deepcopy(x)
    x[0] = 100.0
    return y, z, x


@functools.lru_cache
def cached_coefficient(n):
    return float(n * n)


@functools.cache
def cached_root(x):
    return x**0.5


@item(2.0, gradient=0)
def helper_under_a_cache(x):
    return cached_coefficient(3) * x + cached_root(x)


@dataclass
class WithClassAttributes:
    x: float
    none = None
    kernel = np.array([1.0, 2.0])
    table = {"a": 1.0}


@item(WithClassAttributes(2.0), gradient=0)
def class_attributes(o):
    return o.x * np.sum(o.kernel) * o.table["a"] if o.none is None else 0.0


@item(2.0, True, gradient=0, more=[(2.0, False)])
def functions_on_both_sides(x, flag):
    if flag:
        def g(y):
            return 2.0 * y
    else:
        def g(y):
            return y * y
    return g(x)


@item(2.0, gradient=0, more=[(-2.0,)])
def functions_on_both_sides_of_a_runtime_test(x):
    if x > 0.0:
        def g(y):
            return 2.0 * y
    else:
        def g(y):
            return y * y
    return g(x)


@item(2.0, gradient=0, more=[(-2.0,)])
def lambdas_on_both_sides(x):
    g = (lambda y: 2.0 * y) if x > 0.0 else (lambda y: y * y)
    return g(x)


@item(3, 5, more=[(5, 5), (-1, 5), (0, 0)])
def in_a_range(k, n):
    return k in range(n), k in range(1, n, 2), k not in range(n), k in [1, 2, 3], k in (0, 5), 3 in range(n)


@item(2.5, more=[(2.0,), (7.0,)])
def float_in_containers(x):
    return x in range(5), x in [2.0, 7.0], x in (1, 2), x not in [x]


@item(3, True, more=[(3, False)])
def dtypes_that_differ_on_paths(n, flag):
    y = np.zeros(n, dtype=np.int64)
    if flag:
        y = y + 0.5
    return y


@item(X, True, more=[(X, False)])
def ints_or_floats(x, flag):
    y = np.array([1, 2, 3]) if flag else x
    return y * 2


@item(4, more=[(0,), (1,)])
def dtypes_that_differ_in_a_loop(n):
    y = np.zeros(3, dtype=np.int64)
    for _ in range(n):
        y = y + 0.5
    return y


@item(np.int64(3), 2, more=[(np.int64(3), 0)])
def numpy_int_that_becomes_a_float(s, n):
    for _ in range(n):
        s = s * 0.5
    return s


@item(2.5, more=[(3.5,), (-2.5,), (2.675,), (-0.4,), (0.0,)])
def round_of_a_float(x):
    return round(x), round(x, 2), round(x, -1), round(x, ndigits=1), round(x, None), round(x, 0)


@item(1e300, compiled_refuses="cannot convert this float to a 64-bit integer")
def round_of_a_large_float(x):
    return round(x), round(x, 2), round(x, -1), round(x, ndigits=1), round(x, None), round(x, 0)


@item(1e300)
def round_of_a_large_float_to_digits(x):
    return round(x, 2), round(x, -1), round(x, ndigits=1), round(x, 0)


@item(math.inf, more=[(math.nan,)])
def round_of_infinity(x):
    return round(x)


@item(15, more=[(25,), (-15,), (0,)])
def round_of_an_int(n):
    return round(n), round(n, -1), round(n, 2), round(n > 3)


@item(np.float64(2.5), more=[(np.float32(2.5),)])
def round_of_a_numpy_scalar(x):
    return round(x), round(x, 1)


@item(np.array([[3.0, 1.0], [2.0, 4.0]]), gradient=0)
def two_dimensional_sort(x):
    return np.sum(np.sort(x) * np.array([1.0, 2.0]))


@item(np.array([[3.0, 1.0], [2.0, 4.0]]))
def two_dimensional_sorts(x):
    y = x.copy()
    y.sort(axis=0)
    return np.sort(x, axis=0), np.sort(x, axis=1), np.sort(x), y


@item([3.0, 1.0, 2.0])
def list_methods(a):
    a = list(a)
    a.sort()
    k = a.index(2.0)
    n = a.count(1.0)
    a.remove(1.0)
    a.insert(0, 9.0)
    a.reverse()
    return a, k, n


@item([3.0, 1.0, 2.0], gradient=0)
def sorted_in_place(a):
    b = list(a)
    b.sort(key=lambda v: -v)
    return b[0] * b[1]


@item([3, 1, 2])
def list_methods_of_ints(a):
    b = a[:]
    b.sort(reverse=True)
    return b, a.index(1), 1 in a, a.index(2, 1)


@item([3.0, 1.0, 2.0])
def index_of_what_is_not_there(a):
    return a.index(7.0)


@item([3.0, 1.0, 2.0, 5.0])
def slices_of_lists(a):
    b = list(a)
    b[1:3] = [9.0]
    c = list(a)
    c[::2] = [0.0, 1.0]
    d = list(a)
    del d[1]
    del d[-1:]
    e = list(a)
    e[:0] = e[2:]
    return b, c, d, e


@item(2.0, gradient=0)
def dict_pops(x):
    d = {"a": x, "b": 3.0}
    y = d.pop("a")
    z = d.pop("c", 4.0)
    k, v = d.popitem()
    d[k] = v * y
    return y * z * v + d["b"]


@item(2.0)
def dict_pop_of_what_is_not_there(x):
    return {"a": x}.pop("b")


@item(2.0)
def dict_deletions(x):
    d = {"a": x, "b": 3.0}
    del d["a"]
    e = {"q": x}
    e.clear()
    return d, e, len(d), "a" in d, list(reversed({"x": 1, "y": x}))


V = 7.0


@item([1.0, 2.0], gradient=0)
def comprehension_variable_named_like_a_global(a):
    return sum([V * 2.0 for V in a]) + V


@item([1.0, 2.0])
def comprehension_variables_stay_inside(a):
    squares = [V * V for V in a]
    return squares, V, {str(V): V for V in [1, 2]}


# ---- what runs in the trades
@item(np.array([[0.1, 0.2], [1.3, 0.4], [0.6, 1.5], [2.0, 0.3]]), more=[(np.ones((2, 2)),), (np.ones((1, 2)),), (np.ones((0, 2)),)], gradient=0)
def energy_of_pairs_within_a_cutoff(x):
    i, j = np.triu_indices(len(x), k=1)
    d = x[i] - x[j]
    square = np.einsum("ij,ij->i", d, d)
    near = square[square < 3.0] + 0.3
    return np.sum(near ** -6 - near ** -3) + np.einsum("i,i->", near, near)


@item(np.array([[0.1, -0.2, 0.9], [1.3, 0.4, 0.3]]), more=[(np.ones((2, 1)),), (np.ones((2, 0)),), (np.eye(3, dtype=np.float32),), (np.arange(6).reshape(2, 3),)], gradient=0)
def sums_of_exponentials_and_squares(x):
    rows, columns = np.logaddexp.reduce(x, axis=1), np.logaddexp2.reduce(x)
    return np.sum(rows * rows) + np.sum(columns ** 3) + np.hypot.reduce(x, axis=None) + np.logaddexp.reduce(-x[0])


@item(np.array([0.1, -0.2, 0.9, 0.4, 0.7]), more=[(np.array([0.1, -0.2, 0.9, 0.4], np.float32),)], gradient=0)
def quantiles_of_a_list(x):
    places = np.concatenate([np.quantile(x, [0.25, 0.75]), np.percentile(x, [10.0, 50.0])])
    return np.sum(places ** 2) + np.sum(np.quantile(x, [0.3, 0.6], method="lower"))


@item(0.625, 2, more=[(0.625, 4), (60.0, 3), (0.625, 0)], gradient=0)
def set_where_two_loops_are_left(x, n):
    i, rows = x, [x]
    for _ in range(n):
        for v in (x, 2 * x):
            if v > 100.0:
                i += 1
                return 0.5 * i
        rows.append(x)
    return i * len(rows)


@item(0.625, 2, more=[(0.05, 3), (0.5, 0)])
def a_test_that_is_certain_to_raise_in_the_end(x, n):
    best, c, w = None, x, 0
    if x < 0.5:
        while w < n and best is None or best < c:
            w += 1
            c = c * 0.5
    return c


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


def test_what_is_no_float_has_zeros_where_it_had_to_be_known():
    """The derivative of an int that chose a key was that int."""
    def f(n, flag, x):
        return {1: x, 3: x ** 2}[n] * (2.0 if flag else 1.0), n, flag, "a name"
    assert gs.vjp(f, 3, True, 2.0)[1]((1.0, 0, False, "a name")) == (0, False, 8.0)
    assert gs.jvp(f, (3, True, 2.0), (0, False, 1.0)) == ((8.0, 3, True, "a name"), (8.0, 0, False, "a name"))

    def loss(n, flag, x):
        return f(n, flag, x)[0]
    for transformed in (gs.grad(loss, (0, 1, 2), allow_int=True), lambda *args: gs.vjp(loss, *args)[1](1.0), gs.jit(lambda *args: gs.vjp(loss, *args)[1](1.0))):
        found = transformed(3, True, 2.0)
        assert found == (0, False, 8.0) and list(map(type, found)) == [int, bool, float]


def test_allow_int():
    def f(p):
        return np.sum(p["w"][p["i"]]) * p["n"]
    p = {"w": np.ones(3), "i": np.array([1, 1], np.int32), "n": 2}
    with pytest.raises(gs.GradscribeError, match="has dtype int.*\n.*\n.*\n.*allow_int=True"):
        gs.grad(f)(p)
    for transformed in (gs.grad(f, allow_int=True), gs.jit(gs.grad(f, allow_int=True)), lambda p: gs.value_and_grad(f, allow_int=True)(p)[1]):
        found = transformed(p)
        np.testing.assert_array_equal(found["w"], [0.0, 4.0, 0.0])
        assert found["i"].dtype == np.int32 and not found["i"].any() and type(found["n"]) is int and found["n"] == 0
    with pytest.raises(TypeError, match="allow_int"):
        gs.jacrev(f, allow_int=True)


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
