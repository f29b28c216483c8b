"""gs.lax.psum and its like, as users call them: what examples of a `vmap`, or devices, tell each other.

Inside of a `vmap` or `pmap` with the name a call is an operation (`specialise/staged_calls/collectives.py`); anywhere
else it is an error.
"""
from __future__ import annotations

from typing import Any, Hashable

from ..rules.collectives import unbound_axis

AxisName = Hashable


def psum(x: Any, axis_name: AxisName, *, axis_index_groups: Any = None) -> Any:
    """Return the sum over all examples of the `vmap` with this axis name, the same for each of them.

    Parameters
    ----------
    x : number, ndarray, or a tree of them
        What is summed.
    axis_name : hashable, or a tuple of them
        The name of a vmap or pmap around; of several, the sum is over all of these axes.
    axis_index_groups : sequence of sequence of int, or None
        Lists of examples, equally long, each example in one: the sum is over those of the own list.

    Returns
    -------
    tree
        Of the structure and shapes of x.

    Raises
    ------
    NameError
        Where no vmap or pmap around has the name.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: x / gs.lax.psum(x, "i"), axis_name="i")(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    unbound_axis(axis_name)


def pmean(x: Any, axis_name: AxisName, *, axis_index_groups: Any = None) -> Any:
    """Return the mean over all examples of the `vmap` with this axis name; arguments and errors as of `psum`.

    Parameters
    ----------
    x, axis_name, axis_index_groups : as of `psum`
        As `psum` has them.

    Returns
    -------
    tree
        Of the structure and shapes of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: x - gs.lax.pmean(x, "i"), axis_name="i")(np.array([1.0, 3.0]))
    array([-1.,  1.])
    """
    unbound_axis(axis_name)


def pmax(x: Any, axis_name: AxisName, *, axis_index_groups: Any = None) -> Any:
    """Return the largest value among all examples of the `vmap` with this axis name; otherwise as `psum`.

    It has no derivative, as in JAX: differentiating it is an error.

    Parameters
    ----------
    x, axis_name, axis_index_groups : as of `psum`
        As `psum` has them.

    Returns
    -------
    tree
        Of the structure and shapes of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: x - gs.lax.pmax(x, "i"), axis_name="i")(np.array([1.0, 3.0]))
    array([-2.,  0.])
    """
    unbound_axis(axis_name)


def pmin(x: Any, axis_name: AxisName, *, axis_index_groups: Any = None) -> Any:
    """Return the smallest value among all examples of the `vmap` with this axis name; otherwise as `pmax`.

    Parameters
    ----------
    x, axis_name, axis_index_groups : as of `psum`
        As `psum` has them.

    Returns
    -------
    tree
        Of the structure and shapes of x.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: x - gs.lax.pmin(x, "i"), axis_name="i")(np.array([1.0, 3.0]))
    array([0., 2.])
    """
    unbound_axis(axis_name)


def all_gather(x: Any, axis_name: AxisName, *, axis: int = 0, axis_index_groups: Any = None,
               tiled: bool = False) -> Any:
    """Return the values of all examples in one array, the same for each of them.

    Parameters
    ----------
    x : number, ndarray, or a tree of them
        What is gathered.
    axis_name : hashable, or a tuple of them
        The name of a vmap or pmap around; of several, in the order of an array with these axes.
    axis : int
        Where the new axis stands.
    axis_index_groups : sequence of sequence of int, or None
        Lists of examples, equally long, each example in one: those of the own list are gathered.
    tiled : bool
        Join the arrays along `axis` instead of making a new one.

    Returns
    -------
    tree
        Of the structure of x.

    Raises
    ------
    NameError
        Where no vmap or pmap around has the name.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: gs.lax.all_gather(x, "i"), axis_name="i")(np.array([1.0, 3.0]))
    array([[1., 3.],
           [1., 3.]])
    """
    unbound_axis(axis_name)


def ppermute(x: Any, axis_name: AxisName, perm: Any) -> Any:
    """Send values from example to example.

    Parameters
    ----------
    x : number, ndarray, or a tree of them
        What is sent.
    axis_name : hashable, or a tuple of them
        The name of a vmap or pmap around.
    perm : sequence of (int, int)
        Pairs (source, target); no two of them with the same source, or the same target.

    Returns
    -------
    tree
        In example `target`, the x of example `source`; zeros in an example that is no target.

    Raises
    ------
    NameError
        Where no vmap or pmap around has the name.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: gs.lax.ppermute(x, "i", [(0, 1), (1, 0)]), axis_name="i")(np.array([1.0, 3.0]))
    array([3., 1.])
    """
    unbound_axis(axis_name)


def axis_index(axis_name: AxisName) -> Any:
    """Return the number of this example, from 0.

    Parameters
    ----------
    axis_name : hashable, or a tuple of them
        The name of a vmap or pmap around; of several axes examples are counted as the elements of an array with them.

    Returns
    -------
    NumPy scalar of int64
        The number.

    Raises
    ------
    NameError
        Where no vmap or pmap around has the name.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: x * gs.lax.axis_index("i"), axis_name="i")(np.array([1.0, 3.0]))
    array([0., 3.])
    """
    unbound_axis(axis_name)


def axis_size(axis_name: AxisName) -> int:
    """Return how many examples there are.

    Parameters
    ----------
    axis_name : hashable, or a tuple of them
        The name of a vmap or pmap around; of several, examples are counted along all of these axes.

    Returns
    -------
    int
        Their number.

    Raises
    ------
    NameError
        Where no vmap or pmap around has the name.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.vmap(lambda x: x / gs.lax.axis_size("i"), axis_name="i")(np.array([1.0, 3.0]))
    array([0.5, 1.5])
    """
    unbound_axis(axis_name)
