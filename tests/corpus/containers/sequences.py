"""Iterators, lists, tuples, dicts, sorting, unpacking."""
import operator

import numpy as np

from tests.corpus.containers.table import program


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
    return (max([x, y], key=lambda v: -v), max([1, 5, 3], key=lambda v: -v), min("abc"), max((), default=3.0),
            max(x, y, 2.5))


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
    return (isinstance(range(3), range), isinstance(f"{x}", str), isinstance([x], (list, tuple)), isinstance(x, float),
            isinstance(zip(), zip), callable(len), callable(lambda: 0), callable(x))


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
    return (operator.add(x, y), operator.getitem([x, y], 1), operator.lt(x, y), operator.contains([1, 2], 2),
            operator.neg(x), operator.not_(x), operator.itemgetter(1)([x, y]))
