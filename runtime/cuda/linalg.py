"""Products of arrays of the device: `runtime.linalg` for these."""
from __future__ import annotations

from . import backend


def matmul(x, y, out) -> None:
    """out[...] = x @ y"""
    backend.arrays().matmul(x, y, out=out)
