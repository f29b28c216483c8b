#!/usr/bin/env python3
"""Writes docs/numpy.md, what of NumPy and SciPy works and why the rest does not: python docs/make_numpy.py

A name works because a call of it stands in tests/corpus/public_calls.py, which the tests make. tests/library/test_public.py compares the page.
"""
from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))
from tests.corpus.public_calls import CALLS, REFUSED  # noqa: E402

PAGE = Path(__file__).parent / "numpy.md"
HEAD = """\
# NumPy and SciPy, name by name

<!-- Written by docs/make_numpy.py from tests/corpus/public_calls.py; do not edit. -->

What works is called by the tests, in several forms: its values against NumPy's, for all dtypes and shapes of operands, its derivatives of both orders against differences,
for many examples, and compiled. An argument, a dtype or a shape that is not handled is refused where the call stands, by name. [rules.md](rules.md) has the parameters and the derivatives.
float16 has no compiled form, everything else of NumPy's has; `np.linalg.eig`, `eigvals` and `np.roots` of real numbers are complex: where NumPy's result is real, the call is refused when it runs.
"""
KNOWN = "no rule yet; where all of its arguments are known before the run it is computed then"
UNKNOWN = "no rule yet: compute it outside of the function, and pass the result"
SOLVED = "no rule yet: write the iterations, the steps or the sum at nodes as a loop"
WHY = {"np.linalg": "no function of arrays", "np.fft": "no function of arrays", "scipy.special": KNOWN, "scipy.linalg": KNOWN, "scipy.stats": KNOWN, "scipy.signal": KNOWN, "scipy.ndimage": UNKNOWN, "scipy.interpolate": UNKNOWN, "scipy.optimize": SOLVED, "scipy.integrate": SOLVED, "scipy.sparse": "no rule yet: matrices of other formats become one of these before, by A.tocsr()"}


def names_of(module: str) -> list[str]:
    """What users may write after the name of a module."""
    found = np if module == "np" else importlib.import_module(module.replace("np.", "numpy."))
    if module == "np":
        return sorted(n for n in dir(np) if not n.startswith("_") and n not in ("linalg", "fft"))
    if module.startswith("np."):
        return sorted(n for n in dir(found) if not n.startswith("_"))
    return sorted(n for n in found.__all__ if callable(getattr(found, n)) and not inspect.ismodule(getattr(found, n)))


def working(module: str) -> list[str]:
    return sorted(name[len(short(module)) + 1:] for name in CALLS if name.rpartition(".")[0] == short(module) or module == "scipy.stats" and name.startswith("stats."))


def short(module: str) -> str:
    return module.removeprefix("scipy.")


def section(module: str) -> str:
    works = working(module)
    rest = [n for n in names_of(module) if n not in works and not (module == "scipy.stats" and any(w.startswith(f"{n}.") for w in works))]
    reasons: dict[str, list[str]] = {}
    for name in rest:
        reasons.setdefault(REFUSED[name] if module == "np" else WHY[module], []).append(name)
    listed = lambda names: ", ".join(f"`{n}`" for n in names)  # noqa: E731
    lines = [f"## {module}\n", f"{len(works)} work: {listed(works)}.\n", "| refused | why |", "|---|---|", *[f"| {listed(names)} | {why} |" for why, names in reasons.items()]]
    return "\n".join(lines) + "\n"


def page() -> str:
    return "\n".join([HEAD, *[section(module) for module in ("np", *WHY)]])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
