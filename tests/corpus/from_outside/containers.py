"""Iterators and containers."""
import numpy as np

from tests.corpus.from_outside.classes import Pair, State, Vec
from tests.corpus.from_outside.table import X, item


# ---- iterators and containers
@item([1.0, 2.0], [3.0])
def strict_zip(a, b):
    return [x * y for x, y in zip(a, b, strict=True)]


@item([1.0, 2.0], [3.0, 4.0], gradient=0)
def strict_zip_of_equal_lengths(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


@item(np.array([1.0, 2.0]), np.array([3.0]))
def strict_zip_of_arrays(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


@item([1.0, 2.0], [3.0, 4.0])
def zip_runs_out(a, b):
    z = zip(a, b)
    return list(z), list(z)


@item([1.0, 2.0, 3.0])
def iterators_run_out_across_break(a):
    it = iter(a)
    first = 0.0
    for v in it:
        first = v
        break
    rest = [v for v in it]
    return first, rest, list(it)


@item([1.0, 2.0, 3.0])
def enumerate_and_reversed_run_out(a):
    e, r, m = enumerate(a), reversed(a), map(lambda v: 2.0 * v, a)
    return list(e), list(e), list(r), list(r), list(m), list(m)


@item([1.0, 2.0, 3.0])
def next_of_iterators(a):
    z = zip(a, a[1:])
    first = next(z)
    return first, list(z), next(z, None), next(iter([]), 5.0)


@item([1.0, 2.0])
def next_of_nothing(a):
    it = iter(a)
    next(it), next(it)
    return next(it)


@item(2.0)
def map_is_lazy(x):
    seen = []

    def note(v):
        seen.append(v)
        return v * x
    m = map(note, [1.0, 2.0, 3.0])
    before = len(seen)
    first = next(m)
    between = len(seen)
    rest = list(m)
    return before, first, between, rest, seen


@item(5, more=[(1,), (0,)])
def index_of_a_range(n):
    return range(n)[-1], range(n)[0]


@item(2.0)
def indices_of_ranges(x):
    r = range(2, 20, 3)
    return (r[-1], r[1:3], r[::-1], len(r), 5 in r, 6 in r, r.index(8), r.count(5), r.start, r.stop, r.step, list(r),
            r == range(2, 19, 3), r[2] * x)


@item(2.0, gradient=0)
def dict_of_keywords(y):
    d = dict(x={"a": y}, y=2.0)
    return d["x"]["a"] * d["y"]


@item(2.0, 3.0)
def dicts_by_all_ways(v, w):
    d = dict([("a", v)])
    d.update(other=w)
    d.update({"b": v}, c=w)
    d.update([("d", v), ("a", w)])
    return d, dict(d, z=v), dict({"q": v}), dict(zip("ab", (v, w))), {**d, "a": v}, dict(x=1)


@item(2.0)
def update_with_a_keyword_called_other(v):
    d = {}
    d.update(other={"a": v})
    return d


@item(2.0)
def repeat_of_a_shared_list(x):
    a = [x, 1.0]
    b = a
    a *= 2
    b += [5.0]
    return a, b, len(b), a is b


@item([1.0, 2.0])
def repeat_of_an_argument_in_place(a):
    a = list(a)
    a *= 2
    a += (3.0,)
    return len(a)


@item(2.0)
def tuple_plus_list(x):
    return (1, x) + [2]


@item(2.0)
def list_plus_tuple(x):
    return [1, x] + (2,)


@item(2.0)
def list_iadd_tuple(x):
    a = [1, x]
    a += (2,)
    return a


@item(2.0, gradient=0)
def sum_of_lists(x):
    return sum(sum([[x, 2.0], [x * x]], []))


@item(2.0)
def sum_with_a_start(x):
    return sum([x, x], 1.0), sum((x, 2), start=x), sum([(x,), (x,)], ()), sum([]), sum([], x)


@item(2.0)
def keywords_of_string_methods(x):
    return ("a-b-c".split(sep="-"), "a-b-c".split(sep="-", maxsplit=1), "{a}-{b}".format(a=1, b="z"),
            "ab".encode(encoding="ascii"), "x{}y{}".format(1, 2))


@item(2.0)
def string_keys_by_methods(x):
    d = {"w_1": x, "w_2": 3.0 * x}
    return ([d[k] for k in d if k.endswith("_1")], {k.split(sep="_")[1]: v for k, v in d.items()},
            d["{name}_2".format(name="w")])


@item([1.0, 2.0], 10.0, gradient=1)
def lambda_in_a_comprehension(a, v):
    f = [lambda: v for v in a][0]
    return f() * v


@item([1.0, 2.0], 10.0)
def late_lambdas_in_a_comprehension(a, v):
    fs = [lambda t: t * v for v in a]
    gs_ = [(lambda t, v=v: t * v) for v in a]
    return [f(2.0) for f in fs], [g(2.0) for g in gs_], v


@item(2.0)
def callables(x):
    def g(y):
        return y
    return (callable(g), callable(x), callable(abs), callable(Vec), callable([]), callable("a"), callable(Vec(x, x)),
            callable(Pair(x, x)), callable(lambda: 0), callable(None), callable(State(x)), callable([x].append),
            callable("".join))


@item(2.0)
def instances(x):
    n = len([x])
    return (isinstance(range(3), range), isinstance(f"{x}", str), isinstance(x, float), isinstance(x, (int, str)),
            isinstance(True, int), isinstance([x], list), isinstance((x,), tuple), isinstance(Pair(x, x), tuple),
            isinstance({}, dict), isinstance(zip(), zip), isinstance(slice(1), slice), isinstance({}.items(), list),
            isinstance(n, int), isinstance(x > 1.0, bool), isinstance(None, type(None)), isinstance(Vec(x, x), Vec),
            isinstance(x, int | float), isinstance(np.float64(x), float), isinstance(len, type(len)))


@item(2.0)
def types(x):
    def g():
        return 1
    return (type(range(3)) is range, type(f"{x}") is str, type(x) is float, type([x]), type((x,)), type({}),
            type(Pair(x, x)), type(Vec(x, x)), type(g) is type(lambda: 0), type({}.items()) is type({}.keys()),
            type(x > 1) is bool, type(zip()) is zip, type(1) is int, type("a"))


@item(X)
def identity_of_views(x):
    y = x
    return (x is y, x[:] is x, x[:] is not x, x.T is x, x.copy() is x, np.asarray(x) is x, x.reshape(3) is x,
            x.ravel() is x, x[...] is x)


@item([1.0, 2.0])
def identity_of_containers(a):
    b, c, d = a, a[:], (a, a)
    return (b is a, c is a, c == a, d[0] is d[1], a.copy() is a, list(a) is a, d is (d), tuple(d) is d, d[:] is d,
            [] is [], None is None)
