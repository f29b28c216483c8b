"""Rules of `simplify` for axes of length 1, which an index makes (None) or takes away (0): what is made is taken away.

    t = x[None, :]                        y = x
    y = t[0]
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Atom, Const, Let
from ..core.index_codes import codes_of_axes, entries
from ..rules import OPS
from ..rules.kinds import Elementwise, Reduction
from .simplify import Simplify, of

FIRST = {Const(0), Const(-1)}  # the only place on an axis of length 1


def what_makes(s: Simplify, x: Atom) -> Let | None:
    """What makes an array, whatever its lengths are called."""
    let = s.definition(x)
    return what_makes(s, let.args[0]) if let is not None and let.op is OPS["retype"] else let


def under_lengths_of(s: Simplify, let: Let, new: Let) -> Let:
    """A new form of a statement, with the lengths that the old one says."""
    (t,) = new.op.infer(s.b, new.args, dict(new.params))
    if t == s.types[let.name]:
        return new
    name = s.b.fresh(let.name, t)
    s.emit(replace(new, names=(name,)))
    return replace(let, op=OPS["retype"], args=(name,), params=(("dims", s.types[let.name].dims),))


def taken_away(s: Simplify, let: Let) -> tuple[int, ...]:
    """The axes of length 1 that an index takes away; none if it does anything else."""
    codes = codes_of_axes(let.param("index"), s.b.type(let.args[0]).rank)
    return tuple([k for k, code in enumerate(codes) if code == "i"]) if (
        set(codes) <= {":", "i"} and set(let.args[1:]) <= FIRST) else ()


@of("getitem")
def new_axes_again(s: Simplify, let: Let):
    """x[None][0], x[:, None][None], x[1:, None][:, 0]: one index, or none"""
    inner = what_makes(s, let.args[0])
    if inner is None or inner.op is not let.op or not {"i", "a"}.isdisjoint(inner.param("index")):
        return None
    x, dims = inner.args[0], (("dims", s.types[let.name].dims),)
    parts = entries(codes_of_axes(inner.param("index"), s.b.type(x).rank), inner.args[1:])
    taken = parts_of_both(entries(let.param("index"), let.args[1:]), parts)
    if taken is None:
        return None
    if {code for code, _ in taken} == {":"}:
        return under_lengths_of(s, let, replace(let, op=OPS["retype"], args=(x,), params=dims))
    params = (("index", tuple([code for code, _ in taken])), *(dims if inner.param("dims") else ()))
    args = (x, *[a for _, own in taken for a in own if a is not None])
    return under_lengths_of(s, let, replace(let, args=args, params=params))


def parts_of_both(outer: list, inner: list) -> list | None:
    """The entries of the index that x[inner][outer] has, if the outer one only makes axes and takes new ones away."""
    rest, taken = list(inner), []
    for code, own in outer:
        entry = (code, own) if code == "n" else rest.pop(0)
        if (code, entry[0]) == ("i", "n") and set(own) <= FIRST:
            continue
        if code not in (":", "n"):
            return None
        taken.append(entry)
    return taken + rest


@of("getitem")
def dropped_before(s: Simplify, let: Let):
    """(x[None] + y[None])[0]: without the new axis, which both sides have"""
    whole, gone = s.definition(let.args[0]), taken_away(s, let)
    if not (gone and whole and isinstance(whole.op, Elementwise) and s.used_once(whole.name)):
        return None
    if not all([makes(s, a, gone, s.types[whole.name].dims) for a in whole.args]):
        return None
    sides = [s.b.fresh(a, s.b.type(a).with_dims(s.types[let.name].dims)) for a in whole.args]
    for a, side in zip(whole.args, sides):
        s.emit(replace(let, names=(side,), args=(a, *let.args[1:])))
    return s.typed(replace(whole, names=let.names, args=tuple(sides)))


def makes(s: Simplify, x: Atom, axes: tuple[int, ...], dims) -> bool:
    """Are these axes of an array of these lengths new ones?"""
    made = what_makes(s, x)
    return s.b.type(x).dims == dims and made is not None and made.op is OPS["getitem"] and set(axes) <= {
        k for k, code in enumerate(made.param("index")) if code == "n"}


@of("getitem")
def reduced_and_dropped(s: Simplify, let: Let):
    """np.sum(x, axis=0, keepdims=True)[0]"""
    whole = what_makes(s, let.args[0])
    if not (whole and isinstance(whole.op, Reduction) and whole.param("keepdims")):
        return None
    if taken_away(s, let) != tuple(sorted(whole.param("axis"))) or not (
            s.used_once(whole.name) and s.used_once(let.args[0])):
        return None
    params = (("axis", whole.param("axis")), ("keepdims", False))
    return under_lengths_of(s, let, replace(whole, names=let.names, params=params))


@of("rt.update")
def write_all(s: Simplify, let: Let):
    """update(zeros, v, i) where i names all of it: v, without the new axes of i, and with one for each 0 in it"""
    x, value, *atoms = let.args
    codes = codes_of_axes(let.param("index"), s.types[let.name].rank)
    if not (s.definition(x, "np.zeros") and set(codes) <= {":", "n", "i"} and set(atoms) <= FIRST):
        return None
    back = tuple([{"n": "i", "i": "n"}.get(code, code) for code in codes])
    if s.b.type(value).kind != "array" or s.b.type(value).rank != sum(code != "n" for code in back):
        return None
    args = (value, *[Const(0)] * back.count("i"))
    whole = set(back) == {":"}
    return s.same_type(value, let) if whole else s.typed(replace(let, op=OPS["getitem"], args=args,
                                                                 params=(("index", back),)))
