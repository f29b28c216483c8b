"""Functions that `gs.save` has written: `gs.load`.  Nothing of the transformer is imported."""
from __future__ import annotations

import importlib.util
import itertools
import os
import sys
from pathlib import Path
from typing import Any, Callable

_loads = itertools.count()


def load(path: str | os.PathLike) -> Callable[..., Any]:
    """Return the function that `gs.save` has written into a file.

    The file is a Python module, and loading it runs it: load what you would import.  The function it was made of, and
    the transformer, are not needed, and not imported.  numba compiles at the first call, or finds what it has compiled
    in the cache folder.

    Parameters
    ----------
    path : str or os.PathLike
        The file.

    Returns
    -------
    callable
        Takes arguments of the kinds that the file was made for, and raises TypeError for others.

    Raises
    ------
    RuntimeError
        The file was saved by another version, whose run time is another.
    AttributeError
        The file is no such file.

    Examples
    --------
    >>> import tempfile, os
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(x ** 3)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = os.path.join(folder, "slope.py")
    ...     _ = gs.save(gs.grad(f), file, np.ones(2))
    ...     slope = gs.load(file)
    >>> slope(np.array([1.0, 2.0]))
    array([ 3., 12.])
    """
    name = f"gradscribe_saved_{next(_loads)}_{Path(path).stem}"
    spec = importlib.util.spec_from_file_location(name, os.fspath(path))
    if spec is None or spec.loader is None:
        raise AttributeError(f"{os.fspath(path)} is not a file that gs.save has written")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses and pickle look for it
    try:
        spec.loader.exec_module(module)
        return getattr(module, getattr(module, "SAVED"))
    except BaseException:
        del sys.modules[name]
        raise
