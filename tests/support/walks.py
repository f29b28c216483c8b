"""How far a newcomer walks who follows one call: python -m tests.support.walks prints a table.

A walk is the first call of a gradient, in a process that has made others: which functions of ours it enters, in how
many files they stand, and how often it goes on in another file than the one that calls.
"""
from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import gradscribe as gs

ROOTS = tuple(str(Path(gs.__file__).parents[1] / name) for name in ("gradscribe", "transformer", "runtime"))


@dataclass
class Walk:
    """calls, steps: how many; functions, files: which."""

    calls: int = 0
    steps: int = 0
    functions: set = field(default_factory=set)
    files: set = field(default_factory=set)

    def enter(self, frame, event: str, _) -> None:
        code, caller = frame.f_code, frame.f_back
        if event != "call" or not code.co_filename.startswith(ROOTS) or code.co_name.startswith("<"):
            return
        self.calls += 1
        self.functions.add((code.co_filename, code.co_qualname if sys.version_info >= (3, 11) else code.co_name))
        self.files.add(code.co_filename)
        self.steps += caller is not None and caller.f_code.co_filename.startswith(ROOTS) and (
            caller.f_code.co_filename != code.co_filename)


def line(x):
    return np.sum(np.tanh(x))


def solved(a, b):
    return np.sum(np.linalg.solve(a, b))


def rolled(x):
    return np.sum(np.roll(x, 1) * x)


def ended(x):
    s = 0.0
    for v in x:
        if v > 2.0:
            break
        s = s + v * v
    return s


def appended(x):
    out = []
    for v in x:
        out.append(v * v)
    return np.sum(np.array(out))


X = np.linspace(0.1, 1.3, 4)
PROGRAMS = {"line of tanh": (line, (X,)), "np.linalg.solve": (solved, (np.eye(3) + 0.1, np.ones(3))),
            "np.roll": (rolled, (X,)), "break": (ended, (X,)), "append": (appended, (X,))}


def walked(fun, args) -> Walk:
    """The walk of gs.grad(fun)(*args)."""
    gs.grad(lambda x: x * x)(2.0)
    walk = Walk()
    sys.setprofile(walk.enter)
    try:
        gs.grad(fun)(*args)
    finally:
        sys.setprofile(None)
    return walk


if __name__ == "__main__":
    print("| program | calls | functions | files | steps from file to file |\n|---|---:|---:|---:|---:|")
    for title, (fun, args) in PROGRAMS.items():
        walk = walked(fun, args)
        print(f"| {title} | {walk.calls:,} | {len(walk.functions)} | {len(walk.files)} | {walk.steps:,} |")
