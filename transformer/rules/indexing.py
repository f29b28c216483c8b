"""Reading and writing parts of arrays, which an index names (`transformer/core/index_codes.py`)."""
import numpy as np

from gradscribe import runtime as rt

from ..core import MOVED, OWN, STORED, VIEW, Const, common_order
from ..core.index_codes import entries, spell
from ..core.types import Dim, Type
from .inference import broadcast_dims, refuse_dropping
from .kinds import ONE, Op, bar_name, conform, dot_name, zeros_of
from .registry import OPS, register


def slice_dim(start, stop, step, n: Dim) -> Dim | None:
    """The length of a slice where it is a polynomial whatever the sizes; else None.

    Only what needs no assumption: whole axes.  The specialiser adds assumptions and clamps and passes
    the dims that result explicitly.
    """
    step = 1 if step is None else step.value if isinstance(step, Const) else None
    if start is None and stop is None and step in (1, -1):
        return n
    return None


def indexed_dims(b, t: Type, index, atoms, dims=None) -> tuple[Dim, ...]:
    """Dims of x[index].  `dims`, where given, are the result's, computed by who knows the clamping."""
    if dims is not None:
        return tuple(dims)
    axis, out, arrays, places = 0, [], [], []
    for code, own in entries(index, atoms):
        if code == "n":
            out.append(ONE)
            continue
        if code == ":":
            out.append(t.dims[axis])
        elif code[0] == "s":
            length = slice_dim(*own, t.dims[axis])
            assert length is not None, "a slice whose length is not known here needs dims="
            out.append(length)
        elif code == "a":
            arrays.append(b.type(own[0]))
            places.append(len(out))
            out.append(None)
        elif any(c == "a" for c in index):  # an int beside index arrays is one of them
            arrays.append(Type("array", np.dtype(int)))
            places.append(len(out))
            out.append(None)
        axis += 1
    out.extend(t.dims[axis:])
    if not arrays:
        return tuple(out)
    together = places == list(range(places[0], places[0] + len(places)))
    kept = [d for d in out if d is not None]
    at = sum(d is not None for d in out[:places[0]]) if together else 0
    return tuple(kept[:at]) + broadcast_dims(arrays) + tuple(kept[at:])


def indexed_type(b, x, index, atoms, dims=None) -> Type:
    t = b.type(x)
    scalar = all(c == "i" for c in index) and len(index) == t.rank
    return Type("np", t.dtype) if scalar else Type("array", t.dtype, indexed_dims(b, t, index, atoms, dims))


def may_repeat(let) -> bool:
    """May an index name a place twice?  The places of the true elements of a mask are `distinct`; those of a
    permutation are "all" that there are."""
    return "a" in let.param("index") and not let.param("distinct")


def is_turned(b, let) -> bool:
    """Is it x[::-1], all of x from one end or the other of each axis?  Taken again it is x."""
    return (set(let.param("index")) <= {":", "s001"} and set(let.args[1:]) <= {Const(1), Const(-1)}
            and b.type(let.name) == b.type(let.args[0]))


class Getitem(Op):
    """x[index]"""

    memory, elements, cheap, index_at, complex = VIEW, MOVED, True, 1, True

    def own_memory(self, params):
        return "a" in params["index"]

    def order(self, orders, params):
        given = common_order(orders)
        arrays = [k for k, code in enumerate(params["index"]) if code == "a"]
        return given if not arrays or arrays == [0] and given == "C" else None

    def may_raise(self, let, types, known):
        return not known.in_range(let)

    def infer(self, b, args, params):
        return (indexed_type(b, args[0], params["index"], args[1:], params.get("dims")),)

    def show(self, args, params):
        return f"{args[0]}[{spell(params['index'], args[1:])}]"

    def jvp(self, b, let, tangents):
        if tangents[0] is None:
            return (None,)
        return (b.emit(self, tangents[0], *let.args[1:], hint=dot_name(let.name), **dict(let.params)),)

    def vjp(self, b, let, cotangents, wanted):
        x, *index = let.args
        if is_turned(b, let):
            return [b.emit(self, cotangents[0], *index, hint=bar_name(x), **dict(let.params))] + [None] * len(index)
        zeros = zeros_of(b, b.type(x), bar_name(x))
        bar = b.emit(OPS["rt.update_add"], zeros, cotangents[0], *index, hint=bar_name(x), **dict(let.params))
        return [bar] + [None] * len(index)

    def accumulate(self, b, let, k, existing, cotangents):
        if k == 0 and not is_turned(b, let):  # one store into the adjoint that is there, not a sum of two arrays
            return b.emit(OPS["rt.update_add"], existing, cotangents[0], *let.args[1:], hint=bar_name(let.args[0]),
                          **dict(let.params))
        return None


class Update(Op):
    """x with x[index] = value (or +=, accumulating where the index repeats)."""

    memory, index_at, complex = STORED, 2, True

    def __init__(self, name, fn, add: bool):
        super().__init__(name, fn)
        self.add = add

    def order(self, orders, params):
        return orders[0]

    def may_raise(self, let, types, known):
        return not known.in_range(let) or known.may_overflow(let.args[:2], types[:2])

    def infer(self, b, args, params):
        refuse_dropping(b, b.type(args[1]).dtype, b.type(args[0]).dtype)
        return (b.type(args[0]),)

    def show(self, args, params):
        x, value, *atoms = args
        index = spell(params["index"], atoms)
        return f"{self.name}({x}, {value}, np.s_[{index}])"

    def part(self, b, let) -> Type:
        return indexed_type(b, let.args[0], let.param("index"), let.args[2:], let.param("dims"))

    def jvp(self, b, let, tangents):
        dx, dv = tangents[:2]
        if dx is None and dv is None:
            return (None,)
        x, value, *index = let.args
        hint = dot_name(let.name)
        if dx is None:
            dx = zeros_of(b, b.type(x), hint)
        if dv is None:
            if self.add:
                return (dx,)
            dv = Const(b.type(x).dtype.type(0))
        return (b.emit(self, dx, dv, *index, hint=hint, **dict(let.params)),)

    def vjp(self, b, let, cotangents, wanted):
        (g,), (x, value, *index) = cotangents, let.args
        out = [None] * len(let.args)
        if wanted[1]:
            hint = bar_name(value)
            part = b.emit(OPS["getitem"], g, *index, hint=hint, **dict(let.params))
            if may_repeat(let) and not self.add:
                last = b.emit(OPS["rt.last_writer"], g, *index, hint="last", **dict(let.params))
                part = b.emit(OPS["np.where"], last, part, Const(0.0), hint=hint)
            out[1] = conform(b, part, b.type(value), hint)
        elif self.add:  # no other statement of the adjoint names the place, which may not be there
            b.emit(OPS["getitem"], g, *index, hint="place", **dict(let.params), checks=True)
        if wanted[0]:
            zero = Const(b.type(x).dtype.type(0))
            out[0] = g if self.add else b.emit(self, g, zero, *index, hint=bar_name(x), **dict(let.params))
        return out


class LastWriter(Op):
    """A mask over x[index]: is this the element whose value stays when the index repeats?"""

    memory, index_at, complex = OWN, 1, True

    def infer(self, b, args, params):
        t = indexed_type(b, args[0], params["index"], args[1:], params.get("dims"))
        return (Type(t.kind, np.dtype(bool), t.dims),)

    def show(self, args, params):
        return f"rt.last_writer({args[0]}, np.s_[{spell(params['index'], args[1:])}])"

    def jvp(self, b, let, tangents):
        return (None,)

    def vjp(self, b, let, cotangents, wanted):
        return [None] * len(let.args)


register(Getitem("getitem", lambda x, *a, **k: None))
register(Update("rt.update", rt.update, add=False))
register(Update("rt.update_add", rt.update_add, add=True))
register(LastWriter("rt.last_writer", rt.last_writer))
