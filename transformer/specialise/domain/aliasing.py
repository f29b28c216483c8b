"""What may be one object on some path: which cells and boxes may only be read."""
from __future__ import annotations

from typing import Iterator

from . import values as v

MIXED = "another variable may be the same, or a view of it"
FOREVER = "forever"


def frame_slots(heap):
    return [key for key in heap if isinstance(key[0], v.Frame)]


def reachable(heap, extra=None) -> set[v.Ref]:
    """The cells and boxes that some variable (or the value `extra`) leads to."""
    return led_to(heap, [*(heap[key] for key in frame_slots(heap)), extra])


def led_to(heap, values) -> set[v.Ref]:
    """The cells and boxes that values lead to."""
    return {x.cell if isinstance(x, v.Array) else x.box
            for x in reachable_values(heap, values) if isinstance(x, (v.Array, v.Boxed))}


def frames_of(heap, values) -> set[v.Frame]:
    """The frames that functions among the values may read."""
    found: set[v.Frame] = set()
    for x in reachable_values(heap, values):
        frame = x.frame if isinstance(x, (v.Closure, v.Body)) else None
        while frame is not None:
            found.add(frame)
            frame = frame.parent
    return found


def forget_frame(heap, frame, values) -> None:
    """The variables of a frame are gone, unless a function made in it is among the values, or in another variable."""
    if frame.shared:
        others = [x for (ref, _), x in heap.items() if isinstance(ref, v.Frame) and ref is not frame]
        if frame in frames_of(heap, [*values, *others]):
            return
    for key in [k for k in heap if k[0] is frame]:
        del heap[key]


def reachable_values(heap, values, parts=v.parts) -> Iterator:
    """Values and all that is in them, what stands in the heap among it; `parts(value)`: what is in another."""
    seen: set[v.Ref] = set()

    def inside(value):
        if not isinstance(value, v.Boxed):
            return parts(value)
        content = heap.get((value.box, None)) if value.box not in seen else None
        seen.add(value.box)
        return content if isinstance(content, tuple) else ()

    return v.walk_values(values, inside)


# heap[ref, v.FROZEN] is a set of marks: two cells or boxes with a mark in common may be the same.  While both are alive
# neither may be stored into.
def freeze(heap, ref, marks) -> None:
    if marks:
        heap[ref, v.FROZEN] = frozenset(marks) | heap.get((ref, v.FROZEN), frozenset())


def freeze_mixed(pairs, before, heap, extra=None) -> None:
    """Mark joined cells whose sources are also known by another name: `pairs` are ((source, source), joined); what was
    there `before` is still known by its own."""
    several = []
    for side in (0, 1):
        seen: dict[v.Ref, set[v.Ref]] = {}
        for key, ref in pairs:
            if key[side] is not None:
                own = {key[side]} if (key[side], None) in before else ()
                seen.setdefault(key[side], set(own)).add(ref)
        several += [refs for refs in seen.values() if len(refs) > 1]
    if not several:
        return  # as nearly always: what is alive need not be found
    alive, in_value = reachable(heap, extra), led_to(heap, [extra])
    for refs in [living for refs in several if len(living := refs & alive) > 1]:
        mark = FOREVER if refs & in_value else object()  # no variable holds a value yet
        for ref in refs:
            freeze(heap, ref, {mark})


def may_alias(heap) -> set:
    """The pairs of cells and boxes with a mark in common, and (alone) those that are marked for ever."""
    by_mark: dict[object, list[v.Ref]] = {}
    for (ref, part), marks in heap.items():
        if part is v.FROZEN:
            for mark in marks:
                by_mark.setdefault(mark, []).append(ref)
    pairs = {frozenset({a, b}) for mark, refs in by_mark.items() if mark is not FOREVER for a in refs
             for b in refs if a is not b}
    return pairs | {frozenset({ref}) for ref in by_mark.get(FOREVER, ())}


def is_frozen(heap, ref) -> bool:
    """May something else be the same array or container?"""
    marks = heap.get((ref, v.FROZEN), frozenset())
    if not marks or FOREVER in marks:
        return bool(marks)
    return any(other is not ref and marks & heap.get((other, v.FROZEN), frozenset()) for other in reachable(heap))
