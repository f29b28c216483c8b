"""Where a branch ends: two states of the heap become one, slot by slot."""
from __future__ import annotations

from . import values as v
from .aliasing import frame_slots, freeze_mixed
from .branch_join import Joiner


def join(s, before, sides, live, outer_names, test):
    """(Joiner, value of the branch): the joined heap is `joiner.heap`; names and results are for the If."""
    j = Joiner(s, sides, outer_names, test)
    for key, content in before.items():
        ref, part = key
        if isinstance(ref, v.Frame):
            continue
        if part in (v.FROZEN, v.KEYS):
            j.heap.setdefault(key, content)
        elif isinstance(content, tuple):
            j.box_of(v.Boxed(ref, list), v.Boxed(ref, list), ref.hint)
        elif isinstance(content, v.Unjoinable):
            j.heap[key] = content
        else:
            join_cell(j, ref)
    current = s.frames[-1] if s.frames else None
    (h1, h2), waiting = (side.heap for side in sides), s.loops.waiting
    for key in dict.fromkeys([*frame_slots(h1), *frame_slots(h2)]):
        frame, name = key
        if live is not None and frame is current and name not in live or name not in waiting.get(frame, (name,)):
            continue
        j.heap[key] = j.slot(h1.get(key), h2.get(key), name if isinstance(name, str) else "t", key)
    value = None
    if sides[0].value is not None:
        try:
            value = j.value(sides[0].value, sides[1].value, "t")
        except v.Conflict as problem:
            s.fail(f"the two sides do not fit together: {problem}", "Give both sides the same kind of value.")
    freeze_mixed(j.sources, j.heap, value)
    return j, value


def join_cell(j, ref) -> None:
    try:
        j.cell(v.Array(ref), v.Array(ref), ref.hint)
    except v.Conflict as problem:
        j.s.fail(f"this array cannot be what both sides of a branch make of it: {problem}",
                 "Keep its dtype and its shape the same on all paths.")
