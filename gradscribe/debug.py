"""JAX's `jax.debug`, to look at values while a function runs, and what finds the line where a value goes wrong."""
from __future__ import annotations

import builtins
from contextlib import AbstractContextManager
from typing import Any

from gradscribe.transformer.tools.watches import Watching


def print(fmt: str, *args: Any, ordered: bool = False, **kwargs: Any) -> None:
    """Print `fmt.format(*args, **kwargs)` where the program comes to it: once for each example of a `vmap`.

    Parameters
    ----------
    fmt : str
        The text, with {} or {name} where values are filled in.
    *args : any
        The values for {}.
    ordered : bool
        Taken from JAX's signature; what is printed always comes in the order of the program.
    **kwargs : any
        The values for {name}.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x):
    ...     gs.debug.print("x = {x}", x=x)
    ...     return x * x
    >>> gs.grad(f)(3.0)
    x = 3.0
    6.0
    """
    builtins.print(fmt.format(*args, **kwargs))


def nans(infs: bool = False) -> AbstractContextManager[None]:
    """Find the line where NaN comes from numbers that are none, in calls of transformed functions.

    Parameters
    ----------
    infs : bool
        Look for infinities that come from finite numbers, too.

    Returns
    -------
    context manager
        Calls that this thread makes in its block are looked at.

    Raises
    ------
    FloatingPointError
        By such a call.  It says which line of yours that is, whether the function itself or its adjoint is computed
        there, the generated line, the values that this has read, and the number that has gone wrong.

    Notes
    -----
    Without `gs.jit` each line of the generated source is looked at while it runs, the first one raises.  What is
    compiled runs as ever: where its results have NaN in them the readable source runs with the same arguments, which
    takes as long as NumPy does, and finds the line.  So NaN that compiled code makes and no result has is not found.
    Nor is what `gs.pmap` and `gs.shard_map` run, or a program of a GPU.

    NaN that is written (`np.full(n, np.nan)`) or given is no fault, nor is what is computed of it.  A line that reads
    NaN anywhere is not blamed for what it makes.

    `gs.config.update("jax_debug_nans", True)` does the same for the whole process.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(np.log(x))
    >>> with gs.debug.nans():
    ...     try:
    ...         gs.test_util.primal(f)(np.array([1.0, -1.0]))
    ...     except FloatingPointError as error:
    ...         builtins.print(str(error).splitlines()[3])
    in generated line 5: return np.sum(np.log(x))
    """
    return Watching(nans=True, infs=infs)


def checks() -> AbstractContextManager[None]:
    """Compare what compiled functions give with what the readable source gives, at each call.

    Returns
    -------
    context manager
        Calls that this thread makes in its block are compared.

    Raises
    ------
    GradscribeError
        By a call of a function under `gs.jit` of which a result, or an argument that it stores into, has another
        dtype or shape, or is not equal within rounding.

    Notes
    -----
    Both run, so a call takes longer than NumPy does.  Rounding is a relative difference of 1e-9 in float64 and 1e-4 in
    float32, or what is left where numbers as large as the largest argument or result cancel.  A test or an index that
    depends on the last digit may differ without a mistake.  Nothing is printed twice; but what a function calls as it
    is (`gs.opaque`) runs twice, and if it gives other numbers each time, as of a random generator, the two differ.
    What `gs.pmap` and `gs.shard_map` run, and programs of a GPU, are not compared.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(np.sin(x) ** 2)
    >>> with gs.debug.checks():
    ...     gs.jit(gs.grad(f))(np.array([0.0, np.pi / 4])).round(6)
    array([0., 1.])
    """
    return Watching(same=True)


__all__ = ["checks", "nans", "print"]
