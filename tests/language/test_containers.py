"""Containers, iterators, enums and flags as people use them: each program gives what Python gives, plain and compiled."""
import enum
import functools
import operator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree


class Box(NamedTuple):
    x: float
    y: float


class Bits(enum.IntFlag):
    P = 1
    Q = 4


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Kind(enum.Enum):
    A = 1
    B = 2


class OwnFloat(float):
    pass


PROGRAMS = []


def program(*args, refused=""):
    """Hold the decorated function against Python at these arguments; `refused`: what is said of it, as is known."""
    def register(fun):
        PROGRAMS.append(pytest.param(fun, args, refused, id=fun.__name__))
        return fun
    return register


@program(2.0, 3.0)
def zip_state(x, y):
    z = zip([x, y], [y, x])
    a = list(z)
    b = list(z)
    return len(a), len(b), a


@program(2.0, 3.0)
def zip_strict(x, y):
    return list(zip([x, y], [1.0], strict=True))


@program(2.0, 3.0)
def zip_strict3(x, y):
    return list(zip([x], [1.0, 2.0], [3], strict=True))


@program(2.0, 3.0)
def zip_strict_ok(x, y):
    return [a*b for a, b in zip([x, y], [1.0, 2.0], strict=True)]


@program(2.0, 3.0)
def iter_break(x, y):
    it = iter([x, y, x+y, x*y])
    s = 0.0
    for v in it:
        s += v
        if s is not None:
            break
    return s, next(it), list(it), next(it, None)


@program(2.0, 3.0)
def grouper(x, y):
    it = iter([x, y, 1.0, 2.0, 3.0])
    return list(zip(it, it))


@program(2.0, 3.0)
def enum_start(x, y):
    e = enumerate([x, y], start=5)
    a = next(e)
    return a, list(e)


@program(2.0, 3.0)
def map_is_lazy(x, y):
    log = []

    def f(v):
        log.append(v)
        return 2 * v

    m = map(f, [x, y])
    n = len(log)
    r = list(m)
    return n, len(log), r


@program(2.0, 3.0)
def filtered(x, y):
    return list(filter(None, [0, 1, 2.5, "", (), [], None, "a"]))


@program(2.0, 3.0)
def filtered_by_a_function(x, y):
    return [x*k for k in filter(lambda k: k % 2, range(6))]


@program(2.0, 3.0)
def range_neg(x, y):
    r = range(5)
    return r[-1], r[1:3][0], len(r), 3 in r, 7 in r, list(reversed(r)), r.index(3), r.start, r.stop, r.step


@program(2.0, 3.0)
def dict_kw(x, y):
    d = dict(x={"a": x}, y=2.0)
    d.update(other=y)
    d2 = dict([("a", x), ("b", y)])
    return d, d2


@program(2.0, 3.0)
def dict_ops(x, y):
    d = {"a": x, "b": y}
    e = d | {"c": 1.0}
    e |= {"d": 2.0}
    p = e.pop("a")
    q = e.pop("zz", 7.0)
    r = e.popitem()
    return e, p, q, r, d == {"a": x, "b": y}


@program(2.0, 3.0)
def imul(x, y):
    a = [x]
    b = a
    a *= 2
    a += (y,)
    return a, b, a is b


@program(2.0, 3.0)
def concat_err(x, y):
    return (1,)+[2]


@program(2.0, 3.0)
def sum_lists(x, y):
    return sum([[x], [y]], [])


@program(2.0, 3.0)
def split(x, y):
    return "a-b-c".split(sep="-"), "{a}|{0}".format(3, a=1), "abc".upper(), "a,b".split(",", maxsplit=1)


@program(2.0, 3.0)
def sorted_key(x, y):
    return sorted([3, 1, 2], key=lambda k: -k, reverse=True), sorted(["b", "A"], key=str.lower)


@program(2.0, 3.0)
def sorted_rt(x, y):
    return sorted([x, y, 2.5]), sorted([y, x, 2.5], reverse=True)


@program(2.0, 3.0)
def sorted_rt_key(x, y):
    return sorted([(x, 1.0), (y, 2.0), (2.5, 3.0)], key=lambda p: -p[0])


@program(2.0, 3.0)
def max_key(x, y):
    return max([x, y], key=lambda v: -v), max([1, 5, 3], key=lambda v: -v), min("abc"), max((), default=3.0), max(x, y, 2.5)


@program(2.0, 3.0)
def max_empty(x, y):
    return max([])


@program(2.0, 3.0)
def eq(x, y):
    return [x, y] == [x, y], [x, y] == [y, x], (x, y) < (y, x), [x] != [x, y], (1, 2) == [1, 2], {"a": x} == {"a": x}


@program(5, "x")
def in_of_an_int(x, y):
    return x in [y, x], 2.0 in (x, y), "a" in "abc", "a" in {"a": x}, x in {"a": x}.values()


@program(2.0, 3.0)
def slice_store(x, y):
    a = [x, y, 1.0, 2.0]
    a[1:3] = [5.0]
    del a[0]
    a[0] = x
    a.insert(0, y)
    a.remove(2.0)
    i = a.index(y)
    return a, i, a.count(y)


@program(2.0, 3.0)
def sort(x, y):
    a = [3, 1, 2]
    a.sort(reverse=True)
    b = [x, y, 1.0]
    b.sort()
    return a, b


@program(5)
def flags_of_an_enum(x, y):
    f = x > y
    return f is True, f is False, (x < y) is True, f is not True


@program(2.0, 3.0)
def identity(x, y):
    a = [x]
    b = a
    c = [x]
    return a is b, a is c, x is None, None is None


@program(2.0, 3.0)
def truths(x, y):
    return bool([0.0]), bool(()), bool([]), bool({}), bool({"a": 1}), bool(range(0)), bool({}.items()), bool(x), not [x]


@program(2.0, 3.0)
def isinst(x, y):
    return isinstance(range(3), range), isinstance(f"{x}", str), isinstance([x], (list, tuple)), isinstance(x, float), isinstance(zip(), zip), callable(len), callable(lambda: 0), callable(x)


@program(2.0, 3.0)
def unpack(x, y):
    a, b, *c = [1]
    return a


@program(2.0, 3.0)
def unpack2(x, y):
    a, *b, c = [x, y, 1.0, 2.0]
    return a, b, c


@program(2.0, 3.0)
def star(x, y):
    a = [*map(lambda v: v*2, [x, y])]
    return (*a, *range(2), *{"k": 1})


@program(2.0, 3.0)
def getattr(x, y):
    return getattr(x, "nope", 5.0), hasattr(x, "real"), hasattr([], "append"), getattr([1], "nope", None)


@program(2.0, 3.0)
def attr_err(x, y):
    return x.nope


@program(2.0, 3.0)
def list_attr_err(x, y):
    return [x].nope


@program([np.float64(2), 1.0])
def any_and_all_of_numpys_bools(x, y):
    return any([]), all([]), any([x > y, x < y]), all([x < y]), any(v > 2 for v in ()) if False else 0


@program(2.0, 3.0)
def dictcomp(x, y):
    return {k: v*2 for k, v in {"a": x, "b": y}.items()}, dict.fromkeys("ab", x), dict(zip("ab", (x, y)))


@program(2.0, 3.0)
def keyerr(x, y):
    return {"a": x}["b"]


@program(2.0, 3.0)
def idxerr(x, y):
    return [x][3]


@program(2.0, 3.0)
def tuple_m(x, y):
    return (1, 2, 1).count(1), (x, y).index(y), (x, y)*2, 2*[x], [x]*0


@program(2.0, 3.0)
def next_stop(x, y):
    return next(iter([]))


@program(2.0, 3.0)
def reversed(x, y):
    return list(reversed([x, y])), list(reversed((x, y))), [k for k in reversed({"a": 1, "b": 2})]


@program(2.0, 3.0)
def nested(x, y):
    a = [[x], [y]]
    b = list(a)
    c = a.copy()
    b[0].append(1.0)
    return a, b, c, a[0] is b[0]


@program(2.0, 3.0)
def setitem(x, y):
    d = {}
    d["k"] = x
    d["k"] += y
    d.setdefault("l", []).append(x)
    return d, len(d), d.get("z"), d.get("z", 1.0), list(d)


@program(2.0, 3.0)
def functions_of_operator(x, y):
    return operator.add(x, y), operator.getitem([x, y], 1), operator.lt(x, y), operator.contains([1, 2], 2), operator.neg(x), operator.not_(x), operator.itemgetter(1)([x, y])


@program(2.0, 3.0)
def for_else(x, y):
    for k in [1, 2, 3]:
        if k == 5:
            break
    else:
        x = x+10
    return x


@program(2.0, 3.0)
def reduce(x, y):
    return functools.reduce(lambda a, b: a+b, [x, y], 1.0)


@program(2.0, 3.0)
def enum_loop(x, y):
    s = 0.0
    for k, (a, b) in enumerate(zip([x, y], (1.0, 2.0)), 1):
        s += k*a*b
    return s


@program(2.0, 3.0)
def in_range(x, y):
    n = int(y)
    return 2 in range(n), 5 in range(n), range(n)[-1], len(range(n)), list(range(n))


@program(2.0, 3.0)
def strmul(x, y):
    return "ab"*2, "a"+"b", "x"*0, "a" < "b", "%d-%s" % (3, "b")


@program(2.0, 3.0)
def type_err(x, y):
    return "a"+x


@program(2.0, 3.0)
def type_err2(x, y):
    return [x]+1.0


@program(2.0, 3.0)
def type_err3(x, y):
    return len(x)


@program(2.0, 3.0)
def type_err4(x, y):
    for v in x:
        pass


@program(2.0, 3.0)
def type_err5(x, y):
    return [x] < 3


@program(2.0, 3.0)
def type_err6(x, y):
    return -[x]


@program(2.0, 3.0)
def type_err7(x, y):
    return x["a"]


@program(2.0, 3.0)
def walrus(x, y):
    return [z for k in [1, 2] if (z := k*x) > 0]


@program(2.0, 3.0)
def chain(x, y):
    return 1 < 2 < 3, x < y < 5.0, [1] == [1] == [1]


@program(2.0, 3.0)
def lambda_comp(x, y):
    k = 100.0
    fs = [lambda v, k=k:v*k for k in (1.0, 2.0)]
    gs_ = [lambda v:v*k for k in (1.0, 2.0)]
    return [f(x) for f in fs], [g(x) for g in gs_], k


@program(2.0, 3.0)
def append_ret(x, y):
    a = []
    r = a.append(x)
    return r, a


@program(2.0, 3.0)
def dict_views(x, y):
    d = {"a": x, "b": y}
    ks = d.keys()
    d["c"] = 1.0
    return list(ks), len(ks), "c" in ks, list(d.items())


@program(2, -1)
def pow(a, b):
    return a**b


@program(-2.0, 0.5, refused="a negative number to a fractional power")
def frac(a, b):
    return a**b


@program(3)
def none(n):
    r = 1.0
    while n:
        n -= 1
    r = None
    return r


@program(np.array([1.0, 2.0]))
def contains(x):
    return 1.0 in x, (1.0 in x)*2, not x[0] > 1, (not x[0])*2


@program(1.0, 2.0)
def callables_of_all_kinds(x, y):
    return callable([]), callable({}), callable((1,)), callable("a"), callable(len), callable(lambda: 1)


@program(np.float64(1), 2.0)
def equal_containers_of_numpys_numbers(a, b):
    return [a] == [b], {"k": a} == {"k": b}, (a,) == (b,)


@program(np.ones(2))
def array_beside_a_string(x):
    return x == "a", x != "a"


@program(np.ones(1))
def array_of_one_beside_a_string(x):
    return 1.0 if x == "a" else 2.0


@program(5)
def flags_of_an_enum_2(n):
    return n & Bits.Q, Bits.P | Bits.Q


@program(2.0, 3.0)
def flags_that_are_known(x, y):
    return Bits.P | Bits.Q, Bits.P+1


@program(Box(1.0, 2.0))
def named_tuple_as_a_tuple(b):
    return b*2, 2*b, b+(1,), b[0], len(b), list(b)


@program([1.0])
def next_at_the_end(xs):
    it = iter(xs)
    next(it)
    return next(it)


@program(np.arange(6.0).reshape(2, 3))
def places_with_dots(x):
    return x[0, 1, ...], x[..., 1], x[0, ...]


@program(2.0)
def real_part(x):
    return x.real


@program(np.array([0.5, 2.0, 1.0]), np.array([1, 2, 3]))
def joined_numbers_that_make_no_difference(x, k):
    best = 0
    for v in x:
        if v > best:
            best = float(v)
    return best > k[0], k/best, x*best


@program(np.array([0.5, 2.0, 1.0]), np.array([1, 2, 3]), refused="a number that has another type on each path")
def joined_numbers_that_make_a_difference(x, k):
    best = 0
    for v in x:
        if v > best:
            best = float(v)
    return k*best


@program(np.float32(1.5))
def enum_beside_numpy(x):
    return x*Level.HIGH, Level.HIGH*x, Level.HIGH+1, Level.HIGH*2.0


@program(np.int8(100))
def enum_beside_int8(x):
    return x*Level.HIGH


@program(np.float32(1.5), OwnFloat(0.5))
def own_float_beside_numpy(x, s):
    return x*s


@program([np.float64(2), 1.0])
def any_and_all_of_numpys_bools_2(xs):
    return any([x > 1 for x in xs]), all([x > 1 for x in xs]), any([x > 5 for x in xs])


@program(5, "x")
def in_of_an_int_2(d, k):
    return k in d


@program(1.5, refused="the two sides do not fit together")
def largest_of_an_enum(x):
    return max(x, Level.HIGH)


@program(2.0, 3.0)
def enum(x, y):
    return [k.value for k in Kind], [k for k in Level][0] is Level.LOW


@program(2.0, 3.0)
def enum2(x, y):
    t = 0.0
    for k in Level:
        t += x*k
    return t


@program(2.0)
def enum_in_a_branch(x):
    n = Level.LOW
    if x > 1:
        n = Level.LOW
    return x*n


NEEDED, KEYS = frozenset(["k", "x"]), {"a", "b"}


class Sequence:
    def __init__(self, *a):
        self.a = a

    def __len__(self):
        return len(self.a)

    def __getitem__(self, i):
        return self.a[i]


@dataclass
class Pair:
    a: float
    b: float


@program(np.float64(1.0), 2.0)
def equal_dataclasses_of_numpys_numbers(a, b):
    return Pair(a, b) == Pair(b, a), Pair(a, b) == Pair(a, b), Pair(a, b) != Pair(a, b)


@program(-5)
def list_of_a_number_out_of_range(n):
    return np.array([n], dtype=np.uint8)


@program(200)
def list_with_a_number_out_of_range(n):
    return np.array([n, 1], dtype=np.int8)


@program(100)
def lists_of_numbers_in_a_dtype(n):
    return np.array([n, 1], dtype=np.int8), np.array([(n, 1), (2, n)], np.uint8), np.array([n, True, 2.5]), np.array([n, 1], np.float32)


@program(300)
def store_of_a_list_out_of_range(n):
    x = np.zeros(2, dtype=np.uint8)
    x[:] = [n, 1]
    return x


@program([1.0, 2.0])
def product_of_lists(x):
    return x @ x


@program(2.0)
def product_of_numbers(x):
    return x @ 3.0


@program(np.ones(2))
def products_with_lists(x):
    return x @ [1.0, 2.0], [1.0, 2.0] @ x


@program({"k": 1, "x": 2.0})
def keys_and_a_set_outside(record):
    return record["x"] * 2 if NEEDED <= record.keys() else 0.0


@program(2.0, {"a": 1.0, "b": 2.0})
def keys_are_sets(x, d):
    return (x if d.keys() == KEYS else -x), len(d.keys() & KEYS), KEYS == d.keys(), d.keys() < KEYS, d.keys() == {"a": 1, "b": 2}.keys()


@program(5, 3)
@program(5, -1)
@program(5, 5)
@program(8, 7)
def ranges_of_the_run_time(n, k):
    inside = k in range(n), k in range(1, n, 2), k in range(n, 0, -1), 2.0 in range(n), 2.5 in range(n), "a" in range(n)
    return inside, range(3, n + 1, 2)[-1], range(n)[k]


@program(2.0)
def text_of_containers(x):
    raise ValueError(f"{[x, (x,), {'a': x, 'b': [1, 'q']}]} {[]} {()} { {} }")


@program(np.ones(3), 2.0)
@program(np.ones(3), np.ones((2, 3)))
@program(np.float64(2.0), np.ones(3))
@program(np.ones((3, 2)), [1.0, 2.0])
def product_of_what_has_no_axes(x, y):
    return x @ y


@program({"a": 1.0})
def length_of_an_iterator(d):
    return len(iter(d.items()))


@program({"a": 1.0})
def attribute_of_an_iterator(d):
    return iter(d.items()).first


@program(2.0)
def an_iterator_in_arithmetic(x):
    return enumerate([x]) + [x]


@program(2.0)
def reversed_sequence_of_a_class(x):
    return list(reversed(Sequence(x, 2 * x)))


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("fun, args, refused", PROGRAMS)
def test_containers(fun, args, refused):
    agree(fun, *args, refused=refused)


# a loop over zip or enumerate of lists that is left where the run time says
def lookup_in_segments(t, times, values):
    for length, value in zip(times, values):
        if t <= length:
            return t * value
        t = t - length
    return t


def place_of(t, times, values):
    for k, (a, b) in enumerate(zip(times[::-1], values), start=1):
        if t <= a:
            break
        values[k % len(values)] = b * 2.0
        t = t - b
    else:
        k = -1
    return t * k


def goes_on_after_a_break(t, times, values):
    pairs = zip(times, values)
    for a, _ in pairs:
        if t <= a:
            break
        t = t - a
    return t * len(list(pairs))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("f", [lookup_in_segments, lambda t, a, b: place_of(t, a, list(b))])
def test_a_loop_over_a_zip_that_is_left_early(f, compiled):
    g = gs.jit(gs.value_and_grad(f)) if compiled else gs.value_and_grad(f)
    for t in 0.2, 1.2, 3.7, 100.0:
        for lengths, values in ([1.0, 0.5, 3.0], [1.5, 2.0, 3.0]), ((2.0, 0.5), [1.5, 2.0, 3.0]):
            value, slope = g(t, lengths, values)
            assert value == f(t, lengths, values)
            assert abs(slope - (f(t + 1e-6, lengths, values) - f(t - 1e-6, lengths, values)) / 2e-6) < 1e-6


def test_a_zip_of_lists_that_is_read_after_the_break_is_refused():
    with pytest.raises(gs.GradscribeError, match="must be known before"):
        gs.jit(goes_on_after_a_break)(1.2, [1.0, 0.5, 3.0], [1.0, 2.0, 3.0])
