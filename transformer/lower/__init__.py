"""Core -> the text of a module of loops: what numba compiles, and what runs as plain Python too."""
from __future__ import annotations

from dataclasses import dataclass

from ..core import For, Fun, Store, bound, walk
from ..optimise.fuse import fuse
from ..optimise.inplace import inplace
from ..types import Type
from .statements import Lowerer
from .writer import RESERVED, Site, Writer

RUNTIME = {"rl": "linalg", "rm": "memory", "rs": "scalars", "vm": "vectormath"}


@dataclass(frozen=True)
class Lowered:
    """A module's text; `entry` is the function in it that takes and returns flat values of these types."""

    text: str
    entry: str
    param_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
    sites: tuple[Site, ...]


def lower(fun: Fun, owned: frozenset[str] = frozenset()) -> Lowered:
    """The text of a module for a pure core function; parameters in `owned` may be stored into."""
    stored = inplace(fuse(fun), owned)
    w = Writer(stored.types)
    w.bound |= set(fun.params) | bound_names(stored)
    Lowerer(stored, w).run()
    entry = fun.name if fun.name.isidentifier() and fun.name not in RESERVED else "entry"
    body = f"def {entry}({', '.join(w.name(p) for p in fun.params)}):\n" + "\n".join(w.lines) + "\n"
    results = tuple(w.type(r) for r in fun.body.results)
    return Lowered(header(body) + body, entry, tuple(fun.types[p] for p in fun.params), results, tuple(w.sites))


def header(body: str) -> str:
    """The imports that a module needs."""
    modules = [f"{module} as {name}" for name, module in RUNTIME.items() if f"{name}." in body]
    return "import numpy as np\n" + (f"\nfrom gradscribe.runtime import {', '.join(modules)}\n" if modules else "") + "\n\n"


def bound_names(fun: Fun) -> set[str]:
    """The names that single statements and loops bind."""
    return {n for stmt in walk(fun.body) if not isinstance(stmt, Store) for n in (*bound(stmt), *([stmt.index] if isinstance(stmt, For) else []))}
