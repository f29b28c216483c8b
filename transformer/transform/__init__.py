"""Derivatives and batches: `jvp`, `vjp` (`adjoint`, `tape`, `stores`), `batch`, each core to core; `choices` keeps
what is not chosen out of derivatives.

To add: How an operation is differentiated is its rule's business (`rules/`); here is what a loop, a branch and a
store are.

Imports transformer.analyse, transformer.core, transformer.errors, transformer.rules.
"""
from ..analyse.dependence import is_linear
from ..rules import kept_calls as custom
from . import jvp, vjp

custom.OF_FUNCTIONS.update(jvp=jvp.jvp, vjp=vjp.vjp, is_linear=is_linear)
