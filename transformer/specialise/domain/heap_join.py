"""Where a branch ends: two states of the heap become one, slot by slot."""
from __future__ import annotations

from ...core import users_word
from . import values as v
from .aliasing import frame_slots, freeze_mixed
from .branch_join import Joiner


def join(s, before, sides, live, outer_names, test):
    """(Joiner, value of the branch): the joined heap is `joiner.heap`; names and results are for the If."""
    j = Joiner(s, sides, outer_names, test, {k: x for k, x in before.items() if not isinstance(k[0], v.Frame)})
    (h1, h2), waiting = j.heaps, s.loops.waiting
    touched = {key[0] for heap in j.heaps for key, x in heap.items() if before.get(key) is not x}
    for ref in [ref for ref, part in before if part is None and ref in touched]:
        content = before[ref, None]
        if isinstance(content, tuple):
            j.box_of(v.Boxed(ref, list), v.Boxed(ref, list), ref.hint)
        elif not isinstance(content, v.Unjoinable):
            join_cell(j, ref)
    current = s.frames[-1] if s.frames else None
    for key in dict.fromkeys([*frame_slots(h1), *frame_slots(h2)]):
        frame, name = key
        if live is not None and frame is current and name not in live or name not in waiting.get(frame, (name,)):
            continue
        x, y = h1.get(key), h2.get(key)
        j.heap[key] = (x if x is y and not isinstance(x, v.Unjoinable)
                       else j.slot(x, y, users_word(name), key, v.Unbound(name)))
    value = None
    if sides[0].value is not None:
        try:
            value = j.value(sides[0].value, sides[1].value, "t")
        except v.Conflict as problem:
            s.fail(f"the two sides do not fit together: {problem}", "Give both sides the same kind of value.")
    freeze_mixed(j.sources, before, j.heap, value)
    return j, value


def join_cell(j, ref) -> None:
    try:
        j.cell(v.Array(ref), v.Array(ref), ref.hint)
    except v.Conflict as problem:
        j.s.fail(f"this array cannot be what both sides of a branch make of it: {problem}",
                 "Keep its dtype and its shape the same on all paths.")
