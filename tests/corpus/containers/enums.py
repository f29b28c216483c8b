"""Loops, errors, lambdas, powers, enums and flags."""
import functools

import numpy as np

from tests.corpus.containers.table import Bits, Box, Kind, Level, OwnFloat, program


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


@program(np.array([0.5, 2.0, 1.0]), np.array([1, 2, 3]))
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
