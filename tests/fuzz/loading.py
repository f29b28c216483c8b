"""Cases as files: a module to import (so that `inspect` finds its source), and a failure to keep."""

import hashlib
import importlib.util
import itertools
import linecache
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .generate import Case

FAILURES = Path(__file__).parent / "failures"
serial = itertools.count()


@contextmanager
def loaded(source: str, name: str = "f"):
    """The function of a source text that lives in a real file, as a user's would."""
    with tempfile.TemporaryDirectory(prefix="gradscribe-fuzz-") as folder:
        module_name = f"fuzz_program_{os.getpid()}_{next(serial)}"  # linecache and numba key by file: never reuse one
        path = Path(folder) / f"{module_name}.py"
        path.write_text(source)
        spec = importlib.util.spec_from_file_location(module_name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[module_name] = module
        try:
            spec.loader.exec_module(module)
            yield getattr(module, name)
        finally:
            del sys.modules[module_name]
            linecache.cache.pop(str(path), None)


def literal(value) -> str:
    """Source text that makes exactly this argument again."""
    if isinstance(value, tuple):
        return "(" + "".join(f"{literal(v)}, " for v in value).rstrip() + ")"
    if isinstance(value, np.ndarray):
        shape = f".reshape{value.shape}" if value.ndim != 1 else ""
        return f"np.array({value.ravel().tolist()}, dtype=np.{value.dtype}){shape}"
    if isinstance(value, np.generic):
        return f"np.{value.dtype}({value.item()!r})"
    return repr(value)


def to_text(case: Case, why: str = "") -> str:
    comment = "".join(f"# {line}\n" for line in (why.strip() or f"seed {case.seed}").splitlines())
    return f"{comment}{case.source}\n\nARGS = {literal(case.args)}\nMORE = {literal(case.more)}\nSEED = {case.seed}\n"


def from_text(text: str) -> Case:
    """The program's source ends where ARGS begins; comments on top are not part of it."""
    # for the arguments; a program that was made small may not import it
    names = {"np": np, "nan": np.nan, "inf": np.inf}
    exec(compile(text, "<saved case>", "exec"), names)
    body = text[: text.rindex("\nARGS = ")]
    lines = body.splitlines(keepends=True)
    while lines and lines[0].startswith("#"):
        lines.pop(0)
    return Case(names["SEED"], "".join(lines).rstrip() + "\n", names["ARGS"], more=names["MORE"])


def save(case: Case, why: str, folder: Path = FAILURES) -> Path:
    """Named by content, so that a failure found twice is kept once."""
    folder.mkdir(exist_ok=True)
    digest = hashlib.sha256((case.source + literal(case.args)).encode()).hexdigest()[:8]
    path = folder / f"seed_{case.seed}_{digest}.py"
    path.write_text(to_text(case, why))
    return path


def saved(folder: Path = FAILURES) -> list[Path]:
    return sorted(folder.glob("seed_*.py"))
