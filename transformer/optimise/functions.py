"""Functions of the user's that stay functions, where people read.

    for p in params:                       def layer_adjoint(y, W, x, y_bar):
        x = layer(p, x)          ->            h_bar = (1 - y * y) * y_bar
    return np.sum(x)                           return np.outer(h_bar, x), W.T @ h_bar

Core has the calls written out, and their mirrors. Where a function was called several times, or the rounds of a loop
were written out, and the statements of these are alike, they are a function again: of those that are long.
"""
from __future__ import annotations

import builtins
import functools
import keyword
import operator
from collections import Counter
from dataclasses import replace

from ..analyse.likeness import Likeness, sketch
from ..core import STORED, Block, Fun, Let, bound, walk
from .dce import dce
from .outline import END, Cut, Outliner, Routine, again, compile_cost, is_view

LARGE = 60  # operations in a program that has functions
FEW = 8  # results of a call that are read at a glance
NEAR = 3  # later calls with which one is compared
RESERVED = {*dir(builtins), "np", "gs", "rt", "math", "scipy"}  # what generated source has names of its own for


def share_functions(fun: Fun, names: set[str]) -> Fun:
    """The function with calls in place of what it repeats, of functions that are not called like one of these."""
    if sum(1 for _ in walk(fun.body)) < LARGE:
        return fun
    made = Readers(fun, names).run()
    return fun if made is fun else dce(made)


class Readers(Outliner):
    least, worth = 12, 24  # operations

    def __init__(self, fun: Fun, names: set[str]):
        super().__init__(fun)
        self.names = names

    def shared_first(self, stmts):
        """What one call computes and the others use goes up in front of it: only then are they alike."""
        if not (called := spans_of(stmts)):
            return stmts
        keys, stmts, place = self.keys(stmts), list(stmts), [*map(float, range(len(stmts)))]
        read = {n: k for k, stmt in enumerate(stmts) for n in self.of(stmt).mentioned}  # where last
        for (name, *_), spans in called.items():
            others = [set(keys[start:end]) for start, end in spans[1:] + spans[:1]]
            for (start, end), other in zip(spans, others):
                own = [k for k in range(start, end) if keys[k] not in other and name in dict(calls_before(stmts[k]))]
                for k in self.shared(stmts, start, end, own, read):
                    place[k] = min(place[k], start - 0.5)
                    stmts[k] = outside_of(stmts[k], name)
        return [stmts[k] for k in sorted(range(len(stmts)), key=lambda k: (place[k], k))]

    def shared(self, stmts, start: int, end: int, own: list[int], read: dict[str, int]) -> list[int]:
        """Which of a call's own statements compute, of nothing else that it binds, what is read after it."""
        inside = {n for stmt in stmts[start:end] for n in bound(stmt)} if own else set()
        free: list[int] = []
        for k in own:
            if self.may_move(stmts[k]) and inside.isdisjoint({*self.of(stmts[k]).mentioned} - {*bound(stmts[k])}):
                inside -= {*bound(stmts[k])}
                free.append(k)
        later: set[str] = set()
        for k in reversed(free):
            if any([n in later or read.get(n, 0) >= end for n in bound(stmts[k])]):
                later.update(bound(stmts[k]), self.of(stmts[k]).mentioned)
        return [k for k in free if not later.isdisjoint(bound(stmts[k]))]

    def may_move(self, stmt) -> bool:
        return (isinstance(stmt, Let) and not stmt.op.effect and stmt.op.memory is not STORED
                and not self.raising.may(stmt))

    def compiles(self, fun: Fun) -> bool:
        return True  # it is read

    def candidates(self, stmts, sizes):
        """Each function with its calls, as much of them as is alike."""
        spans, found = spans_of(stmts), []
        keys = self.keys(stmts) if spans else []
        for own in spans.values():
            near = [(a, b) for k, a in enumerate(own) for b in own[k + 1:k + 1 + NEAR]]
            for length in sorted({self.alike(stmts, keys, sizes, a, b) for a, b in near}, reverse=True):
                runs: dict[tuple, list[int]] = {}
                for start, end in own:
                    starts = runs.setdefault(tuple(keys[start:start + length]), [])
                    if start + length <= end and (not starts or start >= starts[-1] + length):
                        starts.append(start)
                found += [(starts, length) for starts in runs.values()
                          if len(starts) > 1 and sum(sizes[starts[0]:starts[0] + length]) >= self.least]
        return found

    def alike(self, stmts, keys: list[int], sizes: list[float], a: tuple[int, int], b: tuple[int, int]) -> int:
        """How many statements from their starts on two spans, which do not overlap, have in common; 0 where they are
        too few for a function whatever they do."""
        most = min(a[1] - a[0], b[0] - a[0], b[1] - b[0])
        same = next((k for k in range(most) if keys[a[0] + k] != keys[b[0] + k]), most)
        if sum(sizes[a[0]:a[0] + same]) < self.least:
            return 0
        like = Likeness(self.b)
        return next((k for k in range(same) if not like.stmt(stmts[a[0] + k], stmts[b[0] + k])), same)

    def value(self, cut: Cut, sizes) -> float:
        """What there is less to read."""
        size, called = cut.size(sizes), max(map(self.called, cut.run), default=0)
        call = 1 + max(0, len(cut.results) - FEW)
        return (len(cut.starts) - 1) * size - len(cut.starts) * call if size >= max(self.least, called) else 0.0

    def called(self, stmt) -> float:
        """How much there is in the function that a statement calls: what calls it has more of its own."""
        return cost_of(stmt.op.fun) if isinstance(getattr(stmt, "op", None), Routine) else 0.0

    def taken(self, stmts, starts, length):
        """Those that it takes in all places."""
        defs = {n: (k, stmt) for k, stmt in enumerate(stmts[:starts[-1]]) if type(stmt) is Let for n in stmt.names}
        found = {start: self.views_of(defs, start, stmts[start:start + length]) for start in starts}
        keys = {start: [sketch(view, self.types) for view in views] for start, views in found.items()}
        common = functools.reduce(operator.and_, [Counter(own) for own in keys.values()])
        return {start: tuple([view for k, view in enumerate(views)
                              if keys[start][:k].count(keys[start][k]) < common[keys[start][k]]])
                for start, views in found.items()}

    def views_of(self, defs, start: int, stmts) -> list[Let]:
        """The views from before that statements read, as they read them, each behind what it is a view of."""
        found: dict[str, Let] = {}

        def visit(stmt) -> None:
            for n in self.of(stmt).mentioned:
                if n not in found and n in defs and defs[n][0] < start and is_view(defs[n][1], self.types):
                    visit(defs[n][1])
                    found[n] = again(defs[n][1], self.types)

        for stmt in stmts:
            visit(stmt)
        return list(found.values())

    def title(self, stmts) -> str:
        """The function that all of it belongs to."""
        paths = [calls_before(s) for s in walk(Block(stmts)) if calls_before(s)]
        common = [call for call, *others in zip(*paths) if all([call == other for other in others])]
        name, origin = common[-1][0] if common else "part", stmts[0].origin
        name = name.strip("_") if name.isidentifier() and name.strip("_") else "part"
        name += "_adjoint" * origin.adjoint + "_tangent" * origin.tangent
        while name in self.names or name in RESERVED or keyword.iskeyword(name):
            name = following(name)
        self.names.add(name)
        return name


def cost_of(fun: Fun) -> float:
    return sum(compile_cost(stmt, fun.types) for stmt in fun.body.stmts)


def spans_of(stmts) -> dict[tuple, list[tuple[int, int]]]:
    """{(name, is it a mirror?, a tangent?): [(start, end) of the statements of a call], in order, of blocks one after
    the other"""
    spans: dict[tuple, tuple[int, int]] = {}
    block = 0
    for k, stmt in enumerate(stmts):
        block += stmt is END
        for call in calls_before(stmt):
            key = (call, stmt.origin.adjoint, stmt.origin.tangent, block)
            spans[key] = spans.get(key, (k,))[0], k + 1
    found: dict[tuple, list] = {}
    for ((name, _), *derivative, _), span in spans.items():
        found.setdefault((name, *derivative), []).append(span)
    return {key: sorted(own) for key, own in found.items() if len(own) > 1}


def outside_of(stmt: Let, name: str) -> Let:
    """The statement as one that stands before a call of this name."""
    names = [n for n, _ in stmt.origin.calls]
    return replace(stmt, origin=replace(stmt.origin, calls=stmt.origin.calls[:names.index(name)]))


def calls_before(stmt) -> tuple:
    return getattr(stmt.origin, "calls", ())


def following(name: str) -> str:
    """The next name of this kind.

    >>> following("layer"), following("layer2")
    ('layer2', 'layer3')
    """
    stem = name.rstrip("0123456789")
    return f"{stem}{int(name[len(stem):] or 1) + 1}"
