"""What a function sees from outside: whatever is changed between two calls, the next one is Python's.

Each thing is (what stands in the module, how the function reads it as a factor, changes of it); V stands for a name of
its own.
"""
import builtins
import os
import random

import numpy as np
import pytest

import gradscribe as gs
from tests.language.executed_text import COUNT, difference, executed

CLASS = """
class V:
    K, NONE, LIST, DICT = 2.0, None, [2.0, None], {"a": 2.0}
    def __init__(self): self.w = 3.0
    def method(self, x): return self.w * x
    @property
    def double(self): return 2.0 * self.w
    @staticmethod
    def static(x): return x * x
    @classmethod
    def of_class(cls, x): return cls.K * x
class Other_V:
    def method(self, x): return 7.0 * x
V_it = V()
"""
DATACLASS = """
@dataclasses.dataclass
class V:
    w: float
    p: tuple = (1.0, 2.0)
    K = None
    def method(self, x): return self.w * x
    @staticmethod
    def static(x): return x * x
V_it = V(2.0)
"""
FUNCTION = """
def V(x, k=2.0, *, m=None): return x * k if m is None else x * k * m
"""
THINGS = {
    "a value that was None": ("V = None", "(2.0 if V is None else V)", ["V = 3.0", "V = 0.5"]),
    "None or a function": ("V = None", "(2.0 * x if V is None else V(x))", ["def V(x): return x * x"]),
    "None or an array": ("V = None", "(2.0 if V is None else V[0])", ["V = np.array([4.0, 1.0])"]),
    "a number's kind": ("V = 1", "(3.0 if isinstance(V, bool) else 5.0 if isinstance(V, float) else 7.0)",
                        ["V = True", "V = 1.0", "V = np.float64(1.0)", "V = None"]),
    "a sign of zero": ("V = 0.0", "(2.0 + np.arctan2(V, -1.0))", ["V = -0.0", "V = 1.0"]),
    "a string": ("V = 'a'", "(2.0 if V == 'a' else 3.0)", ["V = 'b'", "V = ''"]),
    "a tuple": ("V = (1.0, (2.0, None), 'a')", "(V[0] if V[1][1] is None else V[1][0] * 3.0)",
                ["V = (2.0, (2.0, None), 'a')", "V = (1.0, (2.0, 1.0), 'a')"]),
    "a list": ("V = [1.0, [2.0], None]", "(sum(V[1]) + (V[0] if V[2] is None else V[2]))",
               ["V[1].append(5.0)", "V[2] = 8.0", "V[0] = 4", "V[:] = [1.5, [], 1.0]"]),
    "a dict": ("V = {'a': 1.0, 'b': {'c': None}}",
               "(V['a'] * (2.0 if V['b']['c'] is None else 5.0) * (3.0 if 'd' in V else 1.0))",
               ["V['a'] = 2.0", "V['b']['c'] = 1", "V['d'] = None", "V['b'] = {'c': 0}"]),
    "the order of a dict": ("V = {'a': 2.0, 'b': 3.0}", "functools.reduce(lambda s, k: 2.0 * s + V[k], V, 1.0)",
                            ["V['a'] = V.pop('a')"]),
    "a key's kind": ("V = {1: 2.0}", "(3.0 if any([isinstance(k, bool) for k in V]) else 5.0 if any([isinstance(k, "
                                     "float) for k in V]) else 7.0)", ["V = {True: 2.0}", "V = {1.0: 2.0}"]),
    "a set": ("V = {1, 2}", "(2.0 if 3 in V else 5.0)", ["V.add(3)", "V = {3}"]),
    "a frozenset": ("V = frozenset({1, 2})", "(2.0 if 3 in V else 5.0)", ["V = frozenset({1, 2, 3})"]),
    "a range": ("V = range(0, 3, 2)", "(V.stop + 1.0)", ["V = range(0, 4, 2)"]),
    "a dtype": ("V = np.dtype(np.float64)", "(2.0 if V == np.float64 else 3.0)", ["V = np.dtype(np.float32)"]),
    "an array": ("V = np.array([1.0, 2.0])", "(np.sum(V) if V.ndim == 1 else 5.0)",
                 ["V[0] = 7.0", "V = np.ones((2, 2))", "V = np.array([1, 2])", "V = np.array([3.0])"]),
    "an enum": ("class V_E(enum.Enum):\n    A = 2.0\n    B = 3.0\nV = V_E.A", "(V.value if V is V_E.A else 11.0)",
                ["V = V_E.B"]),
    "a function": (FUNCTION, "V(x)",
                   ["def V(x): return 5.0 * x", "V.__code__ = (lambda x, k=1.0, *, m=1: 7.0 * x).__code__",
                    "V = lambda x: x * x"]),
    "defaults": (FUNCTION, "V(x)", ["V.__defaults__ = (3.0,)", "V.__defaults__ = (9.0, 5.0)",
                                    "V.__kwdefaults__['m'] = 4.0", "V.__kwdefaults__ = {'m': 4.0}"]),
    "an attribute of a function": ("def V(x): return x * V.k\nV.k = 2.0", "V(x)", ["V.k = 3.0"]),
    "a closure": ("def V_make():\n    c, d = 2.0, None\n    def inner(x): return x * c if d is None else x * d\n"
                  "    def change(cc, dd):\n        nonlocal c, d\n        c, d = cc, dd\n"
                  "    return inner, change\nV, V_change = V_make()",
                  "V(x)", ["V_change(4.0, None)", "V_change(2.0, 5.0)"]),
    "a partial": ("def V_f(k, x, m=1.0): return x * k * m\nV = functools.partial(V_f, 2.0, m=3.0)", "V(x)",
                  ["V = functools.partial(V_f, 5.0)", "V.keywords['m'] = 7.0", "V.keywords.pop('m')"]),
    "a cached function": ("V_k = 2.0\n@functools.cache\ndef V(n): return n * V_k", "V(3)",
                          ["V.cache_clear(); V_k = 3.0", "V = functools.cache(lambda n: 5.0)"]),
    "a decorated function": ("def V_by(k):\n    def decorate(f):\n        @functools.wraps(f)\n"
                             "        def g(*a, **o): return k * f(*a, **o)\n        return g\n    return decorate\n"
                             "@V_by(2.0)\ndef V(x): return x",
                             "V(x)", ["V = V_by(3.0)(V.__wrapped__)", "V.__closure__[1].cell_contents = 4.0"]),
    "a builtin that is shadowed": ("", "(len([1, 2]) + sum([1.0, 2.0]) + max(1.0, 2.0))",
                                   ["len = lambda a: 7.0", "sum = lambda a: 9.0", "def max(a, b): return 11.0",
                                    "max = 5.0; del max"]),
    "a new builtin": ("builtins.V = 2.0", "V", ["builtins.V = 3.0", "V = 5.0", "builtins.V = 1"]),
    "a module": ("V = types.ModuleType('V'); V.k = None; V.f = lambda x: x", "((2.0 if V.k is None else V.k) * V.f(x))",
                 ["V.k = 3.0", "V.f = lambda x: 5.0 * x", "V.k = 4"]),
    "what a module has not": ("V = types.ModuleType('V')", "((V.k if hasattr(V, 'k') else 2.0) * getattr(V, 'm', 3.0))",
                              ["V.k = 5.0", "V.m = 7.0"]),
    "a class": (CLASS, "(V.K * (1.0 if V.NONE is None else V.NONE) * V.LIST[0] * V.DICT['a'])",
                ["V.K = 3.0", "V.K = 1", "V.NONE = 5.0", "V.LIST[0] = 7.0", "V.LIST = [1.5]", "V.DICT['a'] = 4.0",
                 "V.DICT = {'a': 1}"]),
    "functions of a class": (CLASS, "(V.static(x) * V.of_class(x))",
                             ["V.static = staticmethod(lambda x: 3.0 * x)",
                              "V.of_class = classmethod(lambda c, x: 5.0 * x)", "V.K = 4.0", "V.static = lambda x: x"]),
    "an instance": (CLASS, "(V_it.w * V_it.K * V_it.double)",
                    ["V_it.w = 5.0", "V_it.K = 7.0", "V.double = property(lambda s: 11.0)", "V_it.w = 2", "V_it = V()",
                     "V.K = 13.0"]),
    "an instance's own attribute": (CLASS + "V_it.K = 5.0\n", "V_it.K", ["del V_it.K", "V_it.K = None; del V_it.K"]),
    "a method": (CLASS, "V_it.method(x)", ["V.method = lambda s, x: 5.0 * x", "V_it.method = lambda x: 7.0 * x",
                                           "V_it.__class__ = Other_V", "V_it.w = 4.0", "V_it = Other_V()"]),
    "a bound method": (CLASS + "V_m = V_it.method\n", "V_m(x)",
                       ["V_it.w = 5.0", "V_m = Other_V().method", "V_m = V_it.of_class", "V_m = V().method"]),
    "bases": ("class V_A:\n    def m(self, x): return 2.0 * x\nclass V_B:\n    def m(self, x): return 3.0 * x\n"
              "class V(V_A): pass\nV_it = V()", "(V_it.m(x) * (5.0 if isinstance(V_it, V_A) else 7.0))",
              ["V.__bases__ = (V_B,)", "V.__bases__ = (V_B, V_A)", "V_A.m = V_B.m", "V.m = lambda s, x: x"]),
    "what a class has not": (CLASS, "((2.0 if V_it else 3.0) * (5.0 if callable(V_it) else 7.0))",
                             ["V.__bool__ = lambda s: False", "V.__len__ = lambda s: 0", "V.__call__ = lambda s: s"]),
    "slots": ("class V:\n    __slots__ = ('w', 'n')\nV_it = V(); V_it.w, V_it.n = 2.0, None",
              "(V_it.w if V_it.n is None else V_it.n)", ["V_it.w = 3.0", "V_it.n = 5.0"]),
    "an attribute that is not there": (CLASS, "(V_it.z if hasattr(V_it, 'z') else getattr(V_it, 'y', 2.0))",
                                       ["V_it.z = 3.0", "V.z = 5.0", "V_it.y = 7.0"]),
    "a dataclass": (DATACLASS,
                    "(V_it.w * V_it.p[0] * (1.0 if V_it.K is None else V_it.K) * V_it.method(x) * V_it.static(2.0))",
                    ["V_it.w = 3.0", "V_it.p = (5.0,)", "V.K = 7.0", "V.method = lambda s, x: x",
                     "V.static = staticmethod(lambda x: 11.0)", "V_it = V(1)"]),
    "a module's __getattr__": ("V = types.ModuleType('V'); V.__getattr__ = lambda n: 2.0", "V.k",
                               ["V.k = 3.0", "V.__getattr__ = lambda n: 5.0"]),
    "a named tuple":
        ("class V(NamedTuple):\n    a: float\n    @property\n    def twice(self): return 2.0 * self.a\nV_it = V(3.0)",
         "V_it.twice", ["V_it = V(5.0)", "V.twice = property(lambda s: 7.0)", "V_it = V(2)"]),
    "a transformed function": ("def V_f(x): return x * x\nV = gs.grad(V_f)", "V(x)",
                               ["V = gs.grad(lambda x: x * x * x)", "V_f.__code__ = (lambda x: 3.0 * x).__code__",
                                "V = gs.jit(V_f)"]),
}


def module(things: list[str]) -> dict:
    text = ("import builtins, dataclasses, enum, functools, types\nfrom typing import NamedTuple\nimport numpy as np\n"
            "import gradscribe as gs\n")
    text += "".join(THINGS[t][0].replace("V", f"V{k}") + "\n" for k, t in enumerate(things))
    factors = [THINGS[t][1].replace("V", f"V{k}") for k, t in enumerate(things)]
    text += "def f(x):\n    y = x\n" + "".join(f"    y = y * {e} + x\n" for e in factors) + "    return y\n"
    return executed(text, {"__name__": "outside"})


def compare(things, transformed, f, x, history):
    for kind, g in transformed.items():
        want = f(x) if kind == "jit" else difference(f, x)
        got = g(x)
        assert np.allclose(float(got), float(want), rtol=1e-6), (kind, things, history, got, want)


def one_program(draw: random.Random, things: list[str], compiled: bool, changes: int) -> None:
    namespace = module(things)
    f = namespace["f"]
    transformed = {"grad": gs.grad(f)} | ({"jit": gs.jit(f), "jit(grad)": gs.jit(gs.grad(f))} if compiled
                                          else {"again": gs.grad(f)})
    history = []
    for _ in range(changes):
        for _ in range(3):  # the third call takes the fast path
            compare(things, transformed, f, 1.25, history)
        k = draw.randrange(len(things))
        history.append(draw.choice(THINGS[things[k]][2]).replace("V", f"V{k}"))
        try:
            executed(history[-1], namespace)
            f(1.25)
        except Exception:  # two changes that do not fit together
            return
        compare(things, transformed, f, 1.25, history)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("thing", THINGS)
def test_each_change_is_seen(thing):
    for change in THINGS[thing][2]:
        namespace = module([thing])
        f = namespace["f"]
        g = gs.grad(f)
        for _ in range(3):
            compare(thing, {"grad": g}, f, 1.25, [])
        for text in change, "pass":
            executed(text.replace("V", "V0"), namespace)
            compare(thing, {"grad": g}, f, 1.25, [change])


@pytest.mark.heavy(one_in=16)
class Slotted:
    __slots__ = ("a", "b")


@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit, gs.grad])
def test_a_slot_that_is_filled_and_emptied_is_seen(way):
    thing = Slotted()
    with_default, asked = (way(lambda x: x * getattr(thing, "b", 0.5)),
                           way(lambda x: x * (3.0 if hasattr(thing, "b") else 1.0)))
    assert (with_default(1.0), asked(1.0)) == (0.5, 1.0)
    thing.b = 2.0
    assert (with_default(1.0), asked(1.0)) == (2.0, 3.0)
    del thing.b
    assert (with_default(1.0), asked(1.0)) == (0.5, 1.0)


@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit])
def test_an_int_outside_that_outgrows_64_bits(way, monkeypatch):
    def f(x):
        return x * COUNT if COUNT > 2 else x + COUNT
    run = way(f)
    for count in (1, 2 ** 70, 5, 1):
        monkeypatch.setitem(globals(), "COUNT", count)
        assert run(2.5) == f(2.5)


@pytest.mark.heavy(one_in=26)
def test_random_changes_are_seen():
    seed = int(os.environ.get("GRADSCRIBE_SEED", random.randrange(10**6)))
    print("seed", seed)
    draw = random.Random(seed)
    for n in range(60):
        one_program(draw, draw.sample(sorted(THINGS), draw.randint(2, 5)), compiled=n % 15 == 0, changes=5)


def test_what_holds_is_not_specialised_again():
    namespace = module(sorted(THINGS))
    g = gs.grad(namespace["f"])
    for _ in range(4):
        g(1.25)
    (programs,) = g._cache.programs.values()
    assert len(programs) == 1


def teardown_module():
    for name in [n for n in vars(builtins) if n.startswith("V") and n[1:].isdigit()]:
        delattr(builtins, name)


class WithoutHash:
    """As Python makes it of a class that says when its objects are equal."""

    factor = -2.5

    def __eq__(self, other):
        return np.ones(2) == other

    def __call__(self, x):
        return self.factor * x

    def __enter__(self):
        return self.factor

    def __exit__(self, *error):
        return None


without_hash = WithoutHash()


def called(x):
    return np.sum(without_hash(x))


def called_for_each(x):
    return sum(without_hash(v) for v in x)


def called_in_a_gradient(x):
    return np.sum(gs.grad(lambda y: np.sum(without_hash(y * y)))(x))


def entered(x):
    with without_hash as factor:
        return np.sum(factor * x)


@pytest.mark.parametrize("fun", [called, called_for_each, called_in_a_gradient, entered])
@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit])
def test_an_object_that_has_no_hash_is_called(fun, way):
    x = np.array([0.5, -1.5])
    assert way(fun)(x) == fun(x)
    np.testing.assert_array_equal(way(gs.grad(fun))(x), [-5.0 if fun is called_in_a_gradient else -2.5] * 2)


class Untouchable:
    def __eq__(self, other):
        raise AssertionError("compared")

    def __hash__(self):
        raise AssertionError("hashed")

    def __call__(self, x):
        return 3.0 * x


untouchable = Untouchable()


def test_nothing_of_an_object_runs_to_see_what_it_is():
    f = lambda x: sum(untouchable(v) for v in x) + np.sum(untouchable(x))  # noqa: E731
    for way in (gs.grad(f), gs.jit(gs.grad(f))):
        np.testing.assert_array_equal(way(np.ones(2)), [6.0, 6.0])
