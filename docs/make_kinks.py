#!/usr/bin/env python3
"""Writes docs/kinks.md: values and slopes where functions have none or several, beside JAX's: python docs/make_kinks.py

tests/data/kinks.json has what JAX gave; tests/derivatives/test_kinks.py compares the page, and asks for a reason where we differ.
"""
from __future__ import annotations

import json
import linecache
import sys
import warnings
from pathlib import Path

import numpy as np
from scipy import special

import gradscribe as gs

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "data"))
from kinks import KINKS, POINTS  # noqa: E402

RECORDED = json.loads((ROOT / "tests" / "data" / "kinks.json").read_text())["records"]
HEAD = """# Kinks, poles and ties

What a function and its derivative give where calculus does not say, or where a formula would give NaN. The numbers are computed when this
page is made (`python docs/make_kinks.py`), and the tests hold them against the program, compiled too. Beside them stand JAX's, where
they are others.

At a tie the slope is shared (`maximum`, `max`, `median`; equal elements that are sorted keep their order and their slopes); at the kink of `abs` it is 0, and so it is where a norm is 0
and its cotangent finite (`norm`, `hypot`, `std` of equal numbers, `np.sqrt(np.sum(x ** 2))`, `abs` of complex numbers): there the function has its minimum, 0 is one of its
subgradients, and an optimiser that comes there stays. HIPS autograd and PyTorch do the same; JAX gives NaN for most of them. The second derivative of a norm at 0 is NaN along what moves.

*A choice is a choice.* What `np.where`, `maximum`, `clip`, `fmax`, `max`, a sort, a mask (`(x > 0) * y`, `y[mask]`), `np.nansum` and its like, an index or a branch has not chosen has no part in a derivative, however steep it is
there: the slope of `np.where(x > 0, np.log(x), 0.0)` at 0 is 0, in both modes and in second derivatives, where JAX has NaN. A zero that was *computed* is no choice: `np.sqrt(x) ** 2` at 0 multiplies 0 by infinity, and
is NaN, since it could be anything (here 1). Else a derivative is what its formula gives: infinite beside a pole, NaN where that is 0 / 0.

| function | x | value | slope | JAX |
| --- | --- | --- | --- | --- |
"""


def functions():
    """The functions of the table, with a text that they can be read from."""
    text = "".join(f"def f{k}(x):\n    return {expression}\n\n\n" for k, expression in enumerate(KINKS))
    file = "<kinks>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    names = {"np": np, "special": special}
    exec(compile(text, file, "exec"), names)
    return [names[f"f{k}"] for k in range(len(KINKS))]


def results(transform=lambda f: f):
    """expression -> [(x, value, slope)]"""
    found = {}
    for expression, f in zip(KINKS, functions()):
        both = transform(gs.value_and_grad(f))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found[expression] = [(x, *map(float, both(np.float64(x)))) for x in POINTS[expression]]
    return found


def agree(a, b) -> bool:
    return np.allclose(a, b, rtol=1e-12, atol=1e-300, equal_nan=True)


def shown(number) -> str:
    return f"{number:.6g}" if number == number else "nan"


def page() -> str:
    rows = []
    for expression, found in results().items():
        for (x, value, slope), jaxs in zip(found, RECORDED[expression], strict=True):
            other = [float(n) for n in jaxs]
            note = "" if agree((value, slope), other) else " " + ", ".join(map(shown, other))
            rows.append(f"| `{expression}` | {x} | {shown(value)} | {shown(slope)} |{note} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    (Path(__file__).parent / "kinks.md").write_text(page(), encoding="utf-8")
