"""Users' classes inside transformed functions behave as in Python: plain and compiled, values, exceptions and gradients."""
import abc
import collections
import copy
import enum
import functools
import math
from dataclasses import KW_ONLY, InitVar, asdict, astuple, dataclass, field, fields, is_dataclass, replace
from typing import ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Primal

X = 1.5
RIGHT, RAISES, REFUSED = [], [], []


def right(f):
    RIGHT.append(f)
    return f


def raises(f):
    RAISES.append(f)
    return f


def refused(f):
    REFUSED.append(f)
    return f


def seen(x):
    """What a program can see of a value: types and contents; objects by their attributes."""
    if isinstance(x, (list, tuple)):
        return type(x), [seen(i) for i in x]
    if isinstance(x, dict):
        return type(x), [(k, seen(i)) for k, i in x.items()]
    if isinstance(x, np.ndarray):
        return x.dtype, x.shape, x.tolist()
    if hasattr(x, "__dict__") and not isinstance(x, (type, enum.Enum)):
        return type(x), seen(vars(x))
    return type(x), x if not isinstance(x, float) else round(float(x), 9)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_right(f, transform):
    assert seen(transform(f)(X)) == seen(f(X))


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_gradient(f):
    if not isinstance(f(X), float):
        return
    slope, h = gs.grad(f)(X), 1e-6
    assert slope == pytest.approx((f(X + h) - f(X - h)) / (2 * h), rel=1e-5, abs=1e-6)
    assert gs.jit(gs.grad(f))(X) == pytest.approx(slope, rel=1e-12)


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", RAISES, ids=lambda f: f.__name__)
def test_raises(f, transform):
    with pytest.raises(Exception) as expected:
        f(X)
    with pytest.raises(type(expected.value)) as caught:
        transform(f)(X)
    assert type(caught.value) is type(expected.value) and str(caught.value) == str(expected.value)


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_refused(f):
    with pytest.raises(gs.GradscribeError) as caught:
        gs.jit(f)(X)
    assert caught.value.instead


# plain classes -------------------------------------------------------------------------------
class Bare:
    pass


class Account:
    rate = 2.0
    owner = None
    table = np.array([1.0, 2.0])

    def __init__(self, balance=1.0, *, bonus=0.5):
        self.balance, self.bonus = balance, bonus
        self.on_change = self.grown

    @classmethod
    def rich(cls, balance):
        return cls(balance, bonus=100.0)

    @staticmethod
    def square(x):
        return x * x

    @property
    def total(self):
        return self.balance + self.bonus

    @total.setter
    def total(self, value):
        self.balance = value - self.bonus

    @total.deleter
    def total(self):
        del self.balance

    @functools.cached_property
    def expensive(self):
        return self.balance * 100.0

    def grown(self, x):
        return x * self.rate + self.balance

    def like_me(self):
        return type(self)(self.balance)

    def kind(self):
        return self.__class__.__name__


class Savings(Account):
    rate = 3.0

    def __init__(self, balance, factor=2.0):
        super().__init__(balance)
        self.factor = factor

    def grown(self, x):
        return super().grown(x) * self.factor

    @classmethod
    def rich(cls, balance):
        made = cls(balance)
        made.bonus = 9.0
        return made

    @property
    def total(self):
        return super().total * 2.0


@right
def methods_and_properties(x):
    a, s = Account(x), Savings(x)
    return a.grown(x) + s.grown(x) + a.total + s.total + Account.rich(x).total + Savings.rich(x).total + a.square(x) + Account.square(x)


@right
def super_with_arguments(x):
    return super(Savings, Savings(x)).grown(x) + Account.grown(Savings(x), x)


@right
def stored_bound_methods_and_copies_of_the_class(x):
    return Savings(x).on_change(x) + Savings(x, 5.0).like_me().factor * x + Account(x).expensive


@right
def attributes_set_and_deleted(x):
    b = Bare()
    b.y = x
    b.z = b.y * 2.0
    b.y += 1.0
    setattr(b, "w", b.y)
    del b.z
    delattr(b, "w")
    return b.y + getattr(b, "q", 3.0) + hasattr(b, "y") + 10 * hasattr(b, "z") + 100 * hasattr(b, "w")


@right
def the_dict_of_an_object(x):
    b = Bare()
    b.y = x
    vars(b)["z"] = x * x
    b.__dict__.update(w=1.0)
    return b.z + b.w + sum([v for v in vars(b).values()]) + len(vars(b))


@right
def property_set(x):
    a = Account(x)
    a.total = 10.0 * x
    return a.balance


@right
def classes_of_objects(x):
    s = Savings(x)
    return s.kind(), isinstance(s, Account), issubclass(Savings, Account), type(s) is Savings, isinstance(Account(x), Savings), s.owner is None


@right
def functions_on_instances_are_not_bound(x):
    a = Account(x)
    a.grown = lambda t: t * 7.0
    a.__len__ = lambda: 3
    return a.grown(x)


@right
def objects_are_returned(x):
    a = Bare()
    a.x, a.inner = x, Bare()
    return a, [a.inner]


@right
def arrays_and_numbers_of_the_class(x):
    return np.sum(Account(x).table * x) * Account.rate


@raises
def no_such_attribute(x):
    return Bare().y


@raises
def deleted_attribute(x):
    b = Bare()
    b.y = x
    del b.y
    return b.y


@raises
def no_setter(x):
    s = Savings(x)
    s.total = x


@raises
def special_methods_of_the_instance_do_not_count(x):
    b = Bare()
    b.__len__ = lambda: 3
    return len(b)


@raises
def arguments_of_no_init(x):
    return Bare(x)


@raises
def too_many_arguments(x):
    return Account(x, 1.0)


@raises
def repeated_argument(x):
    return Account(x, balance=1.0)


@raises
def unknown_argument(x):
    return Account(x, colour=1.0)


@raises
def missing_argument(x):
    return Account(x).grown()


@raises
def missing_argument_of_the_constructor(x):
    return Savings()


class InitReturns:
    def __init__(self):
        return 3.0


@raises
def init_that_returns(x):
    return InitReturns()


class Twice:
    def __new__(cls, x):
        made = super().__new__(cls)
        made.z = x * 2.0
        return made

    def __init__(self, x):
        self.w = self.z + x


class NoObject:
    def __new__(cls, x):
        return x * 5.0


@right
def new_before_init(x):
    return Twice(x).w + NoObject(x)


class First:
    def __init__(self, x):
        self.log = []
        self.setup(x)

    def setup(self, x):
        self.log.append(x)


class Second(First):
    def setup(self, x):
        super().setup(x)
        self.log.append(2.0 * x)


class Third(First):
    def setup(self, x):
        super().setup(x)
        self.log.append(3.0 * x)


class Diamond(Second, Third):
    pass


@right
def order_of_look_up(x):
    return sum([k * v for k, v in enumerate(Diamond(x).log)])


T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, value):
        self.value = value


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    def double(self):
        return self.area() * 2.0


class Circle(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return self.r ** 2


@right
def generic_and_abstract(x):
    return Box[float](x).value + Circle(x).double() + (1.0 if isinstance(Circle(x), Shape) else 0.0)


@raises
def abstract_object(x):
    return Shape()


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


@right
def slots(x):
    s = Slotted(x)
    return s.a + hasattr(s, "b") + (2 if hasattr(s, "a") else 0)


@raises
def empty_slot(x):
    return Slotted(x).b


@raises
def no_slot(x):
    s = Slotted(x)
    s.c = x


# descriptors, decorators, access ---------------------------------------------------------------
class Positive:
    def __set_name__(self, owner, name):
        self.name, self.private = name, "_" + name

    def __get__(self, instance, owner=None):
        return self if instance is None else getattr(instance, self.private)

    def __set__(self, instance, value):
        if value < 0.0:
            raise ValueError("negative")
        setattr(instance, self.private, value * 2.0)


class InDict(Positive):
    def __get__(self, instance, owner=None):
        return self if instance is None else instance.__dict__[self.name]

    def __set__(self, instance, value):
        instance.__dict__[self.name] = value * 3.0


class Doubled:
    def __init__(self, f):
        self.f = f

    def __get__(self, instance, owner=None):
        return lambda *args: 2.0 * self.f(instance, *args)


def decorated(f):
    @functools.wraps(f)
    def wrapper(self, *args, **kwargs):
        return f(self, *args, **kwargs) * 2.0
    return wrapper


def wrapped(f):
    def wrapper(*args):
        return f(*args) * 2.0
    return wrapper


class Described:
    a, b = Positive(), InDict()
    sin, cosine, count = math.sin, np.cos, len
    triple = lambda self, x: 3.0 * x  # noqa: E731

    class Options:
        step = 0.5

    def __init__(self, x):
        self.a = x
        self.b = x
        self.__secret = x

    @decorated
    def one(self, x, k=1.0):
        return self.a * x * k

    @wrapped
    def two(self, x):
        return self.b * x

    @Doubled
    def three(self, x):
        return self.a + x

    @gs.jit
    def fast(self, x):
        return self.b * x

    @gs.checkpoint
    def again(self, x):
        return np.sin(self.a * x)

    @staticmethod
    @gs.jit
    def alone(x):
        return 2.0 * x

    def private(self):
        def inside(t):
            return self.__secret * t
        return self.__secret * self.__hidden() + inside(3.0)

    def __hidden(self):
        return 2.0

    part = functools.partialmethod(one, k=3.0)


@right
def descriptors(x):
    d = Described(x)
    return d.a + d.b + d.one(x) + d.two(x) + d.three(x) + d.part(x) + d.private()


@right
def transformed_methods(x):
    d = Described(x)
    return float(d.fast(x) + d.again(x) + d.alone(x) + Described.alone(x))


@right
def callables_of_the_class(x):
    d = Described(x)
    return float(d.sin(x) + d.cosine(x) + d.count([1, 2]) + d.triple(x) + d.Options.step)


@right
def a_descriptor_through_the_class(x):
    return Described.a.private


@right
def results_keep_their_attributes(x):
    return Described(x)


@raises
def a_descriptor_that_raises(x):
    return Described(-x)


class Custom:
    def __init__(self, x):
        self.x = x

    @gs.custom_jvp
    def square(self, y):
        return self.x * y * y

    @gs.custom_vjp
    def clipped(self, y):
        return self.x * y

    def loss(self, y):
        return self.x * y**2

    def slope(self, y):
        return gs.grad(self.loss)(y)

    def many(self, ys):
        return np.sum(gs.vmap(self.loss)(ys))


vars(Custom)["square"].defjvp(lambda primals, tangents: (primals[0].x * primals[1] ** 2, 100.0 * tangents[1]))
vars(Custom)["clipped"].defvjp(lambda self, y: (self.x * y, None), lambda _, g: (None, 7.0 * g))
CUSTOM = Custom(2.0)


@pytest.mark.parametrize("method, slope", [("square", 100.0), ("clipped", 7.0)])
def test_methods_with_rules(method, slope):
    inside, outside = lambda y: getattr(Custom(2.0), method)(y), lambda y: getattr(CUSTOM, method)(y)
    for f in (inside, outside):
        assert gs.grad(f)(3.0) == gs.jit(gs.grad(f))(3.0) == slope
        assert gs.jit(f)(3.0) == f(3.0)


@right
def transforms_of_methods(x):
    return float(Custom(x).slope(x) + CUSTOM.slope(x) + Custom(x).many(np.array([1.0, 2.0])))


class Asked:
    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        if name.startswith("q"):
            return self.x * len(name)
        raise AttributeError(f"no {name}")

    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2.0)


@right
def attributes_on_demand(x):
    return Asked(x).qq + Asked(x).x


@raises
def no_attribute_on_demand(x):
    return Asked(x).z


class AsksForAll:
    def __getattribute__(self, name):
        return 3.0


@refused
def getattribute(x):
    return AsksForAll().x


@refused
def an_object_that_holds_itself(x):
    b = Bare()
    b.me = [b]
    return x


# special methods -------------------------------------------------------------------------------
class Vec:
    __array_ufunc__ = None

    def __init__(self, *xs):
        self.xs = list(xs)

    def __add__(self, o):
        return Vec(*[a + b for a, b in zip(self.xs, o.xs)]) if isinstance(o, Vec) else NotImplemented

    def __mul__(self, k):
        return Vec(*[a * k for a in self.xs])

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(*[-a for a in self.xs])

    def __sub__(self, o):
        return self + (-o)

    def __getitem__(self, k):
        return self.xs[k]

    def __setitem__(self, k, value):
        self.xs[k] = value

    def __delitem__(self, k):
        self.xs = self.xs[:k]

    def __len__(self):
        return len(self.xs)

    def __contains__(self, x):
        return any([x == a for a in self.xs])

    def __bool__(self):
        return self.xs[0] > 0

    def __call__(self, t, shift=0.0):
        return self.xs[0] * t + self.xs[1] + shift

    def __abs__(self):
        return (self.xs[0] ** 2 + self.xs[1] ** 2) ** 0.5

    def __matmul__(self, o):
        return sum([a * b for a, b in zip(self.xs, o.xs)])

    def __eq__(self, o):
        return self.xs[0] == o.xs[0]

    def __float__(self):
        return self.xs[0] * 1.0

    def __repr__(self):
        return f"Vec({len(self.xs)})"


@right
def operators(x):
    a, b = Vec(x, x * x), Vec(1.0, x)
    c = a + b * 2.0 - 3.0 * a
    c[0] = c[0] * 2.0
    c[1] += 1.0
    del a[1]
    return c[0] * c[1] + len(a) + len(c) + abs(c) + c @ b + c(x, shift=x) + float(a) + math.sqrt(b) + (b + b)[1]


@right
def truth_of_objects(x):
    return (1.0 if Vec(x) else x) + (1.0 if not Vec(-x) else x) + (x if Bare() else 1.0) + (x if Vec(x) and Vec(2.0) else 1.0)


@right
def comparisons_of_objects(x):
    return Vec(x) == Vec(1.5), Vec(x) != Vec(1.5), Vec(x) == Vec(2.0), Vec(x) != Vec(2.0), 2.0 in Vec(x, 2.0), 3.0 not in Vec(x, 2.0)


@right
def text_of_objects(x):
    return f"{Vec(x)} {Vec(x)!r} {Vec(x)!s:>8}", str(Vec(x)), repr(Vec(x))


@right
def numpy_at_the_left(x):
    return (np.float64(2.0) * Vec(x, x))[0] + np.sum((np.ones(2) * Vec(x, x))[1])


class Weight:
    def __init__(self, kg):
        self.kg = kg

    def __rmul__(self, k):
        assert type(k) is float  # NumPy unpacks its scalar
        return Weight(k * self.kg)

    def __radd__(self, k):
        return Weight(self.kg + (0 if k == 0 else k.kg))

    def __add__(self, o):
        return Weight(self.kg + o.kg)

    def __iadd__(self, k):
        self.kg = self.kg + k
        return self

    def __round__(self, digits=None):
        return self.kg

    def __index__(self):
        return 1

    def __divmod__(self, o):
        return self.kg, o

    def __pow__(self, o):
        return self.kg**o

    def __invert__(self):
        return -self.kg

    def __pos__(self):
        return self.kg

    def __format__(self, spec):
        return "kg" + spec

    def __str__(self):
        return "weight"

    def __hash__(self):
        return 17


@right
def more_operators(x):
    w = v = Weight(x)
    w += 1.0
    w += x
    numbers = w.kg * v.kg + round(w) + round(w, 2) + divmod(w, 2.0)[0] + w**2 + ~w + +w + pow(w, 3) + float(w) + int(w) + hash(w)
    return numbers + [1.0, 2.0][w] + (np.float64(2.0) * Weight(x)).kg + (np.sum(np.ones(2)) * Weight(x)).kg + sum([Weight(x), Weight(x)]).kg


@right
def more_text(x):
    w = Weight(x)
    return f"{w} {w:abc} {w!s}", str(w), format(w, "z")


@refused
def arrays_of_objects(x):
    return np.ones(2) * Weight(x)


@raises
def no_addition(x):
    return Bare() + x


@raises
def no_subtraction(x):
    return x - Bare()


@raises
def not_implemented(x):
    return Vec(x) + x


@raises
def no_order(x):
    return Bare() < x


@raises
def no_negation(x):
    return -Bare()


@raises
def no_abs(x):
    return abs(Bare())


@raises
def no_items(x):
    return Bare()[0]


@raises
def no_stores(x):
    Bare()[0] = x


@raises
def no_length(x):
    return len(Bare())


@raises
def no_call(x):
    return Bare()(x)


@raises
def no_float(x):
    return float(Bare())


@raises
def no_iteration(x):
    return [a for a in Bare()]


@raises
def no_membership(x):
    return x in Bare()


@raises
def unhashable(x):
    return hash(Vec(x))


class Left:
    def __add__(self, o):
        return "add"

    def __radd__(self, o):
        return "radd"

    def __lt__(self, o):
        return "lt"

    def __gt__(self, o):
        return "gt"

    def __eq__(self, o):
        return "eq"


class Overrides(Left):
    def __radd__(self, o):
        return "radd of the subclass"

    def __gt__(self, o):
        return "gt of the subclass"


class Inherits(Left):
    pass


@right
def subclasses_are_asked_first(x):
    a, b, c = Left(), Overrides(), Inherits()
    return a + b, b + a, a + c, a + a, a < b, a < c, b < a, 3 < a, a == 3, 3 == a, a != 3, x + a


class Declines:
    __hash__ = None

    def __add__(self, o):
        return NotImplemented

    __eq__ = __lt__ = __iadd__ = __add__


@right
def identity_where_equality_is_open(x):
    a = Declines()
    return a == a, a == Declines(), a != 3, Bare() == Bare(), Bare() != x


@raises
def both_decline(x):
    return Declines() + Declines()


@raises
def order_is_declined(x):
    return Declines() < 2


@functools.total_ordering
class Version:
    def __init__(self, x):
        self.x = x

    def __eq__(self, o):
        return self.x == o.x

    def __lt__(self, o):
        return self.x < o.x


@right
def total_ordering(x):
    return Version(x) <= Version(2.0), Version(x) > Version(2.0), Version(x) >= Version(1.5), Version(x) != Version(x)


class Count:
    def __init__(self, n, x):
        self.k, self.n, self.x = 0, n, x

    def __iter__(self):
        return self

    def __next__(self):
        if self.k >= self.n:
            raise StopIteration
        self.k += 1
        return self.x * self.k


class Range:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return Count(self.n, 1.0)


@right
def iterators(x):
    c, total = Count(5, x), 0.0
    for v in c:
        if c.k == 3:
            break
        total = total + v * c.k
    for v in c:
        total = 2.0 * total + v
    for v in c:
        total = 100.0
    (p, q), more = Count(2, x), [v * x for v in Range(3)]
    return total + p * q + sum(more) + sum(list(Count(3, x))) + next(Count(1, x)) + next(Count(0, x), 9.0)


@raises
def the_end_of_an_iterator(x):
    c = Count(1, x)
    return next(c) + next(c)


@refused
def an_end_that_the_run_time_knows(x):
    total = 0.0
    for v in Count(x * 2.0, x):
        total += v
    return total


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
    return d.n + e.n + d.z[0] + e.z[0] + len(d.z) + d.k * e.kw + Derived(x).volume() + Derived(x, c=x).volume() + OwnInit(x).extra + OwnInit(x).a


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
    return (Base(x) == Base(x), Base(x) == Base(2.0), Base(x) != Base(2.0), Base(x) == x, Derived(x) == Base(x), b == ById(x), b == b, Empty() == Empty(),
            Frozen(x) < Frozen(2.0), Frozen(x) <= Frozen(x), Frozen(x) > Frozen(1.5, 0.5), Frozen(x) >= Frozen(9.0))


@right
def a_dataclass_without_fields_is_true(x):
    return x if Empty() else 1.0


@right
def functions_of_dataclasses(x):
    d = Base(x, x * x)
    return asdict(Data(x)), astuple(Data(x)), asdict(d), is_dataclass(d), is_dataclass(x), [getattr(d, f.name) for f in fields(d)]


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


@pytest.mark.parametrize("compile", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_gradients_and_results_are_not_made_by_the_constructor(compile):
    gradient = compile(gs.grad(lambda p: p.x * 60.0 + p.y))
    for _ in range(2):  # by the general way, and by the fast path
        made = gradient(Checked(1.0))
        assert (made.x, made.y) == (60.0, 1.0)
        made = gs.jit(lambda p: Checked(p.x * 0.1))(Checked(40.0))
        assert (made.x, made.y) == (4.0, 400.0)


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


def test_special_methods_of_arguments():
    def f(c):
        d = Layer(c.w * 2.0, "b")
        d += 1.0
        return c @ d + c[0] + (1.0 if d.tag == "b" else 0.0)

    c = Layer(np.array([1.0, 2.0]))
    for g in (gs.grad(f), gs.jit(gs.grad(f))):
        assert g(c).w.tolist() == [6.0, 9.0] and g(c).tag == "a"
    assert gs.jit(f)(c) == f(c) == 15.0


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
    return Kind.LOW.value * x + Kind.HIGH.double() + (1.0 if Kind(2.5) is Kind.HIGH else 0.0) + Code.B * x + Code["A"] + sum([k.value for k in Kind])


@right
def members(x):
    return (Kind.LOW.name, Kind.LOW == Kind.LOW, Kind.LOW == Kind.HIGH, Kind.LOW is Kind.HIGH, Code.A < Code.B, Code.A + 1, Mode.READ | Mode.WRITE,
            f"{Kind.LOW}", repr(Kind.LOW), len(Kind), isinstance(Code.A, int), Kind.LOW in (Kind.LOW, Kind.HIGH))


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
    return len(a.items) + a.items[0] + deep[1].items[0] + float(np.sum(a.w)) * float(np.sum(deep[1].w)) + (deep[0] is deep[1]) + 2 * (shallow is a)


OUTSIDE = Account(3.0)


@right
def copies_of_objects_from_outside(x):
    mine = copy.copy(OUTSIDE)
    mine.balance = mine.balance * x
    return mine.grown(x) * OUTSIDE.balance


# run time ----------------------------------------------------------------------------------------
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        return Point(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Point(self.x * k, self.y * k)

    def norm(self):
        return self.x**2 + self.y**2


@right
def objects_in_loops(x):
    p, kept = Point(x, 1.0), []
    for k in range(5):
        p = p + Point(x, 0.5) * 0.5
        p.y = p.y * 1.1
        kept.append(p)
    while p.norm() < 1000.0:
        p = p * 1.5
    return p.norm() + sum([q.x for q in kept])


@right
def objects_in_branches(x):
    p = Point(x, 1.0)
    if x > 1.0:
        p = Point(2.0 * x, 3.0)
        p.once = x
    else:
        p.x = 5.0 * x
    q = Point(x, x) if x > 0.0 else p
    return p.norm() + q.x


@right
def an_attribute_that_is_none_at_first(x):
    p = Point(x, None)
    for k in range(3):
        p.y = x * k if p.y is None else p.y + 1.0
    return p.y * p.x


@refused
def an_attribute_of_one_path(x):
    p = Point(x, 1.0)
    if x > 1.0:
        p.once = x
    return p.once


@refused
def identity_of_the_run_time(x):
    p, q = Point(x, 1.0), Point(x, 2.0)
    return (p if x > 1.0 else q) is p


# outside -----------------------------------------------------------------------------------------
@refused
def a_list_of_the_class_is_changed(x):
    Shared().items.append(x)
    return x


class Shared:
    items = []
    w = np.array([1.0, 2.0])
    scale = 1.0

    def product(self, x):
        return float(np.sum(self.w * x)) * self.scale


@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
def test_changes_between_calls_are_seen(transform):
    class Changing(Shared):
        pass

    model = Changing()
    f = transform(lambda x: model.product(x) + getattr(model, "bias", 0.0) + (100.0 if hasattr(model, "extra") else 0.0))

    def same():
        assert f(2.0) == model.product(2.0) + getattr(model, "bias", 0.0) + 100.0 * hasattr(model, "extra")

    same()
    Changing.w = np.array([1.0, 2.0, 3.0])
    same()
    model.w = np.array([5.0])
    same()
    model.bias = 4.0
    same()
    model.extra = None
    same()
    del model.extra
    Changing.scale = 3.0
    same()
    Changing.product = lambda self, x: -x
    same()
    model.product = lambda x: 5.0 * x
    same()


def test_objects_that_may_be_one_have_no_identity():
    p = Base(1.0)
    with pytest.raises(gs.UnsupportedError):
        gs.grad(lambda p, q: p.a if p is q else 2.0 * q.a)(p, p)


class Once:
    made = None

    def __new__(cls):
        return cls.made


class Tagging(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.tag = 5.0
        return made

    @property
    def size(cls):
        return 7.0


class Tagged(metaclass=Tagging):
    def __init__(self, x):
        self.x = x


Once.made = Bare()


@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
def test_metaclasses_and_new_that_gives_what_is_there(transform):
    assert transform(lambda x: Tagged(x).tag * Tagged(x).x + Tagged.size)(X) == 14.5
    assert transform(lambda x: Once() is Once())(X) is True


@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
def test_what_is_raised_may_not_hold_an_object(transform):
    def f(x):
        assert x < 0.0, Vec(x, x)

    with pytest.raises(gs.UnsupportedError, match="a Vec in an exception"):
        transform(f)(X)


class Failure(Exception):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code


@raises
def an_exception_with_an_init(x):
    raise Failure("seven")


@raises
def an_exception_that_keeps_a_number(x):
    raise Failure(7)


def test_an_attribute_that_is_no_field_is_no_part_of_an_argument():
    with pytest.raises(gs.UnsupportedError, match="no field 'extra'"):
        gs.jit(lambda d: d.extra)(OwnInit(1.0))


@pytest.mark.parametrize("read", [lambda d: d.extra * d.a, lambda d: copy.copy(d).extra * d.a, lambda d: d.a if hasattr(d, "extra") else 0.0, lambda d: d.__dict__["extra"] * d.a])
@pytest.mark.parametrize("transform", [gs.jit, gs.grad, lambda f: gs.jit(gs.grad(f)), gs.jacfwd])
def test_nor_of_the_copy_of_an_argument_that_a_derivative_is_taken_of(read, transform):
    d = OwnInit(1.0)
    d.extra = 2.0
    with pytest.raises(gs.UnsupportedError, match="no field|the __dict__ of"):
        transform(read)(d)


class Odd:
    """Special methods that give what they may not, or nothing at all."""

    def __init__(self, v):
        self.v = v

    def __float__(self):
        return 2

    def __int__(self):
        return self.v

    def __divmod__(self, other):
        return NotImplemented

    def __iadd__(self, other):
        return NotImplemented

    def __len__(self):
        return -1


class Doubled(tuple):
    def __mul__(self, k):
        return Doubled(x * k for x in list(self))

    def __radd__(self, other):
        return "reflected", other


class Counts(Doubled):
    def __rmul__(self, k):
        return "asked first", k


class Exact:
    def __init__(self, v):
        self.v = v

    def __float__(self):
        return np.float64(self.v)

    def __index__(self):
        return True


@raises
def a_float_that_is_none(x):
    return float(Odd(x))


@raises
def an_int_that_is_none(x):
    return int(Odd(x))


@raises
def divmod_of_nothing(x):
    return divmod(Odd(x), 2.0)


@raises
def in_place_of_nothing(x):
    o = Odd(x)
    o += 1.0
    return o


@raises
def a_negative_length(x):
    return 1 if Odd(x) else 2


@raises
def abs_of_nothing(x):
    return abs(Doubled((x, 1.0)))


@raises
def product_of_two_tuples(x):
    return (1, 2) * Counts((x,)) and [1] * Doubled((x, 2.0))


@raises
def not_subscriptable(x):
    return Odd(x)[0]


@right
def operators_of_a_tuple_of_ones_own(x):
    d = Doubled((x, 2.0))
    e = d
    e += d
    f = (1.0,)
    f += d
    return e, f, [1] + d, (3.0,) + d, 2 * Counts((x,)), d == (x, 2.0), d < (x, 3.0), x in d, len(d), bool(Doubled(())), d * 2.0 if False else d[1]


@right
def conversions_take_python_s_classes(x):
    with_class = float(Exact(x)), int(Exact(x)), [5.0, 6.0][Exact(x)]
    return with_class, type(with_class[0]) is float, type(with_class[1]) is int


@dataclass
class Fieldless:
    def method(self, u):
        return u * 2.0


FIELDLESS = Fieldless()


@pytest.mark.parametrize("transform", [Primal, gs.jit], ids=["plain", "compiled"])
def test_an_attribute_of_an_object_without_fields_that_hides_a_method_is_seen(transform):
    f = transform(lambda u: FIELDLESS.method(u))
    assert f(1.5) == 3.0
    try:
        FIELDLESS.method = lambda u: 3.5
        with pytest.raises(gs.UnsupportedError, match="hides"):
            f(1.5)
    finally:
        del FIELDLESS.method
    assert f(1.5) == 3.0


@raises
def deletion_from_a_number(x):
    del x[0]


@raises
def deletion_from_a_tuple(x):
    t = (x, 1.0)
    del t[0]


@raises
def deletion_from_nothing(x):
    t = None
    del t[0]
