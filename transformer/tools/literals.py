"""Values and classes as text that makes the same again, to the last bit."""
from __future__ import annotations

import ast
import dataclasses
import math
import sys
from typing import Any

import numpy as np

from ..errors.messages import GradscribeError
from ..frontend.module_names import module_of, package_of

MOST = 1000  # numbers of an array that are written out
PRESENT = {*sys.stdlib_module_names, "numpy", "scipy"} - {"__main__"}  # packages that a file may import


def exact_text(name: str, x) -> str:
    """Python that makes an object again: a number, text, None, an array, a container of such."""
    if isinstance(x, (np.ndarray, np.generic)):
        return array_text(name, x)
    if type(x) is float:
        return repr(x) if math.isfinite(x) else f"float({str(x)!r})"
    if type(x) is complex:
        return f"complex({exact_text(name, x.real)}, {exact_text(name, x.imag)})"
    if type(x) in (bool, int, str, bytes, type(None), type(...)):
        return repr(x)
    if type(x) in (tuple, list):
        items = ", ".join([exact_text(name, item) for item in x])
        return f"[{items}]" if type(x) is list else f"({items}{',' if len(x) == 1 else ''})"
    if type(x) is dict:
        return f"{{{', '.join([f'{exact_text(name, k)}: {exact_text(name, item)}' for k, item in x.items()])}}}"
    raise GradscribeError(None, f"{name}, of class {type(x).__name__}, cannot be written to a file",
                          "Pass it as an argument of numbers, arrays, tuples, lists and dicts of them.")


def array_text(name: str, x) -> str:
    """Of an array or a NumPy scalar; by its bytes where its numbers do not say all, as of a NaN."""
    refuse_array(name, x)
    if not x.size:
        return f"np.zeros({x.shape}, {x.dtype.str!r})"
    dtype, order = f"np.{x.dtype.name}", "order='F'" if x.flags.f_contiguous and not x.flags.c_contiguous else ""
    numbers = [] if x.dtype.kind == "c" else x.tolist()
    ending = f", {order})" if order else ")"
    text = f"np.array({numbers}, {dtype}{ending}" if isinstance(x, np.ndarray) else f"{dtype}({numbers})"
    if not ("nan" in text or "inf" in text or x.dtype.kind == "c") and x.dtype.isnative:
        made = eval(text, {"np": np})
        if made.tobytes() == x.tobytes() and made.dtype == x.dtype:
            return text
    text = f"np.frombuffer(bytes.fromhex({x.tobytes().hex()!r}), {x.dtype.str!r})"
    return f"{text}[0]" if isinstance(x, np.generic) else f"{text}.reshape({x.shape}).copy({order})"


def refuse_array(name: str, x) -> None:
    """Refuse what is too large to be written out, or of another kind than numbers."""
    if x.size > MOST:
        raise GradscribeError(None, f"{name}, seen from outside, has {x.size} numbers",
                              f"Pass it as an argument; arrays of at most {MOST} numbers are written into the file.")
    if not (x.flags.c_contiguous or x.flags.f_contiguous):
        raise GradscribeError(None, f"{name}, seen from outside, is a view with gaps",
                              "Make it an array of its own: x.copy().")
    if type(x) not in (np.ndarray, x.dtype.type) or x.dtype.kind not in "biufc":
        raise GradscribeError(None, f"{name}, seen from outside, is a {type(x).__name__} of {x.dtype}",
                              "Pass it as an argument, or make it an array of numbers.")


def class_definition(cls: type) -> str:
    """The definition of a user's class, of which a file makes objects: its fields, none of its methods."""
    fields = getattr(cls, "_fields", None)
    if issubclass(cls, tuple) and fields is not None:
        return f"{cls.__name__} = collections.namedtuple({cls.__name__!r}, {fields!r})"
    if dataclasses.is_dataclass(cls) and not hasattr(cls, "__post_init__"):
        frozen = "(frozen=True)" if cls.__dataclass_params__.frozen else ""
        names = [f.name for f in dataclasses.fields(cls) if f.init]
        if len(names) == len(dataclasses.fields(cls)):
            return "\n".join([f"@dataclasses.dataclass{frozen}", f"class {cls.__name__}:",
                              *[f"    {n}: object" for n in names]])
    if issubclass(cls, Exception) and (text := exception_definition(cls)):
        return text
    raise GradscribeError(None, f"the class {module_of(cls)}.{cls.__qualname__}, of which the function makes objects, "
                          "cannot be written to a file",
                          "Return tuples, dicts, NamedTuples or dataclasses without __post_init__.")


def exception_definition(cls: type) -> str | None:
    """The definition of an exception that has no code of its own, below those of its bases; else None."""
    if {"__init__", "__new__", "__str__", "__repr__"} & {*vars(cls)} or len(cls.__bases__) != 1:
        return None
    (base,) = cls.__bases__
    text = f"class {cls.__name__}({base.__name__}):\n    pass"
    if base.__module__ == "builtins":
        return text
    return None if is_present(base) else f"{class_definition(base)}\n\n\n{text}"


def is_present(cls: Any) -> bool:
    """Is it in a package that the file may import?"""
    return package_of(cls) in PRESENT


def docstring_lines(text: str | None) -> list[str]:
    """A docstring as lines of a function."""
    if not text:
        return []
    text = text.encode(errors="backslashreplace").decode()  # Python 3.13 has no lone surrogates in docstrings
    literal = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    # what ends a line elsewhere, or is no character of a file
    literal = "".join([c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in literal])
    literal = literal[:-1] + '\\"' if literal.endswith('"') and not literal.endswith('\\"') else literal
    several = "\n" in text
    lines = [line.rstrip() for line in f'"""{literal}'.splitlines()]
    lines = [*lines, '"""'] if several else [lines[0] + '"""']
    assert isinstance(ast.literal_eval("\n".join(lines)), str)
    return [f"    {line}" if line else "" for line in lines]
