"""Names: the function's own variables, and those of what stands around it."""
from __future__ import annotations

import sys

import gast

from ....errors.messages import MissingName
from ....frontend.trees import lines_of_paths
from ....inputs.guards import ABSENT, Path
from ...domain import values as v
from ...refusals.words import undefined
from .lifting import lift

INLINE = gast.ListComp, gast.DictComp, gast.SetComp
SCOPES = {gast.ListComp: "listcomp", gast.DictComp: "dictcomp", gast.SetComp: "setcomp", gast.GeneratorExp: "genexpr"}
INLINED = sys.version_info >= (3, 12)  # is a comprehension a part of the function around it, for Python's messages?
RETURNS_DIFFER = ("the results of the paths of this function do not fit together",
                  "Return the same kind of value (dtype, number of axes, lengths) on all paths.")


def lookup(s, name: str):
    frame = owner(s, s.frames[-1], name)
    if name in frame.locals:
        return variable(s, frame, name)
    captured = frame.captured
    if name in captured.freevars:
        cell = captured.freevars[name]
        if not has_content(cell):
            s.fail(*undefined(name), error=MissingName)
        return lift(s, cell.cell_contents, Path(name, cell, name, "cell"), (id(cell),))
    path = Path(name, captured.globals, name, "name")
    found = path.now()
    if found is ABSENT:
        s.fail(*undefined(name), error=MissingName)
    # Python's own modules, and NumPy's, are taken as they are
    if name not in captured.globals and getattr(found, "__module__", None) == "builtins":
        if not captured.ours:
            s.guard(Path("globals()", captured.globals, None, "default").item(name), ABSENT)
        return v.Static(found)
    return lift(s, found, path, (id(captured.globals), name))


def variable(s, frame, name: str):
    """What a variable of a frame holds."""
    value = s.heap.get((frame, name))
    if value is None:
        s.stop(*unbound(name, frame, s.frames[-1]))
    if isinstance(value, v.Unjoinable) and name.startswith("_gs_ret"):
        s.conflict(value, *RETURNS_DIFFER)
    if isinstance(value, v.Unjoinable):
        is_found = value.test and frame.node  # a module's variables have no text
        lines = ", ".join(map(str, lines_of_paths(frame.node, name, s.origin().line) if is_found else ()))
        s.conflict(value, f"the variable '{name}' cannot be used here",
                   f"Give {name} the same kind of value (dtype, number of axes, lengths) on all paths"
                   f"{f' (lines {lines})' if lines else ''}.")
    if v.is_unset(value):
        if value.flag not in s.sight.known_true and not name.startswith("_gs_"):
            s.require(value.flag, *unbound(name, frame, s.frames[-1]))
        return value.value
    return value.value if isinstance(value, v.OneOf) and value.flag in s.sight.known_true else value


def unbound(name: str, frame, current) -> tuple[str, str]:
    """What Python raises where a variable of a frame is read that has no value."""
    if frame.captured is None:
        return "NameError", f"name '{name}' is not defined"
    while INLINED and isinstance(current.node, INLINE) and current is not frame:
        current = current.parent
    if current is frame:
        return "UnboundLocalError", f"cannot access local variable '{name}' where it is not associated with a value"
    return "NameError", (f"cannot access free variable '{name}' "
                         "where it is not associated with a value in enclosing scope")


def owner(s, frame, name: str):
    """The frame whose variable a name is in this one: its own, one around, or that of what is assigned outside;
    the outermost where it is none."""
    while name not in frame.locals and frame.parent is not None:
        frame = frame.parent
    if name in frame.locals or not s.outside.modules:
        return frame
    return assigned_in(s, frame.captured.freevars.get(name, frame.captured.globals), name) or frame


def assigned_in(s, holder, name: str):
    """The frame of what the function assigns in a namespace or cell outside, if this name is among it."""
    frame = s.outside.modules.get(id(holder))
    return frame if frame is not None and name in frame.locals else None


def has_content(cell) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True
