"""NumPy written in NumPy, by NumPy's own chapters.  Importing this package enters the functions (`registry.means`)."""
# noqa: F401
from . import (array_api, creation, decompositions, differences, factors, joining, linalg, masks, norms, products,
               ranges, shapes, sorting, statistics, triangles, triangular)
