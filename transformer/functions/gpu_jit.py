"""What is jitted for a GPU, and what transformations make of it, which is for the GPU as well.

`gs.grad(gs.jit(f, target="cuda"))` is `gs.jit(gs.grad(f), target="cuda")`: an array of a GPU has no other program.
"""
from __future__ import annotations

from typing import ParamSpec, TypeVar

from ..errors.messages import UnsupportedError
from ..inputs.gpu_placeholders import array_of, standing_in, wants_device
from ..pytree.containers import container_leaves
from .sweeps import ForwardSweep
from .transformed import Jit, Jvp, Transformed, Vjp

P = ParamSpec("P")
R = TypeVar("R")


class StandingIn(Transformed[P, R]):
    """Its arguments may lie on a GPU."""

    target = "cuda"

    def __call__(self, *args, **kwargs):
        with standing_in(args, kwargs) as (args, kwargs):
            return super().__call__(*args, **kwargs)

    def as_written(self, args, kwargs):
        if any(array_of(x) is not x for a in (*args, *kwargs.values()) for x in container_leaves(a)):
            raise UnsupportedError(None, "an argument that is read-only, which the function may store into, beside one "
                                         "on a GPU", instead="Pass a copy of it: x.copy()")
        return super().as_written(args, kwargs)

    def source(self, *args, **kwargs):
        with standing_in(args, kwargs, to_run=False) as (args, kwargs):
            return super().source(*args, **kwargs)

    def tree(self, *args, **kwargs):
        with standing_in(args, kwargs, to_run=False) as (args, kwargs):
            return super().tree(*args, **kwargs)

    def explain(self, *args, **kwargs):
        with standing_in(args, kwargs, to_run=False) as (args, kwargs):
            return super().explain(*args, **kwargs)


class OnDevice(StandingIn[P, R], Jit[P, R]):
    """jit for a GPU."""

    def __init__(self, fun, **options):
        super().__init__(fun, **options)
        self.cpu = Jit(fun, **{**options, "target": "cpu"}) if options["target"] == "auto" else None

    def __call__(self, *args, **kwargs):
        if self.cpu is not None and not wants_device(args, kwargs):
            return self.cpu(*args, **kwargs)
        return super().__call__(*args, **kwargs)


class SweepOnDevice(StandingIn[P, R], ForwardSweep[P, R]):
    """The first half of `gs.vjp` of what is jitted for a GPU: what it leaves for the other half lies there."""

    def program(self, kept, primals):
        with standing_in((kept, primals), {}) as ((kept, primals), _):
            return super().program(kept, primals)


def made_for_gpu(made: Transformed) -> Transformed:
    """What a transformation has made, for a GPU if that is what the function was jitted for."""
    return OnDevice(made, **options_of(made)) if isinstance(made.__wrapped__, OnDevice) else made


def options_of(made: Transformed) -> dict:
    """Those of the function; static are its arguments, not the tuples of them that a jvp and a vjp have."""
    options = made.__wrapped__._options
    return options | dict(static_argnums=None, static_argnames=None) if isinstance(made, (Jvp, Vjp)) else options


def sweep_of(fun, primals, has_aux: bool, memory) -> tuple:
    """(the function where it is to run, the first half of its `gs.vjp`)"""
    if not isinstance(fun, OnDevice):
        return fun, ForwardSweep(fun, has_aux=has_aux, memory=memory)
    if fun.cpu is not None and not wants_device(primals, {}):
        return fun.cpu, ForwardSweep(fun.cpu, has_aux=has_aux, memory=memory)
    return fun, SweepOnDevice(fun, has_aux=has_aux, memory=memory)
