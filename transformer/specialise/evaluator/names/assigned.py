"""Variables of a module, or of the function around, that a function assigns: `global count; count += 1`; and lists,
dicts and objects among its arguments that it changes.

They are in the heap from the start, variables of a module in a frame of its own. What they are at the end the program
returns beside its result, and the call assigns it, or puts it into the container.
"""
from __future__ import annotations

import gast

from ....errors.messages import GradscribeError
from ....frontend.trees import nodes
from ....inputs.guards import ABSENT, Path
from ....pytree.given import placed_in
from ...domain import values as v
from ...domain.aliasing import is_frozen, led_to
from ...domain.growing_lists import grown
from .lifting import lift
from .tables import executes

COPY = "Assign a copy of it: x.copy()"
VALUES = "Assign numbers, arrays, strings, None and tuples of them."


@executes(gast.Global)
def globals_(s, node):
    frame = s.frames[-1]
    for name in node.names:
        around = frame.parent
        while around is not None and name not in around.locals:
            around = around.parent
        if around is not None or any([getattr(n, "name", None) == name for n in nodes(frame.node)]):
            s.fail(f"the global {name}, which is the name of a function or of a variable around it as well",
                   "Give it another name.")
        namespace = frame.captured.globals
        declare(s, Path(name, namespace, name, "name"), (id(namespace), name))


def declare(s, path: Path, key: tuple) -> None:
    """The function may assign this: begin again with it in the heap."""
    asked = v.Assigned(path, key)
    if asked not in s.static_paths:
        raise v.Restart(frozenset({asked}))
    s.outside.declared[asked] = s.origin()


def enter_variable(s, asked: v.Assigned) -> None:
    """A variable from outside is in the heap."""
    path = asked.path
    frame = s.outside.modules.setdefault(id(path.holder), v.Frame(None, None, hint="outside"))
    frame.locals |= {path.key}
    s.heap[frame, "_gs_outside"] = v.Static(None)
    if path.how == "name" and path.key not in path.holder:
        s.guard(Path("globals()", path.holder, None, "default").item(path.key), ABSENT)
    elif path.now() is not ABSENT:
        s.heap[frame, path.key] = lift(s, path.get(), path, asked.key)
    s.outside.assigned[asked] = frame, s.heap.get((frame, path.key))


def afterwards(s, value) -> list[tuple[Path, object]]:
    """What the variables are that have changed, beside the value that the function returns."""
    found = []
    for asked, (frame, before) in s.outside.assigned.items():
        now, name = s.heap.get((frame, asked.path.key)), asked.path.key
        if now is before or now == before:
            continue
        origin = s.outside.declared[asked]
        if isinstance(now, v.Unjoinable):
            s.conflict(now, f"what {name} is assigned differs between the paths",
                       "Give it the same kind of value on all.")
        if now is None or v.is_unset(now):
            s.fail(f"the global {name}, which has no value on some path", "Give it a value in the module.",
                   origin=origin)
        check_unshared(s, name, now, value, origin)
        found.append((asked.path, now))
    return found


def check_unshared(s, name: str, now, value, origin) -> None:
    """Nobody else may see the array that is assigned."""
    for x in v.walk_values([now]):
        if not isinstance(x, (v.Static, v.Number, v.Array, v.Tuple, v.OneOf)):
            s.fail(f"the global {name} is assigned {s.describe(x)}", VALUES, origin=origin)
    assigned = [s.heap.get((frame, asked.path.key)) for asked, (frame, _) in s.outside.assigned.items()]
    if is_shared(s, [now], [value, *[x for x in assigned if x is not now]]):
        s.fail(f"the global {name} is assigned an array that others see, too", COPY, origin=origin)


def is_shared(s, values, others, mark=None) -> bool:
    """Has the caller an array or container of these values by another way, too, or an item of the rows of this mark?"""
    seen = led_to(s.heap, others) | s.seen_by_caller
    return (any([ref in seen or ref.outside or is_frozen(s.heap, ref) for ref in led_to(s.heap, values)])
            or any([mark in s.heap.get((ref, v.FROZEN), ()) for ref in seen]))


def find_arguments(s, args, kwargs) -> list[tuple]:
    """[(where it is, a container among the arguments, its items and keys)] of those that the function may change."""
    arrays = {key: ref for (ref, _), key in s.heap.items() if isinstance(ref, v.Ref) and isinstance(key, str)}
    # for a GPU containers that hold arrays of one are other objects than the caller's
    s.given_at = placed_in((args, kwargs), [(k, value.box) for k, value in s.boxes if not s.facts.on_gpu] + [
        (id(x), arrays[name]) for (name, _), x in zip(s.params, s.given) if name in arrays])
    return [(s.given_at[value.box], value, s.heap[value.box, None], s.keys(value)) for _, value in s.boxes
            if value.box in s.given_at]


def changed_arguments(s, places, others) -> list[tuple]:
    """What is in the containers among the arguments that have changed; `others`: what else the caller gets."""
    new: list[tuple] = []
    for at, value, items, keys in places:
        try:
            content = changed_content(s, value, items, keys, [*others, *[x for _, x in new]])
        except GradscribeError as error:
            raise type(error)(s.changed_at.get(value.box), error.message, error.instead) from None
        new += [(at, content)] * (content is not None)
    return new


def changed_content(s, value, items, keys, others):
    """A container as it is now, where it is not as it was."""
    rows = grown(s, value)
    if s.heap[value.box, None] is items or not rows and s.items(value) == items and s.keys(value) == keys:
        return None
    content = value if rows else s.like(value, [given_back(s, x) for x in s.items(value)])
    if (is_shared(s, s.heap[content.box, None], others, rows and rows.mark)
            or rows and items and any([t.kind == "array" for t in rows.types])):  # copies of what was there
        s.fail(f"{value.box.outside} gets an array, list, dict or object that others see, too",
               "Put a copy of it there: x.copy(), copy.copy(d)")
    return content


def given_back(s, x):
    """A value in which what the caller has passed is that object itself."""
    ref = x.cell if isinstance(x, v.Array) and not x.path else getattr(x, "box", None)
    if ref in s.given_at:
        return v.Static(s.given_at[ref])
    is_open = isinstance(x, v.Tuple) or isinstance(x, v.Boxed) and not grown(s, x)
    return s.like(x, [given_back(s, y) for y in s.items(x)]) if is_open else x
