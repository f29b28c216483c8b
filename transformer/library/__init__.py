"""NumPy written in NumPy, by NumPy's own chapters.  Importing this package enters the functions (`registry.means`)."""
# noqa: F401
from . import (along, array_api, complexes, creation, decompositions, differences, factors, joining, linalg, masked,
               masks, nans, norms, products, quantiles, ranges, rounding, running, shapes, sorting, statistics,
               triangles, triangular)
