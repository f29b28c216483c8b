"""A compiled function as a file for other processes: `gs.save`."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Callable

from gradscribe.transformer.api import jit
from gradscribe.transformer.errors.tracebacks import short
from gradscribe.transformer.tools.saving import check_saved, saved_text

from ._version import __version__


@short
def save(g: Callable[..., Any], path: str | os.PathLike | None, *args: Any, check: bool = True, **kwargs: Any) -> str:
    """Write the compiled form of a function into a file, which `gs.load`, or an import, makes a function again.

    The other process needs this version of Gradscribe and numba, but not the text of the function, and imports nothing
    of what transforms: it starts as fast as numba does.

    Parameters
    ----------
    g : callable
        What `gs.jit` made; of another function `gs.jit` of it is saved.
    path : str, os.PathLike or None
        Where to write the file, a Python module; None to return its text only.
    *args : any
        Arguments as of a call.  The file is for arguments of their kinds: dtypes, numbers of axes, which lengths
        are 1, keys and lengths of containers.  It refuses others.
    check : bool
        Whether to load the text before, and compare what it gives with what `g` gives, to the last bit.
    **kwargs : any
        Arguments by name.

    Returns
    -------
    str
        The text of the file.  What the function sees from outside, numbers and arrays of at most 1000 numbers, are
        parameters to be passed by name, whose defaults are what they are now.

    Raises
    ------
    GradscribeError
        What a file cannot hold, as for `gs.export`; an exception of a class that another process cannot import.

    Examples
    --------
    >>> import tempfile, os
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(np.sin(x))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "slope.py")
    ...     text = gs.save(gs.jit(gs.grad(f)), file, np.ones(3))
    ...     print(gs.load(file)(np.zeros(2)))
    [1. 1.]
    """
    g = g if getattr(g, "compiled", False) else jit(g)
    text, name = saved_text(g, args, kwargs, __version__)
    if check:
        check_saved(g, text, name, args, kwargs)
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text
