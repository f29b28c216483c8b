"""Imports inside a function."""
from __future__ import annotations

import importlib.util
import sys

import gast

from ....inputs.guards import Path
from ..arrays.signatures import tried_now
from ..names.lifting import lift
from ..names.lookup import owner
from ..names.tables import executes
from .attributes import attribute

LIBRARIES = ("numpy", "scipy")
MODULES = Path("sys.modules", sys.modules, None, "default")


@executes(gast.Import)
def import_(s, node):
    for alias in node.names:
        whole = imported(s, alias.name)
        first = alias.name.partition(".")[0]
        bind_import(s, alias.asname or first, whole if alias.asname else imported(s, first))


@executes(gast.ImportFrom)
def import_from(s, node):
    package = s.frames[-1].captured.globals.get("__package__") or ""
    name = tried_now(s, importlib.util.resolve_name, "." * (node.level or 0) + (node.module or ""), package)
    whole, module = imported(s, name), sys.modules[name]
    for alias in node.names:
        if hasattr(module, alias.name):
            value = attribute(s, whole, alias.name)
        elif hasattr(module, "__path__"):
            value = imported(s, f"{name}.{alias.name}")
        else:
            place = getattr(module, "__file__", None) or "unknown location"
            s.stop("ImportError", f"cannot import name {alias.name!r} from {name!r} ({place})")
        bind_import(s, alias.asname or alias.name, value)


def bind_import(s, name: str, value) -> None:
    s.heap[owner(s, s.frames[-1], name), name] = value


def imported(s, name: str):
    """A module. NumPy's and SciPy's are imported now; others must be there, since reading a program runs none of it."""
    if name not in sys.modules and name.partition(".")[0] in LIBRARIES:
        tried_now(s, importlib.import_module, name)
    if name not in sys.modules:
        s.fail(f"an import of {name}, which is not imported yet", "Import it at the top of the module.")
    return lift(s, sys.modules[name], MODULES.item(name), (id(sys.modules), name))
