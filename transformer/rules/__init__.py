"""The rules, by kind.  Importing this package fills the table."""
from . import collectives, control, elementwise, indexing, linalg, order, reductions, shape  # noqa: F401
from .registry import BY_FUNCTION, OPS

__all__ = ["OPS", "BY_FUNCTION"]
