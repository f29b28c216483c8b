"""`np.roll` inside a nest of loops: the index of what is rolled, and pieces of a loop in which that goes up in steps.

    y = np.roll(x, 1) - x                 first = 1 % n                      # so many come from the end
                                          for piece in range(2):
                                              low, high = (0, first) or (first, n)
                                              move = n - first or -first
                                              for j in range(low, high):
                                                  y[j] = x[j + move] - x[j]

In a piece of the innermost loop elements are read side by side, which a processor does several at once.  An outer loop
chooses in each of its iterations, and so does a thread of a GPU.
"""
from __future__ import annotations

import contextlib

from ..loop_core.core import ONE, ZERO, Expr, Name, expr, rs
from .writer import Writer


def lesser(a: Expr, b: Expr) -> Expr:
    return rs.select(a < b, a, b)


def greater(a: Expr, b: Expr) -> Expr:
    return rs.select(a < b, b, a)


class Rolls:
    """The rolls along axes of a nest. `first` says of one how many elements come from the end."""

    def __init__(self, w: Writer):
        self.w = w
        self.known: dict[tuple[Expr, Expr], tuple[Name, Name]] = {}  # (shift, length) -> (first, all but these)
        self.moves: dict[tuple[Name, Name], Name] = {}  # (first, the loop's index) -> what to add in this piece

    def cut(self, shift: Expr, n: Expr) -> tuple[Name, Name]:
        if (shift, n) not in self.known:
            first = self.w.let("first", shift % greater(n, ONE))
            self.known[shift, n] = first, self.w.let("rest", n - first)
        return self.known[shift, n]

    def place(self, cut: tuple[Name, Name], i: Expr) -> Expr:
        """Where the element at i comes from."""
        first, rest = cut
        move = self.moves.get((first, i))
        k = self.w.let("k", i + move if move is not None else rs.select(i < first, i + rest, i - first))
        self.w.call(rs.natural(k))
        return k

    def in_order(self, firsts: list[Name]) -> list[Expr]:
        """Where pieces begin, from low to high."""
        firsts = list(firsts)
        for end in range(len(firsts) - 1, 0, -1):
            for k in range(end):
                low, high = firsts[k:k + 2]
                firsts[k:k + 2] = self.w.let("cut", lesser(low, high)), self.w.let("cut", greater(low, high))
        return firsts

    @contextlib.contextmanager
    def pieces(self, cuts: list[tuple[Name, Name]], ordered: list[Expr], n: Expr, loop: tuple):
        """A loop (index, start, stop, kind) over a part of n iterations is open, in pieces that these cuts make."""
        i, start, stop, kind = loop
        bounds, piece = [ZERO, *ordered, n], self.w.new("piece")
        with self.w.loop(piece, ZERO, expr(len(ordered) + 1), kind=kind):
            low, high = bounds[-2:]
            for k in range(len(ordered) - 1, -1, -1):
                low, high = (rs.select(piece.eq(k), x, y) for x, y in ((bounds[k], low), (bounds[k + 1], high)))
            low = self.w.let("low", low if start == ZERO else greater(start, low))
            high = self.w.let("high", high if stop == n else lesser(stop, high))
            for first, rest in cuts:
                self.moves[first, i] = self.w.let("move", rs.select(low < first, rest, -first))
            with self.w.loop(i, low, high, kind=kind):
                self.w.call(rs.natural(i))
                yield
