"""With which types kernels are launched, against what is known of it before: `test_explain` has this called."""

import copy

import numpy as np

import gradscribe as gs
from gradscribe.runtime.cuda import host
from gradscribe.transformer.loop_core.launches import types_of
from tests.support.cases import ran

from .corpus import placed  # noqa: F401  the arrays of the device are strict from then on
from .trapped import CASES


def type_of(x) -> str:
    return (f"{np.dtype(x.dtype).name} {x.ndim}" if hasattr(x, "shape") and not isinstance(x, np.generic)
            else np.asarray(x).dtype.name)


def types(number: int) -> int:
    """How many kernels were launched of which the types were known before?"""
    f, calls = CASES[number]
    made, start, seen = gs.jit(f, target="cuda"), host.start, []

    def launch(kernel, blocks, block, args):
        seen.append((kernel.fn.__name__, list(map(type_of, args))))
        start(kernel, blocks, block, args)

    known = 0
    for args in calls:
        seen.clear()
        host.start = launch
        try:
            got = ran(made, lambda: copy.deepcopy(args))
        finally:
            host.start = start
        assert got.error is None or ran(f, lambda: copy.deepcopy(args)).error is not None, repr(got.error)
        if seen:  # by the program, or by its form with more checks
            lowered = made._cache.lookup(copy.deepcopy(args), {}).lowered()
            expected = [types_of(form.functions) for form in (lowered, *([lowered.safe()] if lowered.safe else []))]
            for name, types in seen:
                wanted = [[t.removesuffix(" C").removesuffix(" A") for t in e[name]] for e in expected if name in e]
                known += bool(wanted)
                assert not wanted or types in wanted, f"{name}: {types}, not {wanted}"
    return known
