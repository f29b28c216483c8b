"""Core -> loop core, through its passes: what each target spells in its way, and compiles."""
from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Callable

from ..analyse.ranges import Ranges
from ..core import Fun, Let, walk
from ..errors import UnsupportedError
from ..loops import checking as loops
from ..loops.core import Function
from ..loops.outputs import Output, hand_in
from ..loops.show import SPELLINGS
from ..optimise.outline import Routine
from ..types import Type
from . import order  # noqa: F401
from .functions import bound_names, for_writing, passes
from .statements import Lowerer
from .writer import RESERVED, Site, Writer

@dataclass(frozen=True)
class Lowered:
    """A program as functions of loop core; `entry` is the last of them, and takes flat values of these types, and after
    them arrays for `outputs`.

    `results` says of each flat result where it is: ("out", k) is output k, ("returned", k) item k of the tuple
    returned.

    Where it relies on arguments for indices to be in range and stops because they are not so ("Unproved"),
    `safe()` is the same with each index checked.
    """

    functions: tuple[Function, ...]
    imports: dict  # functions of other modules -> what they are called here
    param_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
    outputs: tuple[Output, ...]
    results: tuple[tuple[str, int], ...]
    sites: tuple[Site, ...]
    shared: tuple = ()  # where in the user's text the loops are that threads may share
    safe: Callable[[], "Lowered"] | None = None
    plain: Callable[[], Callable] | None = None  # the function as plain Python, for what compiled code cannot say

    @property
    def entry(self) -> str:
        return self.functions[-1].name

    def spelled(self, target: str) -> str:
        """The text of a module, as a target has it."""
        return SPELLINGS[target].module(self.functions, self.imports)

    @functools.cached_property
    def text(self) -> str:
        return self.spelled("numba")


def lower(fun: Fun, owned: frozenset[str] = frozenset(), parallel: bool | str = False, plain=None) -> Lowered:
    """A pure core function as loops; parameters in `owned` may be stored into.

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
        if (isinstance(stmt, Let) and stmt.op.name == "rt.require"
                and any(fun.types[a].kind == "array" for a in stmt.args[1:] if isinstance(a, str))):
            raise UnsupportedError(stmt.origin,
                "an array in the message of an exception, in a compiled function that stores into its arguments",
                                   instead="Say one of its elements, or its shape.")


def write(fused: Fun, stored: Fun, may_assume: bool, parallel: bool | str) -> Lowered:
    """The program of a function with its stores back; `fused` is the same function before."""
    names, steady = bound_names(stored)
    entry = fused.name if fused.name.isidentifier() and fused.name not in RESERVED else "entry"
    w = Writer(stored.types, used={entry}, bound=names, steady=steady)
    lowerer = Lowerer(stored, w, Ranges(fused), may_assume, parallel)
    main, *parts = passes(Function(entry, tuple(w.name(p) for p in fused.params), *lowerer.run()), w.fresh)
    taken = hand_in(main, {w.name(p).id: w.type(p) for p in fused.params}, w.fresh)
    types = [tuple(w.type(a) for a in atoms) for atoms in (fused.params, fused.body.results)]
    safe = (lambda: write(fused, stored, False, parallel)) if lowerer.conditions else None
    functions = (*w.functions, *parts, loops.check(taken.function, "outputs"))
    return Lowered(functions, w.imports, *types, taken.outputs, taken.results, tuple(w.sites),
                   tuple(dict.fromkeys(lowerer.shared)), safe)
