"""How much a line becomes: loops that the gradient of a line of the user's has, and lines that LLVM reads for one of ours.

Over the forty programs of examples/science, as `jit(grad(f))`. Counted, not timed; LLVM itself does not run.
"""
from __future__ import annotations

import ast
import importlib.util
import os
import re
import tempfile
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

FOLDER = Path(__file__).parents[1] / "examples" / "science"
LOOPS = 8.0             # at most for a line of the user's
LLVM, MEDIAN = 25.0, 15.0  # lines of LLVM's for one of ours: at most in a program, and in the median


class Expansion(NamedTuple):
    user: int   # lines of the program, without blank ones, comments and docstrings
    ours: int   # lines of its compiled gradient
    loops: int  # of these
    llvm: int   # instructions and labels

    @property
    def loops_a_line(self) -> float:
        return self.loops / self.user

    @property
    def llvm_a_line(self) -> float:
        return self.llvm / self.ours


class Enough(Exception):
    """What LLVM would read is counted."""


def names():
    return sorted(path.stem for path in FOLDER.glob("*.py"))


def of_program(name: str) -> Expansion:
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    args = module.arguments()
    numbers = tuple(k for k, x in enumerate(args) if np.asarray(x, object).size and _is_float(x))
    return of(getattr(module, name), numbers, args, lines_of(spec.origin))


def _is_float(x) -> bool:
    import gradscribe as gs
    return all(np.asarray(leaf).dtype.kind == "f" for leaf in gs.tree.leaves(x))


def of(f, argnums, args, user: int) -> Expansion:
    import gradscribe as gs
    from gradscribe.transformer.programs import reuse
    reuse.entries.clear()  # the program of an equal function would be compiled already
    g = gs.jit(gs.grad(f, argnums))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = g.source(*args, stage="compiled")
        ours = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", "import", "from"))]
        loops = sum(bool(re.match(r"\s*(for|while) ", line)) for line in ours)
        return Expansion(user, len(ours), loops, read_by_llvm(lambda: g(*args)))


def read_by_llvm(call) -> int:
    """The instructions and labels of the first program that is compiled in a call, which ends there."""
    from gradscribe.runtime.compiler import pipeline
    from gradscribe.runtime.loading import targets
    found, own = [], pipeline.Library._optimize_final_module

    def count(library):
        defined = [f for f in library._final_module.functions if not f.is_declaration and "cpython" not in f.name]
        if not any(re.match(r"_ZN\d+gradscribe_", f.name) for f in defined):
            return own(library)  # a kernel, or a function of vector math
        found.extend(sum(len(list(block.instructions)) + 1 for block in f.blocks) for f in defined)
        raise Enough

    pipeline.Library._optimize_final_module = count
    targets.compiled_module.cache_clear()  # who has compiled the same in this process would have it here
    before = os.environ.get("GRADSCRIBE_CACHE_DIR")
    try:
        with tempfile.TemporaryDirectory() as empty:
            os.environ["GRADSCRIBE_CACHE_DIR"] = empty
            call()
    except Enough:
        pass
    finally:
        pipeline.Library._optimize_final_module = own
        os.environ.pop("GRADSCRIBE_CACHE_DIR")
        os.environ.update({"GRADSCRIBE_CACHE_DIR": before} if before is not None else {})
    return sum(found)


def lines_of(file: str) -> int:
    """Of the functions and classes in a file that its program consists of."""
    lines = set()
    for part in ast.parse(Path(file).read_text()).body:
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)) and part.name not in ("arguments", "reference"):
            docs = {id(f.body[0]) for f in ast.walk(part) if isinstance(f, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(f)}
            lines |= {n.lineno for n in ast.walk(part) if isinstance(n, ast.stmt) and id(n) not in docs}
    return len(lines)


def table(found: dict[str, Expansion]) -> str:
    rows = ["| program | lines | loops | loops a line | lines of ours | LLVM's | LLVM's a line |", "|" + " --- |" * 7]
    rows += [f"| {name} | {e.user} | {e.loops} | {e.loops_a_line:.1f} | {e.ours} | {e.llvm:,} | {e.llvm_a_line:.1f} |"
             for name, e in found.items()]
    return "\n".join(rows)


def beyond(name: str, e: Expansion) -> list[str]:
    """What of a program is more than it should be."""
    return ([f"{name}: {e.loops_a_line:.1f} loops for a line"] * (e.loops_a_line > LOOPS)
            + [f"{name}: {e.llvm_a_line:.1f} lines of LLVM's for one of ours"] * (e.llvm_a_line > LLVM))


def measured() -> tuple[str, list[str]]:
    """(the table, what is more than it should be)"""
    found = {name: of_program(name) for name in names()}
    median = float(np.median([e.llvm_a_line for e in found.values()]))
    wrong = [line for name, e in found.items() for line in beyond(name, e)]
    return table(found), wrong + [f"in the median {median:.1f} lines of LLVM's for one of ours"] * (median > MEDIAN)
