"""Dataclasses."""
from dataclasses import KW_ONLY, InitVar, asdict, astuple, dataclass, field, fields, is_dataclass, replace
from typing import ClassVar

import numpy as np

from tests.corpus.classes.table import raises, right


# dataclasses -----------------------------------------------------------------------------------
@dataclass
class Data:
    x: float
    y: float = 2.0
    z: list = field(default_factory=list)
    k: ClassVar[float] = 4.0
    n: float = field(init=False)
    _: KW_ONLY
    kw: float = 1.0
    s: InitVar[float] = 3.0

    def __post_init__(self, s):
        self.n = self.x * s
        self.z.append(self.y)


@dataclass(frozen=True, order=True)
class Frozen:
    x: float
    y: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "y", self.y * 2.0)

    def __add__(self, o):
        return Frozen(self.x + o.x, self.y + o.y)


@dataclass(slots=True)
class WithSlots:
    a: float
    b: float = 2.0

    def grow(self):
        self.a *= 2.0
        return self.a


@dataclass
class Empty:
    pass


@dataclass
class Base:
    a: float
    b: float = 1.0


@dataclass
class Derived(Base):
    b: float = 5.0
    c: float = 2.0

    def volume(self):
        return self.a * self.b * self.c


@dataclass(init=False)
class OwnInit:
    a: float

    def __init__(self, q):
        self.a = q * 2.0
        self.extra = q


@dataclass(eq=False)
class ById:
    a: float


@right
def fields_of_dataclasses(x):
    d, e = Data(x), Data(x, x, kw=x, s=1.0)
    return (d.n + e.n + d.z[0] + e.z[0] + len(d.z) + d.k * e.kw + Derived(x).volume() + Derived(x, c=x).volume()
            + OwnInit(x).extra + OwnInit(x).a)


@right
def dataclasses_are_returned(x):
    return Data(x), Frozen(x), OwnInit(x), Derived(x), Empty()


@right
def frozen_dataclasses(x):
    return (Frozen(x) + Frozen(2.0)).y * x + replace(Frozen(x), x=x * x).x


@right
def dataclasses_with_slots(x):
    return WithSlots(x).grow() + WithSlots(x).b


@right
def dataclasses_compared(x):
    b = ById(x)
    return (Base(x) == Base(x), Base(x) == Base(2.0), Base(x) != Base(2.0), Base(x) == x, Derived(x) == Base(x),
            b == ById(x), b == b, Empty() == Empty(), Frozen(x) < Frozen(2.0), Frozen(x) <= Frozen(x),
            Frozen(x) > Frozen(1.5, 0.5), Frozen(x) >= Frozen(9.0))


@right
def a_dataclass_without_fields_is_true(x):
    return x if Empty() else 1.0


@right
def functions_of_dataclasses(x):
    d = Base(x, x * x)
    return (asdict(Data(x)), astuple(Data(x)), asdict(d), is_dataclass(d), is_dataclass(x),
            [getattr(d, f.name) for f in fields(d)], asdict(d, dict_factory=list), astuple(d, tuple_factory=list))


@raises
def asdict_of_a_class(x):
    return asdict(Base)


@raises
def replaced_in_a_number(x):
    return replace(x, y=2.0)


@right
def replaced_fields(x):
    d = replace(Data(x), y=7.0 * x, s=2.0)
    return d.n * d.y


@raises
def missing_field(x):
    return Data()


@raises
def too_many_fields(x):
    return Data(x, 1.0, [], 3.0)


@raises
def a_field_twice(x):
    return Data(x, x=1.0)


@raises
def a_field_that_is_no_argument(x):
    return Data(x, n=1.0)


@raises
def replace_unknown(x):
    return replace(Data(x), colour=1.0)


@raises
def a_store_into_a_frozen_dataclass(x):
    f = Frozen(x)
    f.x = 2.0


@raises
def an_attribute_of_a_frozen_dataclass(x):
    f = Frozen(x)
    f.colour = 2.0


@raises
def a_deleted_field(x):
    f = Frozen(x)
    del f.x


@raises
def order_of_a_dataclass_without_one(x):
    return Base(x) < Base(x)


@dataclass
class Checked:
    x: float
    y: float = 0.0

    def __post_init__(self):
        assert self.x < 50.0
        self.y = self.x * 100.0


@dataclass
class Layer:
    w: np.ndarray
    tag: str = field(default="a", metadata={"static": True})

    def __matmul__(self, o):
        return np.sum(self.w * o.w)

    def __getitem__(self, k):
        return self.w[k]

    def __iadd__(self, o):
        self.w = self.w + o
        return self
