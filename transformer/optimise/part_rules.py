"""Rules of `simplify` for shapes, for parts that are read and for parts that are stored into."""
from __future__ import annotations

from dataclasses import replace

from ..core import Let
from ..rules import OPS
from ..rules.indexing import may_repeat
from ..rules.kinds import dim_atoms
from .simplify import Simplify, is_derivative, is_zero, of


# shapes ------------------------------------------------------------------------------------------
@of("float", "int", "bool", "rt.astype", "np.asarray", "np.broadcast_to", "np.reshape", "retype")
def same_value(s: Simplify, let: Let):
    """astype, float, asarray, reshape, broadcast_to, retype that change nothing: np.float64(x) does where x is Python's
    number on a path."""
    x = let.args[0]
    return s.same_type(x, let) if let.op.name != "rt.astype" or x not in s.pythons else None


@of("np.transpose")
def transpose_twice(s: Simplify, let: Let):
    inner = s.definition(let.args[0], "np.transpose")
    axes = let.param("axes")
    if axes == tuple(range(len(axes))):
        return s.same_type(let.args[0], let)
    if inner:
        return replace(let, args=inner.args, params=(("axes", tuple(inner.param("axes")[k] for k in axes)),))
    return None


@of("np.reshape")
def reshape_twice(s: Simplify, let: Let):
    inner = s.definition(let.args[0], "np.reshape")
    return replace(let, args=(inner.args[0], *let.args[1:])) if inner else None


@of("retype")
def retyped(s: Simplify, let: Let):
    """retype of a retype; a broadcast that is said to have other lengths is one to these."""
    inner = s.definition(let.args[0], "retype")
    wide = s.definition(let.args[0], "np.broadcast_to")
    if wide and not s.b.type(wide.args[0]).rank:
        args = (wide.args[0], *dim_atoms(s.b, s.types[let.name].dims))
        return s.typed(replace(let, op=wide.op, args=args, params=()))
    return replace(let, args=inner.args) if inner else None


# reading and writing parts -----------------------------------------------------------------------
def same_part(let: Let, other: Let, at: int, at_other: int) -> bool:
    """Do two statements name the same part, each place once?"""
    index = let.param("index")
    return index == other.param("index") and not may_repeat(let) and let.args[at:] == other.args[at_other:]


@of("getitem")
def read_what_was_written(s: Simplify, let: Let):
    """update(x, v, i)[i]; an element is NumPy's number, whatever was stored"""
    written = s.definition(let.args[0], "rt.update")
    return (s.same_type(written.args[1], let) if written and same_part(let, written, 1, 2)
            and written.args[1] not in s.pythons else None)


@of("getitem")
def element_of_number(s: Simplify, let: Let):
    """np.asarray(x)[()] of a number"""
    number = s.definition(let.args[0], "np.asarray")
    return s.same_type(number.args[0], let) if number and let.param("index") == () else None


@of("rt.update")
def write_what_was_read(s: Simplify, let: Let):
    """update(x, x[i], i)"""
    read = s.definition(let.args[1], "getitem")
    return let.args[0] if read and read.args[0] == let.args[0] and same_part(let, read, 2, 1) else None


@of("rt.update")
def write_twice(s: Simplify, let: Let):
    """update(update(x, v, i), w, i); where something else reads the first, x would be copied for it"""
    first = s.definition(let.args[0], "rt.update")
    if first and same_part(let, first, 2, 2) and s.used_once(first.name):
        return replace(let, args=(first.args[0], *let.args[1:]))
    return None


@of("rt.update_add")
def add_to_zero(s: Simplify, let: Let):
    """update_add(zeros, v, i), update_add(update(x, 0, i), v, i); i a part where no place repeats; in the user's own
    code only of integers: 0.0 + -0.0 is 0.0"""
    x, value, *_ = let.args
    if may_repeat(let) or not (is_derivative(let) or s.types[let.name].dtype.kind in "iu"):
        return None
    zeroed = s.definition(x, "rt.update")
    if zeroed and same_part(let, zeroed, 2, 2) and is_zero(zeroed.args[1]) and s.used_once(zeroed.name):
        return replace(let, op=OPS["rt.update"], args=(zeroed.args[0], *let.args[1:]))
    if s.definition(x, "np.zeros"):
        whole = all(code == ":" for code in let.param("index"))
        return whole and s.same_type(value, let) or replace(let, op=OPS["rt.update"])
    return None


@of("rt.update", "rt.update_add")
def store_unbroadcast(s: Simplify, let: Let):
    """A store broadcasts by itself."""
    wide = s.definition(let.args[1], "np.broadcast_to")
    if wide and "a" not in let.param("index"):
        return replace(let, args=(let.args[0], wide.args[0], *let.args[2:]))
    return None
