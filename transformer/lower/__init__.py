"""Core -> loop core, through its passes: what each target spells in its way, and compiles.

Imports runtime.cuda, runtime.plain, transformer.analyse, transformer.core, transformer.errors, transformer.library,
transformer.loop_core, transformer.optimise, transformer.rules.
"""
from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Callable

from gradscribe.runtime.plain import collectives, parallel as rp

from ..analyse.ranges import Ranges
from ..core import Fun, Let, walk
from ..core.types import Dim, Type
from ..errors.messages import UnsupportedError
from ..loop_core import checking as loops
from ..loop_core.alike import part_nests
from ..loop_core.core import Assign, Check, Function
from ..loop_core.kernels import split_kernels
from ..loop_core.launches import stops_late
from ..loop_core.long_nests import first_checks, for_many_threads, short_condition
from ..loop_core.naming import name_values
from ..loop_core.outputs import Output, hand_in
from ..loop_core.show import SPELLINGS
from ..optimise.outline import Routine
from . import order  # noqa: F401
from .functions import bound_names, for_writing, loop_passes
from .statements import Lowerer
from .writer import RESERVED, CheckSite, Writer


@dataclass(frozen=True)
class Lowered:
    """A program as functions of loop core; `entry` is the last of them, and takes flat values of these types, and after
    them arrays for `outputs`.

    `results` says of each flat result where it is: ("out", k) is output k, ("returned", k) item k of the tuple
    returned.

    Where it relies on arguments for indices to be in range and stops because they are not so ("Unproved"),
    `safe()` is the same with each index checked.  `threads()` is the same for arguments with which there is so much to
    do that threads share its loops; it stops for them ("Long"), and `short` is a function which says of others that
    they are not so.
    """

    functions: tuple[Function, ...]
    imports: dict  # functions of other modules -> what they are called here
    param_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
    outputs: tuple[Output, ...]
    results: tuple[tuple[str, int], ...]
    sites: tuple[CheckSite, ...]
    shared: tuple = ()  # where in the user's text the loops are that threads may share
    safe: Callable[[], "Lowered"] | None = None
    threads: Callable[[], "Lowered"] | None = None
    short: Function | None = None
    plain: Callable[[], Callable] | None = None  # the function as plain Python, for what compiled code cannot say
    target: str = "numba"
    stops: bool = False  # may a kernel of the device stop?
    cpu: Callable[[], Callable] | None = None  # what runs the same on the CPU

    @property
    def entry(self) -> str:
        return self.functions[-1].name

    def spelled(self, target: str) -> str:
        """The text of a module, as a target has it."""
        return SPELLINGS[target].module(self.functions, self.imports)

    @property
    def calls_devices(self) -> bool:
        """Does it call collectives, for which other devices would have to be there once more?"""
        return any(kernel.__module__ == collectives.__name__ for kernel in self.imports)

    @functools.cached_property
    def text(self) -> str:
        return self.spelled(self.target)


def lower_for_device(fun: Fun, owned: frozenset[str], plain, cpu) -> Lowered:
    """A pure core function as kernels and what the host does.  It stores into its parameters in `owned` themselves
    where nothing can stop once a kernel has begun: else the call is done again, with the arguments as they were.

    cpu  gives what runs the same on the CPU, which says what a kernel that has stopped cannot
    """
    def there(lowered: Lowered) -> Lowered:
        safe = lowered.safe
        return replace(lowered, plain=plain, cpu=cpu, target="cuda", safe=safe and (lambda: there(safe())))

    if owned:
        in_place = write(*for_writing(fun, owned), True, True, for_device)
        if not stops_late(in_place.functions):
            return there(in_place)
    return there(write(*for_writing(fun), True, True, for_device))


def lower(fun: Fun, owned: frozenset[str] = frozenset(), parallel: bool | str = False, plain=None,
          conditions: tuple[Dim, ...] = (), checked=None) -> Lowered:
    """A pure core function as loops; parameters in `owned` may be stored into.

    parallel: "auto" or True lets threads share loops whose iterations do not depend on each other.
    plain: gives the same function as plain Python.
    conditions: polynomials over lengths of arguments which the function relies on not being negative; where one is,
    what `checked` gives is to be called.
    """
    refuse_arrays_raised(fun, owned)
    fused, stored = for_writing(fun, owned)

    def written(many: bool | None) -> Lowered:
        lowered = replace(write(fused, stored, True, parallel, functools.partial(for_cpu, many=many), conditions),
                          plain=plain)
        return replace(lowered, safe=checked) if checked else lowered

    if parallel == "auto" and rp.threads() > 1:
        lowered = written(None)
        return replace(lowered, threads=lambda: written(True)) if lowered.short else lowered
    return written(parallel is True)


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


def write(fused: Fun, stored: Fun, may_assume: bool, parallel: bool | str, finish=None,
          conditions: tuple[Dim, ...] = ()) -> Lowered:
    """The program of a function with its stores back; `fused` is the same function before."""
    names, steady = bound_names(stored)
    entry = fused.name if fused.name.isidentifier() and fused.name not in RESERVED else "entry"
    w = Writer(stored.types, used={entry}, bound=names, steady=steady, threads=finish is for_device)
    lowerer = Lowerer(stored, w, Ranges(fused), may_assume, parallel)
    lowerer.conditions += conditions
    main = Function(entry, tuple(w.name(p) for p in fused.params), *lowerer.run())
    types = [tuple(w.type(a) for a in atoms) for atoms in (fused.params, fused.body.results)]
    finished = (finish or for_cpu)(main, {w.name(p).id: w.type(p) for p in fused.params}, w)
    checked = finish if finish is for_device else None
    safe = (lambda: write(fused, stored, False, parallel, checked)) if lowerer.conditions else None
    return Lowered(imports=w.imports, param_types=types[0], result_types=types[1], sites=tuple(w.sites),
                   shared=tuple(dict.fromkeys(lowerer.shared)), safe=safe, **finished)


def for_cpu(main: Function, types: dict[str, Type], w: Writer, many: bool | None = False) -> dict:
    """Its functions, and the results that the caller allocates.

    many  do threads share all loops that have much to do?  None: it stops where there are such loops
    """
    short: list[Function] = []

    def shared(f: Function, ranks) -> Function:
        if many:
            return for_many_threads(f, ranks, w.fresh)
        condition = short_condition(f, ranks) if many is None else None
        if condition is None:
            return f
        start = first_checks(f)
        short.append(Function("is_short", f.params, tuple([s for s in start if isinstance(s, Assign)]), (condition,)))
        return replace(f, body=(*start, Check(condition, w.site("Long", "")), *f.body[len(start):]))

    main, *parts = loop_passes(main, types, w.fresh, shared)
    main, nests = part_nests(main, {name: t.rank for name, t in types.items() if t.kind == "array"}, w.fresh)
    taken = hand_in(main, types, w.fresh)
    own = [*[loops.verify_loops(f, "nests") for f in nests], *parts, loops.verify_loops(taken.function, "outputs")]
    functions = (*w.functions, *own)
    return dict(functions=functions, outputs=taken.outputs, results=taken.results, short=short[0] if short else None)


def for_device(main: Function, types: dict[str, Type], w: Writer) -> dict:
    """Its kernels, and the function of the host."""
    from gradscribe.runtime.cuda.forms import has
    main = name_values(loops.verify_loops(main, "lowering"), w.fresh)
    parted = split_kernels(main, {name: t.rank for name, t in types.items() if t.rank}, has, w.fresh,
                           w.imports.values())
    results = tuple(("returned", k) for k in range(len(main.results)))
    return dict(functions=(*parted.kernels, parted.host), outputs=(), results=results, stops=parted.stops)
