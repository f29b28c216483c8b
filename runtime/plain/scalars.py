"""Scalar operations that compiled text uses and Python does not have by a name.

Plain Python here, so that the text also runs without a compiler.  `native` gives each of them a compiled
form that costs a few instructions and no function of its own.  A `site` is the number of a statement:
`Failure(site, ...)` travels to the caller, who knows its message and the user's line.
"""
from __future__ import annotations

import math

import numpy as np

from . import threefry as words
from .clock_marks import lap, note_bytes  # noqa: F401
from .printing import asked_level, read_clock, say  # noqa: F401
from .segments import fitting_length, least_room, next_start, segment_starts, starts_ahead  # noqa: F401
from .special import digamma_of, gamma_slope  # noqa: F401  compiled text calls these here


class Failure(Exception):
    """(site, *ints): compiled code stopped at a site of its text."""


LOW, HIGH = -(2**63), 2**63 - 1


def threefry(k0, k1, x0, x1):
    """`runtime.threefry` of words in integers of any width: its sums wrap around at 32 bits."""
    return words.threefry(np.uint32(k0), np.uint32(k1), np.uint32(x0), np.uint32(x1))


HEARD = -7  # the site where a loop has heard of a signal, whose handler raised


def listen(work):
    """At the end of a round of a loop, which did so many steps: Python listens for signals by itself."""


def check(ok, site, a, b):
    """Stop at `site` unless ok; a and b are numbers for the message."""
    if not ok:
        raise Failure(site, int(a), int(b))


MOST = 3_037_000_499  # elements along an axis: the square of it fits into 64 bits


def check_sizes(arrays, site):
    """Stop at `site` if an array has an axis of more elements than compiled code can count with."""
    if any(n > MOST for x in arrays for n in x.shape):
        raise Failure(site, 0, 0)


def index(i, n, site):
    """The place that index i names in an axis of n elements."""
    if not -n <= i < n:
        raise Failure(site, int(i), int(n))
    return i + n if i < 0 else i


def _fits(value, site):
    if not LOW <= value <= HIGH:
        raise Failure(site)
    return value


def iadd(a, b, site):
    return _fits(int(a) + int(b), site)


def isub(a, b, site):
    return _fits(int(a) - int(b), site)


def imul(a, b, site):
    return _fits(int(a) * int(b), site)


def ineg(a, site):
    return _fits(-int(a), site)


def ipow(a, b, site):
    """a ** b of Python ints with b >= 0."""
    return _fits(int(a) ** int(b), site)


def wpow(a, b):
    """a ** b of NumPy int64, which wraps around; b has no sign."""
    with np.errstate(over="ignore"):
        return (np.int64(a).astype(np.uint64) ** np.int64(b).astype(np.uint64)).astype(np.int64)


def ishl(a, b, site):
    """a << b of Python ints with b >= 0."""
    return _fits(int(a) << min(int(b), 64), site)


def to_int(x, nan, infinite, wide, large):
    """int(x) of a float; `wide` is the site of what 64 bits hold without a sign only,
    `large` of what they do not hold."""
    if not -2.0**63 <= x < 2.0**63:
        raise Failure(nan if x != x else infinite if math.isinf(x) else wide if 0 < x < 2.0**64 else large)
    return int(x)


def _converts(dtype):
    """A float as an integer of this dtype: NumPy's conversion, which says nothing of what does not fit."""
    def function(x):
        with np.errstate(all="ignore"):
            return np.float64(x).astype(dtype)

    function.__name__ = function.__qualname__ = f"to_{np.dtype(dtype).name}"
    return function


to_int8, to_int16, to_int32, to_int64, to_uint8, to_uint16, to_uint32, to_uint64 = map(
    _converts, (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64))


def order(i, x):
    """How a Python int and a float compare, exactly: -1.0, 0.0, 1.0, or not a number."""
    return x if x != x else float((i > x) - (i < x))


def fpow(a, b, zero, fraction, large):
    """a ** b of Python floats."""
    a, b = float(a), float(b)
    try:
        result = a ** b
    except ArithmeticError as error:
        raise Failure(large if isinstance(error, OverflowError) else zero) from None
    if isinstance(result, complex):
        raise Failure(fraction)
    return result


def powered(result, a, large):
    """The power of a float a, unless it is too large."""
    if math.isinf(result) and not math.isinf(a):
        raise Failure(large)
    return result


def fdiv(a, b):
    """a // b of floats, as NumPy and Python have it; NumPy's where b is 0."""
    with np.errstate(all="ignore"):
        return np.floor_divide(a, b)


def select(c, a, b):
    """a if c else b; both are computed already."""
    return a if c else b


def radd(a, b):
    """a + b in a sum whose order does not matter."""
    return a + b


def rsub(a, b):
    """a - b, likewise."""
    return a - b


def rmul(a, b):
    """a * b in a product whose order does not matter."""
    return a * b


def fmax(a, b):
    """NumPy's maximum: not a number if one of them is not."""
    return np.maximum(a, b)


def fmin(a, b):
    return np.minimum(a, b)


def most(a, b):
    """The larger of two in a reduction, whose order does not matter: of 0.0 and -0.0 the former."""
    return np.maximum(a, b) if a or b else np.float64(a + b).astype(type(a))


def least(a, b):
    return np.minimum(a, b) if a or b else -np.float64(-a - b).astype(type(a))


def _numpy(name):
    """NumPy's function as a function of this module, to which `native` gives a compiled form."""
    ufunc = getattr(np, name)

    def function(*args):
        with np.errstate(all="ignore"):
            return ufunc(*args)

    function.__name__ = function.__qualname__ = name
    return function


sqrt, floor, ceil, rint, trunc, fabs = map(_numpy, ("sqrt", "floor", "ceil", "rint", "trunc", "fabs"))
tan, sinh, cosh, arcsin, arccos, arctan, arctan2, hypot = map(
    _numpy, ("tan", "sinh", "cosh", "arcsin", "arccos", "arctan", "arctan2", "hypot"))
arcsinh, arccosh, arctanh, exp2, log2, log10, cbrt, copysign, fmod, nextafter = map(
    _numpy, ("arcsinh", "arccosh", "arctanh", "exp2", "log2", "log10", "cbrt", "copysign", "fmod", "nextafter"))


def erf(x):
    return type(x)(math.erf(x))


def erfc(x):
    return type(x)(math.erfc(x))


def lgamma(x):
    return type(x)(math.lgamma(x))


def gamma(x):
    try:
        return type(x)(math.gamma(x))
    except OverflowError:
        return type(x)(math.inf)
    except ValueError:
        return type(x)(math.nan)


def digamma(x):
    """The derivative of the logarithm of the gamma function."""
    return digamma_of(float(x))


def round_to(x, digits):
    """round(x, digits) of a Python float."""
    return round(float(x), int(digits))


def argsort(x):
    """The places of the elements of a vector, from the smallest to the largest; equal ones in their order."""
    return np.argsort(x, kind="stable")


def places(x, count):
    """The places of the true elements of an array, of which there are so many."""
    found, k = np.empty(count + 1, np.int64), 0
    for i, true in enumerate(x.ravel()):
        found[min(k, count)] = i  # always, since a branch would be guessed wrong as often as not
        k += int(true)
    return found[:count]


def search(a, x, left):
    """How many elements of a, which ascend, are less than x (or less or equal); a NaN is more than all numbers."""
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        before = (a[middle] < x or x != x and a[middle] == a[middle] if left
                  else not (x < a[middle] or a[middle] != a[middle] and x == x))
        if before:
            low = middle + 1
        else:
            high = middle
    return low


def clamp(i, n):
    """Where a slice bound i falls in an axis of n elements."""
    return min(max(i + n if i < 0 else i, 0), n)


def span(start, stop):
    """The length of a slice from start to stop, both clamped."""
    return max(stop - start, 0)


def slice_from(i, n, step):
    """The first place of a slice x[i::step] of n elements."""
    return slice(i, None, step).indices(n)[0]


def slice_to(i, n, step):
    """The place before which a slice x[:i:step] of n elements ends."""
    return slice(None, i, step).indices(n)[1]


def slice_count(start, stop, step):
    """How many places there are from start to before stop."""
    return len(range(start, stop, step))


def trip_count(start, stop, step):
    """How often a loop over range(start, stop, step) runs;
    where it would be more, the largest number that fits into 64 bits."""
    r = range(start, stop, step)
    return min(max((r.stop - r.start + r.step + (-1 if r.step > 0 else 1)) // r.step, 0), 2**63 - 1)


def natural(i):
    """Tells the compiler that i is not negative."""


BLOCK = 1024  # elements that are added up in any order


def blocks(n):
    """How many blocks n elements have."""
    return (n + BLOCK - 1) // BLOCK


def block_end(block, n):
    """Where a block ends."""
    return min((block + 1) * BLOCK, n)


RUNS = 4096


def run_size(n, least):
    """How many rounds of n are a run, of which there are at most RUNS."""
    return max((n + RUNS - 1) // RUNS, least)


def add_exactly(total, error, value):
    """total + value, and error plus what rounding lost: a sum in twice the precision."""
    with np.errstate(invalid="ignore"):
        new = total + value
        kept = new - total
        return new, error + ((total - (new - kept)) + (value - kept))


def added(total, error):
    """The sum that `add_exactly` kept in two numbers; of infinite ones the error means nothing."""
    return total + error if error == error else total


def bits(x):
    """A number as 64 bits, for `check_all` to hand on: `number` makes it what it was."""
    return (int(np.float64(x).view(np.int64)) if isinstance(x, (float, np.floating))
            else int(np.uint64(x).view(np.int64)) if isinstance(x, np.uint64) else int(x))


def number(bits, dtype):
    """The NumPy scalar that `bits` was made of."""
    if dtype.kind == "f":
        return dtype.type(np.int64(bits).view(np.float64))
    return np.int64(bits).astype(dtype)


def check_all(ok, site, numbers):
    """Stop at `site` unless ok; any number of numbers for the message."""
    if not ok:
        raise Failure(site, *map(int, numbers))


def room(tape, need):
    """The tape, or a larger copy of it, so that it has `need` places."""
    if need <= tape.shape[0]:
        return tape
    grown = np.zeros(max(need, 2 * tape.shape[0]), tape.dtype)
    grown[:tape.shape[0]] = tape
    return grown
