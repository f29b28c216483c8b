"""Cells of Python's own table are run, together or alone, by Python and by what is transformed."""
import dataclasses
import hashlib
import importlib.util
import linecache
import os
import re
import tempfile
import types
import warnings
from pathlib import Path

import gradscribe as gs
from gradscribe import GradscribeError
from tests.language.python_rows import NUMBERS, Cell
from tests.support.agreement import Disagreement, Outcome, compare_outcomes, outcome, shown
from tests.support.cases import ALL

# ---- running ---------------------------------------------------------------------------------------------------------

HEAD = """import copy, dataclasses, math, operator
from dataclasses import dataclass
from typing import NamedTuple
import numpy as np


"""


def module_of(texts: list[str]):
    """The functions of some texts, in a file of their own, since they are read from it."""
    text = HEAD + "\n\n".join(dict.fromkeys(texts))
    name = "table_" + hashlib.sha256(text.encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"gradscribe_table_{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec.loader.exec_module(module)
    path.unlink()
    linecache.cache[str(path)] = (len(text), None, text.splitlines(True), str(path))
    return module


@dataclasses.dataclass
class Run:
    """What came of the cells of a row."""

    right: int = 0
    refused: list = dataclasses.field(default_factory=list)  # (cell, error)
    wrong: list = dataclasses.field(default_factory=list)  # (way, cell, values, what)

    def report(self, most=12) -> str:
        lines = [f"{way:8} {cell.title}  at {values!r}\n             {what}"
                 for way, cell, values, what in self.wrong[:most]]
        return "\n".join([f"{len(self.wrong)} wrong, {self.right} right, {len(self.refused)} refused", *lines])


def python_numbers(cell) -> bool:
    return all(k in NUMBERS for k in cell.kinds) and "np." not in cell.body and not cell.before


def judge(run: Run, way: str, cell: Cell, values, want: Outcome, got: Outcome) -> bool | None:
    """True if right, False if wrong, None if refused."""
    if (isinstance(got.error, GradscribeError)
            or way == "compiled" and isinstance(got.error, OverflowError) and "64-bit integer" in str(got.error)):
        run.refused.append((way, cell, got.error))
        return None
    if type(got.out) is float and type(want.out) is int and got.out == want.out and PATHS.match(cell.body):
        run.right += 1  # an int of Python that may be a float becomes one (docs/language.md)
        return True
    try:
        compare_outcomes(got, want, way, message=python_numbers(cell) and not isinstance(want.error, TypeError))
    except Disagreement as error:
        run.wrong.append((way, cell, values, str(error).removeprefix(f"{way}: ")))
        return False
    run.right += 1
    return True


PATHS = re.compile(r"return (max|min)\(|.* (or|and) |.* if .* else ")


def comparable(want: Outcome) -> bool:
    """Addresses in memory, and objects that no result holds, are not compared."""
    return want.error is not None or " at 0x" not in shown(want.out)


def run_cells(cells: list[Cell], compiled: bool, run: Run | None = None) -> Run:
    run = run or Run()
    module = module_of([c.text(f"cell_{k}") for k, c in enumerate(cells)])
    never, always, some = [], [], []
    for k, cell in enumerate(cells):
        f = getattr(module, f"cell_{k}")
        wants = [outcome(f, values) for values in cell.values]
        if not all(map(comparable, wants)):
            continue
        ours = gs.test_util.primal(f)
        verdicts = []
        for values, want in zip(cell.values, wants):
            verdicts.append(judge(run, "plain", cell, values, want, outcome(ours, values)))
            if verdicts[-1] is None:
                break
        if compiled and all(verdicts):
            raised = [w.error is not None for w in wants]
            stores = any(shown(w.args) != shown(values) for w, values in zip(wants, cell.values))
            (some if any(raised) and not all(raised) or stores else always if all(raised)
             else never).append((k, cell, wants))
    if compiled:
        run_together(run, module, never)
        run_raising(run, module, always)
        for k, cell, wants in some if ALL or os.environ.get("TABLE_SINGLES") else some[:4]:
            run_alone(run, module, k, cell, wants)
    return run


def run_alone(run, module, k, cell, wants):
    ours = gs.jit(getattr(module, f"cell_{k}"))
    for values, want in zip(cell.values, wants):
        if judge(run, "compiled", cell, values, want, outcome(ours, values)) is None:
            break


def bundle(module, names_of, lines) -> types.FunctionType:
    """One function above many cells, whose parameters are all those of the cells."""
    text = f"def bundle({', '.join(names_of)}):\n" + "".join(f"    {line}\n" for line in lines)
    made = module_of([text])
    made.__dict__.update({n: x for n, x in vars(module).items() if n.startswith("cell_")})
    return made.bundle


def run_together(run, module, entries, size=24):
    """Cells that do not raise: one function returns the results of all, of their first values, of their second, ..."""
    for first in range(0, len(entries), size):
        run_bundle(run, module, entries[first:first + size])


def run_bundle(run, module, entries):
    if len(entries) < 2:
        for entry in entries:
            run_alone(run, module, *entry)
        return
    rounds = max(len(cell.values) for _, cell, _ in entries)
    names = [f"p{k}_{j}" for k, cell, _ in entries for j in range(len(cell.parameters))]
    calls = [f"cell_{k}({', '.join(f'p{k}_{j}' for j in range(len(cell.parameters)))})" for k, cell, _ in entries]
    ours = gs.jit(bundle(module, names, [f"return ({', '.join(calls)},)"]))
    results = []
    for r in range(rounds):
        chosen = [cell.values[r % len(cell.values)] for _, cell, _ in entries]
        results.append(outcome(ours, tuple(v for values in chosen for v in values)))
        if results[-1].error is not None:  # who is it? halves tell
            run_bundle(run, module, entries[:len(entries) // 2])
            run_bundle(run, module, entries[len(entries) // 2:])
            return
    for r, result in enumerate(results):
        for at, (_, cell, wants) in enumerate(entries):
            if r < len(wants):
                judge(run, "compiled", cell, cell.values[r], Outcome(wants[r].out), Outcome(result.out[at]))


def run_raising(run, module, entries, size=24):
    """Cells that raise: one function is told which of them to run."""
    for first in range(0, len(entries), size):
        chunk = entries[first:first + size]
        names = [f"p{k}_{j}" for k, cell, _ in chunk for j in range(len(cell.parameters))]
        lines = []
        for at, (k, cell, _) in enumerate(chunk):
            lines += [f"if which == {at}:",
                      f"    cell_{k}({', '.join(f'p{k}_{j}' for j in range(len(cell.parameters)))})"]
        ours = gs.jit(bundle(module, ["which", *names], [*lines, "return 0.0"]))
        for at, (k, cell, wants) in enumerate(chunk):
            for r, want in enumerate(wants):
                given = [v for _, c, _ in chunk for v in (cell.values[r] if c is cell else c.values[0])]
                got = outcome(ours, (at, *given))
                if isinstance(got.error, GradscribeError):  # somebody's refusal: ask each alone
                    for entry in chunk[:4]:
                        run_alone(run, module, *entry)
                    break
                judge(run, "compiled", cell, cell.values[r], Outcome(error=want.error),
                      Outcome(error=got.error, out=got.out))
            else:
                continue
            break
