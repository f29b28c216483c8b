"""What was refused before, though users write it."""
import copy
import dataclasses
import functools
import math
from dataclasses import dataclass

import numpy as np

from tests.corpus.from_outside.classes import State, Vec
from tests.corpus.from_outside.table import X, item


# ---- refused before, though users write it
@dataclass
class Shape:
    size: float

    def area(self):
        return self.size * self.size

    def named(self, scale=1.0):
        return scale * self.area()


@dataclass
class Ring(Shape):
    hole: float = 0.0

    def area(self):
        return super().area() - self.hole**2

    def named(self, scale=1.0):
        return super(Ring, self).named(scale=scale) + 1.0


@item(Ring(3.0, 1.0), gradient=0)
def super_methods(r):
    return r.area() * 2.0 + r.named(2.0)


class Base:
    def __init__(self, a):
        self.a = a


class Derived(Base):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b


@item(2.0, gradient=0)
def super_init(x):
    d = Derived(x, 3.0)
    return d.a * d.b


@item([3.0, 1.0, 2.0], gradient=None)
def sorted_of_runtime_values(a):
    return (sorted(a), sorted(a, reverse=True), sorted(a, key=lambda v: -v), sorted((a[0], 5.0)),
            sorted(a, key=abs, reverse=True))


@item([3.0, 1.0, 2.0], gradient=0)
def median_of_a_sorted_list(a):
    s = sorted(a)
    return s[1] * s[2]


@item(2.0)
def sorted_of_static_values(x):
    d = {"b": x, "a": 1.0}
    return (sorted(d), sorted(d, reverse=True), sorted([3, 1, 2], key=lambda n: -n),
            sorted(d.items(), key=lambda p: p[0]), sorted(["bb", "a"], key=len), sorted("cab", reverse=True),
            sorted({3: x, 1: x}), sorted(range(3), reverse=True))


@item([3.0, -5.0, 2.0], gradient=0)
def largest_by_key(a):
    return max(a, key=abs) + min(a, key=lambda v: v * v)


@item([3.0, -5.0, 2.0])
def largest_with_a_default(a):
    return (max([], default=None), min((), default=3.0), max(a, default=1.0), max(3.0, -5.0, key=abs),
            max(["a", "bbb"], key=len), max({"a": 1, "b": 2}))


@item([1.0, 2.0], [1.0, 2.0], more=[([1.0, 2.0], [1.0, 3.0]), ([1.0], [1.0, 2.0])])
def lists_compared(a, b):
    return (a == b, a != b, a == [1.0, 2.0], (1.0, 2.0) == tuple(a), a == tuple(a), a < b, a >= b, [] == [], [a] == [b],
            {"x": a} == {"x": b})


@item(2.0, 3.0)
def dicts_united(x, y):
    d1, d2 = {"a": x}, {"b": y, "a": 1.0}
    d3 = d1 | d2
    d4 = d1
    d4 |= d2
    return d3, d1, d2 | {"c": x}, d4 is d1


@item(Vec(1.0, 2.0), 5.0, gradient=1)
def dataclass_replaced(p, x):
    q = dataclasses.replace(p, x=x * 2.0)
    return q.x * q.y


@item(State(1.0, 2.0), 5.0)
def dataclass_functions(p, x):
    return (dataclasses.asdict(p), dataclasses.astuple(p), dataclasses.replace(p),
            [f.name for f in dataclasses.fields(p)], dataclasses.is_dataclass(p))


@item([1.0, [2.0]], State(1.0))
def copies(a, p):
    a, p = [1.0, [a[1][0]]], State(p.x)
    b, c, q = copy.copy(a), copy.deepcopy(a), copy.copy(p)
    a[1][0] = 5.0
    p.x = 7.0
    return a, b, c, q, b[1] is a[1]


@item(X)
def copies_of_arrays(x):
    y, z = copy.copy(x), copy.deepcopy(x)
    x[0] = 100.0
    return y, z, x


@functools.lru_cache
def cached_coefficient(n):
    return float(n * n)


@functools.cache
def cached_root(x):
    return x**0.5


@item(2.0, gradient=0)
def helper_under_a_cache(x):
    return cached_coefficient(3) * x + cached_root(x)


@dataclass
class WithClassAttributes:
    x: float
    none = None
    kernel = np.array([1.0, 2.0])
    table = {"a": 1.0}


@item(WithClassAttributes(2.0), gradient=0)
def class_attributes(o):
    return o.x * np.sum(o.kernel) * o.table["a"] if o.none is None else 0.0


@item(2.0, True, gradient=0, more=[(2.0, False)])
def functions_on_both_sides(x, flag):
    if flag:
        def g(y):
            return 2.0 * y
    else:
        def g(y):
            return y * y
    return g(x)


@item(2.0, gradient=0, more=[(-2.0,)])
def functions_on_both_sides_of_a_runtime_test(x):
    if x > 0.0:
        def g(y):
            return 2.0 * y
    else:
        def g(y):
            return y * y
    return g(x)


@item(2.0, gradient=0, more=[(-2.0,)])
def lambdas_on_both_sides(x):
    g = (lambda y: 2.0 * y) if x > 0.0 else (lambda y: y * y)
    return g(x)


@item(3, 5, more=[(5, 5), (-1, 5), (0, 0)])
def in_a_range(k, n):
    return k in range(n), k in range(1, n, 2), k not in range(n), k in [1, 2, 3], k in (0, 5), 3 in range(n)


@item(2.5, more=[(2.0,), (7.0,)])
def float_in_containers(x):
    return x in range(5), x in [2.0, 7.0], x in (1, 2), x not in [x]


@item(3, True, more=[(3, False)])
def dtypes_that_differ_on_paths(n, flag):
    y = np.zeros(n, dtype=np.int64)
    if flag:
        y = y + 0.5
    return y


@item(X, True, more=[(X, False)])
def ints_or_floats(x, flag):
    y = np.array([1, 2, 3]) if flag else x
    return y * 2


@item(4, more=[(0,), (1,)])
def dtypes_that_differ_in_a_loop(n):
    y = np.zeros(3, dtype=np.int64)
    for _ in range(n):
        y = y + 0.5
    return y


@item(np.int64(3), 2, more=[(np.int64(3), 0)])
def numpy_int_that_becomes_a_float(s, n):
    for _ in range(n):
        s = s * 0.5
    return s


@item(2.5, more=[(3.5,), (-2.5,), (2.675,), (-0.4,), (0.0,)])
def round_of_a_float(x):
    return round(x), round(x, 2), round(x, -1), round(x, ndigits=1), round(x, None), round(x, 0)


@item(1e300, compiled_refuses="cannot convert this float to a 64-bit integer")
def round_of_a_large_float(x):
    return round(x), round(x, 2), round(x, -1), round(x, ndigits=1), round(x, None), round(x, 0)


@item(1e300)
def round_of_a_large_float_to_digits(x):
    return round(x, 2), round(x, -1), round(x, ndigits=1), round(x, 0)


@item(math.inf, more=[(math.nan,)])
def round_of_infinity(x):
    return round(x)


@item(15, more=[(25,), (-15,), (0,)])
def round_of_an_int(n):
    return round(n), round(n, -1), round(n, 2), round(n > 3)


@item(np.float64(2.5), more=[(np.float32(2.5),)])
def round_of_a_numpy_scalar(x):
    return round(x), round(x, 1)


@item(np.array([[3.0, 1.0], [2.0, 4.0]]), gradient=0)
def two_dimensional_sort(x):
    return np.sum(np.sort(x) * np.array([1.0, 2.0]))


@item(np.array([[3.0, 1.0], [2.0, 4.0]]))
def two_dimensional_sorts(x):
    y = x.copy()
    y.sort(axis=0)
    return np.sort(x, axis=0), np.sort(x, axis=1), np.sort(x), y


@item([3.0, 1.0, 2.0])
def list_methods(a):
    a = list(a)
    a.sort()
    k = a.index(2.0)
    n = a.count(1.0)
    a.remove(1.0)
    a.insert(0, 9.0)
    a.reverse()
    return a, k, n


@item([3.0, 1.0, 2.0], gradient=0)
def sorted_in_place(a):
    b = list(a)
    b.sort(key=lambda v: -v)
    return b[0] * b[1]


@item([3, 1, 2])
def list_methods_of_ints(a):
    b = a[:]
    b.sort(reverse=True)
    return b, a.index(1), 1 in a, a.index(2, 1)


@item([3.0, 1.0, 2.0])
def index_of_what_is_not_there(a):
    return a.index(7.0)


@item([3.0, 1.0, 2.0, 5.0])
def slices_of_lists(a):
    b = list(a)
    b[1:3] = [9.0]
    c = list(a)
    c[::2] = [0.0, 1.0]
    d = list(a)
    del d[1]
    del d[-1:]
    e = list(a)
    e[:0] = e[2:]
    return b, c, d, e


@item(2.0, gradient=0)
def dict_pops(x):
    d = {"a": x, "b": 3.0}
    y = d.pop("a")
    z = d.pop("c", 4.0)
    k, v = d.popitem()
    d[k] = v * y
    return y * z * v + d["b"]


@item(2.0)
def dict_pop_of_what_is_not_there(x):
    return {"a": x}.pop("b")


@item(2.0)
def dict_deletions(x):
    d = {"a": x, "b": 3.0}
    del d["a"]
    e = {"q": x}
    e.clear()
    return d, e, len(d), "a" in d, list(reversed({"x": 1, "y": x}))


V = 7.0


@item([1.0, 2.0], gradient=0)
def comprehension_variable_named_like_a_global(a):
    return sum([V * 2.0 for V in a]) + V


@item([1.0, 2.0])
def comprehension_variables_stay_inside(a):
    squares = [V * V for V in a]
    return squares, V, {str(V): V for V in [1, 2]}
