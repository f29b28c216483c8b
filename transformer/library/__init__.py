"""NumPy written in NumPy, by NumPy's own chapters.  Importing this package enters the functions (`registry.means`)."""
from . import creation, differences, joining, linalg, norms, products, ranges, shapes, sorting, statistics, triangles  # noqa: F401
