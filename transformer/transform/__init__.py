"""Transformations of core functions."""
from ..analyse.dependence import is_linear
from ..rules import kept_calls as custom
from . import jvp, vjp

custom.OF_FUNCTIONS.update(jvp=jvp.jvp, vjp=vjp.vjp, is_linear=is_linear)
