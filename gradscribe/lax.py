"""JAX's `jax.lax`, as far as it concerns control flow and the examples of a `vmap`."""
from gradscribe.transformer.specialise.collectives import all_gather, axis_index, axis_size, pmax, pmean, pmin, ppermute, psum

__all__ = ["all_gather", "axis_index", "axis_size", "pmax", "pmean", "pmin", "ppermute", "psum"]
