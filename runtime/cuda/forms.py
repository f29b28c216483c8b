"""Which functions of `runtime`, of NumPy and of Python a thread of the device can call."""
from __future__ import annotations

from . import complexes, device, special, ufuncs

PYTHON = {"int", "float", "abs", "min", "max", "bool"}
MODULES = {"rs": (device,), "vm": (device,), "rc": (complexes,), "np": (complexes, ufuncs), "sp": (special,)}


def has(function: str) -> bool:
    module, _, name = function.rpartition(".")
    return function in PYTHON or any(hasattr(own, f"gpu_{name}") for own in MODULES.get(module, ()))


def in_single_precision(function: str) -> bool:
    """Does one of SciPy's compute float32 in it?"""
    return function.removeprefix("sp.") in special.SINGLE
