"""heapq, bisect and collections; places in lists that the run computes; lists that grow until a loop is left."""
import bisect
import collections
import heapq

import numpy as np

from tests.corpus.registry import normal, program, uniform

# ---- heapq, bisect


@program(construct="heapq: an event queue of tuples", args=lambda: (uniform(481, 3), 0.3), argnums=(0, 1))
def event_queue(x, delay):
    """The first of what waits comes back later, by what it has done."""
    waiting = [(t, k) for k, t in enumerate([x[0], x[1], x[2]])]
    heapq.heapify(waiting)
    total = 0.0
    for step in range(3):
        t, k = heapq.heappop(waiting)
        total += (step + 1) * t * t * (k + 1)
        heapq.heappush(waiting, (t + delay * (k + 1), k))
    return total + waiting[0][0] * waiting[-1][0]


@program(construct="heapq: the largest of a stream", args=lambda: (normal(482, 5),))
def largest_of_a_stream(x):
    best = []
    for k in range(5):
        if len(best) < 2:
            heapq.heappush(best, x[k])
        elif x[k] > best[0]:
            heapq.heapreplace(best, x[k])
    rest = heapq.heappushpop(best, 0.1)
    return best[0] * best[1] + 3.0 * rest + heapq.nsmallest(2, x)[1] * heapq.nlargest(1, x, key=lambda v: v * v)[0]


@program(construct="bisect in lists and arrays", args=lambda: (uniform(483, 4, low=0.1, high=2.9),))
def table_look_up(x):
    """Between the knots of a table, from outside and of the run."""
    knots, values, total = [0.0, 1.0, 2.0, 3.0], [1.0, 3.0, 2.0, 5.0], 0.0
    for v in x:
        k = bisect.bisect_right(knots, v)
        slope = (values[k] - values[k - 1]) / (knots[k] - knots[k - 1])
        total += (values[k - 1] + slope * (v - knots[k - 1])) ** 2
    sums = np.cumsum(x)
    j = bisect.bisect_left(sums, 1.5, hi=3)
    rows = [(0.5, 2.0), (1.5, 4.0)]
    return total + sums[j] * rows[bisect.bisect(rows, x[0], hi=1, key=lambda row: row[0])][1]


@program(construct="bisect.insort, and places in lists of the run", args=lambda: (uniform(484, 4),))
def kept_in_order(x):
    ranks = []
    for k in range(4):
        bisect.insort(ranks, x[k] * x[k])
    more = [x[0], x[1], x[2]]
    k = int(x[3] > 1.0)
    more.insert(k, 2.0 * x[3])
    del more[k - 1]
    taken = more.pop(k)
    return sum((j + 1) * v * w for j, (v, w) in enumerate(zip(ranks, more))) + taken * taken


# ---- collections


@program(construct="collections.defaultdict", args=lambda: (normal(485, 6),))
def grouped(x):
    groups, sums, pairs = (collections.defaultdict(list), collections.defaultdict(float),
                           collections.defaultdict(lambda: np.zeros(2)))
    for k, v in enumerate(x.tolist()):
        groups[k % 3].append(v)
        sums["even" if k % 2 == 0 else "odd"] += v * v
        pairs[k % 2][k % 2] += v
    other = sums.copy()
    other["none"] += x[0]
    return (sum(v * w for v, w in groups.values()) + sums["even"] * sums["odd"] + np.sum(pairs[0] ** 2) * pairs[1][1]
            + len(sums) * len(other) + sums.get("none", 0.5) + other["none"])


@program(construct="collections.Counter, OrderedDict, namedtuple", args=lambda: (normal(486, 3),))
def counted_and_ordered(x):
    letters = collections.Counter("abcab") + collections.Counter(a=1)
    letters.update("cc")
    (first, most), *_ = letters.most_common(2)
    weights = collections.Counter()
    for k in range(3):
        weights[k % 2] += x[k] * x[k]
    steps = collections.OrderedDict([("p", x[0]), ("q", x[1])])
    steps["r"] = x[2] * x[0]
    steps.move_to_end("p")
    name, last = steps.popitem()
    Pair = collections.namedtuple("Pair", "left right", defaults=(2.0,))
    pair = Pair(steps["q"])._replace(left=last)
    return (letters["a"] * most * weights[0] + weights[1] * letters["z"] + pair.left * pair.right * len(name + first)
            + sum(v * v for v in steps.values()))


# ---- lists that grow until a loop is left


@program(construct="for with append until a break", args=lambda: (normal(487, 2), 0.8), argnums=(0, 1))
def until_small(x, rate):
    path = [x[0]]
    for k in range(100):
        path.append(rate * path[-1] + 0.01 * x[1])
        if abs(path[-1]) < 0.1:
            break
    return np.sum(np.array(path) ** 2)


@program(construct="for with append until a return", args=lambda: (uniform(488, 40),))
def until_enough(x):
    found = []
    for v in x:
        found.append(v * v)
        if sum(found) > 4.0:
            return np.sum(np.sin(np.array(found)))
    return -1.0 * x[0]
