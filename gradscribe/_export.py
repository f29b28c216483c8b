"""A transformed function as a file of its own: `gs.export`."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable

from gradscribe.transformer.errors.tracebacks import short
from gradscribe.transformer.tools.export import exported_text
from gradscribe.transformer.tools.export_check import check_text

from ._version import __version__


@short
def export(g: Callable[..., Any], path: str | os.PathLike | None, *args: Any, check: bool = True, **kwargs: Any) -> str:
    """Write the source of a transformed function into one Python file that needs NumPy alone.

    Parameters
    ----------
    g : callable
        What `gs.grad`, `gs.value_and_grad`, `gs.vmap`, `gs.jacfwd`, ... made; of a function itself, `gs.jit(f)`.
    path : str, os.PathLike or None
        Where to write the file; None to return its text only.
    *args : any
        Arguments as of a call.  The file is for arguments of their kinds: dtypes, numbers of axes, which lengths
        are 1, keys and lengths of containers.  It refuses others.
    check : bool
        Whether to run the text before, and compare it with the source that Gradscribe runs, to the last bit.
    **kwargs : any
        Arguments by name.

    Returns
    -------
    str
        The text.  It imports NumPy, and SciPy where the function needs it; what it calls of Gradscribe's run time
        stands in it.  What the function sees from outside, numbers and arrays of at most 1000 numbers, are
        parameters to be passed by name, whose defaults are what they are now.

    Raises
    ------
    GradscribeError
        What a file cannot hold: a function that changes variables outside or containers, a result of a class with
        code of its own, an array from outside that is large; or the text gives something else.

    Examples
    --------
    >>> import gradscribe as gs
    >>> def f(x): return x ** 3
    >>> text, scope = gs.export(gs.grad(f), None, 3.0), {}
    >>> exec(text, scope)
    >>> scope["grad_f"](3.0)
    27.0
    >>> scope["grad_f"](3)
    Traceback (most recent call last):
        ...
    TypeError: x is int, and this source was made for float
    """
    text, name = exported_text(g, args, kwargs, __version__)
    if check:
        check_text(g, text, name, args, kwargs)
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text
