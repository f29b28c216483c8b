"""What Python's functions do with sequences of a length that only the run time knows, and methods that are theirs."""
import functools
import itertools
import math
import operator

import numpy as np

from ..pytree import user_tree
from .registry import ensure, known, means, refuse

NOTHING = object()


def in_range(k, start, stop, step):
    inside = (start <= k) & (k < stop) if step > 0 else (stop < k) & (k <= start)
    return inside & ((k - start) % step == 0)


def item_of_range(k, count, start, step):
    if k < -count or k >= count:
        raise IndexError("range object index out of range")
    return start + (k if k >= 0 else count + k) * step


def summed(items, total):
    for x in items:
        total = total + x
    return total


@means(functools.reduce, unasked=True, complex=True)
def reduced(function, iterable, *initial):
    rest = iter(iterable)
    found = initial[0] if initial else next(rest, NOTHING)
    if found is NOTHING:
        raise TypeError("reduce() of empty iterable with no initial value")
    for x in rest:
        found = function(found, x)
    return found


@means(math.prod, unasked=True, complex=True)
def multiplied(iterable, *, start=1):
    for x in iterable:
        start = start * x
    return start


def real(x):
    """float(x), for the functions of math, which read no text as a number."""
    if isinstance(x, (str, bytes)):
        raise TypeError(f"must be real number, not {type(x).__name__}")
    return float(x)


@means(math.dist, unasked=True)
def distance(p, q):
    p, q = tuple(p), tuple(q)
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return math.hypot(*[real(a) - real(b) for a, b in zip(p, q)])


@means(math.isclose, unasked=True)
def are_close(a, b, *, rel_tol=1e-9, abs_tol=0.0):
    a, b, relative, absolute = real(a), real(b), real(rel_tol), real(abs_tol)
    if (relative < 0.0) | (absolute < 0.0):
        raise ValueError("tolerances must be non-negative")
    size, apart = max(abs(a), abs(b)), abs(b - a)
    return (a == b) | ((apart <= relative * size) | (apart <= absolute)) & (size < math.inf)


@means(math.modf, unasked=True)
def fraction_and_whole(x):
    x = real(x)
    whole = float(np.trunc(x))
    return math.copysign(0.0 if math.isinf(x) else x - whole, x), whole


@means(math.ldexp, unasked=True)
def scaled(x, i):
    n = known(i, "it is an exponent")
    if not isinstance(n, int):
        raise TypeError("Expected an int as second argument to ldexp.")
    if abs(n) > 1000:
        refuse("math.ldexp with an exponent of more than 1000", "Write x * 2.0**n, in two steps.")
    x = real(x)
    if math.isinf(x * 2.0**n) and not math.isinf(x):
        raise OverflowError("math range error")
    return x * 2.0**n


def largest(items, **default):
    return max(x for x in items) if not default else max((x for x in items), default=default["default"])


def smallest(items, **default):
    return min(x for x in items) if not default else min((x for x in items), default=default["default"])


def foremost(items, key, better):
    """max(items, key=key), min(items, key=key): by its place, so that a derivative goes to one item."""
    best = 0
    of_best = items[0] if key is None else key(items[0])
    for k in range(1, len(items)):
        of_item = items[k] if key is None else key(items[k])
        if better(of_item, of_best):
            best, of_best = k, of_item
    return items[best]


def is_any(items):
    return any(x for x in items)


def are_all(items):
    return all(x for x in items)


def mapped_by(f, items):
    return [f(x) for x in items]


def order_of(columns, reverse):
    """The places of rows of numbers in their order, in which the first column comes first; equal ones stay as they
    are."""
    for column in columns:
        if column.dtype.kind == "f":
            ensure(np.all(column == column), "sorting of a NaN, which has no place in an order")
    if reverse:
        return len(columns[0]) - 1 - np.lexsort([column[::-1] for column in columns[::-1]])[::-1]
    return np.lexsort(columns[::-1])


def at_places(items, places):
    return [items[k] for k in places]


# iterators of which the run decides what they give: as in Python, an item is tested when the one before is done with
def left_out(f, items):
    for x in items:
        if not (x if f is None else f(x)):
            yield x


def taken_while(f, items):
    for x in items:
        if not f(x):
            return
        yield x


def dropped_while(f, items):
    dropping = True
    for x in items:
        dropping = dropping and f(x)
        if not dropping:
            yield x


BY_TESTS = {itertools.filterfalse: left_out, itertools.takewhile: taken_while, itertools.dropwhile: dropped_while}


@means(np.iterable, unasked=True, complex=True)
def is_iterable(y):
    try:
        iter(y)
    except TypeError:
        return False
    return True


def transposed_matrices(x):
    """x.mT"""
    if x.ndim < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    return np.swapaxes(x, -1, -2)


def to_list(x):
    """x.tolist()"""
    return x.item() if x.ndim == 0 else [to_list(v) for v in x]


def item_at(x, *index):
    """x.item(k), x.item(i, j)"""
    if len(index) == 1 and isinstance(index[0], tuple):
        index = index[0]
    if len(index) == 0:
        return x.item()
    if len(index) > 1 and len(index) != x.ndim:
        raise ValueError("incorrect number of indices for array")
    if any([isinstance(k, bool) for k in index]):
        raise TypeError("an integer is required")
    index = tuple([operator.index(k) for k in index])
    if len(index) == 1 and x.ndim != 1:
        if index[0] < -x.size or index[0] >= x.size:
            raise IndexError(f"index {index[0]} is out of bounds for size {x.size}")
        return x.reshape(-1)[index[0]].item()
    return x[index].item()


def listed(items):
    return [x for x in items]


def mapped_over(f, *lists):
    """tree.map(f, *lists)"""
    return [user_tree.map(f, *items) for items in zip(*lists)]


@means(user_tree.all)
def all_over(tree, is_leaf=None):
    return all(user_tree.leaves(tree, is_leaf))


def reduced_over(f, items, total):
    """tree.reduce(f, items, total)"""
    for item in items:
        total = user_tree.reduce(f, item, total)
    return total
