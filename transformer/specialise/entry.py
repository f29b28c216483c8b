"""`specialise`: from a callable and example arguments to a core function and what it assumes.

The key of a specialisation is the structure of the arguments and, per leaf, its kind, dtype, memory order and
which of its sizes are 1; the sizes themselves stay unknown, so that a new shape needs no new specialisation.
"""
from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from typing import Any, Callable

from ..analyse.clock import result_of_clock
from ..core import Block, Const, Fun
from ..core.size_assumptions import Constant
from ..core.verifier import verify
from ..errors.messages import GradscribeError, ImpurityError, SpecialisationError
from ..inputs.guards import Path
from ..pytree.results import with_classes
from ..pytree.rows import Stack
from ..transform.opening import without_calls
from ..transform.python_numbers import with_flags
from .arguments import Arguments
from .builtins import (builtin_api, collections_api, complex_api, hosts, itertools_api, library_api, math_api,
                       numba_api, numpy_api, numpy_arrays, object_api, scipy_api, telling_api, tree_api, written)
from .domain import values as v
from .domain.assumptions import Assumptions
from .domain.plans import Plan, Way, ways_of
from .evaluator.flow import asking
from .evaluator.names import assigned, tables
from .evaluator.names.lifting import lift_stored
from .evaluator.objects import containers, imports, iteration, protocols, texts, truths
from .evaluator.syntax import handlers, known_calls, patterns, yielding
from .evaluator.syntax.given import takes_rows
from .machine.lengths import size_key
from .staged_calls import collectives, derivatives, own_rules, scanning
from .staged_calls.leaves import leaves_of, result_outline

TAKEN = {*dir(builtins), "np", "rt", "gs"}  # what the text of a function may call must not be the function itself


@dataclass
class Specialised:
    """A core function, how to call it, and what must hold for the call.

    out            the structure of the result: a nest of ("leaf", k), ("static", object), (class, keys, parts), and of
    what the run decides:
                   ("python", k, [(leaf or None, class or None)]), a number of the first class whose leaf holds;
                   ("either", k, part, other), the first where the leaf k is true; other may be ("static", None)
    params         per core parameter: an int (which leaf of the arguments) or the Path of an outside object
    assumptions    [(Dim over names of `sizes`, relation, int)]
    sizes          {name: (core parameter, axis or None)} of the names that assumptions use
    computed       {name: (op, args, params)} of those that are computed from others
    guards         [(Path, the object or Shape it must still be)]
    """

    fun: Fun
    out: Any
    params: tuple
    assumptions: list
    sizes: dict
    guards: list
    # what must be distinguished: "arrays" that are stored into, "containers" that change, "objects" that `is`
    # compares
    apart: frozenset
    count: int  # of user-visible result leaves; the others are written arguments
    static: frozenset = frozenset()
    constants: tuple = ()  # what makes sizes constants
    access: tuple = ()  # per core parameter: how a caller writes it
    main: Any = None  # the user's function, captured: whose comments are kept
    flags: int = 0  # how many of the last results say which class others have
    computed: dict = field(default_factory=dict)
    assigned: tuple | None = None  # the Paths of variables outside whose values follow the result; None: it has none
    changed: tuple = ()  # of the containers among the arguments, which then follow: where `objects_in` finds each
    facts: Assumptions = field(default_factory=Assumptions)  # what else was assumed and seen


IN_PLACE_OF_KEYS = "Use a constant, or an array with a place for each key: sums = np.zeros(n); sums[k] += v."


class Entry(Arguments):
    """The machine, and what lower floors ask of those above it; all else goes up by the tables of functions
    (`library/registry.py: FUNCTIONS`) and of kinds of values (`evaluator/names/tables.py`)."""

    call_value = tables.call_value  # handlers of the library
    asks = asking.asks  # whether an operation raises what is caught around
    raised = containers.raise_now  # what Python raises of numbers that are known
    # what Python may ask of the objects that stand for values in its containers
    truth, text_of, iterate_static, stand_in = (truths.truth, texts.text_parts, iteration.iterate_static,
                                                protocols.stand_in)
    listed = yielding.listed  # what draws from a generator, as a list


def restart(s: Entry, need: v.NeedStatic) -> v.Restart:
    """What to make static so that `need.atom` is known; an error where nothing can."""
    sources = dict(s.params)
    static, sizes, todo = set(), set(), [need.atom]
    while todo:
        atom = todo.pop()
        if isinstance(atom, Const):
            continue
        if atom in sources:
            source = sources[atom]
            static.add(Plan(Way.KNOWN, source if isinstance(source, int) else source.text))
        elif atom in s.entry_ints:
            if (made := s.entry_ints[atom]) is not None:
                todo += made[1]
            else:
                k, axis = s.sizes[atom]
                sizes.add(size_key(s.params[k][1], axis))
        elif need.instead:
            return v.Restart(frozenset({need.instead}))
        elif found := numbers_outside(s, atom):
            todo += found
        else:
            raise SpecialisationError(need.origin, f"a value of the run time must be known before it: {need.why}",
                                      instead=IN_PLACE_OF_KEYS if "a key" in need.why else
                                      "Use a constant, or an argument that is an int.")
    if not static and not sizes:  # it is known: the rounds of a scan over nothing, which is written all the same
        raise SpecialisationError(need.origin, "a variable has another type or shape before this loop than after an "
                                  "iteration, and the loop runs zero times",
                                  instead="Initialise it with what it has after one, or test the length before.")
    return v.Restart(frozenset(static | sizes), Constant(need.origin, need.why, need.special) if sizes else None)


def numbers_outside(s: Entry, atom) -> set[str]:
    """Those that decide a number alone; none where anything else does."""
    sources, found = dict(s.params), s.b.known.sources(atom)
    known = [isinstance(sources.get(name), Path) and s.b.types[name].kind != "array" for name in found]
    return found if all(known) else set()


def specialise(fun: Callable, args: tuple, kwargs: dict, names: list[str], static=frozenset(),
               refusal: GradscribeError | None = None) -> Specialised:
    """Specialise `fun(*args, **kwargs)`, making static what turns out to be needed; `names`:
    of positional parameters; `refusal`: why all sizes and integers are constants."""
    constants = [] if refusal is None else [Constant(refusal.origin, refusal.message)]
    while True:
        try:
            made = specialise_once(fun, args, kwargs, names, static, refusal is not None)
            # on another course through the program others are needed
            made.static = static - ways_of(static, Way.LENGTH, Way.TEST)
            made.constants = (*constants, *made.constants)
            return made
        except v.Restart as again:
            if again.static <= static:
                raise AssertionError(f"no progress in making {again.static} static") from None
            if ways_of(again.static, Way.PICKED, Way.LOOSE):  # what was made static for it was of no use
                static, constants = ways_of(static, Way.PICKED, Way.LOOSE), constants[:0]
            static |= again.static
            constants += [again.constant] if again.constant else []


def specialise_once(fun: Callable, args: tuple, kwargs: dict, names: list[str], static=frozenset(),
                    exact=False) -> Specialised:
    s = Entry(exact, static)
    s.compiled = getattr(fun, "compiled", False)
    s.facts.on_gpu = getattr(fun, "target", "cpu") == "cuda"
    s.rows.allowed = not s.facts.on_gpu and not exact and takes_rows(fun)
    values = [s.argument(a, names[k] if k < len(names) else f"x{k}") for k, a in enumerate(args)]
    named = {k: s.argument(a, k) for k, a in kwargs.items()}
    enter_heap(s, [*values, *named.values()])
    entry = {key: atom for key, atom in s.heap.items() if isinstance(key[0], v.Ref) and isinstance(atom, str)}
    places = assigned.find_arguments(s, args, kwargs)
    structure, results, new = call_entry(s, fun, values, named, places)
    s.facts.changes |= any([value.box in s.changed_at for _, value, *_ in places])  # also where it raises after that
    count, writes = len(results), {}
    for (ref, _), name in entry.items():
        if s.heap[ref, None] != name:
            writes[name] = len(results)
            results.append(s.heap[ref, None])
    return specialised(s, fun, structure, results, count, writes, kinds_apart(s, writes), new)


def kinds_apart(s: Entry, writes) -> frozenset:
    """What must be distinguished among the arguments."""
    apart = {"arrays": s.facts.stores or writes, "containers": s.facts.changes, "objects": s.facts.compared}
    kinds = frozenset(k for k, needed in apart.items() if needed)
    # a copy does not see what others store into the memory of an item, and no row is one of several objects
    if s.rows.lists and kinds or s.rows.rolled and "objects" in kinds:
        raise v.Restart(frozenset(s.rows.lists | s.rows.rolled))
    return kinds


def enter_heap(s: Entry, values) -> None:
    """What the heap holds from the start: the arguments, and what the function stores into or assigns outside."""
    root = v.Frame(None, None, hint="root")
    s.heap.update({(root, k): value for k, value in enumerate(values)})
    s.seen_by_caller = {ref for ref, part in s.heap if isinstance(ref, v.Ref) and part is None}
    for stored in sorted(key for key in s.static_paths if isinstance(key, v.Stored)):
        (assigned.enter_variable if isinstance(stored, v.Assigned) else lift_stored)(s, stored)


def call_entry(s: Entry, fun, values, named, places) -> tuple:
    """(the structure of what the function returns, the atoms of its leaves, what it leaves outside and in arguments)"""
    try:
        value = s.call_value(v.Static(fun), values, named)
        new = assigned.afterwards(s, value)
        changed = assigned.changed_arguments(s, places, [value, *[x for _, x in new]])
        s.rows.asked = True
        beside = [x for _, x in (*new, *changed)]
        structure, leaves = result_outline(s, v.Tuple((value, *beside)) if beside else value, whole=True,
                                           function=v.Static(fun))
        return structure, [s.atom(x) for x in leaves], (new, changed)
    except v.NeedStatic as need:
        raise restart(s, need) from None
    except GradscribeError:
        if s.rows.lists or s.rows.rolled:  # it may be that rows cannot do what a list can
            raise v.Restart(frozenset(s.rows.rolled or s.rows.lists)) from None
        raise
    except v.CertainException:
        return ("static", None), [], ([], [])
    finally:
        s.given.clear()  # the machine lives until its circles are collected; what the user passed does not


def specialised(s: Entry, fun, structure, results, count: int, writes: dict, kinds: frozenset, new) -> Specialised:
    s.b.stmts[:0] = s.prologue
    label = getattr(fun, "__name__", "f")
    label = "f" if not label.isidentifier() or label in TAKEN else label
    core = without_calls(Fun(label, tuple(n for n, _ in s.params), Block(tuple(s.b.stmts), tuple(results)),
                             s.b.types, writes, whole=not s.facts.derived))
    refuse_results_of_clocks(s, core)
    core, python = with_flags(core, count) if s.b.several else (core, {})
    sizes = dict(s.sizes)
    access = tuple([s.access[p] if isinstance(p, int) else p.access if isinstance(p, Stack) else n
                    for n, p in s.params])
    return Specialised(verify(core, after="specialise"), with_classes(structure, python), tuple(p for _, p in s.params),
                       s.facts.fixed + s.facts.assumptions, sizes, list(s.facts.guards.values()), kinds, count,
                       constants=tuple(s.facts.constants), access=access, main=s.main,
                       flags=len([k for classes in python.values() for k, _ in classes if k is not None]),
                       computed=s.entry_ints, facts=s.facts,
                       assigned=tuple([path for path, _ in new[0]]) if s.outside.assigned else None,
                       changed=tuple([at for at, _ in new[1]]))


def refuse_results_of_clocks(s: Entry, core: Fun) -> None:
    if s.clocks and (clock := result_of_clock(core)) is not None:
        origin = s.clocks.get(clock.origin and clock.origin.start, clock.origin)
        raise ImpurityError(origin, "a result depends on the clock that is read here",
                            instead="Print the time or log it; what else needs it is done outside, around the call.")


__all__ = ["Specialised", "leaves_of", "specialise"]
