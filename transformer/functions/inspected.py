"""What users look at in a transformed function: its source, and what becomes of it."""
from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Literal

from ..errors.tracebacks import short
from ..programs.kept_bytes import KeptBytes, kept_bytes

if TYPE_CHECKING:
    from ..programs.cache import Cache


class Inspected:
    """The part of a transformed function that shows it."""

    _cache: Cache

    @short
    def source(self, *args: Any, stage: Literal["readable", "core", "compiled"] = "readable", **kwargs: Any) -> str:
        """Return the generated source for arguments like these.

        Parameters
        ----------
        *args : any
            Arguments as of a call.
        stage : {"readable", "core", "compiled"}
            What runs without `jit`, the pure form that all passes work on, or the loops that numba compiles.
        **kwargs : any
            Arguments by keyword.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> import gradscribe as gs
        >>> def f(x): return x ** 3
        >>> print(gs.grad(f).source(2.0).strip())
        def grad_f(x):
            # adjoint of line 1: def f(x): return x ** 3
            x_bar = 3 * x ** 2
            return x_bar
        """
        return self._cache.lookup(args, kwargs).text(stage)

    @short
    def tree(self, *args: Any, **kwargs: Any) -> ast.Module:
        """Return the readable source for arguments like these as Python's own syntax tree.

        Parameters
        ----------
        *args, **kwargs : any
            Arguments as of a call.

        Returns
        -------
        ast.Module
            The tree, whose positions are those of the text.

        Examples
        --------
        >>> import ast, gradscribe as gs
        >>> def f(x): return x ** 3
        >>> tree, scope = gs.grad(f).tree(2.0), {}
        >>> exec(compile(tree, "<the derivative of f>", "exec"), scope)
        >>> scope["grad_f"](2.0)
        12.0
        """
        return self._cache.lookup(args, kwargs).tree()

    @short
    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Return every stage for arguments like these, one after the other.

        Parameters
        ----------
        *args, **kwargs : any
            Arguments as of a call.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> import gradscribe as gs
        >>> def f(x): return 3.0 * x
        >>> "3.0 * x" in gs.grad(f).explain(2.0)
        True
        """
        return self._cache.lookup(args, kwargs).explain()

    @short
    def memory(self, *args: Any, **kwargs: Any) -> KeptBytes:
        """Return what a gradient keeps of the rounds of loops until it runs them backwards, without running it.

        Parameters
        ----------
        *args, **kwargs : any
            Arguments as of a call.

        Returns
        -------
        KeptBytes
            It has the `total` in bytes and `lines`, those of the function with what is kept of each; it prints as a
            table.  Of tapes that are made again and again, as under a budget (`memory=` of `gs.grad`), the largest
            counts.  What NumPy holds meanwhile, beside tapes, is not in it.

        Examples
        --------
        >>> import numpy as np, gradscribe as gs
        >>> def f(x):
        ...     y = x
        ...     for i in range(100):
        ...         y = np.sin(y)
        ...     return np.sum(y)
        >>> print(gs.grad(f).memory(np.ones(5)))
        bytes  of
        4,000  y       line 3: for i in range(100):
        4,000  in all
        """
        program, flat = self._cache.find(*self._cache.fixed(args, kwargs), [])
        return kept_bytes(program.optimised, flat)

    def _repr_html_(self):
        from ..readable.html import page
        return page(self)
