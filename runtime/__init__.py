"""What generated source calls.  Plain NumPy; the compiled forms are in `gradscribe.runtime.compiled`."""
from .arrays import (astype, choose, full, last_writer, match, pop, push, push_, push_add, push_add_, require,
                     same_sizes, size, slice_length, stop_gradient, tape, tape_zeros, update, update_add)
from .matrices import cofactors, lower_half
from .products import products_before, products_behind, recurrence_before, recurrence_behind
from .scalars import trip_count
from .special import digamma, erf, erfc, erfinv, gamma, gamma_sample, gamma_slope, lgamma
from .threefry import threefry

__all__ = ["astype", "choose", "cofactors", "digamma", "erf", "erfc", "erfinv", "full", "gamma", "gamma_sample",
    "gamma_slope", "last_writer", "lgamma", "lower_half", "match", "pop", "push", "push_", "push_add", "push_add_",
    "products_before", "products_behind", "recurrence_before", "recurrence_behind",
    "require", "same_sizes", "size", "slice_length", "stop_gradient", "tape", "tape_zeros",
           "threefry", "trip_count", "update", "update_add"]
