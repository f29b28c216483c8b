"""Programs in the manner of Python's documentation (data model, iterators and itertools' recipes, dataclasses, tutorial) and of NumPy's (indexing,
broadcasting, promotion, copies and views), written as functions of numbers. Python itself says what they give.
"""
import copy
import dataclasses
import functools
import math
import operator
from collections import namedtuple
from dataclasses import InitVar, dataclass, field
from typing import NamedTuple

import numpy as np

PROGRAMS = []                                    # (function, its arguments, made anew by a call)


def example(*arguments):
    """Of these arguments: texts, evaluated for each run."""
    def enter(function):
        PROGRAMS.extend((function, text) for text in arguments)
        return function
    return enter


# ---- the tutorial

@example("10", "1000")
def fib(n):
    a, b, out = 0, 1, []
    while a < n:
        out.append(a)
        a, b = b, a + b
    return out


@example("10")
def primes(n):
    found = []
    for k in range(2, n):
        for x in range(2, k):
            if k % x == 0:
                break
        else:
            found.append(k)
    return found


@example("1.5, 2.0")
def keyword_arguments(x, y):
    def parrot(voltage, state=3.0, *rest, action=1.0, **named):
        return voltage * state + action + sum(rest) + sum(named.values())
    return parrot(x), parrot(x, y), parrot(x, y, 1.0, 2.0, action=0.5), parrot(voltage=x, action=y), parrot(x, b=y)


@example("1.0")
def default_is_shared(x):
    def grow(v, to=[]):
        to.append(v)
        return len(to)
    return grow(x), grow(x), grow(x, [])


@example("2.0")
def lambda_captures_late(x):
    functions = [lambda u: u * k for k in range(3)]
    return [g(x) for g in functions]


@example("3.0")
def make_incrementor(n):
    return (lambda x: x + n)(42), (lambda x: x + n)(43)


@example("[66.25, 333, 333, 1, 1234.5]")
def list_methods(a):
    counts = a.count(333), a.count(66.25), a.count(7)
    a.insert(2, -1)
    a.append(333)
    at = a.index(333)
    a.remove(333)
    a.reverse()
    a.sort()
    last = a.pop()
    return counts, a, at, last


@example("[1.0, 2.0, 3.0, 4.0]")
def list_slices(squares):
    squares[1:3] = [9.0]
    del squares[0]
    squares[len(squares):] = [5.0]
    return squares[:], squares[-3:], squares[::-1], squares + [36.0]


@example("(12345.0, 54321.0, 7)")
def tuples(t):
    u = t, (1, 2, 3)
    (x, y, z), w = u
    first, *rest = t
    return u, x + y, w[1:], rest, len(()), (x,)


@example("{'jack': 4098.0, 'sape': 4139.0}")
def dicts(tel):
    tel["guido"] = 4127.0
    jack = tel["jack"]
    del tel["sape"]
    tel["irv"] = jack + 1
    return tel, list(tel), sorted(tel), "guido" in tel, "jack" not in tel, dict([("sape", 4139), ("guido", 4127)]), {x: x**2 for x in (2, 4, 6)}


@example("[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]")
def transposed(matrix):
    return [[row[i] for row in matrix] for i in range(4)], list(zip(*matrix))


@example("[1.0, 2.0, 3.0], [3.0, 1.0, 4.0]")
def pairs(a, b):
    return [(x, y) for x in a for y in b if x != y]


@example("{'gallahad': 1.0, 'robin': 2.0}")
def looping(knights):
    out = [k + "!" for k in knights]
    total = 0.0
    for k, v in knights.items():
        total += v * len(k)
    for i, v in enumerate(["tic", "tac", "toe"]):
        total += i * len(v)
    for q, a in zip(["name", "quest"], [3.0, 4.0]):
        total -= a
    for i in reversed(range(1, 10, 2)):
        total = total * 0.5 + i
    return out, total


@example("1.0, 2.0")
def comparisons_of_sequences(x, y):
    return ((1, 2, 3) < (1, 2, 4), [1, 2, 3] < [1, 2, 4], (1, 2, 3, 4) < (1, 2, 4), (1, 2) < (1, 2, -1), (1, 2, 3) == (1.0, 2.0, 3.0),
            (x, y) < (x, y, 1.0), [x, y] == [x, y], (x, y) > (y, x), "ABC" < "C" < "Pascal" < "Python")


@example("3, 0", "0, 5", "0, 0")
def booleans(a, b):
    return a or b, a and b, not a, a or b or "none", (a and b) is False, True + True, a < b < 3 or a == b


@example("7, 2", "-7, 2", "7, -2", "-7.5, 2.0", "7.5, -2", "0, 3")
def division(a, b):
    return a // b, a % b, divmod(a, b), a / b, int(a / b), round(a / b, 1), -a // b, a**2, -a**2, pow(a, 2)


@example("2.5", "3.5", "-0.5", "0.5", "1e16")
def rounding(x):
    return round(x), int(x), math.floor(x), math.ceil(x), math.trunc(x), round(x, 1), round(-x, -1)


@example("0.1, 0.2, 0.3")
def floating_point(a, b, c):
    return a + b == c, math.isclose(a + b, c), round(a + b, 2) == round(c, 2), sum([0.1] * 10), math.fsum([0.1] * 10)


@example("8", "0")
def raises(n):
    if n == 0:
        raise ValueError(f"n must not be {n}")
    return 1 / n


# ---- itertools' recipes and iterators

@example("[1.0, 2.0, 3.0, 4.0]")
def pairwise(values):
    a, b = iter(values), iter(values)
    next(b)
    return [y - x for x, y in zip(a, b)]


@example("[1, 2, 3, 4, 5, 6]")
def grouper(values):
    return list(zip(*[iter(values)] * 2))


@example("[1.0, 2.0, 3.0]")
def running_totals(values):
    total, out = 0.0, []
    for v in values:
        total = operator.add(total, v)
        out.append(total)
    return out


@example("[1, 4, 6, 3, 8]")
def takewhile(values):
    taken = []
    iterator = iter(values)
    for v in iterator:
        if not v < 5:
            break
        taken.append(v)
    return taken, list(iterator), next(iterator, None)


@example("[1.0, 2.0, 3.0], [0.5, 0.25, 2.0]")
def dot_product(u, v):
    return sum(map(operator.mul, u, v)), functools.reduce(operator.add, u, 10.0)


@example("[1, 2, 3, 4]")
def quantify(values):
    return sum(map(lambda v: v % 2 == 0, values)), any(map(bool, values)), all([]), list(filter(lambda v: v > 2, values))


@example("[1.0, 2.0, 3.0]")
def iterators_run_out(values):
    z = zip(values, range(3))
    first = list(z)
    return first, list(z), list(enumerate(values, 1)), list(reversed(values))


@example("[1.0, 2.0], [1.0, 2.0, 3.0]", "[1.0], [2.0]")
def strict_zip(a, b):
    return list(zip(a, b, strict=True))


@example("3.0")
def sorted_by_key(x):
    rows = [("b", x), ("a", 2.0), ("c", -1.0)]
    return sorted(rows), sorted(rows, key=lambda r: r[1]), sorted(rows, key=operator.itemgetter(0), reverse=True), max(rows, key=lambda r: r[1]), min([], default=x)


@example("[3, 1, 2]")
def next_with_default(values):
    it = iter(values)
    out = [next(it), next(it), next(it), next(it, -1)]
    return out, [x for x in it]


@example("[1]")
def stop(values):
    it = iter(values)
    next(it)
    return next(it)


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
    return [v + w, v * 2, 2 * v, v @ w, -v, abs(v), bool(v), v == w, v == Vector(x, y), v != w, len(v), v[0], v[-1], list(v), x in v, v(0.5), v < w, v > w, v**2]


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
    return a.grown(), a.balance, b.grown(), Account.fee(start), a.doubled, a.opened is None, Account.opened, b.opened, isinstance(a, Account), type(a) is Account, hasattr(a, "nothing")


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
    return Version(a, b) < Version(2, 0), Version(a, b) >= Version(1, 2), Version(a, b) == Version(1, 2), max(Version(a, b), Version(2, 1)).major


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
    return item.total_cost(), other.total_cost(), item == other, item == InventoryItem("widget", price, n), dataclasses.astuple(item), dataclasses.asdict(item)


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
    return p[0] + p[1], p.x, p._replace(x=3.0), p + (1.0,), p == (x, y), p < Point(y, x), len(p), e.raised(y), e, Employee("f").pay, Point._make([1, 2]), p._asdict(), list(p), y in p


@example("[1.0, [2.0, 3.0]]")
def copies(x):
    y, z = copy.copy(x), copy.deepcopy(x)
    x[1].append(4.0)
    y[0] = 0.0
    return x, y, z


# ---- NumPy: indexing

A10 = "np.arange(10)"
A35 = "np.arange(35).reshape(5, 7)"
A234 = "np.arange(24.0).reshape(2, 3, 4)"


@example(A10)
def single_elements(x):
    y = x.reshape(2, 5)
    return x[2], x[-2], y[1, 3], y[1, -1], y[0], y[0][2]


@example(A10)
def basic_slices(x):
    return x[1:7:2], x[-2:10], x[-3:3:-1], x[5:], x[:-7], x[::-1], x[7:2], x[20:]


@example(A35)
def two_dimensions(y):
    return y[1:5:2, ::3], y[:, 2], y[..., 0], y[None, 1, 1:3], y[:, np.newaxis, :].shape, y[[0, 2, 4], [0, 1, 2]], y[[0, 2, 4], 1], y[[0, 2, 4]], y[1:5:2][:, ::3]


@example(A234)
def ellipsis(x):
    return x[..., 0], x[:, :, 0], x[0, ..., 1], x[..., 1:3, None].shape, x[1, 2], x[(0, 1, 2)], x[:, [0, 2], 1:3], x[[0, 1], :, [1, 2]]


@example("np.arange(9.0)")
def assigning(x):
    x[2:7] = 1
    x[7] = 10.0
    x[-1:] += 5
    x[[0, 1, 1]] += 1
    return x


@example("np.arange(0, 50, 10)")
def assigning_ints(x):
    x[np.array([1, 1, 3, 1])] += 1
    x[0] = 1.9
    return x


@example("np.arange(3.0)")
def out_of_range(x):
    return x[3]


@example("np.zeros((2, 3))")
def does_not_fit(x):
    x[:] = np.ones(2)
    return x


@example("np.arange(6).reshape(2, 3)")
def copies_and_views(a):
    b = a[0, :]
    c = a[[1, 2 - 1]]
    d = a.T
    b[0] = 10
    c[0] = -1
    d[2, 1] = 99
    e = a.ravel()
    f = a.flatten()
    e[1] = 7
    f[2] = 8
    return a, b, c, d


# ---- NumPy: broadcasting, promotion

@example("np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 2.0])", "np.array([1, 2, 3]), np.array([1.5])")
def broadcasting(a, b):
    return a * b, a * 2.0, a[:, None] + b, a[:, np.newaxis] * b[np.newaxis, :], np.outer(a, b)


@example("np.array([[0.0, 0.0, 0.0], [10.0, 10.0, 10.0]]), np.array([1.0, 2.0, 3.0])")
def broadcasting_rows(a, b):
    return a + b, (a + b).sum(axis=0), a.T + b[:2], np.broadcast_to(b, (2, 3))


@example("np.array([[0.0, 0.0, 0.0]]), np.array([1.0, 2.0])")
def broadcasting_mismatch(a, b):
    return a + b


@example("np.array([111.0, 188.0]), np.array([[102.0, 203.0], [132.0, 193.0], [45.0, 155.0]])")
def vector_quantisation(observation, codes):
    diff = codes - observation
    return np.argmin(np.sqrt(np.sum(diff**2, axis=-1)))


@example("np.uint8(1), 2", "np.int8(100), 100", "np.float32(3), 3.0", "np.float32(3), np.float64(3)", "np.int16(3), 2.5", "np.bool_(True), 1", "np.array([1, 2], np.uint8), 2",
         "np.array([0.1], np.float32), np.float64(0.1)", "np.array([1], np.uint8), np.int64(300)", "np.uint64(1), np.int64(2)", "np.array([1, 2], np.int8), True", "np.float32(0.1), 0.1")
def promotion(a, b):
    return a + b, a * b, a - b, a / b, np.maximum(a, b), a == b, a < b, np.where(True, a, b)


@example("np.uint8(1)")
def out_of_bounds_integer(a):
    return a + 300


@example("np.array([1, 2, 3], dtype=np.uint8)")
def wraps(a):
    a += 254
    b = a * np.uint8(2)
    return a, b, a.sum(), a.mean(), a.sum(dtype=np.uint8), np.cumsum(a), -a, a - 255


@example("np.array([1.7, -1.7, 2.5])")
def conversions(x):
    return x.astype(int), x.astype(np.float32), np.rint(x), np.trunc(x), x.astype(bool), np.asarray(x, dtype=np.int8), x.round(), int(x[0]), float(x[1])


@example("np.arange(6.0).reshape(2, 3)")
def axes(x):
    return (x.sum(), x.sum(axis=0), x.sum(axis=1, keepdims=True), x.max(axis=-1), np.mean(x, axis=(0, 1)), np.std(x), np.var(x, axis=0, ddof=1), x.argmax(), np.argsort(-x, axis=1),
            np.cumsum(x, axis=1), np.concatenate([x, x], axis=1), np.stack([x, x]).shape, np.vstack((x, x[0])), np.hstack((x, x)), x @ x.T, np.dot(x, x[0]))


@example("np.array([3.0, 1.0, 2.0]), 1.5")
def searching(x, v):
    s = np.sort(x)
    return np.searchsorted(s, v), np.searchsorted(s, [1.0, 2.0], side="right"), np.where(x > v, x, -x), np.clip(x, 1.5, None), np.any(x > v), np.all(x > v, axis=0), x[np.argsort(x)]


@example("5")
def making_arrays(n):
    return np.zeros(n), np.ones((2, n), dtype=np.int16), np.arange(0, 1, 0.25), np.linspace(0, 1, n), np.eye(2), np.full((2, 2), n), np.full(2, 1.5), np.array([[1, 2.0], [n, 0]]), np.identity(2), np.zeros_like([1, 2])


@example("0.5", "np.array([0.5, 2.0])")
def where_and_out(x):
    y = np.zeros(2)
    np.add(x, 1.0, out=y)
    return y, np.sqrt(x, where=True), np.multiply(x, 2, dtype=np.float32)


@example("np.float64(3.0)", "np.array(3.0)", "3.0")
def zero_dimensional(x):
    return np.ndim(x), np.shape(x), np.sum(x), np.max(x), np.asarray(x)[()], np.array(x) + 1, np.atleast_1d(x), np.sin(x), -x, abs(x), np.ravel(x)
