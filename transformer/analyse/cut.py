"""The cheapest set of values from which others can be computed: a minimum vertex cut.

>>> least_cut({"y": ["a"], "z": ["y"]}, needed=["y", "z"], weight={"a": 5, "y": 1, "z": 1}.get)
['y']
"""
from __future__ import annotations

from typing import Callable, Iterable

INFINITE = float("inf")


def least_cut(depends: dict[str, list[str]], needed: Iterable[str], weight: Callable[[str], int]) -> list[str]:
    """What to keep, of least total weight, so that all `needed` can be computed again.

    `depends[v]` are the values that v is computed from; a value that is not in `depends` cannot be
    computed and is kept if anything needs it.  Of equal cuts the one closest to the needed values,
    which leaves the least to compute.
    """
    flow = FlowNetwork()
    seen: set[str] = set()
    todo = list(needed)
    for v in todo:
        flow.edge(("out", v), "sink", INFINITE)
    while todo:
        v = todo.pop()
        if v in seen:
            continue
        seen.add(v)
        flow.edge(("in", v), ("out", v), weight(v))
        if v not in depends:
            flow.edge("source", ("in", v), INFINITE)
        for u in depends.get(v, ()):
            flow.edge(("out", u), ("in", v), INFINITE)
            todo.append(u)
    flow.saturate("source", "sink")
    near = flow.reaching("sink")
    return sorted(v for v in seen if ("out", v) in near and ("in", v) not in near)


class FlowNetwork:
    """A network, filled along shortest paths (Edmonds and Karp)."""

    def __init__(self):
        self.room: dict = {}  # node -> {node: capacity left}

    def edge(self, a, b, capacity) -> None:
        self.room.setdefault(a, {})[b] = self.room.get(a, {}).get(b, 0) + capacity
        self.room.setdefault(b, {}).setdefault(a, 0)

    def saturate(self, source, sink) -> None:
        while path := self.path(source, sink):
            least = min(self.room[a][b] for a, b in path)
            for a, b in path:
                self.room[a][b] -= least
                self.room[b][a] += least

    def path(self, source, sink) -> list:
        """The edges of a shortest path with room left; none, if there is no such path."""
        came: dict = {source: None}
        front = [source]
        while front and sink not in came:
            behind, front = front, []
            for a in behind:
                for b, room in self.room.get(a, {}).items():
                    if room > 0 and b not in came:
                        came[b] = a
                        front.append(b)
        path, node = [], sink
        while came.get(node) is not None:
            path.append((came[node], node))
            node = came[node]
        return path[::-1]

    def reaching(self, sink) -> set:
        """The nodes with room left all the way to the sink."""
        near, todo = {sink}, [sink]
        while todo:
            b = todo.pop()
            for a in self.room.get(b, {}):
                if a not in near and self.room[a].get(b, 0) > 0:
                    near.add(a)
                    todo.append(a)
        return near
