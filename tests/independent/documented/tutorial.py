"""Programs in the manner of Python's tutorial and of itertools' recipes."""
import functools
import math
import operator

from tests.independent.documented.table import entering

PROGRAMS = []                                    # (function, its arguments, made anew by a call)
example = entering(PROGRAMS)

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
    return (tel, list(tel), sorted(tel), "guido" in tel, "jack" not in tel, dict([("sape", 4139), ("guido", 4127)]),
            {x: x**2 for x in (2, 4, 6)})


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
    return ((1, 2, 3) < (1, 2, 4), [1, 2, 3] < [1, 2, 4], (1, 2, 3, 4) < (1, 2, 4), (1, 2) < (1, 2, -1),
            (1, 2, 3) == (1.0, 2.0, 3.0), (x, y) < (x, y, 1.0), [x, y] == [x, y], (x, y) > (y, x),
            "ABC" < "C" < "Pascal" < "Python")


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
    return (sum(map(lambda v: v % 2 == 0, values)), any(map(bool, values)), all([]),
            list(filter(lambda v: v > 2, values)))


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
    return (sorted(rows), sorted(rows, key=lambda r: r[1]), sorted(rows, key=operator.itemgetter(0), reverse=True),
            max(rows, key=lambda r: r[1]), min([], default=x))


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
