"""A specialisation that was optimised, with what it assumes of a call: how it is built, run and shown."""
from __future__ import annotations

import functools
import inspect
import threading
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain

import numpy as np

from gradscribe.runtime.compiler.garbage import uncollected

from ..analyse.late_stores import may_store_late
from ..core import Const, Let, bound, core_text, shows, walk
from ..core.size_assumptions import Sizes, assumption_holds as sizes_hold, described_specialisation
from ..core.types import type_of_number
from ..errors.messages import GradscribeError, UnsupportedError
from ..inputs.guards import Shape, Value, holds
from ..optimise import FINISHED, dce
from ..optimise.array_loops import loops_as_arrays
from ..optimise.pipeline import for_compiler, optimise
from ..optimise.presumed_sizes import with_sizes_presumed
from ..pytree.containers import open_container
from ..pytree.given import objects_in, refilled
from ..pytree.results import assemble
from ..pytree.rows import Stack
from ..specialise.arguments import Suffixed, TupleName
from ..specialise.entry import Specialised
from ..transform.python_numbers import without_flags
from .background_compile import Interim, Waiting, unasked
from .backward_program import Halved
from .fast_path import MISS, fast_path
from .runtime_notes import tell
from .unseen import unseen


class Program:
    """A specialisation that runs."""

    def __init__(self, owner, spec: Specialised):
        self.owner, self.spec = owner, spec
        self.core = spec.fun
        self.optimised = optimise(spec.fun, FINISHED)
        self.run = None
        self.fast = None
        self.pull_back = None
        self.readable = None  # the source that runs, unless it is compiled
        self.waiting: Waiting | None = None  # for what is compiled while the readable source runs
        self.lock = threading.Lock()

    # does it fit? ------------------------------------------------------------------------------
    def guards_hold(self) -> bool:
        return all([holds(path, known) for path, known in self.spec.guards])

    def fits(self, flat: list) -> bool:
        """Do the assumptions about sizes hold for these arguments?"""
        sizes = Sizes(self.spec.sizes, self.spec.computed, flat)
        return all([sizes_hold(assumption, sizes) for assumption in self.spec.assumptions])

    def flat(self, leaves: list) -> list:
        return [leaves[p] if type(p) is int else p.of(leaves) if type(p) is Stack else p.get()
                for p in self.spec.params]

    def in_rows(self, leaves: list) -> bool:
        """Have the lists that rows stand for items of one shape?"""
        return all([p.fits(leaves) for p in self.spec.params if type(p) is Stack])

    def refuse_shared(self, flat: list, args) -> None:
        """The program takes arguments and outside objects to be apart where it changes or compares them."""
        if not self.spec.apart:
            return
        arrays = [x for x in flat if isinstance(x, np.ndarray)]
        if "arrays" in self.spec.apart:
            refuse_overlap(arrays)
        containers = [*chain.from_iterable(map(containers_in, args))]
        outside = [x for path, known in self.spec.guards
                   if isinstance(known, Shape) and not isinstance(x := path.get(), tuple)]
        changeable = [x for x in containers if not isinstance(x, tuple)]
        for kind, objects in ("containers", [*changeable, *{id(x): x for x in outside}.values()]), ("objects",
                [*arrays, *containers, *outside]):
            if kind in self.spec.apart and len(set(map(id, objects))) < len(objects):
                raise UnsupportedError(None, *SHARED[kind])

    def stores_into_read_only(self, flat: list) -> bool:
        """May it store into an argument that is read-only?"""
        return not all(flat[self.core.params.index(name)].flags.writeable for name in self.spec.fun.writes)

    # run ---------------------------------------------------------------------------------------
    def __call__(self, flat: list, arguments=()):
        return self.given(flat, self.results(flat), arguments)

    def given(self, flat: list, results: tuple, arguments=()):
        """What a call returns of flat results, once what it stores is in its arguments."""
        for name, k in self.spec.fun.writes.items():
            target = flat[self.core.params.index(name)]
            if self.owner.target == "cuda":
                from gradscribe.runtime.cuda.running import assign_argument
                assign_argument(target, results[k])
            elif results[k] is not target:
                target[...] = results[k]
        objects = [*objects_in(arguments)] if self.spec.changed else ()
        result = assemble(self.spec.out, results, objects)
        if not self.spec.assigned and not self.spec.changed:
            return result
        result, *values = result
        for path in self.spec.assigned or ():
            path.assign(values.pop(0))
        for given, x in zip(self.spec.changed, values):
            refilled(objects[given.place], x)
        return result

    @functools.cached_property
    def may_leave_less(self) -> bool:
        """May a call that raises leave less than Python does: in variables outside, containers or arrays?"""
        return (self.spec.assigned is not None or "containers" in self.spec.apart
                or bool(self.core.writes) and (self.spec.facts.cleans_up or may_store_late(self.optimised)))

    def leaving_all(self, flat: list, arguments, as_written):
        """A call of a function that may leave less than Python does where it raises: Python says what it has done till
        then."""
        before = [(x := flat[self.core.params.index(name)], x.copy()) for name in self.spec.fun.writes]
        try:
            return self(flat, arguments)
        except GradscribeError:
            raise
        except Exception:
            for x, old in before:
                x[...] = old
            with unseen() if shows(self.core.body.stmts) else nullcontext():
                as_written()
            raise

    def results(self, flat: list) -> tuple:
        """The flat results."""
        if self.run is None:
            with self.lock:
                if self.run is None:
                    self.run = self.build(flat)
        elif (waiting := self.waiting) is not None:
            waiting.check()
        try:
            return self.run(*flat)
        except Exception as error:
            tell(error, self.readable)
            raise

    @uncollected()
    def build(self, flat: list):
        tiered = self.owner.compiled and (unasked(self) if self.owner.tiered is None else self.owner.tiered)
        if self.owner.compiled and not tiered:
            if self.owner.target == "cuda":
                from gradscribe.runtime.cuda.running import compile_for_device
                return compile_for_device(self.lowered())
            from gradscribe.runtime.loading.targets import NUMBA
            from gradscribe.runtime.loading.trampoline import compile_module, meant_for
            return compile_module(meant_for(self.lowered(), flat), replace(NUMBA, empty=self.owner.empty))
        self.readable = self.readable or self.source()
        if tiered:
            self.refuse_uncompiled()
            self.waiting = Waiting(self.lowered, flat, self.compiled)
            return Interim(self, self.readable.function())
        return self.readable.function()

    def compiled(self, run) -> None:
        """Serve the calls from now on by what the background has compiled."""
        self.run = run
        self.waiting = None  # last: then there may be a fast path, to what runs

    def rescue(self, error: Exception, flat: tuple):
        """The results where compiled code that relied on its arguments has stopped;
        else the exception, with the user's line."""
        call = getattr(self.run, "call", None)
        try:
            if call is not None:
                return call.recover(error, flat)
            raise error
        except Exception as final:
            tell(final, self.readable)
            raise
        finally:
            del error  # else its traceback would keep the arguments: this frame is part of it

    def lowered(self, target: str | None = None):
        """Its loops, for the target that the user asked for, or another."""
        from gradscribe.runtime.compiler import stock

        from ..lower import lower, lower_for_device
        self.refuse_uncompiled()
        if (target or self.owner.target) == "cuda":
            return lower_for_device(for_compiler(self.optimised, cpu=False), frozenset(self.core.writes),
                                    lambda: self.source().function(), self.on_cpu)
        owned, parallel = frozenset(self.core.writes), not stock.uses_stock() and self.owner.parallel
        presumed = with_sizes_presumed(self.optimised)
        fun, conditions = loops_as_arrays(presumed)

        def checked():
            return lower(for_compiler(self.optimised), owned, parallel, lambda: self.source().function())
        if not conditions and presumed is self.optimised:
            return checked()
        return lower(for_compiler(fun), owned, parallel, lambda: self.source().function(), conditions, checked)

    def on_cpu(self):
        """What runs, for the CPU; in the simulator of a GPU plain Python, as all there."""
        from gradscribe.runtime.cuda.backend import SIMULATED
        from gradscribe.runtime.loading.trampoline import compile_module, plain_module
        return (plain_module if SIMULATED else compile_module)(self.lowered("cpu"))

    def refuse_uncompiled(self) -> None:
        refuse_half(self.optimised)
        refuse_huge(self.optimised)

    def fast_path(self, args):
        """The fast path for arguments like these, made once per program; none to what is about to be replaced."""
        if self.waiting is not None or self.owner.target == "cuda":
            return missed
        if self.fast is None:
            self.fast = fast_path(self, args) or missed
        return self.fast

    def backward(self):
        """The second half of gs.vjp, where it can be run by itself."""
        with self.lock:
            if self.pull_back is None and self.spec.facts.backward is not None:
                self.pull_back = Halved.of(Program, self.owner, self.spec)
        return self.pull_back

    # show --------------------------------------------------------------------------------------
    @uncollected()
    def source(self, signature=None):
        """The readable source: flat, as it runs, or with the user's signature, as it is shown."""
        from ..readable import readable
        fun = self.optimised if signature is None else optimise(without_flags(self.optimised, self.spec.flags), (dce,))
        return readable(fun, owned=frozenset(self.core.writes), signature=signature, main=self.spec.main,
                        lengths=self.spec.facts.lengths, quiet=tuple(sorted(self.spec.facts.quiet)), primal=self.core)

    def signature(self):
        """The signature that users see."""
        from ..readable.signature import signature_of
        titles, inner = [], self.owner
        while hasattr(inner, "title"):
            titles += [inner.title] if inner.title not in ("jit", "primal") else []
            inner = inner.__wrapped__
        access = dict(zip(self.core.params, self.spec.access))
        name = "_".join([*titles, self.core.name])
        rows = {name: p.text for name, p in zip(self.core.params, self.spec.params) if type(p) is Stack}
        return signature_of(name, argument_names(self.owner), inner, access, self.spec.out, rows)

    def tree(self):
        """The readable source, as it is shown, as Python's syntax tree."""
        return self.source(self.signature()).located

    def text(self, stage: str) -> str:
        match stage:
            case "core":
                return core_text(self.optimised)
            case "readable":
                return self.source(self.signature()).text
            case "compiled":
                return self.lowered().text
        raise ValueError(f'stage={stage!r}: it is one of "readable", "core", "compiled"')

    def explain(self) -> str:
        lowered = self.lowered()
        parts = [("specialised", core_text(self.core)), ("core, optimised", core_text(self.optimised)),
                 ("readable", self.text("readable")), ("compiled", lowered.text)]
        if lowered.target == "cuda":
            from gradscribe.runtime.cuda.library import form
            from gradscribe.runtime.cuda.offline import registers

            from ..loop_core.launches import types_of, what_runs
            needs = registers(lowered, types_of(lowered.functions))
            parts.insert(0, ("what the host does for it", what_runs(lowered.functions, needs, {
                name for kernel, name in lowered.imports.items() if form(kernel) is not None})))
        elif lowered.shared:
            loops = [f"# {'adjoint of ' * o.adjoint}{o.place}: {o.first_text}\n" for o in lowered.shared]
            parts.insert(0, ("loops that run on threads when compiled", "".join(loops)))
        if sizes := described_specialisation(self.spec):
            parts.insert(0, ("made for arguments with", sizes))
        if outside := "".join([f"# {path.text} == {known}\n" for path, known in self.spec.guards
                               if isinstance(known, Value) and "_default_" not in path.text]):
            parts.insert(0, ("made while", outside))
        if remarks := self.spec.facts.remarks:
            parts.insert(0, ("one example at a time",
                "".join(f"# {origin.place}: {origin.first_text}\n#     {why}\n" for origin, why in remarks)))
        return "\n".join(f"# {'-' * 20} {title} {'-' * max(0, 60 - len(title))}\n{text}" for title, text in parts)


def refuse_huge(fun) -> None:
    """numba has no ints of more than 64 bits; those that meet a float are written as floats. Indices, shapes and shifts
    have a sign."""
    for stmt in walk(fun.body):
        if not isinstance(stmt, Let) or stmt.op.name == "rt.require":
            continue
        numbers = () if any(fun.types[n].is_float for n in stmt.names) else stmt.args
        if not (all(fits_index(a, 2 ** 64) for a in numbers) and
                all(fits_index(a, 2 ** 63) for a in index_arguments(stmt))):
            raise UnsupportedError(stmt.origin, "an int of more than 64 bits in a function that is compiled",
                                   instead="Compute with floats, or without gs.jit.")


def index_arguments(let: Let) -> tuple:
    """The arguments that are indices, lengths or shifts."""
    first = (let.op.index_at, let.op.lengths_at, getattr(let.op, "active", None))
    return next((let.args[k:] for k in first if k is not None), ())


def fits_index(atom, end: int) -> bool:
    return not isinstance(atom, Const) or type(atom.value) is not int or -(2 ** 63) <= atom.value < end


def refuse_half(fun) -> None:
    """numba has no arithmetic of 16-bit floats."""
    for name in fun.params:
        if fun.types[name].dtype == np.float16:
            raise UnsupportedError(fun.origin, f"float16 in a function that is compiled: {name}",
                                   instead=f"Pass float32: {name}.astype(np.float32).")
    origins = {n: stmt.origin for stmt in walk(fun.body) for n in bound(stmt)}
    for atom in (*origins, *fun.body.results):
        if (type_of_number(atom.value) if isinstance(atom, Const) else fun.types[atom]).dtype == np.float16:
            raise UnsupportedError(origins.get(atom, fun.origin), "float16 in a function that is compiled",
                                   instead="Compute in float32: x.astype(np.float32).")


SHARED = {"containers": (
    "one list, dict or object is passed in two places, or is seen from outside as well, and the function changes it",
                         "Pass a copy in one of them: copy.copy(d)."),
          "objects": ("one object is passed in two places, or is seen from outside as well, and the function compares "
                      "objects with `is`",
                      "Pass a copy in one of them, or compare names, keys or values instead.")}


def containers_in(x) -> list:
    """The tuples, lists, dicts and objects in an argument."""
    node = open_container(x)
    if node is None:
        return []
    own = [x] if node.items or not isinstance(x, tuple) else []
    return own + [c for item in node.items for c in containers_in(item)]


def refuse_overlap(arrays: list, what="two arguments share memory") -> None:
    """An argument is stored into: no other may share its memory, unless the program was made for that."""
    arrays = [x for x in arrays if x.size]
    for k, x in enumerate(arrays):
        for y in arrays[k + 1:]:
            if share_memory(x, y):
                raise UnsupportedError(None, f"{what}, and the function stores into an argument",
                                       instead="Pass a copy of one of them: x.copy(). An array that the function sees "
                                               "from outside counts as an argument.")


def share_memory(x, y) -> bool:
    """Do two arrays have an element in common?  When in doubt, yes."""
    try:
        return np.may_share_memory(x, y) and np.shares_memory(x, y, max_work=100_000)
    except np.exceptions.TooHardError:
        return True


def missed(args):
    return MISS


def parameter_names(owner) -> list[str]:
    try:
        parameters = inspect.signature(owner.__wrapped__).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]


def argument_names(owner) -> list[str]:
    """What the positional arguments of a transformed function are called in its source."""
    inner = owner.__wrapped__
    if hasattr(inner, "title") and owner.title == "jit":
        return argument_names(inner)
    names = parameter_names(owner)
    match owner.title:
        case "jvp":
            return [TupleName("primals", names), TupleName("tangents", [Suffixed(n, "_dot") for n in names])]
        case "vjp":
            return [TupleName("primals", names), "ct"]
    return names
