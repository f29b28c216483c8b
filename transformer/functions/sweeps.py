"""The halves of a derivative as functions: the program before it, and its forward sweep."""
from __future__ import annotations

from ..programs import cache
from ..specialise.evaluator.names.tables import call_value
from ..specialise.staged_calls.derivatives import forward_sweep
from .transformed import Jit, P, R, Transformed


class Primal(Transformed[P, R]):
    """A function itself, read and written again: no derivative is taken.

    Parameters
    ----------
    fun : callable
        The function.
    **options : any
        None are used.

    Examples
    --------
    >>> import gradscribe as gs
    >>> def f(x): return 3.0 * x
    >>> gs.test_util.primal(f)(2.0)
    6.0
    """

    title = "primal"
    again = "alike"
    signature = Jit.signature

    @staticmethod
    def apply(s, function, args, kwargs):
        return call_value(s, function, args, kwargs)


class ForwardSweep(Transformed[P, R]):
    """fun as args -> (out, what the pull-back needs): what `gs.vjp` runs first;
    its programs know the `backward` one."""

    title = "vjp_forward"
    again = "same"  # its caller asks for its program, too
    signature = Jit.signature

    @property
    def compiled(self):
        return isinstance(self.__wrapped__, Jit)

    @property
    def parallel(self):
        return getattr(self.__wrapped__, "parallel", "auto")

    @property
    def tiered(self):
        return getattr(self.__wrapped__, "tiered", False)

    @staticmethod
    def apply(s, function, args, kwargs, *, has_aux=False, memory=None):
        return forward_sweep(s, function, args, has_aux, memory)

    def program(self, kept, primals):
        """What serves a call with the copies `kept` of the arguments, which are apart where these may not be."""
        found = self._cache.lookup(kept, {})
        found.refuse_shared(found.flat(cache.leaves_in(primals)), primals)
        return found
