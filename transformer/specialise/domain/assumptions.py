"""What a specialisation has assumed and seen: parts of the machine, each with those who write it."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import values as v


@dataclass
class Assumptions:
    """What a specialisation has assumed and seen; the entry checks it at each call."""

    fixed: list[tuple] = field(default_factory=list)  # (Dim, "==", int) of parameters, which are met once
    assumptions: list[tuple] = field(default_factory=list)  # (Dim, relation, int)
    guards: dict[tuple, tuple] = field(default_factory=dict)  # place -> (path, object)
    derived: bool = False  # is any derivative taken?
    stores: bool = False  # is any argument stored into?
    changes: bool = False  # is one that is a list, dict or object?
    cleans_up: bool = False  # is anything done where an exception passes: in a handler, a finally or with block?
    compared: bool = False  # are arrays or containers compared with `is`, and taken to be apart?
    remarks: list[tuple] = field(default_factory=list)  # (origin, why) of what vmap runs example by example
    constants: list = field(default_factory=list)  # why the program is for so many rounds of a loop, and no others
    # {place of a loop that is written out: [rounds, what they have bound]}
    written_out: dict = field(default_factory=dict)
    backward: Any = None  # of gs.vjp at the top: its second half
    on_gpu: bool = False  # is the program for a GPU?
    orders: bool = False  # does anything depend on the memory order of an array?
    lengths: dict = field(default_factory=dict)  # {a length of an argument: the variable that the user has it in}
    set_back: bool | None = None  # within a context of a generator: is np.seterr as it was before?
    quiet: set = field(default_factory=set)  # what `with np.errstate(...)` ignores: "divide", ...


@dataclass
class FromOutside:
    """What the function has met that is not its own; `evaluator/names` writes it (`lifting`, `assigned`)."""

    slots: dict[tuple, Any] = field(default_factory=dict)  # the part of the heap that never changes
    lifted: dict[tuple, Any] = field(default_factory=dict)  # (what leads to an object, its path) -> the value
    lifting: list = field(default_factory=list)  # the containers that are being made values, one in the other
    partial: set[type] = field(default_factory=set)  # the classes of objects of which only the fields are known
    paths: dict[int, Any] = field(default_factory=dict)  # id of a static object -> where it was found
    found_at: dict[v.Ref, v.Stored] = field(default_factory=dict)  # arrays -> where they are found
    modules: dict[int, v.Frame] = field(default_factory=dict)  # id of a namespace or cell -> its assigned variables
    assigned: dict[v.Assigned, tuple] = field(default_factory=dict)  # a variable -> (frame, value at the start)
    declared: dict[v.Assigned, Any] = field(default_factory=dict)  # a variable -> where it says that it assigns it


@dataclass
class Loops:
    """The loops that run, and what was found out about them: each has a file of its own that writes it."""

    left: dict[tuple, frozenset[str]] = field(default_factory=dict)  # (frame, flag) -> what is read after: `early_exit`
    generators: dict[v.Frame, Any] = field(default_factory=dict)  # that run -> the loop over each: `yielding`
    waiting: dict[v.Frame, frozenset[str]] = field(default_factory=dict)  # frames with such -> what its header reads
    steady: dict[Any, set[str]] = field(default_factory=dict)  # -> variables assigned that stay the same: `foreseen`
    foreseen: list = field(default_factory=list)  # those that run with what their text tells of them
    once: set[Any] = field(default_factory=set)  # tests of whether one with a first round apart runs: `control`


@dataclass
class ListRows:
    """Lists for which rows of arrays stand; `given` and `rolling` write it."""

    allowed: bool = False  # can there be some among the arguments?
    asked: bool = False  # are they what is taken for the list?
    lists: set = field(default_factory=set)  # the keys of the arguments' lists that are such
    possible: dict[tuple, Any] = field(default_factory=dict)  # leaves of a list that could be one -> its key
    unrolled: list[tuple] = field(default_factory=list)  # (key, iterator) of the loops that are being written out
    rolled: set = field(default_factory=set)  # the keys of loops over lists of ours that are in rows
    several: set = field(default_factory=set)  # marks of those whose items may be of one of several classes
