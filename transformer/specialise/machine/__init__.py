"""The specialiser's machine: a heap, a builder, and the ways to read, write and compute values.

The evaluator above it holds what the machine does with each kind of syntax, `builtins` what it does with each function
of NumPy's and Python's; `entry.Entry` is the machine with what those give it.

Imports runtime.plain, transformer.analyse, transformer.core, transformer.errors, transformer.inputs,
transformer.library, transformer.pytree, transformer.rules, transformer.specialise.domain,
transformer.specialise.refusals.
"""
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...core import Atom, Meanwhile
from ...core.types import Dim
from ..domain import values as v
from ..domain.assumptions import Assumptions, FromOutside, ListRows, Loops
from ..domain.classes import type_of_value
from ..domain.heap import Heap
from ..domain.plans import LOOSE
from .emitter import Emitter
from .lengths import Lengths
from .memory import Memory
from .operations import Operations
from .refusing import Refusing


@dataclass(slots=True)
class Sight:
    """What has been emitted and found out where the machine stands; it ends with the block."""

    matched: dict[tuple, Atom] = field(default_factory=dict)  # (array, dims proved) -> its name after the check
    interned: dict[tuple, Atom] = field(default_factory=dict)  # integer operations -> what they gave
    known_true: set[str] = field(default_factory=set)  # flags that hold
    known_false: set[str] = field(default_factory=set)  # and that do not

    def copy(self) -> Sight:
        return Sight(dict(self.matched), dict(self.interned), set(self.known_true), set(self.known_false))


class Machine(Refusing, Memory, Operations, Lengths):
    """Evaluates a user's function on abstract values and emits core for what only the run time knows."""

    class_of = type_of_value

    def __init__(self):
        self.b = Emitter()
        self.outside = FromOutside()
        self.heap: dict[tuple, Any] = Heap({}, self.b.made)
        self.view_names: dict[tuple, str] = {}  # (array, path) of a view -> the user's variable
        self.stands_for: dict[str, Atom] = {}  # a parameter of a function that is recorded -> what it is called with
        self.orders: dict[Atom, str | None] = {}  # the memory order of arrays of two axes and more
        self.facts = Assumptions()
        self.loops = Loops()
        self.rows = ListRows()
        self.main: Any = None  # the first user function that is called, captured
        self.node: Any = None  # the syntax node being evaluated, for errors
        self.frames: list[v.Frame] = []
        self.calls: tuple[tuple[str, int], ...] = ()  # as in Origin
        self.serial = 0  # of the last of them
        self.path = 0  # as in Origin
        self.not_one: set[str] = set()  # integers known to differ from 1
        self.nonnegative: set[str] = set()  # integers that count something
        self.permutations: set[str] = set()  # index arrays that name each place of their own length once
        self.spans: dict[str, tuple[Dim, Dim]] = {}  # of the number of an iteration: the least and the largest
        self.singles: set[Dim] = set()  # lengths of x[k:k + 1]: 1, or 0 where it runs out
        self.entry_ints = self.b.entry_ints
        self.params: list[tuple[str, Any]] = []  # (name, the number of the leaf or what else it is of)
        self.given: list[Any] = []  # what they are in the call that the program is made for
        self.sizes: dict[str, tuple] = {}  # lengths and integers among the arguments -> (parameter, axis or None)
        self.sight = Sight()
        self.noted: set[Atom] = set()  # what is, or was, matched or interned
        self.parameters: set[str] = set()  # arguments and numbers from outside, and their lengths
        self.appended: set[v.Ref] = set()  # the lists that something was appended to
        self.changed_at: dict[v.Ref, Any] = {}  # where a list or dict was changed last
        self.two_objects: set[frozenset[v.Ref]] = set()  # of an array and what may be a view of it
        self.shared_because: dict[v.Ref, str] = {}  # an array that may share memory with another -> why
        self.turned: dict[v.Ref, Any] = {}  # a mark of the last change of a deque but for stores
        self.by_key: Any = None  # the box of a dict with which something is done that no order of its keys changes
        self.compiled = False  # is the program that is written for numba?
        self.branches: dict[Atom, str] = {}  # tests that the entry can compute -> what their branch is called
        self.static_paths: frozenset = frozenset()  # the plans, and what is stored into or assigned outside
        self.met: set[v.Ref] = set()  # the arrays and containers that were read
        self.seen_by_caller: set[v.Ref] = set()  # the arrays and containers among the arguments
        self.boxes: list[tuple[int, v.Boxed]] = []  # (id of a list, dict or object from outside, its value)
        self.given_at: dict[v.Ref, Any] = {}  # those among the arguments that may change, and arrays -> where they are
        self.axes: dict[Any, Dim] = {}  # of the vmaps around: axis_name -> how many examples
        self.stand_ins: dict[Any, Any] = {}  # what stands for values among Python's own objects
        # classes of exceptions that are caught, the block in which they are, its level if it is a try statement's
        self.catching: list[tuple] = []
        self.levels: list = []  # the blocks of try statements around: see evaluator/flow/escaping.py
        self.checks: dict[tuple, tuple] = {}  # what is raised in them -> (class, what would raise it, who catches it)
        self.asked: set[Atom] = set()  # results of which the program has asked before whether there is one
        self.drawn_for = "next() is called"  # why an item of an iterator is asked for, where our code asks
        self.quiet = ""  # of the block of warnings.catch_warnings around: "none", "some" or "all" warnings are filtered
        self.clocks: dict[tuple | None, Any] = {}  # a statement that reads a clock: its place -> that of the call
        self.handling: list = []  # the exceptions whose handlers are running
        self.pending: list[tuple[tuple, Any]] = []  # (key, operation) with rules of the user's that are being recorded

    @property
    def heap(self) -> dict[tuple, Any]:
        return self._heap

    @heap.setter
    def heap(self, heap) -> None:
        """Another state of the heap; what was met outside since it was taken is there as well."""
        self._heap = heap
        dict.update(heap, self.outside.slots)

    @property
    def loose(self) -> bool:
        return LOOSE in self.static_paths

    @contextmanager
    def scope(self):
        """What is emitted inside is not in sight afterwards."""
        with Meanwhile(self, "sight", self.sight.copy()), self.b.block() as stmts:
            yield stmts
