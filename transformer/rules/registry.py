"""The table of operations: by the name they have in core text, and by the function they stand for."""
from __future__ import annotations

from typing import Callable

from ..core import Op

OPS: dict[str, Op] = {}
BY_FUNCTION: dict[Callable, Op] = {}


def register(op: Op, *functions: Callable, **facts) -> Op:
    """Enter an operation; `functions` are the user's functions that mean exactly it,
    `facts` where it differs from its kind (core.Op)."""
    for name, value in facts.items():
        assert hasattr(op, name), name
        setattr(op, name, value)
    assert op.name not in OPS, op.name
    OPS[op.name] = op
    for function in functions or (op.fn,):
        BY_FUNCTION[function] = op
    return op
