"""JAX's `jax.debug`: to look at values while a function runs."""
from __future__ import annotations

import builtins
from typing import Any


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


__all__ = ["print"]
