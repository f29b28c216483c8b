"""heapq, bisect, collections, re, datetime, json; places in lists that the run computes; lists until a loop is left."""
import bisect
import collections
import datetime
import heapq
import json
import re

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


# ---- re, datetime, json and frozensets: of what is known, Python computes it before the run


@program(construct="re: a reaction read from a text", args=lambda: (uniform(489, 3), 0.7), argnums=(0, 1))
def reaction(rates, order):
    speed = order
    for part, rate in zip(re.split(r"\s*\+\s*", "2 A + B + 3 C"), rates):
        found = re.fullmatch(r"(\d*)\s*([A-Z])", part)
        speed = speed * rate ** int(found.group(1) or 1)
        if found[2] in "BC":
            speed += order * rate
    pairs = ASSIGNED.findall("k = 1.5, n=2")
    return speed * sum(float(value) for _, value in pairs) + len(ASSIGNED.match("k = 1.5").groups()) * rates[0]


ASSIGNED = re.compile(r"(\w+)\s*=\s*([\d.]+)")


@program(construct="datetime: days of a season", args=lambda: (uniform(490, 3), 0.4), argnums=(0, 1))
def demand_of_days(x, weekend):
    start, noon = datetime.date(2023, 2, 26), datetime.datetime.fromisoformat("2023-02-26T12:00:00")
    by_month = {}
    for k in range(5):
        day = start + datetime.timedelta(days=k)
        share = weekend * x[0] if day.weekday() >= 5 else x[day.month - 1]
        by_month[day.month] = by_month.get(day.month, 0.0) + share ** 2
    hours = (noon - datetime.datetime(2023, 1, 1)).total_seconds() / 3600.0
    assert start < datetime.date.max and f"{start:%d.%m.}" == "26.02."
    return by_month[2] * x[2] + by_month[3] * np.sin(0.01 * hours * weekend)


@program(construct="json, and sorted items of frozensets", args=lambda: (uniform(491, 4),))
def edges_of_a_mesh(x):
    mesh = json.loads('{"faces": [[0, 1, 2], [1, 3, 2]], "weight": {"edge": 1.5}}')
    edges = {}
    for face in mesh["faces"]:
        for k in range(3):
            edges.setdefault(frozenset((face[k - 1], face[k])), []).append(x[face[k]])
    mesh["faces"].append(x[0])
    total = mesh["faces"][-1]
    for edge, found in edges.items():
        a, b = sorted(edge)
        total += mesh["weight"]["edge"] * (x[a] - x[b]) ** 2 * sum(found) * (max(edge) + len(edge))
    return total


@program(construct="nodes and weights of a quadrature", args=lambda: (0.7,))
def mean_of_a_cosine(width):
    nodes, weights = np.polynomial.hermite.hermgauss(8)
    nodes *= np.sqrt(2.0) * width
    return weights @ np.cos(nodes) / np.sqrt(np.pi)
