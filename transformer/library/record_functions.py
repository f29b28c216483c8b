"""numpy.lib.recfunctions.  Imported when the user has imported NumPy's module (`registry.LATE`)."""
import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured

from .records import FIELDS, needs_numbers
from .registry import means, refuse


@means(structured_to_unstructured, unasked=True)
def unstructured(arr, dtype=None):
    """The fields side by side, along a last axis."""
    columns = []
    if arr.dtype.names is None:
        raise ValueError("arr must be a structured array")
    for name in arr.dtype.names:
        needs_numbers(arr, name)
        if arr.dtype[name].names is not None:
            refuse("structured_to_unstructured of records in records", FIELDS)
        columns.append(arr[name].reshape((*arr.shape, -1)))
    joined = np.concatenate(columns, -1)
    return joined if dtype is None else joined.astype(dtype)
