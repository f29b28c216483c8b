"""Operations, one object each, with type, derivatives and facts, by kind (`kinds`). Importing this package fills the
table.

To add: A function with a formula is a line or a block in the file of its family; docs/contributing.md has an example.

Imports runtime, runtime.plain, transformer.core, transformer.errors, transformer.frontend.
"""
from . import collectives, control, elementwise, indexing, linalg, order, reductions, shape  # noqa: F401
from .registry import BY_FUNCTION, OPS

__all__ = ["OPS", "BY_FUNCTION"]
