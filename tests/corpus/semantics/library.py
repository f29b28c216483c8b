"""itertools, operator, namespaces, methods of arrays, iterators."""
import contextlib
import itertools
import operator
import types

import numpy as np

from tests.corpus.semantics.table import program

# ---- itertools, operator, namespaces, methods of arrays

THREE = np.array([1.0, 2.0, 3.0])


@program((THREE, ["a", "b"]))
def itertools_of_known_lengths(x, names):
    a, b, c = x
    pairs = (sum(u * v for u, v in itertools.product([a, b], repeat=2)),
             sum(x[i] * j for i, j in itertools.permutations(range(3), 2)))
    more = (sum(u * v for u, v in itertools.combinations(x, 2)), list(itertools.chain([a], (b,))),
            [*itertools.chain.from_iterable([[a], [c]])])
    filled = [(u, v) for u, v in itertools.zip_longest(names, [a], fillvalue=0.0)]
    sums = list(itertools.accumulate([a, b, c])), list(itertools.accumulate([1.0, 2.0], operator.mul, initial=a))
    return pairs, more, filled, sums, [(n, k) for n, k in zip(names, itertools.cycle([a, b, c]))]


@program((THREE,))
def itertools_one_step_at_a_time(x):
    a, b, c = x
    it = iter([a, b, c, a, b])
    first = list(itertools.islice(it, 2)), next(it), [k * v for k, v in zip(itertools.count(1), itertools.repeat(a, 2))]
    kept = [*itertools.takewhile(lambda k: k < 2, range(5))], [*itertools.dropwhile(lambda k: k < 2, range(4))]
    rest = ([*itertools.compress([a, b, c], [1, 0, 1])], [*itertools.filterfalse(None, [0, 1])],
            list(itertools.islice([a, b, c], 1, None, 2)))
    slopes = ([v - u for u, v in itertools.pairwise([a, b, c])],
              list(itertools.starmap(operator.mul, [(a, 2.0), (b, 3.0)])))
    return (first, list(it), kept, rest, slopes,
            [(k, sum(x[i] for i in g)) for k, g in itertools.groupby(range(3), key=lambda i: i // 2)])


@program((THREE,))
def groups_that_are_passed_over(x):
    """A group shares its items with what made it: it has ended when that goes on."""
    made = list(itertools.groupby([1, 1, 2, 2, 3]))
    rows = itertools.groupby([1, 1, 1, 2, 2, 3])
    (k, first), (n, second) = next(rows), next(rows)
    found = [x[i] * next(group) for i, (_, group) in enumerate(rows)]
    return [len([*g]) for _, g in made], k * x[0], [*first], n, [*second], found


@program((THREE,))
def groups_item_by_item(x):
    """The key of an item is asked for when the item is."""
    asked = []
    rows = itertools.groupby(range(5), key=lambda i: asked.append(i) or i // 2)
    _, group = next(rows)
    first = next(group), len(asked), next(group, None), len(asked)
    return first, next(group, None), len(asked), [(k * x[0], [*g]) for k, g in rows]


@program((THREE,))
def islices_leave_what_they_have_not_drawn(x):
    it = iter([x[0], x[1], x[2], x[0], x[1], x[2], x[0]])
    first = [*itertools.islice(it, 0, 5, 3)], next(it)
    ended = itertools.islice([x[0]], 5)
    none, endless = itertools.islice([x[0]], 0, 0), itertools.islice(itertools.count(x[1]), 2)
    return first, [*it], [*ended], [*ended], [*none], [*endless]


@program((THREE,))
def a_cycle_in_a_loop_and_an_iterator_of_one_of_two(x):
    turns, total = itertools.cycle([x[0], x[1]]), 0.0
    numbers = itertools.count(2) if x[0] > 0 else itertools.count(3)
    for _ in range(5):
        total = total * 0.5 + next(turns)
    return total, type(turns) is itertools.cycle, next(numbers) * x[0], next(numbers)


@program((THREE,))
def tees_of_a_wrong_number(x):
    return itertools.tee(x, -1)


@program((THREE,))
def islice_of_a_wrong_number(x):
    return list(itertools.islice([x[0]], -1))


@program(({"a": THREE, "b": 2.0},))
def functions_that_operator_makes(p):
    first = operator.itemgetter("a")
    return (first(p).sum(), operator.itemgetter("b", "a")(p)[0], operator.attrgetter("T.T")(p["a"])[0],
            operator.methodcaller("sum")(p["a"]))


@program((THREE, 2))
def namespaces(x, n):
    given = types.SimpleNamespace(**{"w": x, "n": n})
    p = types.SimpleNamespace(w=given.w * 2.0, k=given.n)
    p.w = p.w + 1.0
    p.more = [p.w[0]]
    return np.sum(p.w) * p.k + p.more[0]


@program((THREE,), (np.arange(4),), (np.array([[1.0, 2.0], [3.0, 4.0]]),))
def methods_of_arrays(x):
    square = x.reshape(-1, 1)
    return (x.tolist(), x.item(1), x[0].tolist(), square.mT, x.itemsize, x.nbytes, x.__len__(),
            x.compress([True, False], axis=0), x.sum()[None], x.sum()[()])


@program((2.0,))
def python_number_has_no_items(x):
    return x[None]


@program((np.float32(2.0),))
def numpy_number_has_no_place(x):
    return x[0]


@program((1.5, THREE))
def format_of_a_string(x, y):
    raise ValueError("{} of {name!r}: {1:.2f}".format(x, y[1], name="a"))


@program((1.5,))
def format_without_a_value(x):
    return "{} {}".format(x)


@program((THREE, 1), (THREE, 7), (THREE, -3), (THREE, -4), (np.array(2.0), 0), (np.ones((2, 2)), 3),
         (np.ones((2, 2)), (1, 0)), (THREE, (1, 0)), (THREE, None))
def item_at_a_place(x, k):
    return x.item(k), x.item(*[0] * x.ndim)


TWO_BY_THREE = np.arange(6.0).reshape(2, 3)


@program((TWO_BY_THREE,), (TWO_BY_THREE.T,), (np.asfortranarray(TWO_BY_THREE),), (THREE,),
         (np.arange(6).reshape(3, 2),))
def flat_is_read(x):
    flat = x.flat
    total = sum(v * k for k, v in enumerate(flat)) + max(x.flat) + np.sum(flat)
    return (total, flat[2], flat[-1], flat[1:], flat[[[0, 1]]], flat[x.ravel() > 1], flat[...], np.array(flat),
            flat.copy(), len(flat), list(x.flat)[0])


@program((TWO_BY_THREE,), (TWO_BY_THREE.T,), (np.asfortranarray(TWO_BY_THREE),), (np.arange(6),))
def flat_is_stored_into(x):
    y, z, u = x.T.copy().T, x.copy(), x.T
    y.flat[1], y.flat[-1] = 7.0, x[0] if x.ndim == 1 else x[0, 0]
    y.flat[2:4] = [9.0, 8.0, 7.0]
    y.flat[[0, 0]] = 5, 6
    z.flat = x.T
    z.flat[z.flatten() > 3] = [1.0, 2.0]
    u.flat[1] = 3.5
    return y, z, u


@program((TWO_BY_THREE,), (TWO_BY_THREE.T,))
def flat_sees_stores(x):
    total = 0.0
    for k, v in enumerate(x.flat):
        total += v
        x.flat[-1 - k] = total
    x[0, 0] = 100.0
    return total, x


@program((TWO_BY_THREE, 6), (TWO_BY_THREE, -7))
def flat_out_of_range(x, k):
    x.flat[k] = 1.0
    return x


@program((TWO_BY_THREE,))
def flat_has_one_axis(x):
    return x.flat[x > 1.0]


@program((TWO_BY_THREE,))
def an_array_at_one_place_of_flat(x):
    x.flat[0] = [1.0]
    return x


@program((THREE, 1.5), (THREE, 7.0), (np.zeros(0), 1.0))
def the_largest_of_those_that_there_are(x, limit):
    return max((v * v for v in x if v > limit), default=-1.0), min((v for v in x if v < limit), default=limit)


@program((THREE, True), (THREE, False))
def one_of_two_contexts(x, quiet):
    with np.errstate(divide="ignore") if quiet else contextlib.nullcontext():
        return np.log(x)


@program((THREE,))
def iterators_of_their_own(x):
    first, second, third = itertools.tee(x, 3)
    next(second)
    return list(first), list(zip(second, third)), [*map(list, itertools.tee(v for v in x))]


class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __array__(self, dtype=None, copy=None):
        return np.linspace(self.low, self.high, 3)


@program((1.0, 2.0))
def objects_that_are_arrays(x, y):
    between = Interval(x, y)
    return np.sum(between), np.asarray(between), np.exp(between), np.stack([between, np.array([x, y, x])])


def scaled_items(x, scale):
    return (scale * v for v in x)


@program((THREE, 2.0))
def a_generator_that_outlives_its_function(x, scale):
    first, second = scaled_items(x, scale), scaled_items([1.0, 2.0], x[0])
    return sum(first), list(second)


@program((THREE, 2.0), (-THREE, 2.0))
def a_generator_sees_its_variables_later(x, scale):
    items = (scale * v for v in x)
    if x[0] > 0.0:
        other = 1.0
    else:
        other = 2.0
    scale = 3.0
    for k in range(len(x)):
        other = other * x[k]
    return sum(items) * other
