"""What transformations make of functions: objects that are called like the function that each was made from.

Each holds that function and what was asked (`argnums`, ...), and knows how it is called inside a specialisation
(`__gradscribe_call__`), so that all of them compose: `jit(grad(f))`, `grad(jit(f))`, `grad(grad(f))`, `jvp` of a
function that calls `grad(g)`.
"""
from __future__ import annotations

import contextlib
import copy
import functools
import inspect
from typing import Any, Callable, Generic, Literal, ParamSpec, TypeVar

import numpy as np

from ..errors.tracebacks import leaves_library
from ..frontend.travelling import Travelling
from ..programs import cache, reuse as again
from ..programs.fast_path import MISS
from ..specialise.domain import values as v
from ..specialise.evaluator.names.tables import call_value
from ..specialise.staged_calls import jacobians
from ..specialise.staged_calls.derivatives import (apply_pullback, pull, push_forward,
                                                   value_and_grad as value_and_grad_value)
from ..specialise.staged_calls.leaves import fresh_cells
from ..specialise.staged_calls.vmapped import vmapped
from ..tools import watches
from .asked import check_asked
from .inspected import Inspected
from .reloaded import Reloadable

P = ParamSpec("P")
R = TypeVar("R")


class Signature:
    """That of a transformed function, from that of its function, once somebody asks; some callables have none."""

    def __get__(self, made, cls=None):
        if made is not None:
            with contextlib.suppress(TypeError, ValueError):
                made.__dict__["__signature__"] = made.signature(inspect.signature(made.__wrapped__))
                return made.__dict__["__signature__"]
        raise AttributeError("__signature__")


class Transformed(Inspected, Travelling, Reloadable, Generic[P, R]):
    """A function made from another by a transformation.

    Call it like any function; `source` shows what it is.

    Parameters
    ----------
    fun : callable
        The function that it is made from.
    **options : any
        What was asked of the transformation: `argnums`, ....

    Examples
    --------
    >>> import gradscribe as gs
    >>> def f(x): return x ** 3
    >>> gs.grad(f)
    gradscribe.grad(f)
    """

    def __init__(self, fun: Callable[..., Any], **options):
        super().__init__()
        check_asked(self.title, fun, options)
        functools.update_wrapper(self, fun, updated=())
        self.__wrapped__ = fun
        self._options = options

    @functools.cached_property
    def _cache(self) -> cache.Cache:
        return again.cache_of(self)

    # what a subclass is ------------------------------------------------------------------------
    __signature__ = Signature()
    again: Literal["", "same", "alike"] = ""  # what else may its programs serve? (programs/reuse.py)
    title = "transformed"
    compiled = False
    parallel: bool | str = "auto"  # may threads share the loops of its compiled form?
    tiered = False  # does its readable source run while it is compiled?
    target = "cpu"  # where its compiled form runs
    empty: Callable = staticmethod(np.empty)  # memory for the results of that

    @staticmethod
    def signature(of: inspect.Signature) -> inspect.Signature:
        """Its signature, from that of the function."""
        return of.replace(return_annotation=inspect.Signature.empty)

    @staticmethod
    def apply(s, function, args, kwargs, **options):
        """Call the transformed `function`, a value, on the machine s."""
        raise NotImplementedError

    def __gradscribe_call__(self, s, args, kwargs):
        return self.apply(s, v.Static(self.__wrapped__), args, kwargs, **self._options)

    # what users see ----------------------------------------------------------------------------
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            if not (kwargs or watches.active):
                result = self._cache.fast(args)
                if result is not MISS:
                    return result
            if watches.is_wanted(self.compiled):
                from ..tools.watched_calls import watched_call
                return watched_call(self._cache, args, kwargs)
            return self._cache.call(args, kwargs)
        except Exception as error:
            leaves_library(error)
            raise

    def _made_of(self):
        return _remade, type(self), self.__wrapped__, self._options

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        fun = copy.deepcopy(self.__wrapped__, memo)
        return self if fun is self.__wrapped__ else type(self)(fun, **self._options)

    def as_written(self, args, kwargs):
        """What the function itself does, as plain Python."""
        return self.__wrapped__(*args, **kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self):
        texts = {k: repr(x) for k, x in self._options.items()}  # of values that may not compare, such as arrays
        options = "".join(f", {k}={x}" for k, x in texts.items() if x not in ("None", "()", "False", "0")
                          and (k, x) not in (("parallel", "'auto'"), ("target", "'cpu'")))
        name = getattr(self.__wrapped__, "__qualname__", None) or repr(self.__wrapped__)
        inner = repr(self.__wrapped__) if isinstance(self.__wrapped__, Transformed) else name
        return f"gradscribe.{self.title}({inner}{options})"

    # shared ------------------------------------------------------------------------------------
    @property
    def _static_argnums(self) -> tuple[int, ...]:
        return ()

    @property
    def _static_argnames(self) -> tuple[str, ...]:
        return ()


def _remade(cls, fun, options):
    return cls(fun, **options)


class Grad(Transformed[P, R]):
    title = "grad"
    again = "alike"

    apply = staticmethod(functools.partial(value_and_grad_value, want_value=False))


class ValueAndGrad(Transformed[P, R]):
    title = "value_and_grad"
    again = "alike"

    apply = staticmethod(value_and_grad_value)


class Jit(Transformed[P, R]):
    title = "jit"
    compiled = True

    @property
    def again(self):
        return "" if self.tiered else "alike"  # what goes wrong in the background is reported to who waits for it

    @property
    def parallel(self):
        return self._options["parallel"]

    @property
    def tiered(self):
        return self._options["tiered"]

    @staticmethod
    def signature(of):
        return of

    @staticmethod
    def apply(s, function, args, kwargs, **options):
        value = call_value(s, function, args, kwargs)
        # called in another function, too, it gives what nobody else has
        return fresh_cells(s, value) if s.frames else value

    @property
    def _static_argnums(self):
        return argnums_tuple(self._options["static_argnums"])

    @property
    def _static_argnames(self):
        return argnums_tuple(self._options["static_argnames"])


class Vmap(Transformed[P, R]):
    title = "vmap"
    again = "alike"

    apply = staticmethod(vmapped)


class Jacfwd(Transformed[P, R]):
    title = "jacfwd"
    again = "alike"

    apply = staticmethod(jacobians.jacfwd)


class Jacrev(Transformed[P, R]):
    title = "jacrev"
    again = "alike"

    apply = staticmethod(jacobians.jacrev)


class Hessian(Transformed[P, R]):
    title = "hessian"
    again = "alike"

    @staticmethod
    def apply(s, function, args, kwargs, **options):
        return jacobians.jacfwd(s, v.Derived(functools.partial(Jacrev.apply, **options), function), args,
                                kwargs, **options)


class Jvp(Transformed[P, R]):
    """fun as (primals, tangents) -> (out, out_dot)."""

    title = "jvp"
    again = "alike"

    @staticmethod
    def signature(of):
        return _of_two("primals", "tangents")

    @staticmethod
    def apply(s, function, args, kwargs):
        return push_forward(s, function, *args)


class Vjp(Transformed[P, R]):
    """fun as (primals, cotangent) -> cotangents of the primals."""

    title = "vjp"
    again = "alike"

    @staticmethod
    def signature(of):
        return _of_two("primals", "cotangent")

    @staticmethod
    def apply(s, function, args, kwargs, *, has_aux=False, memory=None):
        primals, cotangent = args
        return apply_pullback(s, pull(s, function, s.items(primals), has_aux, memory).items[1], cotangent)


def _of_two(*names: str) -> inspect.Signature:
    return inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in names])


def argnums_tuple(x) -> tuple:
    return () if x is None else tuple(x) if isinstance(x, (tuple, list)) else (x,)
