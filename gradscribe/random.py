"""Random numbers without state: a key and a shape in, numbers out; the same key gives the same numbers.

    key = gs.random.key(42)
    key, subkey = gs.random.split(key)          # never use a key twice
    x = gs.random.normal(subkey, (3,))

Names, arguments and numbers are those of `jax.random`: keys, `split`, `fold_in` and `bits` bit by bit, what is made of
them to rounding.  A key is a uint32 array of shape (2,), a batch of keys one of shape (n, 2), which `gs.vmap` maps
over.  The functions are plain NumPy, read and compiled like a user's own; the results are float32 unless `dtype=` says
float64, or `gs.config.update("jax_enable_x64", True)` has made that the default.
"""
from __future__ import annotations

from ._continuous import (beta, exponential, gamma, gumbel, laplace, multivariate_normal, normal, truncated_normal,
                          uniform)
from ._counts import bernoulli, categorical, choice, permutation, poisson, randint
from ._keys import PRNGKey, bits, fold_in, key, key_data, partitionable, split
from .transformer.library.registry import stays_call

__all__ = ["PRNGKey", "bernoulli", "beta", "bits", "categorical", "choice", "exponential", "fold_in", "gamma", "gumbel",
           "key", "key_data", "laplace", "multivariate_normal", "normal", "partitionable", "permutation", "poisson",
           "randint", "split", "truncated_normal", "uniform"]

for function in (split, fold_in, bits, uniform, bernoulli, randint, normal, exponential, laplace, gumbel, permutation):
    stays_call(f"gs.random.{function.__name__}", function)
