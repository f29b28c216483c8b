"""One of several objects, keys that only some paths put into a dict, and lists that are turned by zip(*rows)."""
from collections import Counter, OrderedDict, defaultdict

import numpy as np

from tests.corpus.semantics.table import program

# ---- objects of several classes


class Left:
    side = "left"

    def __init__(self, x):
        self.x = x

    def move(self, v):
        self.x = self.x - v
        return self.x

    def __add__(self, other):
        return self.x + other

    def __call__(self, v=1.0):
        return v * self.x


class Right(Left):
    side = "right"

    def __init__(self, x):
        self.x, self.moves = 2.0 * x, 0

    def move(self, v):
        self.moves += 1
        return super().move(-v)

    def __len__(self):
        return 3

    @property
    def twice(self):
        return 2.0 * self.x


@program((1.0,), (-1.0,))
def object_1(x):
    one = Left(x) if x > 0.0 else Right(x)
    return one.side == "left", one + 1.0, one(2.0), one.move(0.5), one.x, isinstance(one, Right), type(one) is Left


@program((1.0,), (-1.0,))
def object_2(x):
    left, right = Left(x), Right(x)
    one = left if x > 0.0 else right
    one.move(0.25)
    one.x = one.x * 3.0
    return left.x, right.x, right.moves, one is left, one is right


@program((1.0,), (-1.0,))
def object_3(x):
    one = Left(x) if x > 0.0 else Right(x)
    return one.twice


@program((1.0,), (-1.0,))
def object_4(x):
    one = Left(x) if x > 0.0 else Right(x)
    return hasattr(one, "moves"), getattr(one, "moves", 5), bool(one), len(one)


@program((3.0,), (1.0,), (-1.0,))
def object_5(x):
    one = Right(x) if x > 2.0 else Left(x) if x > 0.0 else 7.0
    return one + 1.0


@program((np.array([1.0, 3.0, 2.0, 0.5]),), (np.array([0.5, 0.25, 0.125, 0.5]),))
def object_6(x):
    here, there = Left(x[0]), Right(x[1])
    one = here
    for v in x:
        if v > 1.0:
            one = there if one is here else here
        one.move(v)
    return here.x, there.x, there.moves, one.side == "left"


@program((1.0,), (-1.0,))
def object_7(x):
    move = (Left(x) if x > 0.0 else Right(x)).move
    return move(1.0), move(v=2.0)


@program((np.array([1.0, 2.0]),), (np.array([-1.0, 2.0]),))
def object_8(x):
    one = Left(x) if x[0] > 0.0 else Right(x)
    one.x = one.x * x
    return x, np.sum(one.x)


# ---- keys that only some paths put there


@program((1.0,), (-1.0,))
def keys_1(x):
    found = {}
    if x > 0.0:
        found["a"] = x
    return found["a"]


@program((1.0,), (-1.0,))
def keys_2(x):
    found = {"b": 2.0}
    if x > 0.0:
        found["a"] = x
    return len(found), "a" in found, found.get("a"), found.get("a", 3.0), sum(found.values()), bool(found)


@program((1.0,), (-1.0,))
def keys_3(x):
    found = {"a": x, "b": 2.0}
    if x > 0.0:
        del found["a"]
    total = 0.0
    for key in found:
        total = 2.0 * total + found[key]
    found["a"] = 7.0
    return total, found.pop("b"), found["a"], len(found)


@program((1.0,), (-1.0,))
def keys_4(x):
    found = Counter()
    if x > 0.0:
        found["a"] += 2
    found["b"] += 1
    return found["a"], found["c"], found["b"], len(found)


@program((1.0,), (-1.0,))
def keys_5(x):
    found = defaultdict(float)
    if x > 0.0:
        found["a"] += x
    else:
        found["b"] += 3.0 * x
    return found["a"] - found["b"], len(found)


@program((1.0,), (-1.0,))
def keys_6(x):
    found = {}
    if x > 0.0:
        found["a"], found["b"] = x, 2.0
    else:
        found["b"], found["a"] = x, 5.0
    found["c"] = found["a"] + found["b"]
    return found["c"], len(found), "b" in found


@program((np.array([1.0, -3.0, 2.0]),), (np.array([-1.0, 1.0, -2.0]),), (np.zeros(0),))
def keys_7(x):
    found, last = {}, {}
    for v in x:
        if v > 0.0:
            found["up"] = found.get("up", 0) + 1
            last["v"] = v
        elif v < -2.0:
            last.pop("v", None)
    return found.get("up", -1), last.get("v", 0.5), len(found) + len(last)


@program((1.0,), (-1.0,))
def keys_8(x):
    found = {"a": 1.0}
    if x > 0.0:
        found["b"] = x
    other = dict(found, c=3.0)
    return found == {"a": 1.0}, sum(other.values()), len(other), max(found) == "b"


@program((1.0,), (-1.0,))
def keys_9(x):
    found = OrderedDict(a=x)
    if x > 0.0:
        found["b"] = 2.0 * x
    try:
        return found["b"] + 1.0
    except KeyError as missing:
        return len(missing.args) * found["a"]


# ---- lists that are turned


def trace(x):
    rows, t = [], 0.0
    while t < 1.0:
        t += x
        rows.append((t, [x, t * t]))
    return rows


@program((0.3,), (0.6,))
def turned_1(x):
    times, pairs = zip(*trace(x))
    return times, len(pairs), times[-1], isinstance(times, tuple), sum(times), max(times), np.array(pairs)


@program((0.3,), (0.6,))
def turned_2(x):
    times, pairs = zip(*trace(x))
    return times[3]


@program((0.3,), (0.6,))
def turned_3(x):
    times, _ = zip(*trace(x))
    return times.append(1.0)


@program((0.3,), (0.6,))
def turned_4(x):
    times, pairs = map(list, zip(*trace(x)))
    times.append(2.0)
    return times, sum([b for _, b in pairs])


@program((0.3,), (0.6,))
def turned_5(x):
    columns = dict(zip(("t", "pair"), zip(*trace(x))))
    return np.mean(columns["t"]), np.diff(columns["t"]), bool(columns["t"]), [t * t for t in columns["t"]]


@program((np.array([0.3, 0.7, 0.9]),), (np.array([0.6, -0.5, 0.8]),))
def object_of_a_loop_that_changes_its_class(x):
    one = Left(x[0])
    for k in range(3):
        if x[k] > 0.5:
            one = Right(one.move(0.1) + x[k])
        else:
            one.move(x[k])
    return one.move(0.0), one.side == "left"


@program((np.array([0.3, 0.7, 0.9]),), (np.array([-0.4, 0.6, -0.2]),))
def keys_that_are_no_names(x):
    found = {}
    for k in range(3):
        if x[k] > 0.0:
            found[k] = x[k] ** 2
            found[k, "half"] = x[k] / 2.0
    return found.get(0, 1.0), found.get(1, -1.0), found.get((1, "half"), 0.0), 2 in found
