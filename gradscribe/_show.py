"""`gs.show`: a function beside the source that was generated from it."""
from __future__ import annotations

from typing import Any, Callable, Literal

from gradscribe.transformer.api import grad, jacrev, jit
from gradscribe.transformer.core import Const
from gradscribe.transformer.core.types import type_of_number
from gradscribe.transformer.functions.inspected import Inspected
from gradscribe.transformer.tools.page import Page

from .errors import GradscribeError


def show(f: Callable, *args: Any, stage: Literal["readable", "core", "compiled"] = "readable", **kwargs: Any) -> Page:
    """Show a function beside the source that was generated from it, with the values of a run.

    Parameters
    ----------
    f : callable
        A transformed function, such as `gs.grad(f)`, `gs.vmap(f)` or `gs.jit(f)`.  Of a function of yours `gs.grad(f)`
        is shown where its result is one real number, else `gs.jacrev(f)`.
    *args : any
        Arguments as of a call.  Arrays are copied first, so that the run changes none of them.
    stage : {"readable", "core", "compiled"}
        What stands on the right.  The pure form of the passes and the loops that numba compiles have no values, and
        their lines no partners.
    **kwargs : any
        Arguments by keyword.

    Returns
    -------
    Page
        One page of HTML that needs nothing else: notebooks show it; `.open()` opens it in the browser,
        `.save("page.html")` writes it, `.html` is its text.  Printed, it is the two sides as text.

    Examples
    --------
    >>> import gradscribe as gs
    >>> def f(x): return x ** 3
    >>> page = gs.show(f, 2.0)
    >>> "x_bar = 3 * x ** 2" in str(page)
    True
    """
    from gradscribe.transformer.tools.page import page_of, page_of_stage
    if not isinstance(f, Inspected):
        f = derivative_of(f, args, kwargs)
    if stage == "readable":
        return page_of(f, args, kwargs)
    return page_of_stage(f, args, kwargs, stage)


def derivative_of(f: Callable, args: tuple, kwargs: dict[str, Any]) -> Inspected:
    """grad(f) where the result of f is one real number, else jacrev(f); f does not run for it."""
    if not callable(f):
        raise GradscribeError(None, f"gs.show of what is of type {type(f).__name__}, which is not a function",
                              "Pass the function first, then its arguments: gs.show(f, x).")
    program = jit(f)._cache.lookup(args, kwargs)
    results = program.core.body.results
    kinds = [type_of_number(r.value) if isinstance(r, Const) else program.core.types[r] for r in results]
    one = program.spec.out[0] == "leaf" and [(t.rank, t.dtype.kind) for t in kinds] == [(0, "f")]
    return grad(f) if one else jacrev(f)
