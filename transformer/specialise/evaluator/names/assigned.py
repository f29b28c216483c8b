"""Variables of a module, or of the function around, that a function assigns: `global count; count += 1`.

They are in the heap from the start, those of a module in a frame of its own. What they are at the end the program
returns beside its result, and the call assigns it.
"""
from __future__ import annotations

import gast

from ....frontend.trees import nodes
from ....inputs.guards import ABSENT, Path
from ...domain import values as v
from ...domain.aliasing import is_frozen, led_to
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
    seen = led_to(s.heap, [value, *[x for x in assigned if x is not now]]) | s.seen_by_caller
    if any([ref in seen or ref.outside or is_frozen(s.heap, ref) for ref in led_to(s.heap, [now])]):
        s.fail(f"the global {name} is assigned an array that others see, too", COPY, origin=origin)
