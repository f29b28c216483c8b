"""Functions that are compiled once for all programs. What calls such a kernel knows where it lies, and does not take
its code in: linked in it would be optimised, and made machine code, with each program that calls it.
"""
from __future__ import annotations

import copy
from dataclasses import dataclass

from llvmlite import binding
from numba.core import sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher

MARK = "gradscribe.kernel."  # how their symbols begin


class LinkedKernel(CPUDispatcher):
    def __init__(self, py_func, **options):
        super().__init__(py_func, **options)
        FUNCTIONS[self.place] = self

    @property
    def place(self) -> tuple[str, str]:
        return self.py_func.__module__, self.py_func.__qualname__

    @global_compiler_lock
    def compile(self, sig):
        types = tuple(sigutils.normalize_signature(sig)[0])
        new = types not in self.overloads
        entry = super().compile(sig)
        if new:
            self.stand_alone(self.overloads[types], types)
        return entry

    def stand_alone(self, made, types: tuple) -> None:
        """From now on its callers call a symbol, in the place of a function that comes with its code."""
        context, described = made.target_context, copy.copy(made.fndesc)
        described.mangled_name = symbol = MARK + self._cache.name(types, context)
        binding.add_symbol(symbol, made.library.get_pointer_to_function(made.fndesc.llvm_func_name))
        KERNELS[symbol] = CompiledKernel(self.place, types)
        context.remove_user_function(made.entry_point)
        context.insert_user_function(made.entry_point, described)


@dataclass(frozen=True)
class CompiledKernel:
    """A kernel of some types, as a file tells of it. A module names its kernels, so that they are there before its code
    is loaded."""
    place: tuple[str, str]
    types: tuple

    def load(self) -> None:
        """Machine code that calls it may be loaded from now on."""
        FUNCTIONS[self.place].compile(self.types)


FUNCTIONS: dict[tuple[str, str], LinkedKernel] = {}
KERNELS: dict[str, CompiledKernel] = {}  # symbol -> what lies there


def called_kernels(library) -> list[CompiledKernel]:
    """The kernels that a library which has just been compiled calls, itself or by what is linked into it."""
    return [KERNELS[f.name] for f in library._final_module.functions if f.is_declaration and f.name.startswith(MARK)]
