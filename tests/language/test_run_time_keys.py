"""Dicts whose keys the run computes."""
from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Primal
from tests.support.cases import ran

from .test_run_time_containers import LABELS, X, agrees, has_slopes


def a_queue(x, labels):
    """Breadth first through a tree."""
    queue, cost = [0], {0: x[0] * 0.0}
    while queue:
        k = queue.pop(0)
        for j in (2 * k + 1, 2 * k + 2):
            if j < len(x) and j not in cost:
                cost[j] = cost[k] + x[j] ** 2
                queue.append(j)
    return sum(cost.values()) * x[0]


def sums(x, labels):
    found = {}
    for g, v in zip(labels, x):
        found[g] = found.get(g, 0.0) + v * v
    total = x[0] * 0.0
    for g, v in found.items():
        total = total + g * v
    return total + len(found) + max(found.values())


def by_membership(x, labels):
    found = {}
    for g, v in zip(labels, x):
        if g in found:
            found[g] += v
        else:
            found[g] = v
    return sum(v * v for v in found.values()), list(found)


def by_default(x, labels):
    found = defaultdict(float)
    for g, v in zip(labels, x):
        found[int(g)] += v
    return float(sum(v * v for v in found.values()))


def counts(x, labels):
    c = Counter()
    for g in labels:
        c[int(g)] += 1
    return c[3] * x[0] + c[99] + len(c)


def a_curve(x, labels):
    """Keys that are floats, looked up again in their order."""
    curve = {0.0: 1.0}
    for g, v in zip(labels, x):
        curve[float(g) * 0.5] = v
    times = sorted(curve)
    return sum(curve[a] * (b - a) for a, b in zip(times[:-1], times[1:])) * x[0]


def best_of_each(x, labels):
    best = {}
    for g, v in zip(labels, x):
        if g not in best or v > best[g]:
            best[g] = v
    return sum(best[g] for g in best), max(best, key=best.get), min(best)


def changed_in_a_loop_over_it(x, labels):
    found = {}
    for g, v in zip(labels, x):
        found[int(g)] = v * v
    for k in found:
        found[k] *= 2.0
    return found[3] + found[1] * found[2]


def comprehended(x, labels):
    found = {int(g): v for g, v in zip(labels, x)}
    large = {k: v * v for k, v in found.items() if v > 0.1}
    a, b = zip(*list(large.items()))
    return np.array(a) @ np.array(b) + len(large)


def returned(x, labels):
    found = {}
    for g, v in zip(labels, x):
        found[int(g)] = v * v
    return found


def taken_away(x, labels):
    found = {}
    for g, v in zip(labels, x):
        found.setdefault(int(g), v)
    first = found.pop(int(labels[1]))
    for k in list(found):
        if k > 2:
            del found[k]
    return first + list(found.values())[0] + len(found) + found.pop(77, x[2])


def copies(x, labels):
    found = {int(g): v for g, v in zip(labels, x)}
    other, same = found.copy(), found
    other[9] = 2.0 * x[0]
    same[1] = x[1] * x[0]
    found.update(other)
    kept = found.copy()
    return sum(kept.values()) + len(found) + len(other)


def by_two(x, labels):
    found = {}
    for i in range(2):
        for j in range(len(x)):
            found[i, int(labels[j])] = x[j] * (i + 1)
    return sum(found.values()) + found[1, 3] + found[1, int(labels[1])]


def of_arrays(x, labels):
    found = {}
    for g, v in zip(labels, x):
        found[int(g)] = np.array([v, v * v])
    return sum(np.sum(a) for a in found.values()) + found[3][1]


def known_keys(x, labels):
    rates, total = {1: 0.1, 2: 0.2, 3: 0.3}, 0.0
    for g, v in zip(labels, x):
        total = total + rates[int(g)] * v
    return total


def one_more_on_a_path(x, labels):
    found, k = OrderedDict([(1, x[0])]), int(labels[0])
    if x[1] > 0.0:
        found[k] = 3.0 * x[0]
    return sum(found.values()) + (found[k] if k in found else 0.0)


def memory(x, labels):
    """Of a loop that ends where a value comes again."""
    seen, n = {}, 0
    while n < 6:
        k = int(np.floor(x[0] * (n + 1))) % 5
        if k in seen:
            break
        seen[k] = x[1] * n
        n += 1
    return sum(seen.values()) + n * x[1]


def product_of_ints(x, labels):
    """The sum of no items is an int, of which the number of keys is a factor."""
    found = {}
    for v in x:
        found[int(v)] = found.get(int(v), 0.0) + v * v
    return sum(found.values()) * len(found)


DICTS = [a_queue, product_of_ints, sums, by_membership, by_default, counts, a_curve, best_of_each,
         changed_in_a_loop_over_it, comprehended, returned, taken_away, copies, by_two, of_arrays, known_keys,
         one_more_on_a_path, memory]


@pytest.mark.heavy(one_in=16)
@pytest.mark.parametrize("f", DICTS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [Primal, gs.jit], ids=["plain", "jitted"])
def test_keys_as_python_has_them(f, make):
    agrees(f, make(f))


@pytest.mark.heavy(one_in=32)
@pytest.mark.parametrize("f", [f for f in DICTS if f is not returned], ids=lambda f: f.__name__)
def test_gradients_of_items(f):
    has_slopes(f)


def no_such_key(x):
    return {int(v): v for v in x}[7]


def deleted_without(x):
    found = {int(v): v for v in x}
    del found[7]
    return len(found)


def changed_while_it_is_run_over(x):
    found = {int(v): v for v in x}
    for k in found:
        del found[k]
    return len(found) * x[0]


def stored_into_an_item(x):
    found = {int(v): np.zeros(2) for v in x}
    found[2][0] = x[0]
    return found[2][0]


def lists_under_keys(x):
    groups = {}
    for v in x:
        groups.setdefault(int(v), []).append(v)
    return sum(np.sum(np.array(v)) for v in groups.values())


def keys_of_two_kinds(x):
    found = {"first": x[0]}
    found[int(x[1])] = x[1]
    return len(found) * x[0]


def a_narrow_key(x):
    return {3.0: x[0]}.get(np.float32(x[1]), x[1])


@pytest.mark.parametrize("f", [no_such_key, deleted_without], ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [Primal, gs.jit], ids=["plain", "jitted"])
def test_a_missing_key_raises(f, make):
    want, got = ran(f, lambda: (X.copy(),)), ran(make(f), lambda: (X.copy(),))
    assert type(got.error) is type(want.error) is KeyError and str(got.error) == str(want.error)


@pytest.mark.parametrize("f", [changed_while_it_is_run_over, stored_into_an_item, lists_under_keys, keys_of_two_kinds,
                               a_narrow_key], ids=lambda f: f.__name__)
def test_refused_of_keys(f):
    with pytest.raises(gs.GradscribeError):
        gs.grad(f)(X)


def test_a_key_is_caught():
    def f(x, labels):
        found = {1: x[0]}
        try:
            found[int(labels[1])] *= x[2]
        except KeyError:
            return x[1]
        return found[1]

    for labels, slope in ((LABELS, [1.5, 0.0, 2.4, 0.0]), (LABELS[::-1].copy(), [0.0, 1.0, 0.0, 0.0])):
        assert gs.jit(f)(X, labels) == f(X, labels)
        np.testing.assert_array_equal(gs.grad(f)(X, labels), slope)
        np.testing.assert_array_equal(gs.jit(gs.grad(f))(X, labels), slope)


def test_a_nan_is_no_key():
    def f(x):
        return len({v: v for v in x}) * x[0]

    assert gs.jit(f)(X) == f(X)
    with pytest.raises(gs.GradscribeError, match="a NaN as a key"):
        gs.jit(f)(np.array([1.0, np.nan]))


def test_a_dict_of_the_caller_is_not_changed():
    def f(table, x):
        table[int(x[0])] = x[1]
        return table[1] * x[1]

    table = {1: 2.0, 3: 5.0}
    with pytest.raises(gs.GradscribeError):
        gs.jit(f)(table, X)
    assert table == {1: 2.0, 3: 5.0}
