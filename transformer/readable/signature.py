"""The user's own signature around the flat parameters and results of core.

    def value_and_grad_loss(params, X, y):
        W1, b1 = params["W1"], params["b1"]
        ...
        return value, {"W1": W1_bar, "b1": b1_bar}
"""
from __future__ import annotations

import ast
import collections
import dataclasses
import inspect
import re
from dataclasses import dataclass, field
from typing import Any

from ..core import quoted
from ..pytree.containers import folded_structure
from ..pytree.rows import SplitRows

WIDTH = 100


@dataclass(frozen=True)
class ShownSignature:
    """name: of the function; params: as the user calls it; access: {core parameter: expression of the params};
    out: the structure of the result, as `specialise` has it; defaults: {parameter: what it is where it is not passed};
    by_name: the first parameter that is passed by its name, if any; rows: {core parameter: the expression of it, of
    `{}`, the list that it stands for}."""

    name: str
    params: tuple[str, ...]
    access: dict[str, str]
    out: Any
    defaults: dict[str, Any] = field(default_factory=dict)
    by_name: str | None = None
    rows: dict[str, str] = field(default_factory=dict)

    def header(self) -> str:
        """The line with the name."""
        return f"def {self.name}({', '.join(self.header_parts())}):"

    def header_parts(self) -> list[str]:
        """The parameters; what has no default, behind what has one, is passed by its name."""
        parts, star = [], False
        for k, p in enumerate(self.params):
            behind = p not in self.defaults and any([q in self.defaults for q in self.params[:k]])
            if not star and (behind or p == self.by_name):
                parts.append("*")
                star = True
            parts.append(f"{p}={static(self.defaults[p])}" if p in self.defaults else p)
        return parts

    def classes(self) -> list[type]:
        """Those of the result that have to be imported."""
        found: dict[type, None] = {}

        def visit(part):
            if isinstance(part, tuple) and part and isinstance(part[0], type):
                if (part[0].__module__ != "builtins" and part[0].__qualname__ == part[0].__name__
                        and not hasattr(part[0], "__gradscribe_text__")):
                    found[part[0]] = None
            for inner in part if isinstance(part, tuple) else ():
                visit(inner)

        visit(self.out)
        return list(found)

    def unpacking(self, names: dict[str, str]) -> list[str]:
        """Lines that give these core parameters their values, a container a line where it fits."""
        wanted = [(names[p], self.rows.get(p, "{}").replace("{}", expression)) for p, expression in self.access.items()
                  if names.get(p, expression) != expression]
        return [line for pairs in grouped(wanted, root).values() for line in signature_lines(pairs)]

    def result(self, texts: list[str]) -> str:
        """The expression that is returned; `texts` are those of the flat results."""
        tag = self.out[0]
        if tag is tuple and len(self.out[2]) > 1:
            return ", ".join(spelled(p, texts) for p in self.out[2])
        return spelled(self.out, texts)


def signature_of(name: str, arguments, function, access: dict[str, str], out, rows) -> ShownSignature:
    """The signature of a program that is called with these arguments, made of a user's function.

    What is read as a default of the function is its parameter, and what is seen from outside another one.
    """
    try:
        own = dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        own = {}
    passed = {root(e) for e in access.values()}
    ways = {f"{function.__name__}_default_{k}": n for k, n in defaults_of(own).items() if n not in passed}
    access = {p: ways.get(root(e), root(e)) + e[len(root(e)):] for p, e in access.items()}
    named = [n for n, p in own.items() if p.kind is p.KEYWORD_ONLY]
    params = dict.fromkeys(map(str, [*arguments, *named, *map(root, access.values())]))
    defaults = {n: p.default for n, p in own.items() if type(p.default) in (int, float, bool, str, type(None))}
    return ShownSignature(name, tuple(params), access, out, defaults, named[0] if named else None, rows)


def defaults_of(parameters) -> dict[Any, str]:
    """{number among the defaults, or the name where it is passed by name: parameter}"""
    with_default = [p for p in parameters.values() if p.default is not p.empty]
    by_name = {p.name: p.name for p in with_default if p.kind is p.KEYWORD_ONLY}
    return by_name | dict(enumerate(p.name for p in with_default if p.kind is not p.KEYWORD_ONLY))


def signature_lines(pairs: list[tuple[str, str]]) -> list[str]:
    """One line, or one for each container in the container, or one for each value."""
    left, right = ", ".join(n for n, _ in pairs), ", ".join(e for _, e in pairs)
    together = f"{left} = {right}"
    if len(together) + 4 <= WIDTH:
        return [together]
    inner = grouped(pairs, container_of)
    return ([line for own in inner.values() for line in signature_lines(own)] if len(inner) > 1
            else [f"{n} = {e}" for n, e in pairs])


def grouped(pairs, key) -> dict[str, list[tuple[str, str]]]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, expression in pairs:
        groups.setdefault(key(expression), []).append((name, expression))
    return groups


def root(expression: str) -> str:
    return expression.partition("[")[0].partition(".")[0]


def container_of(expression: str) -> str:
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
    """What is shown of a result; it leaves the flags of classes to who reads it."""
    return folded_structure(structure, texts.__getitem__, static, container_text, lambda k, classes: texts[k],
                            lambda k, part, other: f"({part()} if {texts[k]} else {other()})")


def container_text(cls: type, keys, items: list[str]) -> str:
    """The text of a container of these."""
    if isinstance(cls, SplitRows):
        return cls.spelled(items, container_text)
    if cls is tuple:
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    if cls is list:
        return f"[{', '.join(items)}]"
    if hasattr(cls, "__gradscribe_text__"):
        return cls.__gradscribe_text__(keys, items)
    if issubclass(cls, collections.deque):
        most = getattr(cls, "most", None)
        return f"deque([{', '.join(items)}]{'' if most is None else f', maxlen={most}'})"
    if issubclass(cls, dict):
        text = "{" + ", ".join(f"{quoted(k) if isinstance(k, str) else static(k)}: {i}"
                               for k, i in zip(keys, items)) + "}"
        return text if cls is dict else f"{cls.__name__}({text})"
    if dataclasses.is_dataclass(cls):
        return f"{cls.__name__}({', '.join(f'{k}={i}' for k, i in zip(keys, items))})"
    return f"{cls.__name__}({', '.join(items)})"
