"""Where classes and functions say that they are from."""
from __future__ import annotations


def module_of(x) -> str:
    """The module of a class or function, "" where it names none: of some classes written in C `__module__` is what
    reads that of their objects, and of objects it may be anything."""
    module = getattr(x, "__module__", None)
    return module if isinstance(module, str) else ""


def package_of(x) -> str:
    """The package at the top of it: "scipy" of scipy.special.erf."""
    return module_of(x).partition(".")[0]


__all__ = ["module_of", "package_of"]
