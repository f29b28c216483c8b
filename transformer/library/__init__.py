"""NumPy and SciPy written in NumPy, by NumPy's own chapters. Importing this package enters the functions
(`registry.means`).

To add: A function that can be said with others is plain source under `@means(np.name)`, in its chapter.

Imports runtime, runtime.plain, transformer.core, transformer.errors, transformer.frontend, transformer.pytree,
transformer.rules.
"""
from . import (along, array_api, compiled, complex_math, complexes, contexts, creation, dataclass_functions,
               decompositions, differences, draws, eigen, einsums, factors, ffts, grids, joining, linalg, mapping,
               masked, masks, nans, norms, padding, polynomials, products, progress, quantiles, ranges, record_making,
               records, rounding, running, samples, sets, shapes, sorting, standard, statistics, tables, text_files,
               triangles, triangular, windows)
