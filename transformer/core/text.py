"""The Python text of core, and core as a Python function."""
from __future__ import annotations

from typing import Callable

import numpy as np

from gradscribe import runtime

from .index_codes import spell
from .terms import For, Fun, If, Let, Store, While
from .walking import walk


def core_text(fun: Fun) -> str:
    """The Python text of a core function; it runs with `np` and `rt` in sight."""
    lines = [f"def {fun.name}({', '.join(fun.params)}):"]

    def copy(names, atoms, pad):
        pairs = [(n, str(a)) for n, a in zip(names, atoms) if n != a]
        if pairs:
            lines.append(f"{pad}{', '.join(n for n, _ in pairs)} = {', '.join(a for _, a in pairs)}")

    def visit(block, names, pad):
        start = len(lines)
        for stmt in block.stmts:
            match stmt:
                case Let():
                    left = f"{', '.join(stmt.names)} = " if stmt.names else ""
                    lines.append(f"{pad}{left}{stmt.op.show([str(a) for a in stmt.args], dict(stmt.params))}")
                case Store():
                    lines.append(pad + show_store(stmt))
                case For():
                    copy(stmt.carried, stmt.inits, pad)
                    lines.append(f"{pad}for {stmt.index} in range({stmt.start}, {stmt.stop}, {stmt.step}):")
                    visit(stmt.body, stmt.carried, pad + "    ")
                case While():
                    copy(stmt.carried, stmt.inits, pad)
                    lines.append(f"{pad}while {stmt.test}:")
                    visit(stmt.body, stmt.carried, pad + "    ")
                case If():
                    lines.append(f"{pad}if {stmt.test}:")
                    visit(stmt.then, stmt.names, pad + "    ")
                    lines.append(f"{pad}else:")
                    visit(stmt.orelse, stmt.names, pad + "    ")
        copy(names, block.results, pad)
        if len(lines) == start:
            lines.append(f"{pad}pass")

    visit(fun.body, (), "    ")
    results = ", ".join(map(str, fun.body.results))
    lines.append(f"    return ({results}{',' if len(fun.body.results) == 1 else ''})")
    return "\n".join(lines) + "\n"


def show_store(stmt: Store) -> str:
    index = spell(stmt.index, map(str, stmt.atoms))
    if stmt.add and "a" in stmt.index and not stmt.distinct:
        return f"np.add.at({stmt.target}, np.s_[{index}], {stmt.value})"
    return f"{stmt.target}[{index}] {'+=' if stmt.add else '='} {stmt.value}"


def runnable(fun: Fun) -> Callable:
    """The core function as a Python function: flat arguments in, a tuple of flat results out."""
    namespace = {"np": np, "rt": runtime}
    for stmt in walk(fun.body):
        if isinstance(stmt, Let) and stmt.op.module:
            module, _, short = stmt.op.module.partition(" as ")
            namespace[short or module.partition(".")[0]] = __import__(module)
    exec(compile(core_text(fun), f"<core of {fun.name}>", "exec"), namespace)
    return namespace[fun.name]
