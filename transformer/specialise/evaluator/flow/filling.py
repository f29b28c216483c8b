"""A list of bounded length in a loop of the run time: the rounds in which it fills stand before the loop.

    history = []                          history = [f(x)]
    for k in range(n):                    history = [history[0], f(x)]
        history.append(f(x))              for k in range(2, n):             # n >= 2: else it is another program
        if len(history) > 2:        ->        a, b = history
            history.pop(0)                    history = [b, f(x)]

From then on the list is as long after a round as before, and what is in it are values that a round hands on.
"""
from __future__ import annotations

from ....core import Const
from ....core.size_assumptions import Constant
from ...domain import values as v
from ...domain.aliasing import frame_slots
from ...domain.plans import Way

ROUNDS, MOST = 16, 512  # in which lists may fill, and items that these may have
USED = "a list that grows in a loop over it is used as a list"


def first_rounds(s, node, trips, one) -> int | None:
    """`one(k)` for the first rounds k, until a list stays as long as it is: how many there were; None if all were."""
    filling = Filling(s)
    while filling.rounds < ROUNDS:
        if not more(s, trips, filling.rounds):
            s.facts.constants.append(Constant(s.origin(node.iter), USED))
            return None
        with s.within(f"{s.frames[-1].hint}_step", filling.rounds):
            one(filling.rounds)
        filling.note_round()
        if filling.full:
            return filling.rounds
    s.static(s.wrap(trips), USED)
    raise v.Restart(frozenset({s.plan(Way.WRITTEN_OUT, node)}))


class Filling:
    """The rounds of a loop that stand before it: how many there were, and whether the last left lists as they were."""

    def __init__(self, s):
        self.s, self.rounds, self.full, self.before, self.changing = s, 0, False, container_lengths(s), set()

    def note_round(self) -> None:
        """A round has run."""
        after = container_lengths(self.s)
        changed = {slot for slot in self.before.keys() & after.keys() if self.before[slot] != after[slot]}
        is_long = any([after[slot] and after[slot][0] > MOST for slot in changed])  # x += x has twice as many each time
        # what changes still may be a list that only grows
        self.full = self.rounds > 0 and not is_long and (not changed or changed < self.changing)
        self.rounds, self.before, self.changing = ROUNDS if is_long else self.rounds + 1, after, changed


def more(s, trips, k: int) -> bool:
    """Has a loop more than k rounds? Known, or assumed of the arguments."""
    dim = s.b.dim(trips)
    if dim.constant is not None:
        return dim.constant > k
    holds = s.presume(dim, ">=", k + 1)
    return s.static(s.wrap(trips), USED) > k if holds is None else holds


def container_lengths(s) -> dict:
    """Of the containers that variables hold."""
    return {slot: depth_lengths(s, s.heap[slot]) for slot in frame_slots(s.heap)}


def depth_lengths(s, value, depth=4):
    content = s.heap.get((value.box, None)) if isinstance(value, v.Boxed) else getattr(value, "items", None)
    if not isinstance(content, tuple) or not depth:
        return None
    return len(content), tuple([depth_lengths(s, x, depth - 1) for x in content])


def after_rounds(s, start, step, rounds: int):
    """Where a loop stands after these rounds."""
    return s.int_op("add", start, s.int_op("multiply", step, Const(rounds)))
