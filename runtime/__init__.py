"""What generated source calls.  Plain NumPy; the compiled forms are in `gradscribe.runtime.loading.trampoline`."""
from .plain.arrays import (astype, choose, full, last_writer, match, pop, push, push_, push_add, push_add_, require,
                           same_sizes, size, slice_length, stop_gradient, tape, tape_zeros, update, update_add)
from .plain.collective_calls import all_gather, pmax, pmin, ppermute, psum, psums
from .plain.fft import real_of_fft
from .plain.matrices import (cofactors, cofactors_slope, eig_of_real, eigvals_of_real, gaps, inverse, least_squares,
                             lower_half)
from .plain.norms import cosine, norm_slope, times, unit
from .plain.products import products_before, products_behind, recurrence_before, recurrence_behind
from .plain.records import records
from .plain.scalars import trip_count
from .plain.segments import next_start, segment_length, segment_starts, starts_ahead
from .plain.special import digamma, erf, erfc, erfc_integral, erfinv, gamma, gamma_sample, gamma_slope, lgamma
from .plain.telling import clock, log, log_enabled, warn, write
from .plain.threefry import threefry
from .plain.triangles import (expm_curve, expm_slope, factorise, has_cholesky, has_inverse, has_pivots,
                              has_upper_cholesky, lu, solve_lower, solve_upper, square_root, substitute, sylvester)

__all__ = [
    "all_gather", "astype", "choose", "clock", "cofactors", "cofactors_slope", "cosine", "digamma", "erf", "erfc",
    "erfc_integral", "erfinv", "expm_curve", "expm_slope", "factorise", "full", "gamma", "gamma_sample", "gamma_slope",
    "gaps", "has_cholesky", "has_inverse", "has_pivots", "has_upper_cholesky", "inverse", "last_writer",
    "least_squares", "lgamma", "log", "log_enabled", "lower_half", "lu",
    "match", "next_start", "norm_slope", "pmax", "pmin", "pop", "ppermute", "products_before", "products_behind",
    "psum", "psums",
    "push", "push_", "push_add", "push_add_", "real_of_fft", "records",
    "recurrence_before", "recurrence_behind", "require",
    "same_sizes", "segment_length", "segment_starts", "size", "slice_length",
    "solve_lower", "solve_upper", "square_root", "starts_ahead", "stop_gradient", "substitute", "sylvester", "tape",
    "tape_zeros", "threefry", "times", "trip_count", "unit", "update", "update_add", "warn", "write"]
