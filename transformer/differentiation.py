"""The transformations that differentiate; `api` has the others."""
from __future__ import annotations

from typing import Any, Callable, Literal, ParamSpec, TypeVar, overload

from .functions.asked import decorator, tuple_of
from .functions.gpu_jit import made_for_gpu
from .functions.linear_maps import Pulled, Pushed
from .functions.transformed import Grad, Hessian, Jacfwd, Jacrev, Jvp, Transformed, ValueAndGrad

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")
B = TypeVar("B")
Argnums = int | tuple[int, ...]
Memory = str | int | float | None


@overload
def grad(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False,
         allow_int: bool = False, memory: Memory = None) -> Transformed[P, Any]: ...
@overload
def grad(*, argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False, allow_int: bool = False,
         memory: Memory = None) -> Callable[[Callable[P, Any]], Transformed[P, Any]]: ...
@decorator
def grad(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False,
         allow_int: bool = False, memory: Memory = None) -> Transformed[P, Any]:
    """Make the gradient of a function that returns one float.

    Also a decorator: @gs.grad, and @gs.grad(argnums=1).

    Parameters
    ----------
    fun : callable
        It returns a float (a Python float, a NumPy scalar or an array of shape ()).
    argnums : int or tuple of int
        Which positional arguments to differentiate; a tuple for a tuple of gradients.
    has_aux : bool
        Whether fun returns (value, aux); the gradient function then returns (gradient, aux).
    holomorphic : bool
        Whether fun is a holomorphic function of complex numbers: the gradient is its derivative.
    allow_int : bool
        Whether an argument may hold ints and bools, whose derivatives are zeros of their own class.
    memory : str, int, float or None
        A budget for what is kept of the rounds of loops until they are run backwards: bytes, as in "200MB" or
        200_000_000, or the fraction of what is kept without a budget, as in 0.1.  Loops are cut into segments: the
        state at the beginnings of some is kept, and all else computed again.  A loop whose rounds keep values of
        changing sizes keeps all beside the budget; several loops share the bytes equally.  `.memory(*args)` says what
        is kept.

    Returns
    -------
    Transformed
        A function of the same arguments.  Each gradient has the structure, shapes and dtypes of its argument.  That of
        a real function of z = x + iy is df/dx - i df/dy, as in JAX: its conjugate is the direction of steepest ascent.
        `.source(*args)` is what it runs, as text.

    Raises
    ------
    SpecialisationError
        At a call: where the result is no scalar or an argument holds integers (but for allow_int).
    UnsupportedError
        At a call: for what cannot be transformed; a budget where there is nothing to save.
    RefusedValue
        At a call: where the budget cannot be met; it says what the least is.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(x ** 2)
    >>> gs.grad(f)(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    return made_for_gpu(Grad(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int,
                             memory=memory))


@overload
def value_and_grad(fun: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False,
                   holomorphic: bool = False, allow_int: bool = False,
                   memory: Memory = None) -> Transformed[P, tuple[R, Any]]: ...
@overload
def value_and_grad(*, argnums: Argnums = 0, has_aux: bool = False,
                   holomorphic: bool = False, allow_int: bool = False,
                   memory: Memory = None) -> Callable[[Callable[P, R]], Transformed[P, tuple[R, Any]]]: ...
@decorator
def value_and_grad(fun: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False,
                   holomorphic: bool = False, allow_int: bool = False,
                   memory: Memory = None) -> Transformed[P, tuple[R, Any]]:
    """Make a function of the value and of the gradient; otherwise as `grad`.

    Parameters
    ----------
    fun, argnums, has_aux, holomorphic, allow_int, memory : as of `grad`
        As `grad` has them.

    Returns
    -------
    Transformed
        A function of the same arguments that gives (value, gradient), or ((value, aux), gradient) with has_aux.

    Examples
    --------
    >>> import gradscribe as gs
    >>> def f(x): return x ** 3
    >>> gs.value_and_grad(f)(2.0)
    (8.0, 12.0)
    """
    return made_for_gpu(ValueAndGrad(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic,
                                     allow_int=allow_int, memory=memory))


@decorator
def jacfwd(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False,
           holomorphic: bool = False) -> Transformed[P, Any]:
    """Make the Jacobian, column by column: the tangents of all unit vectors at once, by `vmap`.

    It is for more results than arguments.

    Parameters
    ----------
    fun : callable
        It returns floats and trees of them.
    argnums : int or tuple of int
        Which positional arguments to differentiate.
    has_aux : bool
        Whether fun returns (value, aux); the function made then returns (Jacobian, aux).
    holomorphic : bool
        Whether fun is a holomorphic function of complex numbers.

    Returns
    -------
    Transformed
        A function of the same arguments.  The Jacobian has the structure of the result, and in place of each of its
        leaves that of the argument (for a tuple of argnums: a tuple of these); each part has the shape of the result's
        leaf, then that of the argument's.

    Raises
    ------
    SpecialisationError
        At a call: where a result or an argument holds integers.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.array([x[0] * x[1], x[1]])
    >>> gs.jacfwd(f)(np.array([2.0, 3.0]))
    array([[3., 2.],
           [0., 1.]])
    """
    return made_for_gpu(Jacfwd(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic))


@decorator
def jacrev(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False,
           holomorphic: bool = False, memory: Memory = None) -> Transformed[P, Any]:
    """Make the Jacobian, row by row: the pull-backs of all unit vectors at once, by `vmap`.

    It is for more arguments than results.

    Parameters
    ----------
    fun, argnums, has_aux, holomorphic : as of `jacfwd`
        As `jacfwd` has them.
    memory : str, int, float or None
        As `grad` has it, for each row.

    Returns
    -------
    Transformed
        A function of the same arguments; its result and errors are those of `jacfwd`.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.array([x[0] * x[1], x[1]])
    >>> gs.jacrev(f)(np.array([2.0, 3.0]))
    array([[3., 2.],
           [0., 1.]])
    """
    return made_for_gpu(Jacrev(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, memory=memory))


@decorator
def hessian(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False,
            holomorphic: bool = False) -> Transformed[P, Any]:
    """Make the Hessian: `jacfwd(jacrev(fun))`.

    Parameters
    ----------
    fun, argnums, has_aux, holomorphic : as of `jacfwd`
        As `jacfwd` has them.

    Returns
    -------
    Transformed
        A function of the same arguments.  For one array argument of shape s and a scalar result the Hessian has shape
        s + s; for trees it is the Jacobian of the Jacobian, a tree of trees.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return x[0] ** 2 * x[1]
    >>> gs.hessian(f)(np.array([2.0, 3.0]))
    array([[6., 4.],
           [4., 0.]])
    """
    return made_for_gpu(Hessian(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic))


def jvp(fun: Callable[..., R], primals: Any, tangents: Any) -> tuple[R, R]:
    """Return the value and the directional derivative: (fun(*primals), J @ tangents).

    Parameters
    ----------
    fun : callable
        The function.
    primals, tangents : tuple
        Of equal structure: the arguments, and a direction for each, of its shape and dtype; of ints and bools, which
        are held fixed, 0 or None.

    Returns
    -------
    out : tree
        The value.
    out_dot : tree
        Its tangent, of the structure, shapes and dtypes of the value.

    Raises
    ------
    SpecialisationError
        Where the arguments hold no floats, or a tangent does not fit.
    RefusedValue
        Where the tangent of an int is not 0.
    TypeError
        Where primals or tangents are no tuples.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.jvp(lambda x: x ** 3, (2.0,), (1.0,))
    (8.0, 12.0)
    """
    return made_for_gpu(Jvp(fun))(tuple_of("jvp", "primals", primals), tuple_of("jvp", "tangents", tangents))


Pullback = Callable[[Any], tuple[Any, ...]]


@overload
def vjp(fun: Callable[..., R], *primals: Any, has_aux: Literal[False] = False,
        memory: Memory = None) -> tuple[R, Pullback]: ...
@overload
def vjp(fun: Callable[..., tuple[A, B]], *primals: Any, has_aux: Literal[True],
        memory: Memory = None) -> tuple[A, Pullback, B]: ...
def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False, memory: Memory = None) -> tuple[Any, ...]:
    """Return the value, and the pull-back: a function from a cotangent of the value to cotangents of the primals.

    Parameters
    ----------
    fun : callable
        The function; with has_aux it returns (value, aux).
    *primals : any
        The arguments.
    has_aux : bool
        Whether fun returns (value, aux).
    memory : str, int, float or None
        As `grad` has it.

    Returns
    -------
    out : tree
        The value.
    pullback : callable
        `pullback(ct)` takes what has the structure, shapes and dtypes of `out` and returns a tuple with one cotangent
        per primal; it may be called again and again.  Ints and bools beside floats have zeros.
    aux : tree
        With has_aux only.

    Raises
    ------
    SpecialisationError
        Where the primals hold no floats.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> y, pullback = gs.vjp(lambda x: x * x, np.array([1.0, 2.0]))
    >>> pullback(np.array([1.0, 1.0]))
    (array([2., 4.]),)
    """
    pullback = Pulled(fun, primals, has_aux, memory)
    return (pullback.out[0], pullback, pullback.out[1]) if has_aux else (pullback.out, pullback)


def linearize(fun: Callable[..., R], *primals: Any) -> tuple[R, Callable[..., R]]:
    """Return the value, and the linear map that the function is near there.

    Parameters
    ----------
    fun : callable
        The function.
    *primals : any
        The arguments.

    Returns
    -------
    out : tree
        The value, fun(*primals).
    linear : callable
        Tangents -> J @ tangents.  It takes one tangent per primal, of its structure, shapes and dtypes, and returns
        what has the structure of the value.  It evaluates `fun` again at each call.  Ints and bools beside floats are
        held fixed: their tangents are 0 or None.

    Raises
    ------
    SpecialisationError
        Where the primals hold no floats.

    Examples
    --------
    >>> import gradscribe as gs
    >>> y, linear = gs.linearize(lambda x: x ** 3, 2.0)
    >>> y, linear(1.0), linear(10.0)
    (8.0, 12.0, 120.0)
    """
    linear = Pushed(fun, primals)
    return linear.out, linear


def hvp(fun: Callable[..., Any], primals: Any, tangents: Any) -> Any:
    """Return the product of the Hessian of a scalar function and a direction: the tangent of the gradient.

    Parameters
    ----------
    fun : callable
        It returns a float.
    primals, tangents : tuple
        Of equal structure: the arguments, all of floats, and a direction for each.

    Returns
    -------
    tuple or tree
        One product per argument, of its structure, shapes and dtypes; for one argument the product itself.

    Raises
    ------
    SpecialisationError
        Where the result is no scalar, an argument holds integers, or a tangent does not fit.
    TypeError
        Where primals or tangents are no tuples.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.hvp(lambda x: np.sum(x ** 3), (np.array([1.0, 2.0]),), (np.array([1.0, 1.0]),))
    array([ 6., 12.])
    """
    primals, tangents = tuple_of("hvp", "primals", primals), tuple_of("hvp", "tangents", tangents)
    numbers = tuple(range(len(primals))) if len(primals) > 1 else 0
    return made_for_gpu(Jvp(made_for_gpu(Grad(fun, argnums=numbers, has_aux=False))))(primals, tangents)[1]
