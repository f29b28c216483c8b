"""Objects, lists and keys that the run decides."""
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field

import numpy as np

from tests.corpus.registry import normal, program, uniform

# ---- objects of several classes


class Shape:
    price = 1.0

    @property
    def cost(self):
        return self.price * self.area()


class Disc(Shape):
    price = 3.0

    def __init__(self, radius):
        self.radius, self.weight = radius, 0.0

    def area(self):
        return np.pi * self.radius**2

    def grow(self, k):
        self.radius += k


class Square(Shape):
    def __init__(self, side):
        self.side, self.grown, self.weight = side, 0, 0.0

    def area(self):
        return self.side**2

    def grow(self, k):
        self.side *= k
        self.grown += 1


class Bar(Shape):
    price = 0.5

    def __init__(self, ends):
        self.ends = ends

    def area(self):
        return self.ends[0] * self.ends[1]

    def grow(self, k):
        self.ends = self.ends * k


@program(construct="an object of one of three classes", args=lambda: (uniform(501, 3),))
def cheapest(x):
    """Of whichever it is, attributes, methods and properties are asked."""
    best, found = np.inf, None
    for shape in (Disc(x[0]), Square(x[1]), Bar(x[1:])):
        if shape.cost < best:
            best, found = shape.cost, (shape, x[2])
    shape, weight = found
    return shape.area() * shape.price + weight * best + isinstance(shape, Square)


@program(construct="one of two objects that changes", args=lambda: (uniform(502, 3), 1.2), argnums=(0, 1))
def grows(x, k):
    disc, square = Disc(x[0]), Square(x[1])
    for v in x:
        chosen = disc if v > 1.0 else square
        chosen.grow(k)
        chosen.weight = chosen.weight + v
    shape = Bar(x[:2]) if x[2] > 1.0 else Disc(x[2])
    shape.grow(0.5)
    return disc.cost + 2.0 * square.cost + square.grown + shape.cost * square.weight


# ---- lists of tuples that grow until the run ends them


@dataclass
class Recorder:
    rows: list = field(default_factory=list)


@program(construct="zip(*rows) of a list that grows in a while", args=lambda: (uniform(503, 2, low=0.2, high=0.3),))
def turned(x):
    seen, t, y = Recorder(), 0.0, x[1] * np.ones(2)
    while t < 1.0:
        t += x[0]
        y = y + 0.1 * x[0] * np.sin(y)
        seen.rows.append((t, y.sum(), y))
    times, sums, states = zip(*seen.rows)
    return np.trapezoid(sums, times) + np.sum(np.stack(states)[-1] ** 2) + max(sums) * len(times) + times[-1] ** 2


@program(construct="np.array of a list of tuples that grows in a while",
         args=lambda: (uniform(504, 2, low=0.2, high=0.3),))
def table(x):
    rows, t, y = [], 0.0, x[1]
    while t < 1.0:
        t += x[0]
        y = 0.9 * y + t * t
        rows.append((t, [y, y * y]))
    ys = np.array([pair for _, pair in rows])
    return np.sum(ys[:, 0] * ys[:, 1]) + np.array([(a, b[0]) for a, b in rows])[-1, 0]


# ---- dicts with keys that only some paths put there


@program(construct="a Counter whose keys come on some paths", args=lambda: (normal(505, 40),))
def counted(x):
    """Which comes first, and whether it comes at all, is known to the run."""
    seen, largest = Counter(), {}
    for v in x:
        seen["high" if v > 0.5 else "low" if v < -0.5 else "middle"] += 1
        if v > 3.0 or v < -1.5:
            largest["far"] = max(largest.get("far", 0.0), v * v)
    return seen["high"] * np.sum(x) + seen["low"] ** 2 * x[0] + len(seen) * x[1] + largest.get("far", x[2])


@program(construct="a dict with a key on one path", args=lambda: (uniform(506, 3),))
def kept_apart(x):
    found = {"first": x[0]}
    if x[1] > 1.0:
        found["second"] = x[1] * x[0]
    if x[2] > 1.0:
        found.setdefault("second", 2.0)
        del found["first"]
    total = 0.0
    for name, v in found.items():
        total += len(name) * v * v
    return total + sum(found.values()) * len(found) + found.pop("first", x[2]) * ("second" in found)


# ---- what is known is computed before the run


@program(construct="places of a grid as keys", args=lambda: (normal(507, 3, 3),))
def smoothed_on_a_grid(z):
    """A table of neighbours, whose keys stand in an array that nothing but its shape decides."""
    n = z.shape[0]
    index, neighbours, z = np.arange(n * n).reshape(n, n), defaultdict(set), z.ravel()
    for i in range(n):
        for j in range(n - 1):
            neighbours[index[i, j]].add(int(index[i, j + 1]))
            neighbours[int(index[i, j + 1])] |= {int(index[i, j])}
    new = z.copy()
    for k, around in neighbours.items():
        new[k] += 0.5 * (np.mean(z[sorted(around)]) - z[k])
    return np.sum(new**3) + len(neighbours)


@program(construct="a search that nothing of the run decides", args=lambda: (normal(508, 4, 4),))
def along_the_way(cost):
    """Breadth first through a maze: a queue, a dict of where one came from, and a way back."""
    maze, start, goal = ["..#.", ".#..", "....", "##.."], (0, 0), (3, 3)
    waiting, came = deque([start]), {start: None}
    while waiting:
        here = waiting.popleft()
        if here == goal:
            break
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            i, j = here[0] + di, here[1] + dj
            if 0 <= i < len(maze) and 0 <= j < len(maze[0]) and maze[i][j] == "." and (i, j) not in came:
                came[i, j] = here
                waiting.append((i, j))
    total = 0.0
    while here is not None:
        total += cost[here] ** 2
        here = came[here]
    return total
