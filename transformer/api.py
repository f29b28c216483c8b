"""The transformations that users call, as thin objects.

Each holds the function it was made from and what was asked (`argnums`, ...), and knows how it is called inside a
specialisation (`__gradscribe_call__`), so that all of them compose: `jit(grad(f))`, `grad(jit(f))`, `grad(grad(f))`,
`jvp` of a function that calls `grad(g)`.
"""
from __future__ import annotations

import ast
import contextlib
import copy
import functools
import inspect
from typing import Any, Callable, Generic, Literal, ParamSpec, TypeVar, overload

from . import dispatch
from .capture import by_name
from .fastpath import MISS
from .pullback import Outside
from .tracebacks import short, shortened
from .specialise.recording import jacobians
from .specialise.heap import values as v
from .specialise.evaluator.tables import call_value
from .library.registry import frontend
from .specialise.recording.vmapped import vmapped
from .specialise.evaluator.lifting import lift
from .outside import Path, static_key
from .specialise.recording.derivatives import (apply_pullback, forward, forward_sweep, linearised, pull, value_and_grad
                                               as value_and_grad_value)
from .specialise.recording.leaves import fresh_cells

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A")
B = TypeVar("B")
Argnums = int | tuple[int, ...]
Parallel = bool | Literal["auto"]


class Transformed(Generic[P, R]):
    """A function made from another by a transformation.  Call it like any function; `source` shows what it is."""

    def __init__(self, fun: Callable[..., Any], **options):
        functools.update_wrapper(self, fun, updated=())
        self.__wrapped__ = fun
        with contextlib.suppress(TypeError, ValueError):  # some callables have no signature
            self.__signature__ = self.signature(inspect.signature(fun))
        self._options = options
        self._cache = dispatch.Cache(self)

    # what a subclass is ------------------------------------------------------------------------
    title = "transformed"
    compiled = False
    parallel: bool | str = "auto"  # may threads share the loops of its compiled form?
    tiered = False  # does its readable source run while it is compiled?

    @staticmethod
    def signature(of: inspect.Signature) -> inspect.Signature:
        """Its signature, from that of the function."""
        return of.replace(return_annotation=inspect.Signature.empty)

    @staticmethod
    def apply(s, function, args, kwargs, **options):
        """Call the transformed `function`, a value, on the machine s."""
        raise NotImplementedError

    def __gradscribe_call__(self, s, args, kwargs):
        return self.apply(s, v.Static(self.__wrapped__), args, kwargs, **self._options)

    # what users see ----------------------------------------------------------------------------
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        try:
            if not kwargs:
                result = self._cache.fast(args)
                if result is not MISS:
                    return result
            return self._cache.call(args, kwargs)
        except Exception as error:
            shortened(error)
            raise

    def __reduce__(self):
        return by_name(self) or (_remade, (type(self), self.__wrapped__, self._options))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        fun = copy.deepcopy(self.__wrapped__, memo)
        return self if fun is self.__wrapped__ else type(self)(fun, **self._options)

    @short
    def source(self, *args: Any, stage: Literal["readable", "core", "compiled"] = "readable", **kwargs: Any) -> str:
        """The generated source for arguments like these.

        stage: "readable" (what runs without `jit`), "core" (the pure form all passes work on) or "compiled"
        (the loops that numba compiles).
        """
        return self._cache.lookup(args, kwargs).text(stage)

    def tree(self, *args: Any, **kwargs: Any) -> ast.Module:
        """The readable source for arguments like these as Python's own syntax tree, whose positions are those of the
        text.

        >>> import ast, gradscribe as gs
        >>> def f(x): return x ** 3
        >>> tree, scope = gs.grad(f).tree(2.0), {}
        >>> exec(compile(tree, "<the derivative of f>", "exec"), scope)
        >>> scope["grad_f"](2.0)
        12.0
        """
        return self._cache.lookup(args, kwargs).tree()

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Every stage for arguments like these, one after the other."""
        return self._cache.lookup(args, kwargs).explain()

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self):
        options = "".join(f", {k}={x!r}" for k, x in self._options.items() if x not in (None, (), False, "auto"))
        name = getattr(self.__wrapped__, "__qualname__", None) or repr(self.__wrapped__)
        inner = repr(self.__wrapped__) if isinstance(self.__wrapped__, Transformed) else name
        return f"gradscribe.{self.title}({inner}{options})"

    def _repr_html_(self):
        from .emit.html import page
        return page(self)

    # shared ------------------------------------------------------------------------------------
    @property
    def _static_argnums(self) -> tuple[int, ...]:
        return ()

    @property
    def _static_argnames(self) -> tuple[str, ...]:
        return ()


def _remade(cls, fun, options):
    return cls(fun, **options)


class Grad(Transformed[P, R]):
    title = "grad"

    apply = staticmethod(functools.partial(value_and_grad_value, want_value=False))


class ValueAndGrad(Transformed[P, R]):
    title = "value_and_grad"

    apply = staticmethod(value_and_grad_value)


class Jit(Transformed[P, R]):
    title = "jit"
    compiled = True

    @property
    def parallel(self):
        return self._options["parallel"]

    @property
    def tiered(self):
        return self._options["tiered"]

    @staticmethod
    def signature(of):
        return of

    @staticmethod
    def apply(s, function, args, kwargs, **options):
        value = call_value(s, function, args, kwargs)
        # called in another function, too, it gives what nobody else has
        return fresh_cells(s, value) if s.frames else value

    @property
    def _static_argnums(self):
        return as_tuple(self._options["static_argnums"])

    @property
    def _static_argnames(self):
        return as_tuple(self._options["static_argnames"])


class Vmap(Transformed[P, R]):
    title = "vmap"

    apply = staticmethod(vmapped)


class Jacfwd(Transformed[P, R]):
    title = "jacfwd"

    apply = staticmethod(jacobians.jacfwd)


class Jacrev(Transformed[P, R]):
    title = "jacrev"

    apply = staticmethod(jacobians.jacrev)


class Hessian(Transformed[P, R]):
    title = "hessian"

    @staticmethod
    def apply(s, function, args, kwargs, **options):
        return jacobians.jacfwd(s, v.Derived(functools.partial(Jacrev.apply, **options), function), args,
                                kwargs, **options)


class Jvp(Transformed[P, R]):
    """fun as (primals, tangents) -> (out, out_dot)."""

    title = "jvp"

    @staticmethod
    def signature(of):
        return _of_two("primals", "tangents")

    @staticmethod
    def apply(s, function, args, kwargs):
        return forward(s, function, *args)


class Vjp(Transformed[P, R]):
    """fun as (primals, cotangent) -> cotangents of the primals."""

    title = "vjp"

    @staticmethod
    def signature(of):
        return _of_two("primals", "cotangent")

    @staticmethod
    def apply(s, function, args, kwargs, *, has_aux=False):
        primals, cotangent = args
        return apply_pullback(s, pull(s, function, s.items(primals), has_aux).items[1], cotangent)


class Primal(Transformed[P, R]):
    """fun itself, read and written again."""

    title = "primal"
    signature = Jit.signature

    @staticmethod
    def apply(s, function, args, kwargs):
        return call_value(s, function, args, kwargs)


class Forward(Transformed[P, R]):
    """fun as args -> (out, what the pull-back needs): what `gs.vjp` runs first;
    its programs know the `backward` one."""

    title = "vjp_forward"
    signature = Jit.signature

    @property
    def compiled(self):
        return isinstance(self.__wrapped__, Jit)

    @property
    def parallel(self):
        return getattr(self.__wrapped__, "parallel", "auto")

    @property
    def tiered(self):
        return getattr(self.__wrapped__, "tiered", False)

    @staticmethod
    def apply(s, function, args, kwargs, *, has_aux=False):
        return forward_sweep(s, function, args, has_aux)


def _of_two(*names: str) -> inspect.Signature:
    return inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in names])


def as_tuple(x) -> tuple:
    return () if x is None else tuple(x) if isinstance(x, (tuple, list)) else (x,)


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
         holomorphic: bool = False) -> Transformed[P, Any]: ...
@overload
def grad(*, argnums: Argnums = 0, has_aux: bool = False,
         holomorphic: bool = False) -> Callable[[Callable[P, Any]], Transformed[P, Any]]: ...
@decorator
def grad(fun: Callable[P, Any], argnums: Argnums = 0, has_aux: bool = False,
         holomorphic: bool = False) -> Transformed[P, Any]:
    """The gradient of a function that returns one float.

    fun      returns a float (a Python float, a NumPy scalar or an array of shape ())
    argnums  which positional arguments to differentiate: an int, or a tuple of ints for a tuple of gradients
    has_aux  fun returns (value, aux); the gradient function then returns (gradient, aux)
    holomorphic  fun is a holomorphic function of complex numbers: the gradient is its derivative

    Returns a function of the same arguments.  Each gradient has the structure, shapes and dtypes of its argument. That
    of a real function of z = x + iy is df/dx - i df/dy, as in JAX: its conjugate is the direction of steepest ascent.
    `.source(*args)` is what it runs, as text.  Also a decorator: @gs.grad, and @gs.grad(argnums=1).
    Raises SpecialisationError where the result is no scalar or an argument holds integers, and UnsupportedError
    for what cannot be transformed.

    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(x ** 2)
    >>> gs.grad(f)(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    return Grad(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


@overload
def value_and_grad(fun: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False,
                   holomorphic: bool = False) -> Transformed[P,
                                                                                                    tuple[R, Any]]: ...
@overload
def value_and_grad(*, argnums: Argnums = 0, has_aux: bool = False,
                   holomorphic: bool = False) -> Callable[[Callable[P, R]],
                                                                               Transformed[P, tuple[R, Any]]]: ...
@decorator
def value_and_grad(fun: Callable[P, R], argnums: Argnums = 0, has_aux: bool = False,
                   holomorphic: bool = False) -> Transformed[P, tuple[R, Any]]:
    """As `grad`, and the value: returns (value, gradient), or ((value, aux), gradient) with has_aux.

    >>> import gradscribe as gs
    >>> def f(x): return x ** 3
    >>> gs.value_and_grad(f)(2.0)
    (8.0, 12.0)
    """
    return ValueAndGrad(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


@overload
def jit(fun: Callable[P, R], static_argnums: Argnums | None = None,
        static_argnames: str | tuple[str, ...] | None = None, *,
        parallel: Parallel = "auto", tiered: bool = False) -> Transformed[P, R]: ...
@overload
def jit(*, static_argnums: Argnums | None = None, static_argnames: str | tuple[str, ...] | None = None,
        parallel: Parallel = "auto", tiered: bool = False) -> Callable[[Callable[P, R]], Transformed[P, R]]: ...
@decorator
def jit(fun: Callable[P, R], static_argnums: Argnums | None = None,
        static_argnames: str | tuple[str, ...] | None = None, *,
        parallel: Parallel = "auto", tiered: bool = False) -> Transformed[P, R]:
    """The function compiled by numba: explicit loops, fused, with vectorised math.

    fun              a function, or what `grad`, `value_and_grad`, ... return
    static_argnums   positional arguments that are known at compile time (hashable; each value compiles once)
    static_argnames  the same by keyword
    parallel         may threads share a loop whose iterations do not depend on each other, such as `vmap`'s over
    examples?
                     "auto": where the clock says that it pays; True: always; False: never
    tiered           a call that would have to wait for the compiler runs the readable source, in plain NumPy, while a
                     thread in the background compiles; calls after that run what is compiled. What goes wrong in the
                     background is raised at the next call

    Returns a function of the same arguments that gives the same results to rounding (rtol 1e-12 for float64,
    1e-5 for float32) and stores into the same arguments.  A new shape does not compile again.
    Loops have as many threads as this process may use cores; GRADSCRIBE_THREADS, a variable of the environment, makes
    them fewer.  The results do not depend on how many there are.
    Raises ValueError for another `parallel`.

    >>> import numpy as np, gradscribe as gs
    >>> def f(x): return np.sum(np.sin(x) ** 2)
    >>> float(gs.jit(f)(np.zeros(3)))
    0.0
    >>> float(gs.jit(f, tiered=True)(np.zeros(3)))  # the first call does not wait for the compiler
    0.0
    """
    if parallel not in ("auto", True, False):
        raise ValueError(f'parallel={parallel!r}: it is "auto", True or False')
    return Jit(fun, static_argnums=static_argnums, static_argnames=static_argnames, parallel=parallel,
               tiered=tiered)


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
    return Vmap(fun, in_axes=in_axes, out_axes=out_axes, axis_name=axis_name, axis_size=axis_size)


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
    return Jacfwd(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


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
    return Jacrev(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


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
    return Hessian(fun, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


_made: dict[tuple, Transformed] = {}


def _kept(cls, fun, **options) -> Transformed:
    """The transformed function of earlier calls: `gs.jvp(f, ...)` in a loop must not specialise each time."""
    key = (cls, static_key(fun), *map(static_key, options.values()))
    if key not in _made:
        if len(_made) > 512:
            _made.clear()
        _made[key] = cls(fun, **options)
    return _made[key]


def jvp(fun: Callable[..., R], primals: Any, tangents: Any) -> tuple[R, R]:
    """The value and the directional derivative: (fun(*primals), J @ tangents).

    primals, tangents  tuples of equal structure: the arguments, and a direction for each, of its shape and dtype

    >>> import gradscribe as gs
    >>> gs.jvp(lambda x: x ** 3, (2.0,), (1.0,))
    (8.0, 12.0)
    """
    return _kept(Jvp, fun)(tuple(primals), tuple(tangents))


Pullback = Callable[[Any], tuple[Any, ...]]


@overload
def vjp(fun: Callable[..., R], *primals: Any, has_aux: Literal[False] = False) -> tuple[R, Pullback]: ...
@overload
def vjp(fun: Callable[..., tuple[A, B]], *primals: Any, has_aux: Literal[True]) -> tuple[A, Pullback, B]: ...
def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The value, and the pull-back: a function from a cotangent of the value to cotangents of the primals.

    Returns (out, pullback), or (out, pullback, aux) with has_aux.  `pullback(ct)` takes what has the structure, shapes
    and dtypes of `out` and returns a tuple with one cotangent per primal; it may be called again and again.

    >>> import numpy as np, gradscribe as gs
    >>> y, pullback = gs.vjp(lambda x: x * x, np.array([1.0, 2.0]))
    >>> pullback(np.array([1.0, 1.0]))
    (array([2., 4.]),)
    """
    pullback = Pulled(fun, primals, has_aux)
    return (pullback.out[0], pullback, pullback.out[1]) if has_aux else (pullback.out, pullback)


class AtPoint:
    """A linear map that belongs to a function at a point.  Pickled, it is made again there."""

    def __init__(self, fun, primals, has_aux=False):
        forward_ = _kept(Forward, fun, has_aux=has_aux)
        self.fun, self.has_aux, self.kept = fun, has_aux, dispatch.copied(primals)
        self.program = forward_._cache.lookup(self.kept, {})
        self.program.refuse_shared(self.program.flat(dispatch.leaves_in(primals)), primals)  # the copies are apart
        self.out, self.residuals = forward_(*dispatch.copied(primals))
        self.outside = None

    def __reduce__(self):
        return type(self), (self.fun, self.kept, self.has_aux)

    def values(self, s):
        """The point, inside transformed code that calls this."""
        self.outside.refuse_changed(self.name)
        if self.outside.paths:
            s.fail(f"{self.name} of a function that reads {self.outside.paths[0].text} from outside, which is "
                   f"evaluated again here",
                   "Pass what the function reads as an argument.")
        return s.items(lift(s, self.kept, Path("primals", self.kept, None, "default"), (id(self.kept),)))


class Pulled(AtPoint):
    """The pull-back that gs.vjp gives."""

    name = "the pull-back"

    def __init__(self, fun, primals, has_aux=False):
        super().__init__(fun, primals, has_aux)
        self.pull = _kept(Vjp, fun, has_aux=has_aux)
        self.backward = self.program.backward()
        self.outside = None if self.backward else Outside(self.program)
        self.shape = dispatch.copied(self.out[0] if has_aux else self.out)  # what users do to `out` is theirs

    def __call__(self, cotangent):
        found = self.backward(self.residuals, cotangent, self.shape, self.kept) if self.backward else None
        if found is not None:
            return found
        if self.outside is not None:
            self.outside.refuse_changed(self.name)
        # where there is another half, this says what is wrong with the cotangent
        return self.pull(self.kept, cotangent)

    def source(self, cotangent, **options) -> str:
        return self.pull.source(self.kept, cotangent, **options)

    def tree(self, cotangent) -> ast.Module:
        return self.pull.tree(self.kept, cotangent)

    def __gradscribe_call__(self, s, args, kwargs):
        if len(args) != 1 or kwargs:
            s.fail(f"a pull-back is called with {len(args) + len(kwargs)} arguments",
                   "Give it one, a cotangent of the value.")
        if self.backward:
            return self.backward.inlined(s, self.residuals, args[0], self.shape, self.kept)
        return apply_pullback(s, pull(s, v.Static(self.fun), self.values(s), self.has_aux).items[1], args[0])


def linearize(fun: Callable[..., R], *primals: Any) -> tuple[R, Callable[..., R]]:
    """The value, and the linear map that the function is near there: (fun(*primals), tangents -> J @ tangents).

    primals  the arguments

    The linear map takes one tangent per primal, of its structure, shapes and dtypes, and returns what has the structure
    of the value.  It evaluates `fun` again at each call.

    >>> import gradscribe as gs
    >>> y, linear = gs.linearize(lambda x: x ** 3, 2.0)
    >>> y, linear(1.0), linear(10.0)
    (8.0, 12.0, 120.0)
    """
    linear = Pushed(fun, primals)
    return linear.out, linear


class Pushed(AtPoint):
    """The linear map that gs.linearize gives."""

    name = "the linear map"

    def __init__(self, fun, primals, has_aux=False):
        super().__init__(fun, primals, has_aux)
        self.tangents_of, self.outside = _kept(Jvp, fun), Outside(self.program)

    def __call__(self, *tangents):
        self.outside.refuse_changed(self.name)
        return self.tangents_of(self.kept, tangents)[1]

    def __gradscribe_call__(self, s, args, kwargs):
        return forward(s, v.Static(self.fun), v.Tuple(tuple(self.values(s))), v.Tuple(tuple(args))).items[1]


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
    return _kept(Jvp, _kept(Grad, fun, argnums=numbers, has_aux=False))(primals, tangents)[1]


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
for _function, _class in ((jacfwd, Jacfwd), (jacrev, Jacrev), (hessian, Hessian)):
    frontend(_function)(_made_inside(_class, "argnums", "has_aux"))
frontend(jit)(_made_inside(Jit, "static_argnums", "static_argnames", "parallel", "tiered"))


@frontend(jvp)
def _jvp_inside(s, fun, primals, tangents):
    return forward(s, fun, primals, tangents)


@frontend(linearize)
def _linearize_inside(s, fun, *primals):
    return linearised(s, fun, primals)


@frontend(hvp)
def _hvp_inside(s, fun, primals, tangents):
    count = len(s.items(primals))
    options = {"argnums": tuple(range(count)) if count > 1 else 0, "has_aux": False}
    return forward(s, v.Derived(functools.partial(Grad.apply, **options), fun), primals, tangents).items[1]


@frontend(vjp)
def _vjp_inside(s, fun, *primals, has_aux=v.Static(False)):
    return pull(s, fun, primals, s.static(has_aux, "it is has_aux of gs.vjp"))


__all__ = ["Transformed", "grad", "hessian", "hvp", "jacfwd", "jacrev", "jit", "jvp", "linearize",
           "value_and_grad", "vjp", "vmap"]
