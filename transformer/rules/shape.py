"""Structure: creation, shapes, transposes, joining.  All linear, so that the rule is the transpose."""
import numpy as np

from gradscribe import runtime as rt

from ..core import MADE, MOVED, OWN, PASSED, SAME, VIEW, Const, common_order
from ..core.types import PY_INT, Dim, Type
from .inference import broadcast_dims, refuse_dropping
from .kinds import Inactive, Linear, dim_atoms
from .registry import OPS, register


class Shaped(Linear):
    """Linear operations whose arguments after the first `active` are the ints of a shape."""

    cheap = True

    def __init__(self, name, fn, infer, transpose, active):
        super().__init__(name, fn, infer, transpose, active)
        self.lengths_at = active

    def show(self, args, params):
        n = self.active
        shape = f"({', '.join(args[n:])}{',' if len(args) == n + 1 else ''})"
        keywords = "".join(f", {k}={_dtype(v)}" for k, v in params.items())
        return f"{self.name}({', '.join([*args[:n], shape])}{keywords})"


def _dtype(value):
    return f"np.{np.dtype(value).name}" if np.dtype(value) != np.dtype(bool) else "np.bool_"


def dims_of(b, atoms):
    return tuple(b.dim(a) for a in atoms)


class Created(Shaped):
    """Arrays made of nothing but a shape and a dtype, all of whose elements are one constant."""

    memory, to_fill = OWN, True

    def __init__(self, name, fn, fill):
        super().__init__(name, fn, lambda b, args, dtype: Type("array", np.dtype(dtype), dims_of(b, args)),
                         lambda b, let, g: [], 0)
        self.fill, self.elements = fill, None if fill is None else MADE

    def order(self, orders, params):
        return "C"


register(Created("np.zeros", np.zeros, 0))
register(Created("np.ones", np.ones, 1))
register(Created("np.empty", np.empty, None), cheap=False)


def _full(b, args, dtype):
    refuse_dropping(b, b.type(args[0]).dtype, np.dtype(dtype))
    return Type("array", np.dtype(dtype), dims_of(b, args[1:]))


register(Shaped("rt.full", rt.full, _full, lambda b, let, g: [g], active=1), memory=OWN, elements=MADE, to_fill=True,
         dtype_of_numbers=True, any_number=True)


def _broadcast_to(b, args):
    t, dims = b.type(args[0]), dims_of(b, args[1:])
    assert broadcast_dims([t, Type("array", t.dtype, dims)]) == dims, (t, dims)
    return Type("array", t.dtype, dims)


register(Shaped("np.broadcast_to", np.broadcast_to, _broadcast_to, lambda b, let, g: [g], active=1), memory=VIEW,
         elements=MOVED, safe=True,
         any_number=True)


def _reshape_back(b, let, g):
    return [b.emit(OPS["np.reshape"], g, *dim_atoms(b, b.type(let.args[0]).dims), hint="t")]


register(Shaped("np.reshape", np.reshape, lambda b, args: Type("array", b.type(args[0]).dtype, dims_of(b, args[1:])),
                _reshape_back, active=1), memory=VIEW, elements=MOVED)


def _transpose_type(b, args, axes):
    t = b.type(args[0])
    return Type("array", t.dtype, tuple(t.dims[k] for k in axes))


class Transpose(Linear):
    """x.transpose(axes)"""

    memory, elements, cheap, safe = VIEW, MOVED, True, True

    def order(self, orders, params):
        given, axes = common_order(orders), params["axes"]
        if axes == tuple(range(len(axes))):
            return given
        return {"C": "F", "F": "C"}.get(given) if axes == tuple(reversed(range(len(axes)))) else None


register(Transpose("np.transpose", np.transpose, _transpose_type,
                   lambda b, let, g: [b.emit(OPS["np.transpose"], g,
                                             axes=tuple(int(k) for k in np.argsort(let.param("axes"))))]))


def _as_array(b, args):
    t = b.type(args[0])
    return Type("array", t.dtype, t.dims)


register(Linear("np.copy", np.copy, _as_array, lambda b, let, g: [g]), memory=OWN, elements=PASSED, to_fill=True,
         cheap=True, converts=True)
register(Linear("np.asarray", np.asarray, _as_array, lambda b, let, g: [g]), np.asarray, memory=SAME, elements=PASSED,
         cheap=True, dtype_of_numbers=True,
         converts=True)


def _astype(b, args, dtype, joined=False):  # joined: where two paths join (`transform/python_numbers.py`)
    t = b.type(args[0])
    refuse_dropping(b, t.dtype, np.dtype(dtype))
    return Type("np" if t.kind == "py" else t.kind, np.dtype(dtype), t.dims)


class CastOp(Linear):
    """x.astype(dtype) of arrays and scalars; to a dtype without derivative it has none."""

    memory, cheap, converts = OWN, True, True

    def order(self, orders, params):
        return common_order(orders)

    def may_raise(self, let, types, known):
        return types[0] == PY_INT and let.param("dtype").kind in "iu"

    def jvp(self, b, let, tangents):
        return super().jvp(b, let, tangents) if b.type(let.name).is_float else (None,)

    def show(self, args, params):
        return f"rt.astype({args[0]}, {_dtype(params['dtype'])})"


register(CastOp("rt.astype", rt.astype, _astype, lambda b, let, g: [g]))


def _joined(b, args, axis):
    types = [b.type(a) for a in args]
    total = sum((t.dims[axis] for t in types[1:]), types[0].dims[axis])
    dims = list(types[0].dims)
    dims[axis] = total
    return Type("array", np.result_type(*(t.dtype for t in types)), tuple(dims))


def _split_cotangent(b, let, g):
    """Cotangents of what was concatenated: consecutive slices of g."""
    axis, rank, at, out = let.param("axis"), b.type(let.name).rank, Const(0), []
    for arg in let.args:
        stop = b.emit(OPS["add"], at, *dim_atoms(b, [b.type(arg).dims[axis]]), hint="stop") if at != Const(0) \
            else dim_atoms(b, [b.type(arg).dims[axis]])[0]
        index = tuple("s110" if k == axis else ":" for k in range(rank))
        out.append(b.emit(OPS["getitem"], g, at, stop, index=index, dims=tuple(b.type(arg).dims)))
        at = stop
    return out


class Join(Linear):
    """np.concatenate and np.stack: their arguments are written as one list."""

    memory, cheap_of_few = OWN, True

    def show(self, args, params):
        axis = f", axis={params['axis']}" if params["axis"] else ""
        return f"{self.name}([{', '.join(args)}]{axis})"


class Concatenate(Join):
    def order(self, orders, params):
        return common_order(orders)


register(Concatenate("np.concatenate", lambda *xs, axis: np.concatenate(xs, axis), _joined, _split_cotangent))


def _rolled_back(b, let, g):
    shift = let.args[1]
    back = Const(-shift.value) if isinstance(shift, Const) else b.emit(OPS["negative"], shift, hint="t")
    return [b.emit(OPS["np.roll"], g, back, axis=let.param("axis"))]


class Roll(Linear):
    """Along one axis the last elements first: the shift is an int of Python's."""

    memory, elements = OWN, MOVED

    def order(self, orders, params):
        return common_order(orders)


register(Roll("np.roll", np.roll, lambda b, args, axis: _as_array(b, args), _rolled_back, active=1))


def _stacked_type(b, args, axis):
    t = b.type(args[0])
    dims = list(t.dims)
    dims.insert(axis, Dim.of(len(args)))
    return Type("array", np.result_type(*(b.type(a).dtype for a in args)), tuple(dims))


def _unstack(b, let, g):
    axis, rank = let.param("axis"), b.type(let.name).rank
    return [b.emit(OPS["getitem"], g, Const(k), index=tuple("i" if j == axis else ":" for j in range(rank)))
            for k in range(len(let.args))]


register(Join("np.stack", lambda *xs, axis: np.stack(xs, axis), _stacked_type, _unstack), dtype_of_numbers=True)


# integers and shapes: no derivative -----------------------------------------------------------
class SizeOp(Inactive):
    """x.shape[axis]"""

    def show(self, args, params):
        return f"{args[0]}.shape[{params['axis']}]"


register(SizeOp("rt.size", rt.size, lambda b, args, axis: PY_INT), cheap=True, length=True,
         complex=True)


def _arange(b, args, dtype, count):
    return Type("array", np.dtype(dtype), (count,))


class Arange(Inactive):
    elements, cheap = MADE, True

    def order(self, orders, params):
        return "C"

    def show(self, args, params):
        return f"np.arange({', '.join(args)}, dtype={_dtype(params['dtype'])})"


register(Arange("np.arange", np.arange, _arange))


class Eye(Inactive):
    elements, cheap, lengths_at, complex = MADE, True, 0, True

    def order(self, orders, params):
        return "C"

    def show(self, args, params):
        return f"np.eye({', '.join(dict.fromkeys(args))}, dtype={_dtype(params['dtype'])})"


register(Eye("np.eye", np.eye, lambda b, args, dtype: Type("array", np.dtype(dtype), dims_of(b, args))))
class ArgExtremum(Inactive):
    """The place of an extremum, which an array without elements does not have."""

    def may_raise(self, let, types, known):
        return not known.has_elements(types[0])



def _arg_extremum(b, args, axis):
    t = b.type(args[0])
    if axis is None:
        return Type("np", np.dtype(np.int64))
    dims = tuple(d for k, d in enumerate(t.dims) if k != axis)
    return Type("array" if dims else "np", np.dtype(np.int64), dims)


register(ArgExtremum("np.argmax", np.argmax, _arg_extremum))
register(ArgExtremum("np.argmin", np.argmin, _arg_extremum))
register(Inactive("rt.stop_gradient", rt.stop_gradient, lambda b, args: b.type(args[0])), memory=SAME,
         elements=PASSED, cheap=True, complex=True)
