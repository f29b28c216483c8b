"""Core -> the text of a module of loops: what numba compiles, and what runs as plain Python too."""
from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Callable

from ..analyse.ranges import Ranges
from ..core import Fun, Let, walk
from ..errors import UnsupportedError
from ..optimise.outline import Routine
from ..types import Type
from . import order  # noqa: F401
from .functions import bound_names, for_writing
from .outputs import Output, hand_in
from .statements import Lowerer
from .writer import RESERVED, Site, Writer

RUNTIME = {"rl": "linalg", "rm": "memory", "rp": "parallel", "rs": "scalars", "vm": "elementary"}


@dataclass(frozen=True)
class Lowered:
    """A module's text; `entry` is the function in it that takes flat values of these types, and after them arrays for `outputs`.

    `results` says of each flat result where it is: ("out", k) is output k, ("returned", k) item k of the tuple returned.

    Where the text relies on arguments for indices to be in range and stops because they are not so ("Unproved"),
    `safe()` is the same with each index checked.
    """

    text: str
    entry: str
    param_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
    outputs: tuple[Output, ...]
    results: tuple[tuple[str, int], ...]
    sites: tuple[Site, ...]
    shared: tuple = ()  # where in the user's text the loops are that threads may share
    safe: Callable[[], "Lowered"] | None = None
    plain: Callable[[], Callable] | None = None  # the function as plain Python, for what compiled code cannot say


def lower(fun: Fun, owned: frozenset[str] = frozenset(), parallel: bool | str = False, plain=None) -> Lowered:
    """The text of a module for a pure core function; parameters in `owned` may be stored into.

    parallel: "auto" or True lets threads share loops whose iterations do not depend on each other.
    plain: gives the same function as plain Python.
    """
    refuse_arrays_raised(fun, owned)
    fused, stored = for_writing(fun, owned)
    return replace(write(fused, stored, True, parallel), plain=plain)


def refuse_arrays_raised(fun: Fun, owned) -> None:
    """An exception with an array in it is raised by plain Python on the same arguments: they must be as they were."""
    for stmt in walk(fun.body) if owned else ():
        if isinstance(stmt, Let) and isinstance(stmt.op, Routine):
            refuse_arrays_raised(stmt.op.fun, owned)
        if isinstance(stmt, Let) and stmt.op.name == "rt.require" and any(fun.types[a].kind == "array" for a in stmt.args[1:] if isinstance(a, str)):
            raise UnsupportedError(stmt.origin, "an array in the message of an exception, in a compiled function that stores into its arguments",
                                   instead="Say one of its elements, or its shape.")


def write(fused: Fun, stored: Fun, may_assume: bool, parallel: bool | str) -> Lowered:
    """The text for a function with its stores back; `fused` is the same function before."""
    names, steady = bound_names(stored)
    entry = fused.name if fused.name.isidentifier() and fused.name not in RESERVED else "entry"
    w = Writer(stored.types, used={entry}, bound=names, steady=steady)
    lowerer = Lowerer(stored, w, Ranges(fused), may_assume, parallel)
    lowerer.run()
    taken = hand_in({w.name(p): w.type(p) for p in fused.params}, w.lines, w.fresh)
    body = "".join(f"{text}\n\n\n" for text in w.functions) + f"def {entry}({', '.join(taken.params)}):\n" + "\n".join(taken.lines) + "\n"
    types = [tuple(w.type(a) for a in atoms) for atoms in (fused.params, fused.body.results)]
    safe = (lambda: write(fused, stored, False, parallel)) if lowerer.conditions else None
    return Lowered(header(body, w.imports) + body, entry, *types, taken.outputs, taken.results, tuple(w.sites), tuple(dict.fromkeys(lowerer.shared)), safe)


def header(body: str, imports: dict) -> str:
    """The imports that a module needs; of functions with the hash of what they do, as what is compiled is kept."""
    others = [f"from {f.__module__} import {f.__name__} as {name}  # {digest(f)}\n" for f, name in imports.items()]
    modules = [f"{module} as {name}" for name, module in RUNTIME.items() if f"{name}." in body]
    return "import numpy as np\n" + (f"\nfrom gradscribe.runtime import {', '.join(modules)}\n" if modules else "") + "".join(others) + "\n\n"


def digest(function) -> str:
    code = function.__code__
    return hashlib.sha256(repr((code.co_code, code.co_consts, code.co_names)).encode()).hexdigest()[:16]
