"""Core to source that people read: `readable(fun)`.

    inplace -> to_tree (exits back) -> denest -> variables -> unparse

The text is written directly: the tree has eight kinds of statement and one kind of expression, all of whose spelling
is in `spell`, and comments stand in it like any other line.
"""
from __future__ import annotations

import hashlib
import linecache
from dataclasses import dataclass, field
from typing import Any, Callable


from ..core import Fun, Let, walk
from ..optimise.dce import bound_to_raise
from ..optimise.inplace import inplace
from .denest import denest
from .exits import to_tree
from .naming import tidy, variables
from .unparse import Unparser


@dataclass
class Source:
    """Generated source: `text` runs as it is; `line_map` has the user's place for generated lines (counted from 1).

    The function takes and gives flat values; with one result its text returns that, and `function()` wraps it
    in a tuple.
    """

    text: str
    name: str
    line_map: dict[int, Any] = field(default_factory=dict)
    results: int = 1

    @property
    def file(self) -> str:
        """What tracebacks call the text."""
        return f"<gradscribe {self.name} {hashlib.sha256(self.text.encode()).hexdigest()[:16]}>"

    def function(self) -> Callable:
        """The function that the text defines: flat arguments in, a tuple of flat results out."""
        file = self.file
        namespace: dict[str, Any] = {}
        exec(compile(self.text, file, "exec"), namespace)
        linecache.cache[file] = (len(self.text), None, self.text.splitlines(True), file)
        function = namespace[self.name]
        if self.results != 1:
            return function
        return lambda *args: (function(*args),)


def readable(fun: Fun, owned: frozenset[str] = frozenset(), signature=None, main=None, lengths=None) -> Source:
    """The source of a core function; `owned` as for `inplace`.

    signature: a `Signature`, for the user's own parameters and results; flat without it.
    main: the user's function as captured, whose comments are kept.
    lengths: {a length of an argument: the variable that the user has it in}
    """
    tree = to_tree(inplace(fun, owned), frozenset(bound_to_raise(fun)))
    tree.hints |= lengths or {}
    denest(tree)
    names = variables(tree)
    tidy(tree, names)
    out = Unparser(tree, names, main, signature)
    name = signature.name if signature else fun.name
    out.write(signature.head() if signature else f"def {name}({', '.join(names[p] for p in fun.params)}):", 0, fun.origin)
    for line in signature.unpacking(names) if signature else ():
        out.write(line, 4)
    out.block(tree.body, 4)
    body = "\n".join(out.lines) + "\n"
    imports = [line for word, line in (("np.", "import numpy as np"), ("math.", "import math"), ("rt.", "from gradscribe import runtime as rt"))
               if word in body]
    imports += sorted({f"import {let.op.module}" for let in walk(fun.body) if isinstance(let, Let) and let.op.module})
    head = "\n".join(imports) + "\n\n\n" if imports else ""
    start = head.count("\n")
    line_map = {start + k: origin for k, origin in enumerate(out.origins, 1) if origin is not None}
    return Source(head + body, name, line_map, len(fun.body.results))


__all__ = ["Source", "readable"]
