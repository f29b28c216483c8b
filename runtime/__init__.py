"""What generated source calls.  Plain NumPy; the compiled forms are in `gradscribe.runtime.compiled`."""
from .arrays import (astype, choose, erf, erfc, full, last_writer, match, pop, push, push_, push_add, push_add_, require, size, slice_length, stop_gradient, tape,
                     tape_zeros, trip_count, update, update_add)

__all__ = ["astype", "choose", "erf", "erfc", "full", "last_writer", "match", "pop", "push", "push_", "push_add", "push_add_", "require", "size", "slice_length", "stop_gradient", "tape", "tape_zeros",
           "trip_count", "update", "update_add"]
