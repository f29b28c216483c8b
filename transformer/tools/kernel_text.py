"""Kernels of the library as a module of their own, which imports NumPy and the run time alone.

They stand beside the rules that they belong to, where a process that has no rules does not come.
"""
from __future__ import annotations

import ast
import inspect
import textwrap
import types
from typing import Callable

from gradscribe.runtime.loading.saved import kernel_module_name

from ..errors.messages import GradscribeError

RULES = "gradscribe.transformer."


class KernelText:
    """The text of a module with these kernels, and copies of them that say they are from there."""

    def __init__(self, kernels):
        self.kernels = list(dict.fromkeys([f for f in kernels if f.__module__.startswith(RULES)]))
        assert len({f.__name__ for f in self.kernels}) == len(self.kernels), "two kernels of one name"
        imports = sorted({line for f in self.kernels for line in imports_of(f)})
        parts = ["\n".join(imports), *[textwrap.dedent(inspect.getsource(f)).strip() for f in self.kernels]]
        self.text = "\n\n\n".join(parts) + "\n" if self.kernels else ""

    def here(self, kernel: Callable) -> Callable:
        """The kernel, as one of this module."""
        if kernel not in self.kernels:
            return kernel
        made = types.FunctionType(kernel.__code__, kernel.__globals__, kernel.__name__)
        made.__module__ = kernel_module_name(self.text)
        return made


def imports_of(kernel: Callable) -> set[str]:
    """The lines that import what a kernel calls."""
    tree, found = ast.parse(textwrap.dedent(inspect.getsource(kernel))), set()
    for name in {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} & {*kernel.__globals__}:
        value = kernel.__globals__[name]
        if not isinstance(value, types.ModuleType) or value.__name__.startswith(RULES):
            raise GradscribeError(None, f"{kernel.__name__}, which is called, cannot be saved: it needs {name}",
                                  "Call it outside, and pass what it gives.")
        package, _, inner = value.__name__.rpartition(".")
        found.add(f"from {package} import {inner} as {name}" if package and inner != name else
                  f"from {package} import {name}" if package else f"import {inner} as {name}")
    return found
