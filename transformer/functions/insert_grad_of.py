"""`gs.insert_grad_of`: a user's code in the backward pass, as Google's Tangent has it."""
from __future__ import annotations

from typing import Any

from ..core import Block, Fun
from ..errors.messages import SpecialisationError
from ..library.registry import frontend
from ..rules.kept_calls import Inserted
from ..specialise.domain import values as v
from ..specialise.domain.aliasing import freeze
from ..specialise.evaluator.names.tables import call_value
from ..specialise.staged_calls.derivatives import conform_tangent
from ..specialise.staged_calls.leaves import leaf_hint
from ..specialise.staged_calls.record import record


class insert_grad_of:
    """Insert code into the backward pass: `with gs.insert_grad_of(x) as dx:` has the adjoint of x at that place.

    Parameters
    ----------
    x : float or ndarray of floats
        A variable.

    Raises
    ------
    RuntimeError
        In a function that is not transformed, because Python cannot skip a block: call gs.jit(f).

    Notes
    -----
    The block runs where the adjoint of x is handed on to what x was made of: to print it, to stop, or to change it, by
    an assignment to dx (or to elements of it).  It may read the variables of the function, as they are at that place,
    and those that it sets are its own.  In a loop it runs once for each iteration, the last one first.  In forward
    mode, and where no derivative is taken, it does nothing.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x):
    ...     for _ in range(3):
    ...         with gs.insert_grad_of(x) as dx:
    ...             dx = np.clip(dx, -5.0, 5.0)
    ...         x = 4.0 * x
    ...     return x
    >>> gs.grad(f)(1.0), gs.jit(f)(1.0)
    (5.0, 64.0)
    """

    def __init__(self, x: Any):
        self.x = x

    def __enter__(self) -> Any:
        raise RuntimeError("gs.insert_grad_of works in transformed functions only: Python cannot skip a with block. "
                           "Call gs.jit(f) instead of f.")

    def __exit__(self, *_) -> None:
        """Never reached."""


@frontend(insert_grad_of)
def _insert(s, x, code=None):
    """x with code for its adjoint: desugaring makes a function of the block, and a call of the with statement."""
    if code is None:
        s.fail("gs.insert_grad_of outside of a with statement", "Write it as: with gs.insert_grad_of(x) as dx: ...",
               error=SpecialisationError)
    if not s.is_numeric(x) or not s.type(x).is_float:
        s.fail(f"gs.insert_grad_of of {s.describe(x)}", "Name a variable that is a float, or an array of floats.",
               error=SpecialisationError)
    atom = s.atom(x)
    if not isinstance(atom, str):
        return x  # a constant has no adjoint
    t, before = s.b.type(atom), (s.facts.derived, s.facts.stores)

    def changed(s, code, args, kwargs):
        new = call_value(s, code, args, kwargs)
        return s.wrap(conform_tangent(s, x, new, "what the code gives", "the adjoint"))

    try:
        with s.scope():
            bar = s.wrap(atom, leaf_hint(s, x), s.order(atom))  # an array of its own
            r = record(s, v.Derived(changed, code), [bar], {}, [bar], pure=True)
    except v.CertainException:
        s.fail("the block of gs.insert_grad_of always raises",
               "Raise under a condition: if np.any(np.isnan(dx)): raise ...")
    s.facts.derived, s.facts.stores = before  # no derivative is taken here
    outside = r.args[1:]
    name = s.b.fresh(leaf_hint(s, x), t)
    op = Inserted("insert_grad_of", Fun("insert_grad_of", (name, *outside), Block((), (name,)), dict(s.b.types)), 1, 0)
    op.backward = r.fun
    (new,) = op.call(s.b, (atom, *outside))
    value = s.wrap(new, order=s.order(atom))
    if isinstance(x, v.Array):  # it is the same array, with a name of its own
        mark = object()
        for array in (x, value):
            freeze(s.heap, array.cell, {mark})
    return value


__all__ = ["insert_grad_of"]
