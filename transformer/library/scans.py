"""What `gs.lax.scan` is made of, beside a loop: how often it runs, the slices that go in, and the results put together.

Inside of transformed functions more is known of most of them (`specialise/staged_calls/scanning.py`): the result of a
body that never runs.
"""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ..pytree import user_tree

NO_AXIS = "scan got a value without an axis to scan over"
NO_LENGTH = "scan got no values to scan over, and no length"
CARRY = "scan needs a carry of the same structure and shapes after each step, and this one was {} and became {}"
LENGTHS = "scan got values of different lengths: {} and {}"


def slice_count_of(xs: Any, length: int | None) -> int:
    """How many slices there are in a tree of arrays, which must have `length`, where that is given."""
    leaves = user_tree.leaves(xs)
    if any(np.ndim(x) == 0 for x in leaves):
        raise ValueError(NO_AXIS)
    known = [len(x) for x in leaves] + ([] if length is None else [length])
    if not known:
        raise ValueError(NO_LENGTH)
    for n in known:
        if n != known[0]:
            raise ValueError(LENGTHS.format(known[0], n))
    return known[0]


def same_carry(before: Any, after: Any) -> None:
    """Raise TypeError where a step gives a carry of another structure or of other shapes, as JAX does."""
    shapes = [user_tree.map(np.shape, x) for x in (before, after)]
    if user_tree.structure(before) != user_tree.structure(after) or shapes[0] != shapes[1]:
        raise TypeError(CARRY.format(*shapes))


def slices(xs: Any, k: int) -> Any:
    """x[k] of each array x in a tree."""
    return user_tree.map(lambda x: x[k], xs)


def stacked_trees(ys: list, reverse: bool, of_none: Callable[[], Any]) -> Any:
    """One tree of arrays from a list of trees, in the order of the list or the reverse;
    `of_none()` where it is empty."""
    if not ys:
        return of_none()
    ys = ys[::-1] if reverse else ys
    return user_tree.map(lambda *parts: np.stack(parts), *ys)
