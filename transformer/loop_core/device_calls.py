"""Statements of a parted function with the functions that its sides have: those of the host, those of the device."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from .core import I8, Call, Cast, Do, Num, Stmt, Tuple
from .walking import mapped

HINTS = ("rs.natural", "rp.one_by_one")
# what the host calls in the place of functions that know NumPy's arrays only, or that cannot be taken back
OF_THE_HOST = {"rs.argsort": "rm.argsort", "rs.places": "rm.places", "rs.room": "rm.room", "rs.say": "gpu.say"}


def without_hints(stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """What is said to the compiler of the CPU is left out."""
    return tuple([mapped(s, lambda e: e, without_hints) for s in stmts
                  if not (isinstance(s, Do) and s.call.function in HINTS)])


def without_pass(stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    return tuple([mapped(s, lambda e: e, without_pass) for s in stmts
                  if not (isinstance(s, Do) and s.call.function == "pass")])


def without_flag(stmt: Stmt) -> Stmt:
    """A launch of a kernel that cannot stop."""
    match stmt:
        case Do(Call("gpu.launch" | "gpu.launch_groups" as start, (*how, Tuple(args)))):
            return Do(Call(start, (*how, Tuple(args[1:]))))
    return mapped(stmt, lambda e: e, lambda block: tuple(map(without_flag, block)))


def spelled_here(stmts) -> tuple[Stmt, ...]:
    """The statements of the host with its own functions."""
    def here(e):
        e = mapped(e, here)
        return replace(e, function=OF_THE_HOST.get(e.function, e.function)) if isinstance(e, Call) else e

    return tuple([mapped(s, here, spelled_here) for s in stmts])


# the modules of the device's functions, by those of the CPU's
THERE = {"rs": "dev", "vm": "dev", "rc": "cx", "sp": "sf"}


def spelled_there(stmts) -> list[Stmt]:
    """The statements with the functions that the device has in the place of those of the host."""
    def there(e):
        e = mapped(e, there)
        if isinstance(e, Num) and isinstance(e.value, complex):
            width = np.dtype(np.float64 if e.dtype == np.complex128 else np.float32)
            return Call("cx.gpu_made", (Num(e.value.real, width), Num(e.value.imag, width)), e.dtype)
        module, _, name = e.function.rpartition(".") if isinstance(e, Call) else ("", "", "")
        if module == "np":  # whose integers are those of their dtype
            of_complex = e.args[0].dtype.kind == "c"
            call = replace(e, function=f"{'cx' if of_complex else 'un'}.gpu_{name}", gives=e.dtype)
            return Cast(e.dtype, call) if e.dtype.kind in "iu" and e.dtype != I8 else call
        if module in THERE:
            return replace(e, function=f"{THERE[module]}.gpu_{name}", gives=e.dtype)
        return e

    return [mapped(s, there, lambda block: tuple(spelled_there(block))) for s in stmts]
