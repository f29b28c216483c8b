#!/usr/bin/env python3
"""Writes docs/accuracy.md: where a value, slope or second derivative is not right to the last digits: python docs/make_accuracy.py

tests/support/accuracy.py measures, and tests/derivatives/test_accuracy_table.py holds what it measures against the page. `--part plain K N` (or `compiled`) measures every
Nth function from the Kth, and `--join FILE...` makes the page of what such parts have printed.
"""
from __future__ import annotations

import argparse
import math
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT)]

PAGE = Path(__file__).parent / "accuracy.md"
POINTS = 1000
HEAD = """# How many digits are right

Every function of one or two numbers that has a rule or is in the library, SciPy's special functions and densities included, is measured against
mpmath with 60 digits and more: its value, slope and second derivative, float64 and float32, plain and compiled; at the numbers that stand in its own
definition, at whole numbers and halves, in its tails, at tiny and huge numbers, and beside all of these (`python -m tests.support.accuracy [names]`).
Values and slopes have a relative error of at most 1e-13, second derivatives 1e-11; of float32 1e-5, and second derivatives 1e-4. What is larger
is in this table (made by `python docs/make_accuracy.py`), and the tests hold that nothing else is, and nothing more than it says. A figure is rounded up to a
power of ten, ten times what was measured; "lost" means that no digit is right. `from` says at which |x| it begins. Numbers that are too small to
have all digits (subnormal) are not measured. The figures are of 1,000 points of each function, where so many are in its domain and in the reach of its reference.

"""
ROW = re.compile(r"\| `(.*)` \| (float\d+) \| (\w+) \| (\S+) \| (\S+) \| (\S+) \| (.*) \|")
FORMULA = "the slope is written with the value (textbook, fast): right to 1e-16 of the largest slope, relative digits go as it falls to 0"
REASONS = (  # of functions and what of them, that match; else `why`
    (r"np\.tanh|expit|sigmoid|silu|gelu|logistic|np\.expm1|elu", FORMULA),
    (r"^(x|0\.75) %|fmod", "the quotient is rounded: beside a step it is on the other side"),
    (r"log_ndtr|norm\.log", "exp(-x * x / 2 - y): a difference of large numbers in an exponent"),
    (r"erfcx|dawsn|k[0-9n]e|i[01]e|\bive|kve", "the slope is a difference of what is nearly equal in the tail"),
    (r"np\.(arcsin|arccos|arctan)h?\(", "the slope's formula overflows or cancels for large x or beside its pole"),
    (r"np\.i0\(", "a sum of Chebyshev polynomials: its slope cancels towards 0"),
    (r"logaddexp", "exp(a - y) near 1: one minus it has its digits beside 1"),
    (r"hypot", "one minus a square near 1"),
    (r"(gamma|gammaln)\(x\) (slope|second)|psi\(x\) value", "SciPy's psi: few digits on the right of -1, -2, ..."),
)


def why(figure) -> str:
    if figure.error == math.inf:
        return "too large or 0 times infinity on the way"
    return "a difference of what is nearly equal, or a number that is too small on the way" if figure.error > 0.1 else "rounding that grows with the argument, or beside a zero"


def bound(error) -> str:
    """Ten times as much, as a power of ten."""
    return "lost" if error > 1e-3 else f"1e{math.ceil(math.log10(error)) + 1}"


def rows(ways=("plain", "compiled"), part: int = 0, parts: int = 1) -> list[str]:
    import accuracy
    import numpy as np
    found = []
    for expression, target in list(accuracy.targets()[0].items())[part::parts]:
        for dtype in (np.float64, np.float32):
            worst: dict[str, accuracy.Figure] = {}
            references: dict = {}
            for compiled in (way == "compiled" for way in ways):
                for order, figure in accuracy.measure(target, dtype, compiled, POINTS, references).items():
                    if figure.outside:
                        nearest = min(figure.nearest, worst[order].nearest if order in worst else math.inf)
                        worst[order] = max(figure, worst.get(order, figure), key=lambda f: f.error)
                        worst[order].nearest = nearest
            for order, figure in worst.items():
                reason = next((text for match, text in REASONS if re.search(match, f"{expression} {order}")), None) or why(figure)
                if figure.error == math.inf:
                    reason = why(figure)
                found.append(f"| `{expression}` | {np.dtype(dtype).name} | {order} | {bound(figure.error)} | {figure.x:.3g} | {figure.nearest:.2g} | {reason} |\n")
                print(found[-1], end="", flush=True)
    return found


def larger(found) -> list[str]:
    """Of rows that say the same but for the figure, that of the largest."""
    worst: dict[tuple, str] = {}
    for row in found:
        m = ROW.match(row)
        if m.group(1, 2, 3) not in worst or figure_of(m) > figure_of(ROW.match(worst[m.group(1, 2, 3)])):
            worst[m.group(1, 2, 3)] = row
    return list(worst.values())


def figure_of(match) -> float:
    return math.inf if match[4] == "lost" else float(match[4])


def page(found) -> str:
    return HEAD + "| function | dtype | of | at most | worst at | from | why |\n| --- | --- | --- | --- | --- | --- | --- |\n" + "".join(sorted(larger(found)))


def allowed() -> dict[tuple[str, str, str], float]:
    """(function, dtype, quantity) -> the figure of the page."""
    matches = filter(None, map(ROW.match, PAGE.read_text(encoding="utf-8").splitlines()))
    return {m.group(1, 2, 3): figure_of(m) for m in matches}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", nargs=3)
    parser.add_argument("--join", nargs="+")
    given = parser.parse_args()
    if given.part:
        rows(given.part[:1], *map(int, given.part[1:]))
    else:
        lines = [line for file in given.join for line in Path(file).read_text().splitlines(True) if ROW.match(line)] if given.join else rows()
        PAGE.write_text(page(lines), encoding="utf-8")
