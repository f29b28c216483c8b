"""Loops that are left early: what is true of the paths that leave, and of those that go on.

    for k in range(n):
        z -= step(z)
        if small(z):
            best = z            # before each round, best is what it was before the loop: no second name of z
            break
        history.append(z)       # it is longer here than where the loop is left; but nothing reads it there
"""
from __future__ import annotations

import functools
from contextlib import contextmanager

import gast

from ...frontend.exits import flag_of
from ...frontend.trees import nodes
from . import values as v
from .aliasing import frame_slots, led_to
from .liveness import set_on_leaving


@contextmanager
def left_early(s, node, live, header):
    """While a loop runs: gives what is live at the header of its rounds, and what each round does first."""
    frame, flag = s.frames[-1], flag_of(node)
    kept = {(frame, name): (frame, f"_gs_kept_{name}{flag}") for name in sorted(set_on_leaving(node) - frame.shared)}
    s.heap |= {own: s.heap[slot] for slot, own in kept.items() if slot in s.heap}  # which others may store into
    frame.locals |= {name for _, name in kept.values()}

    def begin_round():
        for slot, own in kept.items():
            s.heap.pop(slot, None)
            if own in s.heap:
                s.heap[slot] = s.heap[own]

    if flag is not None and not any([isinstance(n, (gast.With, gast.Try)) for stmt in node.body for n in nodes(stmt)]):
        s.loops.left[frame, flag] = live  # nothing runs between where the loop is left and what comes after it
    yield header | {name for _, name in kept.values()}, begin_round
    s.loops.left.pop((frame, flag), None)
    for own in kept.values():
        s.heap.pop(own, None)


class Gone:
    """What nothing reads on a side of a branch that leaves a loop: all that the loop alone has a use for."""

    def __init__(self, s, side, true):
        self.heap, self.value = side.heap, side.value
        self.left = [(frame, live) for (frame, flag), live in s.loops.left.items()
                     if side.heap.get((frame, flag)) in true]

    @functools.cached_property
    def slots(self) -> set:
        return {(frame, name) for frame, name in frame_slots(self.heap)
                if any([frame is left and name not in live for left, live in self.left])}

    @functools.cached_property
    def boxes(self) -> set[v.Ref]:
        if not self.left:
            return set()
        read = [self.heap[slot] for slot in frame_slots(self.heap) if slot not in self.slots]
        return {ref for ref, part in self.heap if part is None} - led_to(self.heap, [self.value, *read])
