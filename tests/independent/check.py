"""One program, run plainly and transformed, call by call."""
import contextlib
import warnings

import numpy as np

import gradscribe as gs
from gradscribe.transformer.api import Primal

from .expressions import limited
from .outcomes import Failure, compare, entry, kept, load, outcome, unload  # noqa: F401  Failure: found_again
from .plainly import plainly
from .slopes import compare_derivatives


def check(text, folder, compiled=False):
    """{"calls", "raised", "refused": [messages]}; raises Failure."""
    report = {"calls": 0, "raised": 0, "refused": [], "derivatives": 0}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        plain, ours = load(plainly(text), folder), load(text, folder)
        try:
            made = {}
            for step in plain.SCRIPT:
                run_step(step, plain, ours, made, report, compiled)
                if report["refused"]:
                    break
        finally:
            unload(plain), unload(ours)
    return report


def run_step(step, plain, ours, made, report, compiled):
    called = entry(step)
    if called is None:
        for module in (plain, ours):
            with contextlib.suppress(Exception):         # a store into a frozen object, and the like
                exec(step, module.__dict__)
        return
    name, arguments = called
    report["calls"] += 1
    if name == "loss":
        return compare_derivatives(plain, ours, arguments, made, report, compiled)
    with limited(2):
        want = outcome(plain.f, plain, arguments)
    if isinstance(want.error, (TimeoutError, MemoryError)):
        return
    report["raised"] += want.error is not None
    report["last"] = want
    with kept(ours) if compiled else contextlib.nullcontext():
        compare(want, plain, ours, arguments, made, report, "plain", Primal)
    if compiled and not report["refused"]:
        compare(want, plain, ours, arguments, made, report, "compiled", gs.jit)
