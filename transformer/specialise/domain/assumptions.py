"""What a specialisation has assumed and seen."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Assumptions:
    """What a specialisation has assumed and seen; the entry checks it at each call."""

    assumptions: list[tuple] = field(default_factory=list)  # (Dim, relation, int)
    guards: list[tuple] = field(default_factory=list)  # (path, object)
    derived: bool = False  # is any derivative taken?
    stores: bool = False  # is any argument stored into?
    changes: bool = False  # is one that is a list, dict or object?
    compared: bool = False  # are arrays or containers compared with `is`, and taken to be apart?
    remarks: list[tuple] = field(default_factory=list)  # (origin, why) of what vmap runs example by example
    constants: list = field(default_factory=list)  # why the program is for so many rounds of a loop, and no others
    # {place of a loop that is written out: [rounds, what they have bound]}
    written_out: dict = field(default_factory=dict)
    backward: Any = None  # of gs.vjp at the top: its second half
    on_gpu: bool = False  # is the program for a GPU?
    orders: bool = False  # does anything depend on the memory order of an array?
    lengths: dict = field(default_factory=dict)  # {a length of an argument: the variable that the user has it in}
    quiet: set = field(default_factory=set)  # what `with np.errstate(...)` ignores: "divide", ...
