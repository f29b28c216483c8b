"""Dataclasses, named tuples and other classes."""
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gradscribe as gs
from tests.corpus.from_outside.table import item


@dataclass
class State:
    x: float
    y: float = 1.0


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
    return (len(a), bool(a), a == a, a != a, a(3.0), 2.0 in a, a < Vec(9.0, 9.0), list(a), [v * 2.0 for v in a],
            1 if a else 2, not a)


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
