"""Generators, starred arguments, sorting, dicts, lists and iterators."""
import collections
import functools
import itertools

import numpy as np

from tests.corpus.registry import normal, program

# ---- the language around


@program(construct="generator expression with a condition, kept in a variable", args=lambda: (normal(451, 4),))
def kept_generator(x):
    """It runs when it is asked, with what its variables are by then."""
    scale = 2.0
    terms = (scale * v * v for v in x)
    scale = 3.0
    return sum(terms)


def relaxed(x, rate):
    """One array, which moves on between two yields."""
    y = x.copy()
    while True:
        y[1:-1] += rate * (y[:-2] - 2.0 * y[1:-1] + y[2:])
        yield y


@program(construct="generator function, endless, that fills one array", args=lambda: (normal(453, 5), 0.2),
         argnums=(0, 1))
def generator_function(x, rate):
    """The loop stores into what the generator goes on with."""
    total = 0.0
    for k, y in enumerate(relaxed(x, rate)):
        y[2] *= 1.5
        total += np.sum(y**2) * k
        if k == 3:
            break
    return total + sum(y[1] for y, _ in zip([y.copy() for y in first_of(relaxed(x, rate))], "ab"))


def first_of(items):
    """The first three, through a generator of its own."""
    for k, item in enumerate(items):
        if k == 3:
            return
        yield item


@program(construct="generator that a function returns", args=lambda: (normal(452, 4),))
def returned_generator(x):
    """The frame of a function that has returned."""
    def powers(v, most):
        return (v**k for k in range(1, most))

    return sum(np.sum(p) * (k + 1) for k, p in enumerate(powers(x, 4)))


@program(construct="generator expression in a star argument", args=lambda: (normal(453, 3),))
def starred(x):
    """As many arguments as there are items."""
    def area(a, b, c):
        return a * b + b * c + c * a

    return area(*(v * v for v in x))


@program(construct="sorted with a key, and reverse", args=lambda: (normal(454, 3, 2),), argnums=(0,))
def sorted_by_size(rows):
    """Rows in the order of a number that the run computes."""
    first, *_, last = sorted([rows[0], rows[1], rows[2]], key=lambda r: -np.sum(r * r))
    return first @ last


@program(construct="sorted(params.items())", args=lambda: ({"b": normal(455, 3), "a": normal(456, 3)},))
def weighted_decay(params):
    """Parameters in the order of their names."""
    return sum((k + 1) * np.sum(w * w) for k, (_, w) in enumerate(sorted(params.items())))


@program(construct="keys made of a number",
         args=lambda: ({"W0": normal(457, 3, 3), "W1": normal(458, 2, 3)}, normal(459, 3)), argnums=(0, 1))
def numbered_layers(params, x):
    """params[f"W{k}"]."""
    for k in range(len(params)):
        x = np.tanh(params[f"W{k}"] @ x)
    return np.sum(x)


@program(construct="dict comprehension and update", args=lambda: ({"w": normal(460, 3), "b": 0.5}, 0.1), argnums=(0, 1))
def stepped(params, rate):
    """Parameters after a step."""
    slopes = {name: np.cos(p) for name, p in params.items()}
    new = {name: p - rate * slopes[name] for name, p in params.items()}
    new.update(b=new["b"] * 2.0)
    return np.sum(new["w"] ** 2) + new["b"] ** 2


@program(construct="a list of lists, stored into", args=lambda: (normal(461, 4),))
def table_of_lists(x):
    """Pascal's triangle with weights."""
    rows = [[x[0]]]
    for k in range(1, 4):
        row = [x[0]] * (k + 1)
        for j in range(1, k):
            row[j] = rows[k - 1][j - 1] + rows[k - 1][j] * x[k]
        rows.append(row)
    return sum(sum(row) for row in rows) * rows[3][1]


@program(construct="list.pop, insert, extend and slices of lists", args=lambda: (normal(462, 4),))
def shuffled_list(x):
    """Methods of lists."""
    items = [v * v for v in (x[0], x[1])]
    items.insert(1, x[2])
    items.extend([x[3], x[0]])
    items[1:3] = [items[2] * items[1]]
    last = items.pop()
    return items[0] * last + sum(items[::-1][:2])


@program(construct="a deque of bounded length", args=lambda: (normal(463, 8),))
def moving_average(x):
    """The last three of a row."""
    last, total = collections.deque(maxlen=3), 0.0
    for v in x:
        last.append(v)
        total += (sum(last) / len(last)) ** 2
    return total


@program(construct="zip_longest, pairwise, accumulate and product of itertools", args=lambda: (normal(464, 4),))
def iterated(x):
    """What itertools has."""
    steps = sum((b - a) ** 2 for a, b in itertools.pairwise(x))
    sums = list(itertools.accumulate([x[0], x[1], x[2]]))
    grid = sum(x[i] * x[j] for i, j in itertools.product(range(2), range(2, 4)))
    longest = sum(a * b for a, b in itertools.zip_longest([x[0], x[1]], [x[2]], fillvalue=2.0))
    return steps + sums[-1] * sums[1] + grid + longest


@program(construct="functools.reduce of matrices", args=lambda: (normal(465, 3, 2, 2),))
def chained_product(matrices):
    """A product of all."""
    return np.sum(functools.reduce(np.matmul, matrices))


@program(construct="functools.partial", args=lambda: (normal(466, 3),))
def partly_known(x):
    """A function with an argument fixed."""
    def bell(width, v):
        return np.exp(-(v / width) ** 2)

    narrow = functools.partial(bell, 0.5)
    return np.sum(narrow(x)) + np.sum(functools.partial(bell, v=x)(2.0))


@program(construct="recursion over a nest", args=lambda: ({"a": [0.5, {"b": 1.5}], "c": (2.0,)},))
def norm_of_a_nest(tree):
    """A sum of squares of all leaves."""
    if isinstance(tree, dict):
        return sum(norm_of_a_nest(x) for x in tree.values())
    if isinstance(tree, (list, tuple)):
        return sum(norm_of_a_nest(x) for x in tree)
    return tree * tree
