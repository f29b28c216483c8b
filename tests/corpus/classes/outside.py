"""Objects in loops and branches and from outside; what special methods may not give."""
from dataclasses import dataclass

import numpy as np

from tests.corpus.classes.plain import Bare
from tests.corpus.classes.table import raises, refused, right


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


@right
def an_attribute_of_one_path(x):
    p = Point(x, 1.0)
    if x > 1.0:
        p.once = x
    return p.once


@right
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
    return (e, f, [1] + d, (3.0,) + d, 2 * Counts((x,)), d == (x, 2.0), d < (x, 3.0), x in d, len(d), bool(Doubled(())),
            d * 2.0 if False else d[1])


@right
def conversions_take_python_s_classes(x):
    with_class = float(Exact(x)), int(Exact(x)), [5.0, 6.0][Exact(x)]
    return with_class, type(with_class[0]) is float, type(with_class[1]) is int


@dataclass
class Fieldless:
    def method(self, u):
        return u * 2.0


FIELDLESS = Fieldless()


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
