"""`gs.verify`, the certificate of a derivative."""
from __future__ import annotations

from typing import Any, Callable

from gradscribe.transformer.errors.tracebacks import short
from gradscribe.transformer.functions.as_recorded import recorded_function
from gradscribe.transformer.tools.verify import Certificate, certificate


@short
def verify(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Certificate:
    """Check the derivative of a function at these arguments, line by line.

    Parameters
    ----------
    fun : callable
        The function, or a transformed one: of `gs.grad(f)` the second derivatives of f are checked.
    *args : any
        Arguments as of a call; the floats in them are moved.
    **kwargs : any
        Arguments by keyword, which are held fixed.

    Returns
    -------
    Certificate
        It is true where all of the derivative is right, so that a test says `assert gs.verify(f, x)`, and prints as a
        table.  `lines` are those of the function, and of functions that it calls, each with `line`, `file`, `text`,
        `checks`, `verdict`, and the largest relative errors: `dot` of the dot-product test <w, J v> = <J^T w, v>,
        `difference` of J v against central differences.  `whole` is the same of the function as a whole, and `failures`
        are those that are not right, each with what to do `instead`.

    Raises
    ------
    GradscribeError
        Where `gs.vjp` of the function would raise it, or where no argument that is given by position is a float.

    Notes
    -----
    The function is run statement by statement.  At each that a derivative passes through, the rules of forward and
    reverse mode, yours of `gs.custom_jvp` and `gs.custom_vjp` too, are compared with each other and with differences,
    along random directions, the same in each run.  A loop is checked in its first two rounds, one in the middle, the
    last, and where what it carries becomes NaN or infinite.  At a kink, where the slopes of the two sides differ,
    anything between them is right.  A pole or an overflow fails where the derivative of the whole is not finite for it.
    `gs.stop_gradient` and `gs.insert_grad_of` change derivatives on purpose, and do not fail.

    `gs.check` is another thing: it lists what Gradscribe cannot read, and runs nothing.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> @gs.custom_vjp
    ... def wave(x): return np.cos(x)
    >>> wave.defvjp(lambda x: (np.cos(x), x), lambda x, g: (np.sin(x) * g,))
    >>> def f(x):
    ...     y = np.exp(x)
    ...     return np.sum(wave(y))
    >>> found = gs.verify(f, np.array([0.5, 1.0]))
    >>> bool(found), [(line.line, line.text, line.verdict) for line in found.lines]
    (False, [(2, 'y = np.exp(x)', 'right'), (3, 'return np.sum(wave(y))', 'wrong')])
    """
    return certificate(getattr(fun, "__name__", "f"), *recorded_function(fun, args, kwargs))


__all__ = ["verify"]
