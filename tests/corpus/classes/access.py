"""Descriptors, decorators, transformed methods, attributes on demand."""
import functools
import math

import numpy as np

import gradscribe as gs
from tests.corpus.classes.plain import Bare
from tests.corpus.classes.table import raises, refused, right


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


# attributes that only one path sets --------------------------------------------------------------
@right
def set_where_a_try_succeeds(x):
    """The factor that a matrix gets once enough was added to its diagonal."""
    kept, more = Bare(), 0.0
    while True:
        try:
            kept.factor = np.linalg.cholesky(np.array([[x, x], [x, x]]) - (0.2 - more) * np.eye(2))
            break
        except np.linalg.LinAlgError:
            more = max(3.0 * more, 0.15)
            if more > 5.0:
                raise
    return kept.factor[0, 0] * kept.factor[1, 1]


@right
def set_on_one_path(x):
    b = Bare()
    if x > 1.0:
        b.high = 3.0 * x
    else:
        b.low = x * x
    b.there = hasattr(b, "high") + getattr(b, "low", 2.0 * x)
    return (b.high if x > 1.0 else b.low) + b.there


@right
def set_and_deleted_on_one_path(x):
    b = Bare()
    if x > 1.0:
        b.high = 3.0 * x
    if x > 1.2:
        del b.high
    try:
        return b.high * x
    except AttributeError:
        return x ** 3


@right
def set_in_some_rounds(x):
    b, total = Bare(), 0.0
    for k in range(4):
        if hasattr(b, "best") and b.best > x * k:
            continue
        b.best = x * k + 1.0
        total += b.best
    return total * b.best


@right
def of_the_class_where_no_path_has_set_it(x):
    d = Defaults()
    if x > 2.0:
        d.rate = x * x
        d.more = 7.0
    return d.rate * x + d.more


class Defaults:
    rate = 4.0

    def __getattr__(self, name):
        return self.rate + len(name)


@raises
def read_where_no_path_has_set_it(x):
    b = Bare()
    if x > 2.0:
        b.high = 3.0 * x
    return b.high


@raises
def deleted_where_no_path_has_set_it(x):
    b = Bare()
    if x > 2.0:
        b.high = 3.0 * x
    del b.high
    return x


@refused
def the_dict_of_what_one_path_has_set(x):
    b = Bare()
    if x > 1.0:
        b.high = 3.0 * x
    return vars(b)["high"]
