"""The types that the signatures of public functions name."""
from __future__ import annotations

from typing import Any, Protocol, Sequence, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
U = TypeVar("U")

# what is given
ArrayLike: TypeAlias = npt.ArrayLike
DTypeLike: TypeAlias = npt.DTypeLike
Real: TypeAlias = float | np.floating[Any] | np.integer[Any]
Number: TypeAlias = complex | np.number[Any]
Int: TypeAlias = int | np.integer[Any]
Shape: TypeAlias = Sequence[int]
Size: TypeAlias = int | Shape  # a shape; n for that of a vector
Axis: TypeAlias = int | tuple[int, ...] | None
Padding: TypeAlias = str | Sequence[Sequence[int]]  # (before, behind) for each axis

# what is given, and comes back
Array: TypeAlias = npt.NDArray[Any]
Key: TypeAlias = npt.NDArray[np.uint32]
Mask: TypeAlias = npt.NDArray[np.bool_]
Index: TypeAlias = Int | Array  # one number, which a program may compute
Tree: TypeAlias = Any

# what comes back; as of NumPy's own functions it depends on more than types tell, so that a checker lets all pass
Scalar: TypeAlias = Any  # a number, of Python or NumPy
ArrayOrScalar: TypeAlias = Any


class Initializer(Protocol):
    """A function that makes initial weights: (key, shape, dtype) -> ndarray; its dtype may be left out."""

    def __call__(self, key: Key, shape: Shape, dtype: DTypeLike | None = ...) -> Array: ...
