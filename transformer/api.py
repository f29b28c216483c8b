"""The transformations that users call; what each makes of a function is in `functions/`."""
from __future__ import annotations

import functools
from typing import Any, Callable, Literal, ParamSpec, TypeVar, overload

from .devices.async_calls import Later, LaterPmap
from .devices.pmap import Pmap
from .devices.shard_map import ShardMap
from .functions.gpu_jit import OnDevice, there
from .functions.linear_maps import Pulled, Pushed
from .functions.transformed import (Grad, Hessian, Jacfwd, Jacrev, Jit, Jvp, Primal, Transformed, ValueAndGrad, Vjp,
                                    Vmap, as_tuple)
from .library.registry import frontend
from .sharding.sharded import Mesh, P as Spec
from .specialise.domain import values as v
from .specialise.staged_calls.derivatives import linearised, pull, push_forward

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")
B = TypeVar("B")
Argnums = int | tuple[int, ...]
Parallel = bool | Literal["auto"]
Target = Literal["cpu", "cuda", "gpu", "auto"]


def decorator(make: Callable) -> Callable[..., Any]:
    """Let a transformation be used as f(fun, ...), @f and @f(...)."""
    @functools.wraps(make)
    def with_or_without(fun=None, *args, **options):
        if fun is None:
            return lambda f: make(f, *args, **options)
        return make(fun, *args, **options)
    return with_or_without


@overload
def grad(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False,
         holomorphic: bool = False, allow_int: bool = False) -> Transformed[P, Any]: ...
@overload
def grad(*, argnums: Argnums = 0, has_aux: bool = False,
         holomorphic: bool = False, allow_int: bool = False) -> Callable[[Callable[P, Any]], Transformed[P, Any]]: ...
@decorator
def grad(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False,
         holomorphic: bool = False, allow_int: bool = False) -> Transformed[P, Any]:
    """The gradient of a function that returns one float.

    fun      returns a float (a Python float, a NumPy scalar or an array of shape ())
    argnums  which positional arguments to differentiate: an int, or a tuple of ints for a tuple of gradients
    has_aux  fun returns (value, aux); the gradient function then returns (gradient, aux)
    holomorphic  fun is a holomorphic function of complex numbers: the gradient is its derivative
    allow_int  an argument may hold ints and bools, whose derivatives are zeros of their own class

    Returns a function of the same arguments.  Each gradient has the structure, shapes and dtypes of its argument. That
    of a real function of z = x + iy is df/dx - i df/dy, as in JAX: its conjugate is the direction of steepest ascent.
    `.source(*args)` is what it runs, as text.  Also a decorator: @gs.grad, and @gs.grad(argnums=1).
    Raises SpecialisationError where the result is no scalar or an argument holds integers (but for allow_int), and
    UnsupportedError for what cannot be transformed.

    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(x ** 2)
    >>> gs.grad(f)(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    return there(Grad(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int))


@overload
def value_and_grad(fun: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False,
                   holomorphic: bool = False,
                   allow_int: bool = False) -> Transformed[P, tuple[R, Any]]: ...
@overload
def value_and_grad(*, argnums: Argnums = 0, has_aux: bool = False,
                   holomorphic: bool = False,
                   allow_int: bool = False) -> Callable[[Callable[P, R]], Transformed[P, tuple[R, Any]]]: ...
@decorator
def value_and_grad(fun: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False,
                   holomorphic: bool = False,
                   allow_int: bool = False) -> Transformed[P, tuple[R, Any]]:
    """As `grad`, and the value: returns (value, gradient), or ((value, aux), gradient) with has_aux.

    >>> import gradscribe as gs
    >>> def f(x): return x ** 3
    >>> gs.value_and_grad(f)(2.0)
    (8.0, 12.0)
    """
    return there(ValueAndGrad(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int))


@overload
def jit(fun: Callable[P, R], static_argnums: Argnums | None = None,
        static_argnames: str | tuple[str, ...] | None = None, *,
        parallel: Parallel = "auto", tiered: bool | None = None, target: Target = "cpu",
        wait: bool = True) -> Transformed[P, R]: ...
@overload
def jit(*, static_argnums: Argnums | None = None, static_argnames: str | tuple[str, ...] | None = None,
        parallel: Parallel = "auto", tiered: bool | None = None,
        target: Target = "cpu", wait: bool = True) -> Callable[[Callable[P, R]], Transformed[P, R]]: ...
@decorator
def jit(fun: Callable[P, R], static_argnums: Argnums | None = None,
        static_argnames: str | tuple[str, ...] | None = None, *,
        parallel: Parallel = "auto", tiered: bool | None = None, target: Target = "cpu",
        wait: bool = True) -> Transformed[P, R]:
    """The function compiled by numba: explicit loops, fused, with vectorised math.

    fun              a function, or what `grad`, `value_and_grad`, ... return
    static_argnums   positional arguments that are known at compile time (hashable; each value compiles once)
    static_argnames  the same by keyword
    parallel         may threads share a loop whose iterations do not depend on each other, such as `vmap`'s over
    examples?
                     "auto": where the clock says that it pays; True: always; False: never
    tiered           True: a call that would have to wait for the compiler runs the readable source, in plain NumPy,
                     while a thread in the background compiles; calls after that run what is compiled. What goes wrong
                     in the background is raised at the next call. None: so at a prompt and in notebooks, for functions
                     that are not short and only give results; elsewhere, as with False, calls wait for the compiler
    target           "cpu", or "cuda" (also "gpu"): kernels on a GPU (docs/gpu.md). Arguments may lie there or be
                     NumPy's; results are CuPy's arrays, numbers arrays without axes. "auto": "cuda" where an argument
                     lies on a GPU, or `gs.default_device` is one
    wait             False: a call returns at once, with arrays and numbers that wait when they are looked at
                     (`np.asarray`, `repr`, arithmetic, `float`, `gs.block_until_ready`) and then raise what the call
                     has raised. Such calls run one after the other, each once its arguments are there, with
                     copies of the arrays that it only reads; an argument that it stores into is to be looked at after
                     its results. For target="cpu": others never wait

    Returns a function of the same arguments that gives the same results to rounding (rtol 1e-12 for float64,
    1e-5 for float32) and stores into the same arguments.  A new shape does not compile again.
    Loops have as many threads as this process may use cores; GRADSCRIBE_THREADS, a variable of the environment, makes
    them fewer.  The results do not depend on how many there are.
    Raises ValueError for another `parallel` or `target`, and gs.errors.DeviceError where a call finds no GPU.

    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(np.sin(x) ** 2)
    >>> float(gs.jit(f)(np.zeros(3)))
    0.0
    >>> float(gs.jit(f, tiered=True)(np.zeros(3)))  # the first call does not wait for the compiler
    0.0
    """
    if parallel not in ("auto", True, False):
        raise ValueError(f'parallel={parallel!r}: it is "auto", True or False')
    target = "cuda" if target == "gpu" else target
    if target not in ("cpu", "cuda", "auto"):
        raise ValueError(f'target={target!r}: it is "cpu", "cuda", which is "gpu" as well, or "auto"')
    if target != "cpu" and tiered:
        raise ValueError('tiered=True is for target="cpu": kernels are compiled one by one, when they are launched')
    if not wait and (target != "cpu" or tiered):
        raise ValueError('wait=False is for target="cpu", without tiered=True')
    made = OnDevice if target != "cpu" else Jit if wait else Later
    return made(fun, static_argnums=static_argnums, static_argnames=static_argnames, parallel=parallel, tiered=tiered,
                target=target)


Axes = Any  # an int, None, or a tree of them: a prefix of the tree that it belongs to


@overload
def vmap(fun: Callable[..., Any], in_axes: Axes = 0, out_axes: Axes = 0, axis_name: Any = None,
         axis_size: int | None = None) -> Transformed[..., Any]: ...
@overload
def vmap(*, in_axes: Axes = 0, out_axes: Axes = 0, axis_name: Any = None,
         axis_size: int | None = None) -> Callable[[Callable[..., Any]], Transformed[..., Any]]: ...
@decorator
def vmap(fun: Callable[..., Any], in_axes: Axes = 0, out_axes: Axes = 0, axis_name: Any = None,
         axis_size: int | None = None) -> Transformed[..., Any]:
    """The batched version of a function of one example.

    fun        takes and returns numbers, arrays and trees of them, for one example
    in_axes    which axis of each argument counts the examples: an int (negative ones count from the end), None for what
               is the same for all of them, or a tuple with an entry per argument; an entry may be a tree, a prefix of
               its argument.  Arguments given by keyword are mapped along axis 0.
    out_axes   where that axis stands in the results, in the same form
    axis_name  a name for the axis, for the collectives of gs.lax
    axis_size  how many examples there are, where no argument is mapped

    Returns a function of the same arguments.  Operations become operations on all examples: a matrix-vector product
    becomes a matrix-matrix product.  Where the course depends on the example (an `if`, a `while`, a size), the smallest
    part that holds it becomes a loop over the examples, so that no example runs a branch that it does not take; under
    `jit` threads share it.
    Raises SpecialisationError for axes that are not there and unequal numbers of examples, and ValueError for those
    that only a call can find.

    >>> import numpy as np, gradscribe as gs
    >>> def f(w, x): return np.tanh(w @ x)
    >>> gs.vmap(f, in_axes=(None, 0))(np.ones(3), np.zeros((2, 3)))
    array([0., 0.])
    """
    return there(Vmap(fun, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name, axis_size=axis_size))


@decorator
def pmap(fun: Callable[..., Any], axis_name: Any = None, *, in_axes: Axes = 0, out_axes: Axes = 0,
         static_broadcasted_argnums: int | tuple[int, ...] = (), devices: Any = None,
         donate_argnums: int | tuple[int, ...] = (), wait: bool = True) -> Transformed[..., Any]:
    """The function of one device, run on all devices at once, in compiled code: each a thread, or a GPU.

    fun        takes and returns numbers, arrays and trees of them, for one device
    axis_name  a name for the devices, for the collectives of gs.lax between them
    in_axes    which axis of each argument counts the devices, as in `vmap`; None for what all devices have
    out_axes   where that axis stands in the results, in the same form; None: what all have alike, as each call sees
    static_broadcasted_argnums  positions of arguments that are constants of the program, the same for all devices
    devices    a list of `gs.devices()`, as many as the mapped axes are long; None: threads of this process, or where
               arguments are sharded over GPUs (`gs.shard`), these.  Results of GPUs stay there, sharded over them
    donate_argnums  taken from JAX's signature: arguments are never copied
    wait       False: a call returns at once, with arrays that wait when they are looked at, as with `gs.jit`.  A call
               that stores into an argument, one in a job of several processes and one on GPUs wait all the same

    Returns a function of the same arguments.  `.source(*args)` is the program of one device.  Inside of another
    transformation it is `vmap`, with the same values.
    Raises gs.errors.DeviceError where there are fewer devices than examples (GRADSCRIBE_DEVICES=8 makes as many
    threads) or no such GPU, UnsupportedError for a store into an argument on a GPU or within another transformation,
    for what differs where out_axes has None, and in a job of several processes for a pmap within another
    transformation, SpecialisationError for axes that are not there or of unequal lengths, and
    what a device raises, with its number in a note: the others then stop where they would have met it.

    >>> import numpy as np, gradscribe as gs
    >>> n = gs.local_device_count()
    >>> shares = gs.pmap(lambda x: x / gs.lax.psum(x, "i"), axis_name="i")(np.ones(n))
    >>> bool(np.all(shares == 1.0 / n))
    True
    """
    made = Pmap if wait else LaterPmap
    return made(fun, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name, devices=devices,
                static_broadcasted_argnums=as_tuple(static_broadcasted_argnums))


@decorator
def shard_map(fun: Callable[..., Any], mesh: Mesh, in_specs: Any, out_specs: Any,
              check_vma: bool = True) -> Transformed[..., Any]:
    """The function of one device of a mesh, run on all of them at once: each sees its block of every array.

    fun        takes and returns numbers, arrays and trees of them: blocks, which have all axes of the whole array.
               The collectives of gs.lax find the axes of the mesh by their names
    mesh       a `gs.Mesh`
    in_specs   a `gs.P` for all arguments, or one for each, or trees of them: how arrays are cut.  `gs.P()`: all
               devices have the whole
    out_specs  how blocks make up the results, in the same form
    check_vma  where out_specs lets devices have the same block, what they have computed is held against each other

    Returns a function of the same arguments, by position: NumPy arrays, or `Sharded` ones that are sharded as in_specs
    says (`gs.shard`).  Its results are `Sharded`; where the spec names no axis, what the first device has.
    `.source(*args)` is the program of one device.  Inside of another transformation it is `vmap` along each axis of the
    mesh, with the same values.  A derivative that fun takes is that of the sum of what all devices compute, with
    respect to what this one has: as in `pmap`, and in JAX with check_vma=False.
    Raises SpecialisationError where a length is no multiple of the number of devices along it, or a spec does not fit,
    UnsupportedError where devices with one block have computed different ones, or where fun stores into its argument,
    and what a device raises, with its number in a note.

    >>> import numpy as np, gradscribe as gs
    >>> mesh = gs.Mesh((1,), "data")
    >>> shares = gs.shard_map(lambda x: x / gs.lax.psum(np.sum(x), "data"), mesh, gs.P("data"), gs.P("data"))
    >>> np.asarray(shares(np.array([1.0, 3.0])))
    array([0.25, 0.75])
    """
    return ShardMap(fun, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_vma)


@decorator
def jacfwd(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False,
           holomorphic: bool = False) -> Transformed[P, Any]:
    """The Jacobian, column by column: the tangents of all unit vectors at once, by `vmap`.  For more results than
    arguments.

    fun      returns floats and trees of them
    argnums  which positional arguments to differentiate: an int, or a tuple of ints
    has_aux  fun returns (value, aux); the function made then returns (Jacobian, aux)
    holomorphic  fun is a holomorphic function of complex numbers

    Returns a function of the same arguments.  The Jacobian has the structure of the result, and in place of each of its
    leaves that of the argument (for a tuple of argnums: a tuple of these); each part has the shape of the result's
    leaf, then that of the argument's.
    Raises SpecialisationError where a result or an argument holds integers.

    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.array([x[0] * x[1], x[1]])
    >>> gs.jacfwd(f)(np.array([2.0, 3.0]))
    array([[3., 2.],
           [0., 1.]])
    """
    return there(Jacfwd(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic))


@decorator
def jacrev(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False,
           holomorphic: bool = False) -> Transformed[P, Any]:
    """The Jacobian, row by row: the pull-backs of all unit vectors at once, by `vmap`.  For more arguments than
    results.

    Arguments, result and errors are those of `jacfwd`.

    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.array([x[0] * x[1], x[1]])
    >>> gs.jacrev(f)(np.array([2.0, 3.0]))
    array([[3., 2.],
           [0., 1.]])
    """
    return there(Jacrev(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic))


@decorator
def hessian(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False,
            holomorphic: bool = False) -> Transformed[P, Any]:
    """The Hessian: `jacfwd(jacrev(fun))`.

    fun, argnums, has_aux, holomorphic  as in `jacfwd`

    Returns a function of the same arguments.  For one array argument of shape s and a scalar result the Hessian has
    shape s + s; for trees it is the Jacobian of the Jacobian, a tree of trees.

    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return x[0] ** 2 * x[1]
    >>> gs.hessian(f)(np.array([2.0, 3.0]))
    array([[6., 4.],
           [4., 0.]])
    """
    return there(Hessian(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic))


def jvp(fun: Callable[..., R], primals: Any, tangents: Any) -> tuple[R, R]:
    """The value and the directional derivative: (fun(*primals), J @ tangents).

    primals, tangents  tuples of equal structure: the arguments, and a direction for each, of its shape and dtype; of
                       ints and bools, which are held fixed, 0 or None

    Raises SpecialisationError where the arguments hold no floats, or a tangent does not fit, and RefusedValue where
    that of an int is not 0.

    >>> import gradscribe as gs
    >>> gs.jvp(lambda x: x ** 3, (2.0,), (1.0,))
    (8.0, 12.0)
    """
    return there(Jvp(fun))(tuple(primals), tuple(tangents))


Pullback = Callable[[Any], tuple[Any, ...]]


@overload
def vjp(fun: Callable[..., R], *primals: Any, has_aux: Literal[False] = False) -> tuple[R, Pullback]: ...
@overload
def vjp(fun: Callable[..., tuple[A, B]], *primals: Any, has_aux: Literal[True]) -> tuple[A, Pullback, B]: ...
def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The value, and the pull-back: a function from a cotangent of the value to cotangents of the primals.

    Returns (out, pullback), or (out, pullback, aux) with has_aux.  `pullback(ct)` takes what has the structure, shapes
    and dtypes of `out` and returns a tuple with one cotangent per primal; it may be called again and again. Ints and
    bools beside floats have zeros.
    Raises SpecialisationError where the primals hold no floats.

    >>> import numpy as np, gradscribe as gs
    >>> y, pullback = gs.vjp(lambda x: x * x, np.array([1.0, 2.0]))
    >>> pullback(np.array([1.0, 1.0]))
    (array([2., 4.]),)
    """
    pullback = Pulled(fun, primals, has_aux)
    return (pullback.out[0], pullback, pullback.out[1]) if has_aux else (pullback.out, pullback)


def linearize(fun: Callable[..., R], *primals: Any) -> tuple[R, Callable[..., R]]:
    """The value, and the linear map that the function is near there: (fun(*primals), tangents -> J @ tangents).

    primals  the arguments

    The linear map takes one tangent per primal, of its structure, shapes and dtypes, and returns what has the structure
    of the value.  It evaluates `fun` again at each call.  Ints and bools beside floats are held fixed: their tangents
    are 0 or None.
    Raises SpecialisationError where the primals hold no floats.

    >>> import gradscribe as gs
    >>> y, linear = gs.linearize(lambda x: x ** 3, 2.0)
    >>> y, linear(1.0), linear(10.0)
    (8.0, 12.0, 120.0)
    """
    linear = Pushed(fun, primals)
    return linear.out, linear


def hvp(fun: Callable[..., Any], primals: Any, tangents: Any) -> Any:
    """The product of the Hessian of a scalar function and a direction: the tangent of the gradient.

    primals, tangents  tuples of equal structure: the arguments, all of floats, and a direction for each

    Returns a tuple with one product per argument, of its structure, shapes and dtypes; for one argument the product
    itself.

    >>> import numpy as np, gradscribe as gs
    >>> gs.hvp(lambda x: np.sum(x ** 3), (np.array([1.0, 2.0]),), (np.array([1.0, 1.0]),))
    array([ 6., 12.])
    """
    primals, tangents = tuple(primals), tuple(tangents)
    numbers = tuple(range(len(primals))) if len(primals) > 1 else 0
    return there(Jvp(there(Grad(fun, argnums=numbers, has_aux=False))))(primals, tangents)[1]


# inside transformed code -------------------------------------------------------------------------
def _made_inside(cls, *names):
    """The handler of `gs.grad(f, ...)` in a function that is transformed: a value that can be called."""
    def handler(s, fun=None, *args, **kwargs):
        options = dict(zip(names, args)) | kwargs
        known = {k: s.static(x, f"it is {k} of gs.{cls.title}") for k, x in options.items()}
        if fun is None:
            return v.Derived(lambda s, _, args, kwargs: v.Derived(functools.partial(cls.apply, **known), args[0]), None)
        return v.Derived(functools.partial(cls.apply, **known), fun)
    handler.__name__ = cls.title
    return handler


frontend(grad)(_made_inside(Grad, "argnums", "has_aux"))
frontend(value_and_grad)(_made_inside(ValueAndGrad, "argnums", "has_aux"))
frontend(vmap)(_made_inside(Vmap, "in_axes", "out_axes", "axis_name", "axis_size"))
frontend(pmap)(_made_inside(Pmap, "axis_name"))
frontend(shard_map)(_made_inside(ShardMap, "mesh", "in_specs", "out_specs", "check_vma"))


@frontend(Spec)
def _spec_inside(s, *axes):
    return v.Static(Spec(*[s.static(axis, "it is in a gs.P") for axis in axes]))


for _function, _class in ((jacfwd, Jacfwd), (jacrev, Jacrev), (hessian, Hessian)):
    frontend(_function)(_made_inside(_class, "argnums", "has_aux"))
frontend(jit)(_made_inside(Jit, "static_argnums", "static_argnames", "parallel", "tiered"))


@frontend(jvp)
def _jvp_inside(s, fun, primals, tangents):
    return push_forward(s, fun, primals, tangents)


@frontend(linearize)
def _linearize_inside(s, fun, *primals):
    return linearised(s, fun, primals)


@frontend(hvp)
def _hvp_inside(s, fun, primals, tangents):
    count = len(s.items(primals))
    options = {"argnums": tuple(range(count)) if count > 1 else 0, "has_aux": False}
    return push_forward(s, v.Derived(functools.partial(Grad.apply, **options), fun), primals, tangents).items[1]


@frontend(vjp)
def _vjp_inside(s, fun, *primals, has_aux=v.Static(False)):
    return pull(s, fun, primals, s.static(has_aux, "it is has_aux of gs.vjp"))


__all__ = ["Jit", "Jvp", "Primal", "Transformed", "Vjp", "grad", "hessian", "hvp", "jacfwd", "jacrev", "jit", "jvp",
           "linearize", "pmap", "shard_map", "value_and_grad", "vjp", "vmap"]
