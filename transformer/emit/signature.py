"""The user's own signature around the flat parameters and results of core.

    def value_and_grad_loss(params, X, y):
        W1, b1 = params["W1"], params["b1"]
        ...
        return value, {"W1": W1_bar, "b1": b1_bar}
"""
from __future__ import annotations

import ast
import dataclasses
import re
from dataclasses import dataclass
from typing import Any

from ..core import quoted

WIDTH = 100


@dataclass(frozen=True)
class Signature:
    """name: of the function; params: as the user calls it; access: {core parameter: expression of the params};
    out: the structure of the result, as `specialise` has it."""

    name: str
    params: tuple[str, ...]
    access: dict[str, str]
    out: Any

    def head(self) -> str:
        return f"def {self.name}({', '.join(self.params)}):"

    def unpacking(self, names: dict[str, str]) -> list[str]:
        """Lines that give these core parameters their values, a container a line where it fits."""
        wanted = [(names[p], expression) for p, expression in self.access.items()
                  if names.get(p, expression) != expression]
        return [line for pairs in grouped(wanted, root).values() for line in lines_of(pairs)]

    def result(self, texts: list[str]) -> str:
        """The expression that is returned; `texts` are those of the flat results."""
        tag = self.out[0]
        if tag is tuple and len(self.out[2]) > 1:
            return ", ".join(spelled(p, texts) for p in self.out[2])
        return spelled(self.out, texts)


def lines_of(pairs: list[tuple[str, str]]) -> list[str]:
    """One line, or one for each container in the container, or one for each value."""
    left, right = ", ".join(n for n, _ in pairs), ", ".join(e for _, e in pairs)
    together = f"{left} = {right}"
    if len(together) + 4 <= WIDTH:
        return [together]
    inner = grouped(pairs, container)
    return ([line for own in inner.values() for line in lines_of(own)] if len(inner) > 1
            else [f"{n} = {e}" for n, e in pairs])


def grouped(pairs, key) -> dict[str, list[tuple[str, str]]]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, expression in pairs:
        groups.setdefault(key(expression), []).append((name, expression))
    return groups


def root(expression: str) -> str:
    return expression.partition("[")[0].partition(".")[0]


def container(expression: str) -> str:
    """What a member is looked up in: params["layers"][0] of params["layers"][0]["W"]."""
    return re.match(r"(.*?)(\[[^\[]*\]|\.\w+)?$", expression)[1]


def static(value) -> str:
    """An object without numbers: as `repr` writes it where that is Python, else by its name or that of its class."""
    names = [repr(value), f"{type(value).__name__}.{getattr(value, 'name', '')}", getattr(value, "__name__", ""),
             type(value).__name__]
    return next(filter(is_python, names))


def is_python(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def spelled(structure, texts) -> str:
    tag = structure[0]
    if tag == "leaf":
        return texts[structure[1]]
    if tag == "static":
        return static(structure[1])
    if tag == "python":  # what is shown leaves the flag to who reads it
        return texts[structure[1]]
    if tag == "present":
        return f"({spelled(structure[2], texts)} if {texts[structure[1]]} else None)"
    cls, keys, parts = structure
    items = [spelled(p, texts) for p in parts]
    if cls is tuple:
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    if cls is list:
        return f"[{', '.join(items)}]"
    if issubclass(cls, dict):
        text = "{" + ", ".join(f"{quoted(k) if isinstance(k, str) else static(k)}: {i}"
                               for k, i in zip(keys, items)) + "}"
        return text if cls is dict else f"{cls.__name__}({text})"
    if dataclasses.is_dataclass(cls):
        return f"{cls.__name__}({', '.join(f'{k}={i}' for k, i in zip(keys, items))})"
    return f"{cls.__name__}({', '.join(items)})"
