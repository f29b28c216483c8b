"""NumPy written in NumPy, by NumPy's own chapters.  Importing this package enters the functions (`registry.means`)."""
# noqa: F401
from . import (along, array_api, complexes, creation, decompositions, differences, eigen, einsums, factors, ffts,
               grids, joining, linalg, mapping, masked, masks, nans, norms, padding, polynomials, products, quantiles,
               ranges, rounding, running, sets, shapes, sorting, statistics, triangles, triangular, windows)
