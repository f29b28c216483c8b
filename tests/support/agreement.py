"""Does a transformed function do what Python does? One answer for all tests: in value, type, dtype, shape, containers,
what it does to its arguments, and what it raises.

Nothing is expected that was written down: the function itself is run. What is refused is said by each test
(`refused="what is said"`), since a refusal is right, and of no use; what is refused no more is a failure, so that these
tests become tests of what it does.
"""
import copy
import dataclasses
import math
import types
import warnings

import numpy as np

import gradscribe as gs
from gradscribe import GradscribeError

WAYS = {"plain": gs.test_util.primal, "compiled": gs.jit}


class Disagreement(AssertionError):
    """A transformed function does something else than Python."""


@dataclasses.dataclass
class Outcome:
    """What a call gave or raised, and its arguments afterwards."""

    out: object = None
    error: Exception | None = None
    args: tuple = ()


def outcome(function, args) -> Outcome:
    """Call a function on copies of the arguments: what two of them share, the copies share."""
    args = copy.deepcopy(args)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return Outcome(function(*args), None, args)
        except Exception as error:  # what it raises is part of what it does
            return Outcome(None, error, args)


def agree(fun, *args, compiled=True, gradient=None, message=True, refused="", compiled_refuses="") -> bool:
    """Hold fun, transformed and (`compiled`) compiled, against fun itself;
    `gradient` is the number of an argument to differentiate by.

    message   must the text of an exception be the same, as well as its class?
    refused   what is said by each way instead of an answer
    compiled_refuses  what compiled code says, which has no ints of more than 64 bits and no float16, where plain Python
                      has an answer

    True, for `assert`.
    """
    Together(fun, compiled, message, refused, compiled_refuses)(*args, gradient=gradient)
    return True


class Together:
    """A function and its transformed forms, to be called again and again, as the world around them changes."""

    def __init__(self, fun, compiled=True, message=True, refused="", compiled_refuses=""):
        ways = (WAYS if compiled is True else {"compiled": gs.jit} if compiled == "only"
                else {"plain": gs.test_util.primal})
        self.fun, self.message, self.refused = fun, message, {"plain": refused, "compiled": refused or compiled_refuses}
        self.ways = {name: way(fun) for name, way in ways.items()}
        self.makers = {name: WAYS[name] for name in ways}

    def __call__(self, *args, gradient=None) -> None:
        want = outcome(self.fun, args)
        for name, f in self.ways.items():
            self.same(want, outcome(f, args), name)
        if gradient is not None:
            slope = differences(self.fun, args, gradient)
            for name, way in self.makers.items():
                got = outcome(way(gs.grad(self.fun, argnums=gradient)) if name == "compiled"
                              else gs.grad(self.fun, argnums=gradient), args)
                if got.error is None:
                    compare(got.out, slope, f"the gradient, {name}",
                            rtol=2e-2 if np.float32 in map(type, args) else 1e-5)
                else:
                    raise Disagreement(f"the gradient, {name}: {describe(got.error)}") from got.error

    def same(self, want: Outcome, got: Outcome, way: str) -> None:
        if not self.refused[way]:
            compare_outcomes(got, want, way, self.message)
        elif not isinstance(got.error, GradscribeError) or self.refused[way] not in str(got.error):
            raise Disagreement(f"{way}: {describe(got.error) if got.error else shown(got.out)}; "
                               f"it was refused: {self.refused[way]}") from got.error


def compare_outcomes(got: Outcome, want: Outcome, way: str, message=True) -> None:
    if want.error is not None:
        if got.error is None:
            raise Disagreement(f"{way}: {describe(want.error)} was not raised; the result is {shown(got.out)}")
        if type(got.error) is not public(type(want.error)) or message and str(got.error) != str(want.error):
            raise Disagreement(f"{way}: {describe(got.error)}, Python: {describe(want.error)}") from got.error
        return
    if got.error is not None:
        raise Disagreement(f"{way}: {describe(got.error)}, Python: {shown(want.out)}") from got.error
    compare(got.out, want.out, f"{way}: the result")
    compare(got.args, want.args, f"{way}: the arguments afterwards")


def public(cls: type) -> type:
    """The class of an exception that `except` can name. NumPy raises classes that it keeps to itself,
    numpy._core._exceptions.UFuncTypeError and those under it, and which other versions need not have: what a program
    catches is TypeError."""
    return next(c for c in cls.__mro__ if not c.__module__.startswith("numpy._"))


def describe(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"


def shown(x) -> str:
    """repr, also of an object whose own repr fails."""
    try:
        return repr(x)
    except Exception:
        return object.__repr__(x)


ITERATORS = tuple({type(x) for x in (iter([]), iter(()), iter({}), iter({}.values()), iter({}.items()), iter(""),
                                     iter(range(0)), reversed([]), reversed({}))}
                  | {zip, map, filter, enumerate, reversed, types.GeneratorType})
VIEWS = (type({}.keys()), type({}.values()), type({}.items()))


def compare(got, want, what="it", rtol=None) -> None:
    """Equal in class, structure, dtype, shape and value; a rounding apart where results are floats."""
    if type(got) is not type(want):
        raise Disagreement(f"{what}: {type(got).__name__} {shown(got)} instead of {type(want).__name__} {shown(want)}")
    if isinstance(want, np.ndarray):
        if got.dtype != want.dtype or got.shape != want.shape:
            raise Disagreement(f"{what}: {got.dtype}{got.shape} instead of {want.dtype}{want.shape}")
        if want.dtype.names is not None:
            return compare(*({n: np.asarray(x[n]) for n in want.dtype.names} for x in (got, want)), what, rtol)
        if want.dtype.kind in "US" and np.array_equal(got, want):
            return
        close = all(is_close(a, b, rtol) for a, b in zip(got.ravel().tolist(), want.ravel().tolist()))
        if not (close if want.dtype.kind in "fc" and want.dtype.itemsize == 8 else all_close(got, want, rtol)):
            raise Disagreement(f"{what}: {shown(got)} instead of {shown(want)}")
    elif isinstance(want, (float, np.floating, complex, np.complexfloating)):
        single = isinstance(want, np.floating) and want.dtype.itemsize < 8
        if not (all_close(np.asarray(got), np.asarray(want), rtol) if single else is_close(got, want, rtol)):
            raise Disagreement(f"{what}: {shown(got)} instead of {shown(want)}")
    elif isinstance(want, dict):
        if list(map(repr, got)) != list(map(repr, want)):
            raise Disagreement(f"{what}: keys {list(got)} instead of {list(want)}")
        for a, b in zip(list(got), list(want)):
            compare(got[a], want[b], f"{what}[{shown(b)}]", rtol)
    elif isinstance(want, (tuple, list, *VIEWS, *ITERATORS)):
        got, want = list(got), list(want)
        if len(got) != len(want):
            raise Disagreement(f"{what}: {shown(got)} instead of {shown(want)}")
        for k, (a, b) in enumerate(zip(got, want)):
            compare(a, b, f"{what}[{k}]", rtol)
    elif isinstance(want, (set, frozenset)):  # in no order: that of strings is another in each process
        if sorted(map(shown, got)) != sorted(map(shown, want)):
            raise Disagreement(f"{what}: {shown(got)} instead of {shown(want)}")
    elif isinstance(want, (type, types.FunctionType, types.ModuleType)):
        if got is not want:
            raise Disagreement(f"{what}: {shown(got)} instead of {shown(want)}")
    elif hasattr(want, "__dict__") or hasattr(type(want), "__dataclass_fields__"):
        compare(attributes(got), attributes(want), f"{what}.__dict__", rtol)
    elif shown(got) != shown(want):
        raise Disagreement(f"{what}: {shown(got)} instead of {shown(want)}")


def attributes(x) -> dict:
    names = list(vars(x)) if hasattr(x, "__dict__") else [f.name for f in dataclasses.fields(x)]
    return {name: getattr(x, name) for name in names}


def is_close(a, b, rtol=None) -> bool:
    """Equal numbers, the sign of zero and NaN included, or a few roundings apart."""
    if isinstance(b, complex):
        return is_close(a.real, b.real, rtol) and is_close(a.imag, b.imag, rtol)
    a, b = float(a), float(b)
    if b == 0.0 and rtol is None:
        return a == 0.0 and math.copysign(1.0, a) == math.copysign(1.0, b)
    return math.isnan(a) and math.isnan(b) or a == b or math.isclose(a, b, rel_tol=rtol or 1e-13, abs_tol=rtol or 0.0)


def all_close(got, want, rtol=None) -> bool:
    if want.dtype.kind not in "fc":
        return bool(np.array_equal(got, want))
    rtol = rtol or {2: 2e-3, 4: 1e-6}.get(want.dtype.itemsize, 1e-13)
    return (bool(np.allclose(got, want, rtol=rtol, atol=0.0, equal_nan=True))
            and all([np.array_equal(np.signbit(x) & (y == 0), np.signbit(y) & (y == 0))
                     for x, y in zip(real_parts(got), real_parts(want))]))


def real_parts(x):
    return (x.real, x.imag) if x.dtype.kind == "c" else (x,)


def differences(fun, args, argnum, h=1e-6):
    """The gradient of a function of one float result by central differences, in the form of the argument."""
    def value(moved):
        given = copy.deepcopy(args)
        with np.errstate(all="ignore"):
            return float(fun(*given[:argnum], moved, *given[argnum + 1:]))

    def slope(rebuilt, x):
        if isinstance(x, np.ndarray):
            out = np.zeros_like(x)
            for at in np.ndindex(x.shape):
                def moved(by, at=at):
                    other = x.copy()
                    other[at] += by
                    return rebuilt(other)
                out[at] = (value(moved(h)) - value(moved(-h))) / (2 * h)
            return out
        if isinstance(x, (float, np.floating)):
            return type(x)((value(rebuilt(x + h)) - value(rebuilt(x - h))) / (2 * h))
        if isinstance(x, dict):
            return type(x)({k: slope(lambda y, k=k: rebuilt({**x, k: y}), v) for k, v in x.items()})
        if isinstance(x, (list, tuple)):
            make = (lambda items: type(x)(*items)) if hasattr(x, "_fields") else type(x)
            return make([slope(lambda y, k=k: rebuilt(make([*x[:k], y, *x[k + 1:]])), v) for k, v in enumerate(x)])
        if dataclasses.is_dataclass(x):
            return dataclasses.replace(
                x, **{f.name: slope(lambda y, f=f: rebuilt(dataclasses.replace(x, **{f.name: y})), getattr(x, f.name))
                      for f in dataclasses.fields(x)})
        raise TypeError(f"{x!r} has no derivative")

    return slope(lambda x: x, args[argnum])
