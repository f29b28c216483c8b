"""Programs in the manner of Python's data model, of dataclasses and named tuples."""
import copy
import dataclasses
import functools
import math
from collections import namedtuple
from dataclasses import InitVar, dataclass, field
from typing import NamedTuple

from tests.independent.documented.table import entering

PROGRAMS = []                                    # (function, its arguments, made anew by a call)
example = entering(PROGRAMS)

# ---- data model

class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Vector({self.x}, {self.y})"

    def __add__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __bool__(self):
        return bool(self.x or self.y)

    def __eq__(self, other):
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    def __len__(self):
        return 2

    def __getitem__(self, k):
        return (self.x, self.y)[k]

    def __iter__(self):
        return iter((self.x, self.y))

    def __contains__(self, value):
        return value in (self.x, self.y)

    def __call__(self, t):
        return self.x + t * self.y

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __pow__(self, k):
        return Vector(self.x**k, self.y**k)


@example("1.5, 2.0", "0.0, 0.0", "3, 4")
def vectors(x, y):
    v, w = Vector(x, y), Vector(2.0, 1.0)
    return [v + w, v * 2, 2 * v, v @ w, -v, abs(v), bool(v), v == w, v == Vector(x, y), v != w, len(v), v[0], v[-1],
            list(v), x in v, v(0.5), v < w, v > w, v**2]


@example("1.5, 2.0")
def augmented_vector(x, y):
    v = u = Vector(x, y)
    v += Vector(1.0, 1.0)
    a, b = v
    return u is v, u.x, a * b, sum(v), max(v)


@example("1.5")
def not_implemented(x):
    return Vector(x, x) + 1.0


class Account:
    interest = 0.02
    opened = None

    def __init__(self, balance):
        self._balance = balance

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        if value < 0:
            raise ValueError(f"a balance of {value}")
        self._balance = value

    @classmethod
    def empty(cls):
        return cls(0.0)

    @staticmethod
    def fee(amount):
        return 0.01 * amount

    def __getattr__(self, name):
        if name == "doubled":
            return 2 * self._balance
        raise AttributeError(name)

    def grown(self):
        return self.balance * (1 + self.interest)


class Savings(Account):
    interest = 0.05

    def __init__(self, balance, bonus=1.0):
        super().__init__(balance)
        self.bonus = bonus

    def grown(self):
        return super().grown() + self.bonus


@example("100.0, 20.0", "10.0, 50.0")
def accounts(start, withdrawn):
    a = Savings(start)
    a.balance -= withdrawn
    b = Savings.empty()
    b.opened = 1
    return (a.grown(), a.balance, b.grown(), Account.fee(start), a.doubled, a.opened is None, Account.opened, b.opened,
            isinstance(a, Account), type(a) is Account, hasattr(a, "nothing"))


class Polynomial:
    """A callable with items, of Python's own kind."""

    def __init__(self, *coefficients):
        self.coefficients = list(coefficients)

    def __call__(self, x):
        total = 0.0
        for c in reversed(self.coefficients):
            total = total * x + c
        return total

    def __setitem__(self, k, value):
        self.coefficients[k] = value

    def __getitem__(self, k):
        return self.coefficients[k]

    def __delitem__(self, k):
        del self.coefficients[k]

    def __len__(self):
        return len(self.coefficients)


@example("2.0", "-0.5")
def polynomial(x):
    p = Polynomial(1.0, 2.0, 3.0)
    before = p(x)
    p[0] = x
    p[2] += 1.0
    at = p(x)
    del p[1]
    return before, at, p(x), len(p), list(p), p[-1]


@functools.total_ordering
class Version:
    def __init__(self, major, minor):
        self.major, self.minor = major, minor

    def __eq__(self, other):
        return (self.major, self.minor) == (other.major, other.minor)

    def __lt__(self, other):
        return (self.major, self.minor) < (other.major, other.minor)


@example("1, 2", "3, 0")
def versions(a, b):
    return (Version(a, b) < Version(2, 0), Version(a, b) >= Version(1, 2), Version(a, b) == Version(1, 2),
            max(Version(a, b), Version(2, 1)).major)


class Ten:
    def __get__(self, instance, owner=None):
        return 10.0 if instance is None else 10.0 * instance.scale


class Described:
    ten = Ten()

    def __init__(self, scale):
        self.scale = scale


@example("1.5")
def descriptors(x):
    return Described(x).ten, Described.ten


class Meters(float):
    pass


# ---- dataclasses and named tuples

@dataclass
class InventoryItem:
    name: str
    unit_price: float
    quantity_on_hand: int = 0

    def total_cost(self):
        return self.unit_price * self.quantity_on_hand


@example("3.5, 2")
def inventory(price, n):
    item = InventoryItem("widget", price, n)
    other = dataclasses.replace(item, quantity_on_hand=5)
    return (item.total_cost(), other.total_cost(), item == other, item == InventoryItem("widget", price, n),
            dataclasses.astuple(item), dataclasses.asdict(item))


@dataclass(order=True)
class Ordered:
    a: float
    b: float = field(compare=False, default=0.0)
    c: list = field(default_factory=list)


@example("1.0, 2.0")
def ordering(x, y):
    p, q = Ordered(x, 5.0), Ordered(y)
    p.c.append(x)
    return p < q, p <= q, p == Ordered(x, 7.0, [x]), q.c, max(p, q), sorted([q, p])[0].b


@dataclass(frozen=True)
class Frozen:
    x: float
    y: float = 1.0

    def moved(self, d):
        return Frozen(self.x + d, self.y)


@example("1.5")
def frozen(x):
    p = Frozen(x)
    return p.moved(1.0), p, hash(p) == hash(Frozen(x))


@example("1.5")
def stores_into_frozen(x):
    p = Frozen(x)
    p.x = 2.0
    return p


@dataclass
class WithInit:
    a: float
    b: float
    c: float = field(init=False)
    scale: InitVar[float] = 2.0

    def __post_init__(self, scale):
        self.c = (self.a + self.b) * scale


@example("1.5, 2.0")
def post_init(a, b):
    return WithInit(a, b).c, WithInit(a, b, 3.0).c, WithInit(a, b=b, scale=0.0)


@dataclass
class Base:
    x: float = 15.0
    y: int = 0


@dataclass
class Derived(Base):
    z: int = 10
    x: float = 15


@example("1.0")
def inherited_fields(v):
    return Derived(v), Derived(), Derived(z=3).y, isinstance(Derived(), Base), Derived() == Base()


class Employee(NamedTuple):
    name: str
    pay: float = 3.0

    def raised(self, by):
        return self._replace(pay=self.pay + by)


Point = namedtuple("Point", ["x", "y"])


@example("1.5, 2.5")
def named_tuples(x, y):
    p = Point(x, y=y)
    a, b = p
    e = Employee("e", x)
    return (p[0] + p[1], p.x, p._replace(x=3.0), p + (1.0,), p == (x, y), p < Point(y, x), len(p), e.raised(y), e,
            Employee("f").pay, Point._make([1, 2]), p._asdict(), list(p), y in p)


@example("[1.0, [2.0, 3.0]]")
def copies(x):
    y, z = copy.copy(x), copy.deepcopy(x)
    x[1].append(4.0)
    y[0] = 0.0
    return x, y, z
