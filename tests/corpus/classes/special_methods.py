"""Special methods: operators, comparisons, text, containers, iterators."""
import functools
import math

import numpy as np

from tests.corpus.classes.plain import Bare
from tests.corpus.classes.table import raises, refused, right


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
    return ((1.0 if Vec(x) else x) + (1.0 if not Vec(-x) else x) + (x if Bare() else 1.0)
            + (x if Vec(x) and Vec(2.0) else 1.0))


@right
def comparisons_of_objects(x):
    return (Vec(x) == Vec(1.5), Vec(x) != Vec(1.5), Vec(x) == Vec(2.0), Vec(x) != Vec(2.0), 2.0 in Vec(x, 2.0),
            3.0 not in Vec(x, 2.0))


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
    numbers = (w.kg * v.kg + round(w) + round(w, 2) + divmod(w, 2.0)[0] + w**2 + ~w + +w + pow(w, 3) + float(w)
               + int(w) + hash(w))
    return (numbers + [1.0, 2.0][w] + (np.float64(2.0) * Weight(x)).kg + (np.sum(np.ones(2)) * Weight(x)).kg
            + sum([Weight(x), Weight(x)]).kg)


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
