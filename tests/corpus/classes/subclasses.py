"""Named tuples, lists, dicts and enums with classes of their own; copies."""
import collections
import copy
import enum
import math
from typing import NamedTuple

import numpy as np

from tests.corpus.classes.plain import Account, Bare
from tests.corpus.classes.table import raises, right


# named tuples, lists, dicts, enums ---------------------------------------------------------------
class Pair(NamedTuple):
    x: float
    y: float = 2.0

    def __add__(self, o):
        return Pair(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Pair(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Pair(-self.x, -self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    @property
    def total(self):
        return self.x + self.y

    @classmethod
    def unit(cls):
        return cls(1.0, 0.0)


class Scaled(collections.namedtuple("Scaled", "a b")):
    __slots__ = ()

    def __new__(cls, a, b=1.0):
        return super().__new__(cls, a * 2.0, b)

    def __len__(self):
        return 7

    def __getitem__(self, k):
        return "item"

    def __bool__(self):
        return False

    def __eq__(self, o):
        return 3.0


@right
def named_tuples(x):
    p = Pair(x) + Pair(x, x)
    return p[0] + (2.0 * p).y + abs(p) + Pair.unit().total + (p * 3)[1] + (-p).x + len(p) + sum([v * v for v in p])


@right
def methods_of_named_tuples(x):
    return Pair._fields, Pair(x)._fields, Pair(x)._asdict(), Pair(x)._replace(y=x), Pair._make([x, x]), Pair(x)


@right
def named_tuples_with_methods_of_their_own(x):
    s = Scaled(x)
    return s.a + len(s) + (1.0 if s else 2.0) + (s == x)


@right
def results_do_not_run_new(x):
    return Scaled(x), Scaled(x)[0]


@raises
def a_named_tuple_without_a_field(x):
    return Pair()


@raises
def a_named_tuple_of_too_many(x):
    return Pair(1.0, 2.0, 3.0)


@raises
def replace_no_field(x):
    return Pair(x)._replace(colour=1.0)


@raises
def make_of_too_few(x):
    return Pair._make([x])


@raises
def a_field_is_set(x):
    p = Pair(x)
    p.x = 2.0


@raises
def an_item_is_set(x):
    p = Pair(x)
    p[0] = 2.0


class Stack(list):
    def push(self, x):
        self.append(x)
        return self

    def __getitem__(self, k):
        return super().__getitem__(k) * 2.0

    def __len__(self):
        return 100


class Table(dict):
    def __missing__(self, k):
        return 7.0

    def __setitem__(self, k, value):
        super().__setitem__(k, value * 2.0)

    def total(self):
        return sum([v for v in self.values()])


@right
def lists_and_dicts(x):
    s, t = Stack([x, 2.0]).push(3.0), Table(a=x)
    t["b"] = x
    return s[0] + len(s) + sum(s) + t["a"] + t["b"] + t["c"] + t.total() + len(t) + ("a" in t) + ("c" in t)


@right
def lists_and_dicts_are_returned(x):
    return Stack([x, 2.0]), Table(a=x)


class Kind(enum.Enum):
    LOW = 1.0
    HIGH = 2.5

    def double(self):
        return self.value * 2.0


class Code(enum.IntEnum):
    A = 1
    B = 2


class Mode(enum.Flag):
    READ = 1
    WRITE = 2


@right
def enums(x):
    return (Kind.LOW.value * x + Kind.HIGH.double() + (1.0 if Kind(2.5) is Kind.HIGH else 0.0) + Code.B * x + Code["A"]
            + sum([k.value for k in Kind]))


@right
def members(x):
    return (Kind.LOW.name, Kind.LOW == Kind.LOW, Kind.LOW == Kind.HIGH, Kind.LOW is Kind.HIGH, Code.A < Code.B,
            Code.A + 1, Mode.READ | Mode.WRITE, f"{Kind.LOW}", repr(Kind.LOW), len(Kind), isinstance(Code.A, int),
            Kind.LOW in (Kind.LOW, Kind.HIGH))


@raises
def no_member(x):
    return Kind(9.0)


@raises
def members_without_order(x):
    return Kind.LOW < Kind.HIGH


# copies ------------------------------------------------------------------------------------------
@right
def copies(x):
    a = Bare()
    a.items, a.w = [x], np.ones(2) * x
    shallow, deep = copy.copy(a), copy.deepcopy([a, a])
    shallow.items.append(2.0)
    deep[0].items[0] = 7.0
    deep[0].w[0] = 9.0
    return (len(a.items) + a.items[0] + deep[1].items[0] + float(np.sum(a.w)) * float(np.sum(deep[1].w))
            + (deep[0] is deep[1]) + 2 * (shallow is a))


OUTSIDE = Account(3.0)


@right
def copies_of_objects_from_outside(x):
    mine = copy.copy(OUTSIDE)
    mine.balance = mine.balance * x
    return mine.grown(x) * OUTSIDE.balance
