"""`check_grads`, which compares derivatives with differences, and `stages`, which runs every stage."""
from __future__ import annotations

from typing import Callable, Iterator
from weakref import WeakKeyDictionary

import numpy as np

from .api import jvp, vjp
from .core import runnable
from .functions.sweeps import Primal
from .functions.transformed import Jit, Jvp, Transformed, Vjp
from .optimise.inplace import inplace
from .programs.cache import copied_argument, flatten_argument
from .pytree.containers import container_leaves, map_leaves
from .sharding.sharded import Sharded
from .specialise.domain import values as v
from .specialise.evaluator.names.lifting import object_value
from .specialise.evaluator.names.tables import call_value

STEP = {1: 1e-5, 2: 2e-4}


# leaves of arguments and results ----------------------------------------------------------------
def numeric_leaves(x) -> list:
    """The numbers and arrays in containers, in order."""
    return [x for x in container_leaves(x) if is_numeric_leaf(x)]


def with_leaves(x, new: Iterator):
    """The same containers with other leaves."""
    return map_leaves(lambda leaf: next(new) if is_numeric_leaf(leaf) else leaf, x)


def is_numeric_leaf(leaf) -> bool:
    return isinstance(leaf, (np.ndarray, np.generic, int, float, complex))


def is_float(x) -> bool:
    """Is it of floats, or of complex numbers?"""
    return np.asarray(x).dtype.kind in "fc"


def leaf_like(x, value):
    """`value` with the kind, dtype and shape of the leaf x."""
    if isinstance(x, np.ndarray):
        return np.asarray(value, x.dtype).reshape(x.shape)
    return x.dtype.type(value) if isinstance(x, np.generic) else type(x)(value)


def random_direction(x, rng):
    """A random tangent: of floats a unit normal, of complex numbers one in each part, of the rest zero."""
    def normal(leaf):
        real = rng.standard_normal(np.shape(leaf))
        return real + 1j * rng.standard_normal(np.shape(leaf)) if np.asarray(leaf).dtype.kind == "c" else real
    return with_leaves(x, iter([leaf_like(leaf, normal(leaf) if is_float(leaf) else np.zeros(np.shape(leaf)))
                                for leaf in numeric_leaves(x)]))


def displaced(x, dx, h):
    return with_leaves(x, iter([leaf_like(a, np.asarray(a) + h * np.asarray(d)) if is_float(a) else a
                                for a, d in zip(numeric_leaves(x), numeric_leaves(dx))]))


def inner(x, y) -> float:
    """The pairing of cotangents and tangents, over all leaves that have derivatives: of complex numbers the real part
    of their product, without a conjugate, since a cotangent is handed on so (rules/README.md)."""
    return float(sum(np.sum((np.asarray(a, complex) * np.asarray(b, complex)).real)
                     for a, b in zip(numeric_leaves(x), numeric_leaves(y)) if is_float(a)))


def norm(x) -> float:
    """The norm of all leaves that have derivatives."""
    return float(np.sqrt(sum(np.sum(np.abs(np.asarray(a, complex)) ** 2) for a in numeric_leaves(x) if is_float(a))))


# check_grads --------------------------------------------------------------------------------------
def check_grads(f: Callable, args: tuple, order: int = 2, modes=("fwd", "rev"), atol: float | None = None,
                rtol: float | None = None) -> None:
    """Compare the derivatives of f at args with central differences.

    Parameters
    ----------
    f : callable
        A function of floats, arrays and containers of them, or a transformed function; of a function that is compiled,
        `gs.jit(f)`, the derivatives are compiled too.
    args : tuple
        The point; integer and bool leaves are held fixed, complex ones are moved in both parts.
    order : int
        The highest derivative that is checked.
    modes : str or sequence of str
        "fwd" checks gs.jvp, "rev" checks gs.vjp (by the dot-product test against differences).
    atol, rtol : float or None
        Tolerances; by default 2e-5 at first order, 2e-3 at second (1e-2 with float32).

    Raises
    ------
    AssertionError
        Where they disagree, with the numbers.
    SpecialisationError
        Where args hold nothing that has a derivative.
    ValueError
        For another mode.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.test_util.check_grads(lambda x: np.sin(x) * x, (0.5,), order=2)
    """
    modes = (modes,) if isinstance(modes, str) else modes
    if not {"fwd", "rev"}.issuperset(modes):
        raise ValueError(f'modes={modes!r}: they are "fwd" and "rev"')
    floats = [k for k, a in enumerate(args) if any(map(is_float, numeric_leaves(a)))] or [*range(len(args))]
    compiled = isinstance(f, Jit)
    f = f.__wrapped__ if compiled else f
    if len(floats) < len(args):
        f = OnFloats(f, args, floats)
    _check_modes(f, tuple(args[k] for k in floats), order, modes, atol, rtol, np.random.default_rng(0), 1, compiled)


class OnFloats:
    """f with the arguments that hold no floats fixed."""

    def __init__(self, f, args, floats):
        self.f, self.args, self.floats = f, args, floats

    def __call__(self, *xs):
        full = list(copied_argument(self.args))
        for k, x in zip(self.floats, xs):
            full[k] = x
        return self.f(*full)

    def __gradscribe_call__(self, s, args, kwargs):
        full = [object_value(s, a, f"fixed_{k}") if k not in self.floats else None for k, a in enumerate(self.args)]
        for k, x in zip(self.floats, args):
            full[k] = x
        return call_value(s, v.Static(self.f), full, {})


def gathered_leaf(leaf):
    """An array that is sharded over devices, gathered."""
    return np.asarray(leaf) if type(leaf) is Sharded else leaf


def run_transformation(cls: type, f: Callable, compiled: bool, *args, **options):
    """Call a transformation of f, compiled or not, with copies of the arguments."""
    transformed = cls(f, **options)
    if compiled:
        transformed = Jit(transformed, static_argnums=None, static_argnames=None, parallel="auto", tiered=False)
    return transformed(*copied_argument(args))


def forward(f, point, v, compiled):
    return run_transformation(Jvp, f, True, point, v) if compiled else jvp(f, copied_argument(point),
                                                                           copied_argument(v))


def reverse(f, point, ct, compiled):
    if not compiled:
        value, pullback = vjp(f, *copied_argument(point))
        return value, pullback(ct)
    value = f(*point) if isinstance(f, Derivative) else run_transformation(Primal, f, True, *point)
    return value, run_transformation(Vjp, f, True, point, ct, has_aux=False)


def _check_modes(f, point, order, modes, atol, rtol, rng, level, compiled):
    single = any(np.asarray(a).dtype in (np.float32, np.complex64) for a in numeric_leaves(point))
    tolerance = (1e-2 if single else 2e-5 if level == 1 else 2e-3)
    step = STEP.get(level, 1e-3) if not single else 1e-2
    v = random_direction(point, rng)
    out = map_leaves(gathered_leaf, f(*copied_argument(point)))
    plus, minus = (map_leaves(gathered_leaf, f(*copied_argument(displaced(point, v, h)))) for h in (step, -step))
    ct = random_direction(out, rng)
    difference = (inner(ct, plus) - inner(ct, minus)) / (2 * step)
    scale = max(1.0, abs(difference), norm(out))

    def compare(name, got):
        bound = (tolerance if atol is None else atol) * scale + (rtol or 0.0) * abs(difference)
        assert abs(got - difference) <= bound, f"{name} of order {level}: {got}, differences give {difference}"

    def deeper(function, at):
        _check_modes(function, at, order - 1, modes, atol, rtol, rng, level + 1, compiled)

    if "fwd" in modes:
        value, dot = forward(f, point, v, compiled)
        _same_types(value, out, f"the value of jvp (order {level})")
        compare("jvp", inner(ct, dot))
        if order > 1 and numeric_leaves(dot):
            deeper(ForwardMode(f, compiled), (point, v))
    if "rev" in modes:
        value, bars = reverse(f, point, ct, compiled)
        _same_types(value, out, f"the value of vjp (order {level})")
        _same_types(bars, point, f"the cotangents (order {level})")
        compare("vjp", inner(bars, v))
        if order > 1:
            deeper(Reverse(f, compiled), (point, ct))


class Derivative:
    """A function that a derivative makes of f; equal to another of the same f, so that it is specialised once.

    Its values are those of the programs that the order below has made.
    """

    def __init__(self, f, compiled=False):
        self.f, self.compiled = f, compiled

    def __eq__(self, other):
        return type(self) is type(other) and (self.f, self.compiled) == (other.f, other.compiled)

    def __hash__(self):
        return hash((type(self), self.f))


class ForwardMode(Derivative):
    """(point, direction) -> derivative along it."""

    def __call__(self, point, v):
        return forward(self.f, point, v, self.compiled)[1]

    def __gradscribe_call__(self, s, args, kwargs):
        return Jvp(self.f).__gradscribe_call__(s, args, kwargs).items[1]


class Reverse(Derivative):
    """(point, cotangent) -> cotangents of the point."""

    def __call__(self, point, ct):
        return reverse(self.f, point, ct, self.compiled)[1]

    def __gradscribe_call__(self, s, args, kwargs):
        return Vjp(self.f, has_aux=False).__gradscribe_call__(s, args, kwargs)


def _same_types(got, want, what):
    for a, b in zip(numeric_leaves(got), numeric_leaves(want), strict=True):
        assert isinstance(a, type(b)) and np.shape(a) == np.shape(b) and np.asarray(a).dtype == np.asarray(b).dtype, \
            (f"{what}: {type(a).__name__} {np.asarray(a).dtype}{np.shape(a)} "
             f"instead of {type(b).__name__} {np.asarray(b).dtype}{np.shape(b)}")


# stages --------------------------------------------------------------------------------------------
_made: WeakKeyDictionary = WeakKeyDictionary()  # program -> {name: its stage}
PLAIN_STAGES = ("specialised", "optimised", "inplace", "readable")
ALL_STAGES = (*PLAIN_STAGES, "lowered", "compiled")  # and "device", where there is one, or a simulator


def stages(fun: Callable, args: tuple, compiled: bool = False,
           names: tuple | None = None) -> Iterator[tuple[str, Callable]]:
    """Make every stage of a function for arguments like these, each a function of the same arguments.

    Parameters
    ----------
    fun : callable
        A function, or a transformed one.
    args : tuple
        The arguments.
    compiled : bool
        With the loops, too.
    names : tuple of str or None
        Which of all six stages; only those are made.

    Yields
    ------
    name : str
        Core as "specialised", core "optimised", core with its stores back ("inplace"), "readable"; with `compiled` also
        the loops, "lowered" as plain Python and "compiled" by numba.
    function : callable
        The stage.

    Raises
    ------
    ValueError
        For a name that is no stage.

    Examples
    --------
    >>> import gradscribe as gs
    >>> [(name, f(3.0)) for name, f in gs.test_util.stages(lambda x: x * x, (2.0,), names=("optimised", "readable"))]
    [('optimised', 9.0), ('readable', 9.0)]
    """
    owner = fun if isinstance(fun, Transformed) else Primal(fun)
    program = owner._cache.lookup(copied_argument(args), {})
    made = _made.setdefault(program, {})
    for name in names or (ALL_STAGES if compiled else PLAIN_STAGES):
        if name not in made:
            made[name] = _stage(program, name)
        yield name, _runner(program, made[name])


def _stage(program, name: str) -> Callable:
    owned = frozenset(program.core.writes)
    match name:
        case "specialised":
            return runnable(program.core)
        case "optimised":
            return runnable(program.optimised)
        case "inplace":
            return runnable(inplace(program.optimised, owned))
        case "readable":
            from .readable import readable
            return readable(program.optimised, owned=owned).function()
        case "lowered":
            from gradscribe.runtime.loading.trampoline import plain_module
            return plain_module(program.lowered())
        case "compiled":
            from gradscribe.runtime.loading.trampoline import compile_module
            return compile_module(program.lowered())
        case "device":
            return device_module(program.lowered("cuda"))
    raise ValueError(f"there is no stage {name!r}; the stages are {', '.join(ALL_STAGES)}")


def device_module(lowered) -> Callable:
    """What runs on a device, with results as the other stages give them."""
    from gradscribe.runtime.cuda.backend import get
    from gradscribe.runtime.cuda.running import compile_for_device
    run, types = compile_for_device(lowered), lowered.result_types

    def function(*args):
        return tuple([get(x) if t.kind == "array" else (t.python_type if t.kind == "py" else t.dtype.type)(get(x))
                      for x, t in zip(run(*args), types, strict=True)])

    return function


def _runner(program, function):
    def run(*args):
        leaves: list = []
        for a in args:
            flatten_argument(a, leaves)
        flat = program.flat(leaves)
        return program.given(flat, function(*flat), (args, {}))
    return run
