"""Tangents and cotangents in pieces, and exceptions: which are alike, what they say."""
import numpy as np

from . import numeric
from .numeric import floating, leaves


class Wrong(Exception):
    def __init__(self, check, message):
        super().__init__(check, message)
        self.check, self.message = check, message


SINGLE_EPS = float(np.finfo(np.float32).eps)


def dots(args, direction):
    """The direction as tangents: what cannot move has a zero of its own type."""
    return tuple(still(a) if t is None else t for a, t in zip(args, direction))


def fresh(args):
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)


def still(value):
    """The tangent of an integer or a bool, which cannot move: a zero of its own type."""
    return None if value is None else np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)(0)


def zero(value):
    return value if value is None else still(value)


def float_leaves(value):
    return [v for v in leaves(value) if floating(v)]


def float_parts(args, cts):
    """The cotangents of the float arguments; those of the others, if given at all, are not looked at."""
    if not isinstance(cts, (tuple, list)) or len(cts) != len(args):
        raise Wrong("vjp, cotangent", f"expected a tuple of {len(args)}, got {numeric.brief(cts)}")
    return [c for a, c in zip(args, cts) if floating(a)]


def cotangents(out, rng):
    """A random cotangent for every float output, in the structure of the outputs."""
    if isinstance(out, tuple):
        return tuple(cotangents(v, rng) for v in out)
    return numeric.like(out, rng.normal(size=np.shape(out))) if floating(out) else still(out)


TINY = (2.0**-500, 2.0**-900)  # for derivatives up to 1e450, and 1e570


def tiny(value, size):
    """Tangents or cotangents, scaled by a power of two: their derivative is exactly as much smaller."""
    if isinstance(value, tuple):
        return tuple([tiny(v, size) for v in value])
    return numeric.like(value, value * size) if floating(value) else value


def alike(expected, got):
    """Is it the same exception, or the other one of a store with two reasons to raise (docs/reliability.md)?"""
    return isinstance(got, type(expected)) or isinstance(expected, IndexError) and str(got).startswith(NO_ROOM)


NO_ROOM = "could not broadcast input array from shape"


def told(error):
    return f"{type(error).__name__}: {first_line(error)}"


def first_line(error):
    return str(error).strip().split("\n")[0][:200]


POWER = "(34, "  # how the OverflowError of a power of Python floats begins


def of_a_value(error) -> bool:
    """Is it an exception of computing one value, and not the user's own or one about shapes?"""
    return (isinstance(error, (IndexError, ZeroDivisionError, np.linalg.LinAlgError))
            or str(error).startswith((POWER, "zero-size array to reduction operation")))
