"""Programs on which parting for a GPU could go wrong: in loops that threads share, in what one thread does,
in what stays on the host."""
# the order of the table
# isort: off
from .traps.table import CASES, on
from .traps import loops, numpy_calls, order, small_arrays

__all__ = ["CASES", "on", "loops", "numpy_calls", "order", "small_arrays"]
