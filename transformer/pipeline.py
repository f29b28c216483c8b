"""The passes, in plain sight: from a user's function to source that runs.

    specialise  ->  optimise  ->  readable                    (uncompiled)
                             ->  fuse, lower  ->  numba       (compiled)

jvp and vjp happen inside specialise, where a transformed function is called: a function under `grad` is recorded
as core, transformed, and inlined.
"""
from __future__ import annotations

from .core import Fun, check
from .optimise import PASSES


def optimise(fun: Fun) -> Fun:
    """Run the optimising passes, in order; each result is checked, so that a guilty pass is named."""
    for pass_ in PASSES:
        fun = check(pass_(fun), after=pass_.__name__)
    return fun
