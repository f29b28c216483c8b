"""The passes, in plain sight: from a user's function to source that runs.

    specialise  ->  optimise  ->  readable                    (uncompiled)
                             ->  for_compiler, lower  ->  numba       (compiled)

jvp and vjp happen inside specialise, where a transformed function is called: a function under `grad` is recorded
as core, transformed, and inlined.
"""
from __future__ import annotations

from ..core import Fun
from ..core.verifier import verify
from ..transform.opening import without_calls
from . import COMPILED, FOR_CPU, PASSES


def optimise(fun: Fun, passes=PASSES) -> Fun:
    """Run the optimising passes, in order; each result is checked, so that a guilty pass is named.

    A pass with nothing to do gives the function that it was given, which need not be checked again, nor given to that
    pass again before another has changed it.
    """
    checked, settled = None, {}
    for pass_ in passes:
        if settled.get(pass_) is fun:
            continue
        before, fun = fun, pass_(fun)
        if fun is before:
            settled[pass_] = fun
        if fun is not checked:
            checked = verify(fun, after=pass_.__name__)
    return fun


def for_compiler(fun: Fun, cpu: bool = True) -> Fun:
    """What `optimise` gave, with what only a compiler is to read, and with the bodies of calls of the library.

    cpu  what is there several times becomes a function of the module, and rounds go abreast: a GPU has threads for them
    """
    opened = without_calls(fun, library=True)
    return optimise(fun if opened is fun else optimise(opened), FOR_CPU if cpu else COMPILED)
