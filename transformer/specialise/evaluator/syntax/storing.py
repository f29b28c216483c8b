"""Values as they are stored into a part of an array, or added to it by `np.add.at`, which is another thing."""
from __future__ import annotations

import math
import operator

import numpy as np

from ....core import Const
from ....core.types import Type, sample
from ...domain import values as v
from ...domain.classes import is_deque
from ...domain.growing_lists import grown
from ..arrays.signatures import tried_now
from ..objects.containers import sampled

UNFIT = "array is not broadcastable to correct shape"


def addend(s, value, base: Type, part: Type):
    """The value as it is added to this part of an array of the type `base`."""
    if not s.is_numeric(value):
        value = s.array_of(value)
    t = s.type(value)
    if part.dtype.kind in "biu" and np.result_type(part.dtype, sample(t)).kind not in (
            "b" if part.dtype == bool else "iu"):
        s.fail(f"np.add.at of {t} to {part.dtype}, which cannot hold the sums",
               "Convert what is added: value.astype(x.dtype).")
    if t.kind == "py" and t.dtype.kind == "i":
        if part.dtype == np.uint64:
            s.fail("np.add.at of a Python int to uint64, which NumPy adds as floats", "Convert it: np.uint64(n).")
        if part.dtype.kind in "iu" and part.dtype.itemsize < 8 and not isinstance(value, v.Static):
            # to np.add.at a number is an array, which wraps around
            value = s.wrap(s.emit("rt.astype", s.atom(value), dtype=np.dtype(np.int64)))
    return fitted(s, value, base, part) if t.rank else value


def fitted(s, value, base: Type, part: Type):
    """An array that is added, of the lengths of the part."""
    t = s.type(value)
    if t.rank > part.rank:
        s.stop("ValueError", UNFIT)
    same = of_lengths(s, s.atom(value), part, UNFIT)
    if base.rank == 1 and t.rank < part.rank:  # there NumPy 2.4 reads on past the end of what is shorter
        same = s.emit("np.broadcast_to", same, *map(s.dim_atom, part.dims))
    return s.wrap(same)


def of_lengths(s, atom, part: Type, how: str, numbers=()):
    """An array with the lengths of the last axes of the part, where those are not 1."""
    dims = s.b.type(atom).dims
    here = part.dims[part.rank - len(dims):]
    return s.matched_array(atom, tuple([d if d.is_one else n for d, n in zip(dims, here)]), how, numbers)


def number_of_dtype(s, value, chosen: np.dtype):
    """A Python number as a NumPy scalar: what does not fit into the dtype is refused by NumPy."""
    atom, t = s.atom(value), s.type(value)
    if isinstance(atom, Const):
        return v.Number(Const(tried_now(s, chosen.type, atom.value)))
    if chosen.kind in "iu" and t.dtype.kind == "f":
        atom = s.emit("int", atom)
    if chosen.kind in "iu" and chosen != np.int64 and t.dtype.kind != "b":
        info = np.iinfo(chosen)
        for op, bound in (("greater_equal", info.min), ("less_equal", min(info.max, np.iinfo(np.int64).max))):
            s.require(s.emit(op, atom, Const(int(bound)), hint="fits"), "OverflowError",
                      f"Python integer {{}} out of bounds for {chosen}", atom)
    return s.wrap(s.emit("rt.astype", atom, dtype=chosen))


def of_numbers(s, value, chosen):
    """A nested list with Python's numbers in it as those of a dtype, each of which must fit."""
    if (isinstance(value, v.Tuple) or is_deque(value)
            or isinstance(value, v.Boxed) and value.cls is list and grown(s, value) is None):
        return v.Tuple(tuple([of_numbers(s, x, chosen) for x in s.items(value)]))
    if v.is_range(value) and chosen.kind in "iu" and chosen.itemsize < 8:
        s.fail(f"a range as an array of {chosen}, which may not hold its numbers", "Write np.arange(n).astype(dtype).")
    whole = (s.is_numeric(value) and s.type(value).kind == "py" and s.type(value).dtype.kind in "ib"
             and chosen.kind in "iu")
    return number_of_dtype(s, value, chosen) if whole else value


def array_stored(s, value, part: Type, basic: bool, by_number: bool):
    """A list, tuple or range that is stored, as an array."""
    if by_number and part.dtype.kind == "b" and not part.rank:
        s.fail("a sequence stored as an element of an array of bools", "Say what it is: bool(values).")
    value = of_numbers(s, value, part.dtype)
    value = s.array_of(value)
    if basic and s.type(value).rank > part.rank and (part.rank or not by_number):
        s.stop("ValueError", f"setting an array element with a sequence. The requested array would exceed the maximum "
                             f"number of dimension of {part.rank}.")
    return value


def store_value(s, value, part: Type, basic: bool, by_number: bool):
    """The value as it is stored: broadcastable to the part's dims, cast where a store would truncate.

    `basic`: the index has no arrays in it.  `by_number`: the store is one of a number, and not of an array of shape ().
    """
    # whether an array of one element is a number is NumPy's to say
    if not part.rank and not isinstance(value, v.Number):
        place = (np.zeros(1, part.dtype), 0) if by_number else (np.zeros((), part.dtype), ...)
        tried_now(s, operator.setitem, *place, sampled(s, value))
    if isinstance(value, (v.Tuple, v.Boxed)) or v.is_range(value):
        value = array_stored(s, value, part, basic, by_number)
    atom = s.atom(value)
    t = s.b.type(atom)
    while t.rank > part.rank and t.dims[0].is_one:
        atom = s.emit("getitem", atom, Const(0), index=("i",) + (":",) * (t.rank - 1))
        t = s.b.type(atom)
    if t.kind == "py" and t.dtype.kind == "c":  # which no float is made of, unlike NumPy's
        tried_now(s, part.dtype.type, sample(t))
    for d in t.dims[:max(0, t.rank - part.rank)]:
        s.not_one_here(d)  # NumPy would drop an axis of length 1
    text, numbers = unfit_text(s, t, part)
    if t.rank > part.rank:
        if by_number and not part.rank:
            s.stop("ValueError", "setting an array element with a sequence.")
        s.stop("ValueError", text, numbers)
    atom = of_lengths(s, atom, part, text, numbers)
    is_stored_as_it_is = part.dtype.kind not in "iub" or t.dtype.kind in "iub" and (
        t.kind != "np" or np.can_cast(t.dtype, part.dtype))  # integers of arrays wrap around
    return atom if is_stored_as_it_is else truncated(s, atom, part, by_number)


def unfit_text(s, t: Type, part: Type) -> tuple:
    """What NumPy says where a value has too many axes or other lengths, and the numbers in it."""
    text, numbers = s.shape_text(t, part)
    return ("could not broadcast input array from shape {} into shape {}".format(*text.split(" ", 1)) if t.rank
            else text), numbers


def truncated(s, atom, part: Type, by_number: bool):
    """A number that an array of integers or bools does not hold, as it is stored there.

    Python's floats go into integers by way of its int, so that what does not fit raises; so do NumPy's scalars into
    signed ones, where the store is one of a number.
    """
    t = s.b.type(atom)
    signed = t.kind == "np" and part.dtype.kind == "i" and by_number
    if signed or t.kind == "py" and part.dtype.kind != "b":
        # what no integer of C holds; compiled code refuses what it does not hold itself
        if t.dtype.kind == "f" and not isinstance(atom, Const):
            size = s.emit("abs", atom)
            large = s.emit("and_", s.emit("greater", size, Const(2.0**(64 if part.dtype.kind == "u" else 63))),
                           s.emit("not_equal", size, Const(math.inf)))
            s.require(s.emit("not ", large, hint="ok"), "OverflowError", "Python int too large to convert to C long")
        atom = s.emit("int", atom)
    return s.emit("rt.astype", atom, dtype=part.dtype)
