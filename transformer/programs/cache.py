"""From a call to the program that serves it.

The key is the structure of the arguments and, per leaf, kind, dtype, memory order and which sizes are 1.  What a
program assumed (sizes, outside objects) is checked before it runs; where an assumption fails the call is
specialised again with exact sizes.
"""
from __future__ import annotations

import contextlib
import threading
from typing import Any

import numpy as np

from gradscribe.runtime.compiler.garbage import uncollected
from gradscribe.runtime.cuda.backend import is_device_array

from ..core.size_assumptions import warn_of
from ..errors.messages import GradscribeError, UnsupportedError
from ..frontend.module_names import package_of
from ..inputs.future_array import Awaited, value
from ..inputs.guards import beside_fields, is_run_time_leaf, static_key
from ..library.indexes import Index
from ..pytree.containers import class_of, map_leaves, open_container
from ..sharding.sharded import Sharded
from ..specialise.arguments import Fixed
from ..specialise.domain.plans import LOOSE, known_arguments
from ..specialise.entry import Specialised, specialise
from ..specialise.evaluator.syntax.generators import LENGTH
from ..transform.python_numbers import EITHER
from .program import Program, argument_names, missed, parameter_names
from .unroll_warning import warn_of_rounds

MOST = 8  # programs that wait for what is outside to be again what it was


class Unready(Exception):
    """An argument is what a call that may still run is going to give."""


def leaf_key(x) -> tuple:
    """What a specialisation knows of a leaf."""
    if isinstance(x, np.ndarray):
        flags = x.flags
        key = (x.dtype, tuple([n == 1 for n in x.shape]),
               "C" if flags.c_contiguous else "F" if flags.f_contiguous else "")
        return key if type(x) is np.ndarray else (*key, type(x))
    if isinstance(x, np.generic):
        return (x.dtype,)
    return (type(x),)


def flatten_argument(x, leaves: list):
    """Append the leaves of an argument; returns the key of its structure."""
    if is_run_time_leaf(x):
        leaves.append(x)
        return leaf_key(x)
    node = open_container(x)
    if node is not None and node.keys is None:
        return (class_of(x), *[flatten_argument(i, leaves) for i in node.items])
    if node is not None and isinstance(x, dict):
        return (type(x), *[(k if type(k) is str else static_key(k), flatten_argument(i, leaves))
                           for k, i in zip(node.keys, node.items)])
    if node is not None:
        if not is_hashable(node.aux):
            raise UnsupportedError(None, f"a {type(x).__name__} with a static part that has no hash",
                                   instead="Use numbers, strings and tuples.")
        return (type(x), beside_fields(x), flatten_argument(Fixed(node.aux), leaves),
                *[flatten_argument(i, leaves) for i in node.varying()])
    if isinstance(x, Fixed):
        return ("static", static_key(x.value))
    refuse_argument(x)
    return ("object", static_key(x))


def is_hashable(x) -> bool:
    try:
        hash(x)
    except (TypeError, ValueError):  # of a memoryview that can be written to
        return False
    return True


def refuse_argument(x) -> None:
    """Refuse what is no number, array or container, and no object that can be static."""
    if type(x) is Awaited:
        raise Unready
    if is_device_array(x):
        raise UnsupportedError(None, "an argument that lies on a GPU, of a function that runs on the CPU",
                               instead='Say gs.jit(f, target="cuda"), or gs.device_get(x).')
    if type(x) is Sharded:
        raise UnsupportedError(None, "an argument that is sharded over devices, of a function of one",
                               instead="gs.pmap and gs.shard_map take it as it is, without gs.jit around them, because "
                                       "they are compiled; else pass np.asarray(x), which gathers it.")
    if isinstance(x, Index):
        raise UnsupportedError(None, f"an argument of type {type(x).__name__}, an array of pandas",
                               instead="Let the function find it outside, in its module or around it: it is known "
                                       "there, and pandas computes with it. Of numbers pass the array, np.asarray(x).")
    if hasattr(type(x), "__array__") and not is_hashable(x):
        raise UnsupportedError(None, f"an argument of type {type(x).__name__}, an array of {package_of(type(x))}",
                               instead="Pass NumPy's array of it: np.asarray(x)." if not hasattr(type(x), "to_numpy")
                               else "Pass NumPy's array of it: np.asarray(x), of a column df['a'].to_numpy().")
    if not is_hashable(x):
        raise UnsupportedError(None, f"an argument of type {type(x).__name__}",
                               instead="Pass numbers, NumPy arrays and tuples, lists, dicts or dataclasses of them.")


def leaves_in(args) -> list:
    """The leaves of the arguments, in order."""
    leaves: list = []
    flatten_argument(tuple(args), leaves)
    return leaves


def copied_argument(x):
    """The argument with its arrays copied."""
    return map_leaves(lambda leaf: leaf.copy(order="K") if isinstance(leaf, np.ndarray) else leaf, x)


class Cache:
    """The programs of one transformed function."""

    def __init__(self, owner):
        self.owner = owner
        self.programs: dict[Any, list[Program]] = {}
        self.static: dict[Any, frozenset] = {}  # key -> what had to be made static
        self.lock = threading.RLock()
        self.fast = missed  # a fast path for calls like the last one
        self.warned = False  # that each shape makes a program
        self.rounds_warned = False  # that a loop is written out

    def call(self, args, kwargs):
        ready = self.ready(args, kwargs)
        if ready is None:
            return self.owner.as_written(args, kwargs)  # raises where NumPy does, if it comes there
        program, flat, fixed = ready
        given = self.fixed(args, kwargs) if program.spec.changed else ()
        if self.owner.title in ("jit", "primal") and program.may_leave_less:
            return program.leaving_all(flat, given, lambda: self.owner.as_written(args, kwargs))
        args, result = fixed, program(flat, given)
        if not kwargs:
            self.fast = program.fast_path(args) or missed
        return result

    def ready(self, args, kwargs) -> tuple[Program, list, tuple] | None:
        """The program for a call, its parameters, and the arguments with those that are static marked; None where it
        may store into an argument that is read-only."""
        leaves: list = []
        args, kwargs = self.fixed(args, kwargs)
        program, flat = self.find(args, kwargs, leaves)
        if program.spec.fun.writes and program.stores_into_read_only(flat):
            return None
        program.refuse_shared(flat, [*args, *kwargs.values()])
        return program, flat, args

    def lookup(self, args, kwargs) -> Program:
        args, kwargs = self.fixed(args, kwargs)
        return self.find(args, kwargs, [])[0]

    def fixed(self, args, kwargs):
        """The arguments with those that are named static marked."""
        if not (self.owner._static_argnums or self.owner._static_argnames):
            return args, kwargs
        numbers, by_name = self.static_places(len(args))
        for x in [args[k] for k in numbers] + [x for k, x in kwargs.items() if k in by_name]:
            if not is_hashable(x):
                raise ValueError(f"a static argument must be hashable, and this is a {type(x).__name__}")
        return (tuple(Fixed(x) if k in numbers else x for k, x in enumerate(args)),
                {k: Fixed(x) if k in by_name else x for k, x in kwargs.items()})

    def static_places(self, count: int) -> tuple[set[int], set[str]]:
        """(which of `count` positional arguments are static, the names of those given by name that are)"""
        numbers, names = self.owner._static_argnums, self.owner._static_argnames
        positions = parameter_names(self.owner)
        by_name = set(names) | {positions[k] for k in numbers if 0 <= k < len(positions)}
        return ({k % count for k in numbers if -count <= k < count}
                | {k for k, n in enumerate(positions[:count]) if n in names}), by_name

    def find(self, args, kwargs, leaves: list) -> tuple[Program, list]:
        """The program for a call, and its parameters."""
        try:
            key = (*[flatten_argument(a, leaves) for a in args],
                   *[(k, flatten_argument(a, leaves)) for k, a in kwargs.items()])
        except Unready:
            leaves.clear()
            return self.find(*map_leaves(value, (args, kwargs)), leaves)
        except RecursionError:
            raise UnsupportedError(None, "an argument that contains itself",
                                   instead="Pass containers that do not.") from None
        found = self.fitting(key, leaves)
        if found is not None:
            return found
        with self.lock:  # another thread may have made it meanwhile
            return self.fitting(key, leaves) or self.make(key, args, kwargs, leaves)

    def fitting(self, key, leaves) -> tuple[Program, list] | None:
        """The program that there is for these arguments, and its parameters."""
        for program in self.programs.get(self.full(key, leaves), ()):
            if program.guards_hold() and program.in_rows(leaves) and program.fits(flat := program.flat(leaves)):
                return program, flat
        return None

    def full(self, key, leaves):
        """The key under which programs for these arguments stand: with the values that had to be known."""
        return key, tuple([static_key(leaves[k]) for k in known_arguments(self.static.get(key, ()))])

    def specialised(self, args, kwargs, static) -> Specialised:
        """The specialisation; what is refused for sizes in general is tried with these, and where the run decides
        about lengths."""
        names = argument_names(self.owner)
        try:
            return specialise(self.owner, args, kwargs, names, static)
        except GradscribeError as refusal:
            with contextlib.suppress(GradscribeError):
                return specialise(self.owner, args, kwargs, names, static, refusal)
            try:
                return specialise(self.owner, args, kwargs, names, static | {LOOSE})
            except GradscribeError as other:  # of a length that it let the run decide it can say nothing more
                raise (other if LENGTH in str(refusal) or EITHER in str(other) else refusal) from None

    @uncollected()
    def make(self, key, args, kwargs, leaves) -> tuple[Program, list]:
        spec = self.specialised(args, kwargs, self.static.get(key, frozenset()))
        program = Program(self.owner, spec)
        flat = program.flat(leaves)
        assert program.fits(flat), "a program assumes other sizes than those that it was made for"
        self.static[key] = self.static.get(key, frozenset()) | spec.static
        full = self.full(key, leaves)
        before = self.programs.get(full, [])
        serving = [p for p in before if p.guards_hold()]
        self.warn(spec.constants, serving)
        self.rounds_warned = self.rounds_warned or warn_of_rounds(program, getattr(self.owner, "__name__", "f"))
        self.programs[full] = [program, *serving, *[p for p in before if p not in serving][:MOST]]
        return program, flat

    def warn(self, constants, others) -> None:
        """Tell, once, what makes sizes constants in a program where it does so in another for arguments like these."""
        before = {c for program in others for c in program.spec.constants}
        again = [c for c in constants if c in before and not c.special]
        if again and not self.warned:
            self.warned = True
            warn_of(again[0], getattr(self.owner, "__name__", "f"))


__all__ = ["Cache", "copied_argument", "flatten_argument", "leaves_in"]
