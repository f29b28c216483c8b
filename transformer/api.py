"""The transformations that users call; what each makes of a function is in `functions/`."""
from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Literal, overload

from .devices.async_calls import Later, LaterPmap
from .devices.pmap import Pmap
from .devices.shard_map import ShardMap
from .differentiation import (Argnums, Memory, P, R, decorator, grad, hessian, hvp, jacfwd, jacrev, jvp,  # noqa: F401
                              linearize, value_and_grad, vjp)
from .functions.asked import no_option, no_tuple
from .functions.gpu_jit import OnDevice, made_for_gpu
from .functions.sweeps import Primal
from .functions.transformed import (Grad, Hessian, Jacfwd, Jacrev, Jit, Jvp, Transformed, ValueAndGrad, Vjp, Vmap,
                                    argnums_tuple)
from .library.registry import frontend
from .sharding.sharded import Mesh, P as Spec
from .specialise.domain import values as v
from .specialise.staged_calls.derivatives import linearised, pull, push_forward

Parallel = bool | Literal["auto"]
Target = Literal["cpu", "cuda", "gpu", "auto"]


def checked_target(parallel, tiered, target, wait) -> str:
    """Where `jit` runs: "cpu", "cuda" or "auto".  Raises ValueError for what is none, or do not go together."""
    if parallel not in ("auto", True, False):
        raise ValueError(f'parallel={parallel!r}: it is "auto", True or False')
    target = "cuda" if target == "gpu" else target
    if target not in ("cpu", "cuda", "auto"):
        raise ValueError(f'target={target!r}: it is "cpu", "cuda", which is "gpu" as well, or "auto"')
    if target != "cpu" and tiered:
        raise ValueError('tiered=True is for target="cpu": kernels are compiled one by one, when they are launched')
    if not wait and (target != "cpu" or tiered):
        raise ValueError('wait=False is for target="cpu", without tiered=True')
    return target


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
    """Compile a function by numba: explicit loops, fused, with vectorised math.

    Parameters
    ----------
    fun : callable
        A function, or what `grad`, `value_and_grad`, ... return.
    static_argnums : int, tuple of int, or None
        Positional arguments that are known at compile time (hashable; each value compiles once).
    static_argnames : str, tuple of str, or None
        The same by keyword.
    parallel : {"auto", True, False}
        Whether threads may share a loop whose iterations do not depend on each other, such as `vmap`'s over examples:
        where the clock says that it pays; always; never.
    tiered : bool or None
        True: a call that would have to wait for the compiler runs the readable source, in plain NumPy, while a thread
        in the background compiles; calls after that run what is compiled.  What goes wrong in the background is raised
        at the next call.  None: so at a prompt and in notebooks, for functions that are not short and only give
        results; elsewhere, as with False, calls wait for the compiler.
    target : {"cpu", "cuda", "gpu", "auto"}
        "cuda", which is "gpu" as well: kernels on a GPU (docs/gpu.md).  Arguments may lie there or be NumPy's; results
        are CuPy's arrays, numbers arrays without axes.  "auto": "cuda" where an argument lies on a GPU, or
        `gs.default_device` is one.
    wait : bool
        False: a call returns at once, with arrays and numbers that wait when they are looked at (`np.asarray`, `repr`,
        arithmetic, `float`, `gs.block_until_ready`) and then raise what the call has raised.  Such calls run one after
        the other, each once its arguments are there, with copies of the arrays that it only reads; an argument that it
        stores into is to be looked at after its results.  For target="cpu": others never wait.

    Returns
    -------
    Transformed
        A function of the same arguments that gives the same results to rounding (rtol 1e-12 for float64, 1e-5 for
        float32) and stores into the same arguments.  A new shape does not compile again.  Loops have as many threads
        as this process may use cores; GRADSCRIBE_THREADS, a variable of the environment, makes them fewer.  The
        results do not depend on how many there are.

    Raises
    ------
    ValueError
        For another `parallel` or `target`, and for options that do not go together.
    gs.errors.DeviceError
        Where a call finds no GPU.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(np.sin(x) ** 2)
    >>> float(gs.jit(f)(np.zeros(3)))
    0.0
    >>> float(gs.jit(f, tiered=True)(np.zeros(3)))  # the first call does not wait for the compiler
    0.0
    """
    target = checked_target(parallel, tiered, target, wait)
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
    """Make the batched version of a function of one example.

    Parameters
    ----------
    fun : callable
        It takes and returns numbers, arrays and trees of them, for one example.
    in_axes : int, None, or a tuple or tree of them
        Which axis of each argument counts the examples: an int (negative ones count from the end), None for what is the
        same for all of them, or a tuple with an entry per argument; an entry may be a tree, a prefix of its argument.
        Arguments given by keyword are mapped along axis 0.
    out_axes : int, None, or a tuple or tree of them
        Where that axis stands in the results, in the same form.
    axis_name : hashable or None
        A name for the axis, for the collectives of gs.lax.
    axis_size : int or None
        How many examples there are, where no argument is mapped.

    Returns
    -------
    Transformed
        A function of the same arguments.  Operations become operations on all examples: a matrix-vector product becomes
        a matrix-matrix product.  Where the course depends on the example (an `if`, a `while`, a size), the smallest
        part that holds it becomes a loop over the examples, so that no example runs a branch that it does not take;
        under `jit` threads share it.

    Raises
    ------
    SpecialisationError
        At a call: for axes that are not there and unequal numbers of examples.
    ValueError
        At a call: for those that only a call can find.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> def f(w, x): return np.tanh(w @ x)
    >>> gs.vmap(f, in_axes=(None, 0))(np.ones(3), np.zeros((2, 3)))
    array([0., 0.])
    """
    return made_for_gpu(Vmap(fun, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name, axis_size=axis_size))


@decorator
def pmap(fun: Callable[..., Any], axis_name: Any = None, *, in_axes: Axes = 0, out_axes: Axes = 0,
         static_broadcasted_argnums: int | tuple[int, ...] = (), devices: Any = None,
         donate_argnums: int | tuple[int, ...] = (), wait: bool = True) -> Transformed[..., Any]:
    """Run the function of one device on all devices at once, in compiled code: each a thread, or a GPU.

    Parameters
    ----------
    fun : callable
        It takes and returns numbers, arrays and trees of them, for one device.
    axis_name : hashable or None
        A name for the devices, for the collectives of gs.lax between them.
    in_axes : int, None, or a tuple or tree of them
        Which axis of each argument counts the devices, as in `vmap`; None for what all devices have.
    out_axes : int, None, or a tuple or tree of them
        Where that axis stands in the results; None: what all have alike, as each call sees.
    static_broadcasted_argnums : int or tuple of int
        Positions of arguments that are constants of the program, the same for all devices.
    devices : list of Device, or None
        Of `gs.devices()`, as many as the mapped axes are long; None: threads of this process, or where arguments are
        sharded over GPUs (`gs.shard`), these.  Results of GPUs stay there, sharded over them.
    donate_argnums : int or tuple of int
        Taken from JAX's signature: arguments are never copied.
    wait : bool
        False: a call returns at once, with arrays that wait when they are looked at, as with `gs.jit`.  A call that
        stores into an argument, one in a job of several processes and one on GPUs wait all the same.

    Returns
    -------
    Transformed
        A function of the same arguments.  `.source(*args)` is the program of one device.  Inside of another
        transformation it is `vmap`, with the same values.  What a device raises is raised, with its number in a note:
        the others then stop where they would have met it.

    Raises
    ------
    gs.errors.DeviceError
        At a call: for fewer devices than examples (GRADSCRIBE_DEVICES=8 makes as many threads) or no such GPU.
    UnsupportedError
        At a call: for a store into an argument on a GPU or within another transformation, for what differs where
        out_axes has None, and in a job of several processes for a pmap within another transformation.
    SpecialisationError
        At a call: for axes that are not there or of unequal lengths.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> n = gs.local_device_count()
    >>> shares = gs.pmap(lambda x: x / gs.lax.psum(x, "i"), axis_name="i")(np.ones(n))
    >>> bool(np.all(shares == 1.0 / n))
    True
    """
    made = Pmap if wait else LaterPmap
    return made(fun, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name, devices=devices,
                static_broadcasted_argnums=argnums_tuple(static_broadcasted_argnums))


@decorator
def shard_map(fun: Callable[..., Any], mesh: Mesh, in_specs: Any, out_specs: Any,
              check_vma: bool = True) -> Transformed[..., Any]:
    """Run the function of one device of a mesh on all of them at once: each sees its block of every array.

    Parameters
    ----------
    fun : callable
        It takes and returns numbers, arrays and trees of them: blocks, which have all axes of the whole array.  The
        collectives of gs.lax find the axes of the mesh by their names.
    mesh : Mesh
        The devices.
    in_specs : P, or a tuple or tree of P
        For all arguments, or one for each, or trees of them: how arrays are cut.  `gs.P()`: all devices have the whole.
    out_specs : P, or a tuple or tree of P
        How blocks make up the results, in the same form.
    check_vma : bool
        Where out_specs lets devices have the same block, what they have computed is held against each other.

    Returns
    -------
    Transformed
        A function of the same arguments, by position: NumPy arrays, or `Sharded` ones that are sharded as in_specs says
        (`gs.shard`).  Its results are `Sharded`; where the spec names no axis, what the first device has.
        `.source(*args)` is the program of one device.  Inside of another transformation it is `vmap` along each axis of
        the mesh, with the same values.  A derivative that fun takes is that of the sum of what all devices compute,
        with respect to what this one has: as in `pmap`, and in JAX with check_vma=False.  What a device raises is
        raised, with its number in a note.

    Raises
    ------
    SpecialisationError
        At a call: where a length is no multiple of the number of devices along it, or a spec does not fit.
    UnsupportedError
        At a call: where devices with one block have computed different ones, or where fun stores into its argument.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> mesh = gs.Mesh((1,), "data")
    >>> shares = gs.shard_map(lambda x: x / gs.lax.psum(np.sum(x), "data"), mesh, gs.P("data"), gs.P("data"))
    >>> np.asarray(shares(np.array([1.0, 3.0])))
    array([0.25, 0.75])
    """
    return ShardMap(fun, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_vma)


# inside transformed code -------------------------------------------------------------------------
def _made_inside(cls, *names):
    """The handler of `gs.grad(f, ...)` in a function that is transformed: a value that can be called."""
    allowed = [*inspect.signature(globals()[cls.title]).parameters]

    def handler(s, fun=None, *args, **kwargs):
        options = dict(zip(names, args)) | kwargs
        if unknown := [k for k in options if k not in allowed]:
            s.stop("TypeError", no_option(cls.title, unknown[0], allowed))
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


def _check_tuples(s, title: str, **given) -> None:
    """Python's exception, where the program comes there, for primals or tangents that are no tuples."""
    for what, x in given.items():
        if not issubclass(s.class_of(x) or object, (tuple, list)):
            s.stop("TypeError", no_tuple(title, what, s.class_name(x)))


@frontend(jvp)
def _jvp_inside(s, fun, primals, tangents):
    _check_tuples(s, "jvp", primals=primals, tangents=tangents)
    return push_forward(s, fun, primals, tangents)


@frontend(linearize)
def _linearize_inside(s, fun, *primals):
    return linearised(s, fun, primals)


@frontend(hvp)
def _hvp_inside(s, fun, primals, tangents):
    _check_tuples(s, "hvp", primals=primals, tangents=tangents)
    count = len(s.items(primals))
    options = {"argnums": tuple(range(count)) if count > 1 else 0, "has_aux": False}
    return push_forward(s, v.Derived(functools.partial(Grad.apply, **options), fun), primals, tangents).items[1]


@frontend(vjp)
def _vjp_inside(s, fun, *primals, has_aux=v.Static(False), memory=v.NONE):
    return pull(s, fun, primals, s.static(has_aux, "it is has_aux of gs.vjp"),
                s.static(memory, "it is memory of gs.vjp"))


__all__ = ["Jit", "Jvp", "Primal", "Transformed", "Vjp", "grad", "hessian", "hvp", "jacfwd", "jacrev", "jit", "jvp",
           "linearize", "pmap", "shard_map", "value_and_grad", "vjp", "vmap"]
