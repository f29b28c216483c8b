"""collections.deque inside transformed functions: it holds, gives and raises what Python's does;
a loop in which one fills stays a loop."""
import collections
import copy
import math
from collections import deque

import numpy as np
import pytest

import gradscribe as gs

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
X = np.array([0.1, 0.2, 0.3])


# what it is ----------------------------------------------------------------------------------
def ends(x):
    d = deque([x, 2 * x, 3 * x])
    d.append(4 * x)
    d.appendleft(5 * x)
    return d.pop(), d.popleft(), list(d), len(d), d.maxlen


def bounded(x):
    d, e = deque([x, 2 * x, 3 * x], 2), deque(maxlen=2)
    d.append(4 * x)
    e.extend([x, 1.0, 2 * x])
    d.appendleft(5 * x)
    return tuple(d), tuple(e), d.maxlen, e.maxlen, len(deque([x], 0))


def extended(x):
    d = deque([x], maxlen=4)
    d.extend((1.0, x * x))
    d.extendleft([5.0, 6.0, 7.0])
    d += [8.0 * x]
    same = d
    d.extend(d)
    return list(d), same is d, list(d + deque([2.0])), (d + deque()).maxlen, list(deque([x]) * 2)


def turned(x):
    d = deque([x, 2 * x, 3 * x])
    d.rotate(1)
    a = list(d)
    d.rotate(-2)
    d.reverse()
    b = d.copy()
    b.insert(1, 9.0)
    d.clear()
    return a, list(b), len(d), bool(d), bool(b), copy.copy(b).maxlen, list(copy.deepcopy(b))


def searched(x):
    d = deque([x, 2 * x, x])
    found = d.count(x), d.index(2 * x), x in d, 7.0 in d, x not in d
    d.remove(2 * x)
    return found, list(d)


def places(x):
    d = deque([x, 2 * x, 4 * x])
    d[0], d[-1] = 9 * x, d[1]
    d[1] += 1.0
    del d[0]
    k = int(x > 0.1)
    d[k - 1] *= 3.0
    return d[0], d[-1], d[k], [v * w for v, w in zip(d, reversed(d))], list(enumerate(d))


def read(x):
    d = deque([x, 1.0])
    a, *b = d
    return (sum(d), max(d), sorted(d), math.hypot(*d), np.array(d),
            np.stack(d), np.mean(d), a, b, [*d], dict(enumerate(d)), np.ones(2) * d, np.array(d, dtype=np.float32),
            np.concatenate(deque([np.ones(2) * x, np.zeros(1)])))


def compared(x):
    d, e = deque([x, 1.0]), deque([x, 1.0], 5)
    return (d == e, d != e, d == [x, 1.0], d is e, d < deque([x, 2.0]), deque([1]) < deque([1, 2]),
            isinstance(d, deque), isinstance(e, (list, collections.deque)), isinstance(d, list), type(e) is deque,
            e.__class__ is deque,
            type(e).__name__, hasattr(e, "most"), repr(deque([1, "a"], 3)), f"{deque()}", x)


def nested(x):
    d = deque([deque([x], 1), deque()])
    table = {"a": d[1]}
    table["a"].append(3 * x)
    d[0].append(2 * x)
    push = d[1].append
    push(1.0)
    return [list(e) for e in d], deque[float]([x])[0]


def stored_while_it_runs(x):
    d, found = deque([x, 2 * x]), []
    for v in d:
        found.append(v)
        d[1] = 7.0 * x
    return found


def joined(x):
    d = deque([x, 2 * x], 3)
    first = d.popleft() if x > 0.2 else d.pop()
    e = deque([x]) if x > 0.7 else deque([5 * x])
    return first, list(d), e[0], len(e)


def emptied(x):
    d, total = deque([x, 2 * x]), 0.0
    while d:
        total = total + d.pop() * len(d)
    return total


SAME = [ends, bounded, extended, turned, searched, places, read, compared, nested, stored_while_it_runs,
        joined, emptied]


def check_same(got, want):
    assert type(got) is type(want), (got, want)
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want), (got, want)
        for x, y in zip(got, want):
            check_same(x, y)
    elif isinstance(want, dict):
        check_same(list(got.items()), list(want.items()))
    elif want is None or isinstance(want, str):
        assert got == want
    else:
        np.testing.assert_allclose(got, want, rtol=1e-14)


@pytest.mark.parametrize("f", SAME, ids=lambda f: f.__name__)
def test_it_does_what_pythons_does(f):
    check_same(gs.grad(lambda x: (0.0 * x, f(x)), has_aux=True)(0.5)[1], f(0.5))


def test_compiled():
    together = lambda x: [f(x) for f in (ends, extended, turned, searched, places, joined, emptied)]  # noqa: E731
    check_same(gs.jit(together)(0.5), together(0.5))


ERRORS = [
    "d.clear(); d.pop()", "d.clear(); d.popleft()", "d.pop(0)", "d.append()", "d.append(1, 2)", "d.append(x=1)",
    "d.remove(5.0)", "d.index(5.0)", "d[3]", "d[-4]", "d[3] = x", "del d[3]", "d[0:2]", "d[1.0]", "d[0:2] = [x]",
    "del d[0:1]", "deque(maxlen=-1)", "deque(maxlen=2.0)", "deque(3)", "deque(x)", "deque([x], 1).insert(0, x)",
    "d < [x]", "d + [x]", "[x] + d", "d - d", "-d", "d()", "d += 1", "a, b = d", "d.foo", "d.sort()", "d.rotate(1.5)",
    "d.insert('a', 1)", "d.extend(5)", "d @ d", "float(d)",
    "d[int(x > 0.1) + 2]", "d[int(x > 0.1) + 2] = x"]


@pytest.mark.parametrize("line", ERRORS)
def test_exceptions_and_their_messages(line, tmp_path):
    path = tmp_path / "model.py"
    path.write_text(f"from collections import deque\ndef f(x):\n    d = deque([x, 2 * x, 3 * x])\n    {line}\n"
                    "    return x\n")
    namespace = {}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    found = []
    for g in (namespace["f"], gs.grad(namespace["f"])):
        with pytest.raises(Exception) as caught:
            g(0.5)
        found.append((caught.type, str(caught.value)))
    assert found[0] == found[1]


def changed_under_a_loop(x):
    d = deque([x, x], 2)
    return [d.append(v) for v in d]


def turned_under_an_iterator(x):
    d = deque([x, 2 * x])
    it = reversed(d)
    first = next(it)
    d.rotate()
    return first + next(it)


def of_two_lengths(x):
    d = deque([x], 3) if x > 0.2 else deque([x])
    return d[0]


def made_again(x):
    d = deque([x])
    d.__init__([1.0])
    return d[0]


@pytest.mark.parametrize("f, why", [
    (changed_under_a_loop, "a deque that changes while something runs over it"),
    (turned_under_an_iterator, "a deque that changes while something runs over it"),
    (made_again, "__init__ of a deque"),
    (of_two_lengths, "a deque on one path")])
def test_refused(f, why):
    with pytest.raises(gs.GradscribeError, match=why):
        gs.grad(f)(0.5)


# arguments, results and what is seen from outside ------------------------------------------------------
def energy(d):
    return sum([np.sum(v * v) for v in d]) * (len(d) + (d.maxlen or 0))


def stepped(d, x):
    e = d.copy()
    e.append(x)
    return {"history": e}, d[0]


def same(a, b):
    return type(a) is type(b) is deque and a == b and a.maxlen == b.maxlen


@COMPILED
def test_as_arguments_and_results(compiled):
    """Of other lengths and bounds by the call, and in each other."""
    way = gs.jit if compiled else gs.test_util.primal
    value, slope, step = way(energy), way(gs.grad(energy)), way(stepped)
    for most in (None, 2, 3, None, 3):
        d = deque([1.5, 2.0], most)
        assert value(d) == energy(d) and same(slope(d), deque([2 * v * (2 + (most or 0)) for v in d], most))
        (got, first), (want, _) = step(d, 5.0), stepped(d, 5.0)
        assert first == 1.5 and same(got["history"], want["history"]) and same(d, deque([1.5, 2.0], most))
    nested = way(gs.grad(lambda p: p["h"][0] * p["h"][1][0]))({"h": deque([2.0, deque([3.0], 1)])})["h"]
    assert nested[0] == 3.0 and same(nested[1], deque([2.0], 1))
    assert same(way(lambda d, x: d)(deque([], 2), 1.0), deque([], 2))


def powers(x):
    d = deque(maxlen=2)
    for k in range(4):
        d.append(x**k)
    return d


def test_in_transformations():
    primal, tangent = gs.jvp(powers, (2.0,), (1.0,))
    assert same(primal, deque([4.0, 8.0], 2)) and same(tangent, deque([4.0, 12.0], 2))
    assert gs.vjp(powers, 2.0)[1](deque([1.0, 10.0], 2)) == (124.0,)
    assert same(gs.jacfwd(powers)(2.0), deque([4.0, 12.0], 2)) and same(gs.jacrev(powers)(2.0), deque([4.0, 12.0], 2))
    many = gs.vmap(powers, out_axes=deque([0, 0]))(np.array([1.0, 2.0]))
    assert many.maxlen == 2 and [x.tolist() for x in many] == [[1.0, 4.0], [1.0, 8.0]]
    both = gs.vmap(lambda d, x: d[0] + d[1] + x, in_axes=(deque([0, None]), None))
    assert both(deque([np.arange(2.0), 3.0]), 10.0).tolist() == [13.0, 14.0]
    last, seen = gs.jit(lambda xs: gs.lax.scan(lambda c, x: (deque([c[1], c[0] + x], 2), c[0]), deque([0.0, 1.0], 2),
                                               xs))(np.ones(3))
    assert same(last, deque([2.0, 2.0], 2)) and seen.tolist() == [0.0, 1.0, 1.0]


def test_as_trees():
    assert same(gs.jit(lambda d: gs.tree.map(lambda x: 2 * x, d))(deque([1.0, 2.0], 3)), deque([2.0, 4.0], 3))
    assert gs.jit(lambda x: gs.tree.leaves(deque([x, (x, 2.0)])))(1.0) == [1.0, 1.0, 2.0]


def test_from_outside():
    """What it holds and how much it may hold can change from call to call."""
    seen = {"d": deque([1.0, 2.0])}
    slope = gs.grad(lambda x: x * seen["d"][0] * len(seen["d"]) + x * (seen["d"].maxlen or 0.0))
    assert slope(2.0) == 2.0
    seen["d"].append(3.0)
    assert slope(2.0) == 3.0
    seen["d"][0] = 5.0
    assert slope(2.0) == 15.0
    seen["d"] = deque(seen["d"], 4)
    assert slope(2.0) == 19.0
    with pytest.raises(gs.GradscribeError, match="which others see as well"):
        gs.grad(lambda x: seen["d"].append(x) or x)(1.0)


class Descent:
    """With a memory, as quasi-Newton methods have it."""

    def __init__(self, x, most):
        self.x, self.steps = x, deque(maxlen=most)

    def moved(self, step):
        made = copy.copy(self)
        made.steps = copy.copy(self.steps)
        made.steps.append(step)
        made.x = self.x - sum(made.steps)
        return made


def test_in_an_object_of_the_users():
    start = Descent(X, 2)
    move = gs.jit(lambda descent, step: descent.moved(step))
    for way in (move, Descent.moved):
        descent = start
        for step in (1.0, 2.0, 4.0):
            descent = way(descent, step)
        assert same(descent.steps, deque([2.0, 4.0], 2)) and np.allclose(descent.x, X - 10.0)
    slope = gs.grad(lambda descent: np.sum(descent.moved(descent.x[0]).x ** 2))(move(start, 0.5))
    assert type(slope) is Descent and len(slope.steps) == 1 and slope.steps.maxlen == 2


def test_one_that_contains_itself_is_refused():
    around = deque([1.0])
    around.append(around)
    for f, arguments in (lambda x: x * around[0], (1.0,)), (lambda a: a[0], (around,)):
        with pytest.raises(gs.GradscribeError, match="contains itself"):
            gs.grad(f)(*arguments)


def test_what_is_printed_makes_it():
    assert "return deque([d_0_bar], maxlen=3)" in gs.grad(energy).source(deque([1.0], 3))


class OfItsOwn(deque):
    pass


def test_one_of_another_class_is_refused():
    with pytest.raises(gs.GradscribeError, match="an argument of type OfItsOwn"):
        gs.grad(lambda d: d[0])(OfItsOwn([0.5]))
