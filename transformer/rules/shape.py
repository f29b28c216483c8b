"""Structure: creation, shapes, transposes, joining.  All linear, so that the rule is the transpose."""
import numpy as np

from gradscribe import runtime as rt

from ..core import Const
from ..types import PY_INT, Dim, Type
from .elementwise import elementwise
from .kinds import ONE, Inactive, Linear, broadcast_dims, conform, dim_atoms, sum_to
from .registry import OPS, register


class Shaped(Linear):
    """Linear operations whose arguments after the first `active` are the ints of a shape."""

    def show(self, args, params):
        n = self.active
        shape = f"({', '.join(args[n:])}{',' if len(args) == n + 1 else ''})"
        keywords = "".join(f", {k}={_dtype(v)}" for k, v in params.items())
        return f"{self.name}({', '.join([*args[:n], shape])}{keywords})"


def _dtype(value):
    return f"np.{np.dtype(value).name}" if np.dtype(value) != np.dtype(bool) else "np.bool_"


def dims_of(b, atoms):
    return tuple(b.dim(a) for a in atoms)


def create(name, fn):
    """Arrays made of nothing but a shape and a dtype."""
    register(Shaped(name, fn, lambda b, args, dtype: Type("array", np.dtype(dtype), dims_of(b, args)),
                    lambda b, let, g: [], active=0))


create("np.zeros", np.zeros)
create("np.ones", np.ones)
create("np.empty", np.empty)

register(Shaped("rt.full", rt.full, lambda b, args, dtype: Type("array", np.dtype(dtype), dims_of(b, args[1:])),
                lambda b, let, g: [g], active=1))


def _broadcast_to(b, args):
    t, dims = b.type(args[0]), dims_of(b, args[1:])
    assert broadcast_dims([t, Type("array", t.dtype, dims)]) == dims, (t, dims)
    return Type("array", t.dtype, dims)


register(Shaped("np.broadcast_to", np.broadcast_to, _broadcast_to, lambda b, let, g: [g], active=1))


def _reshape_back(b, let, g):
    return [b.emit(OPS["np.reshape"], g, *dim_atoms(b, b.type(let.args[0]).dims), hint="t")]


register(Shaped("np.reshape", np.reshape, lambda b, args: Type("array", b.type(args[0]).dtype, dims_of(b, args[1:])),
                _reshape_back, active=1))


def _transpose(b, args, axes):
    t = b.type(args[0])
    return Type("array", t.dtype, tuple(t.dims[k] for k in axes))


register(Linear("np.transpose", np.transpose, _transpose,
                lambda b, let, g: [b.emit(OPS["np.transpose"], g, axes=tuple(int(k) for k in np.argsort(let.param("axes"))))]))


def _same(b, args, **_):
    return b.type(args[0])


def _as_array(b, args):
    t = b.type(args[0])
    return Type("array", t.dtype, t.dims)


register(Linear("np.copy", np.copy, _as_array, lambda b, let, g: [g]))
register(Linear("np.asarray", np.asarray, _as_array, lambda b, let, g: [g]), np.asarray)


def _astype(b, args, dtype, joined=False):  # joined: where two paths join (`transform/python_numbers.py`)
    t = b.type(args[0])
    return Type("np" if t.kind == "py" else t.kind, np.dtype(dtype), t.dims)


class Cast(Linear):
    """x.astype(dtype) of arrays and scalars; to a dtype without derivative it has none."""

    def jvp(self, b, let, tangents):
        return super().jvp(b, let, tangents) if b.type(let.name).is_float else (None,)

    def show(self, args, params):
        return f"rt.astype({args[0]}, {_dtype(params['dtype'])})"


register(Cast("rt.astype", rt.astype, _astype, lambda b, let, g: [g]))


def _joined(b, args, axis):
    types = [b.type(a) for a in args]
    total = sum((t.dims[axis] for t in types[1:]), types[0].dims[axis])
    dims = list(types[0].dims)
    dims[axis] = total
    return Type("array", np.result_type(*(t.dtype for t in types)), tuple(dims))


def _split(b, let, g):
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

    def show(self, args, params):
        return f"{self.name}([{', '.join(args)}], axis={params['axis']})"


register(Join("np.concatenate", lambda *xs, axis: np.concatenate(xs, axis), _joined, _split))


def _stacked(b, args, axis):
    t = b.type(args[0])
    dims = list(t.dims)
    dims.insert(axis, Dim.of(len(args)))
    return Type("array", np.result_type(*(b.type(a).dtype for a in args)), tuple(dims))


def _unstack(b, let, g):
    axis, rank = let.param("axis"), b.type(let.name).rank
    return [b.emit(OPS["getitem"], g, Const(k), index=tuple("i" if j == axis else ":" for j in range(rank)))
            for k in range(len(let.args))]


register(Join("np.stack", lambda *xs, axis: np.stack(xs, axis), _stacked, _unstack))


# integers and shapes: no derivative -----------------------------------------------------------
class Size(Inactive):
    """x.shape[axis]"""

    def show(self, args, params):
        return f"{args[0]}.shape[{params['axis']}]"


register(Size("rt.size", rt.size, lambda b, args, axis: PY_INT))


def _arange(b, args, dtype, count):
    return Type("array", np.dtype(dtype), (count,))


class Arange(Inactive):
    def show(self, args, params):
        return f"np.arange({', '.join(args)}, dtype={_dtype(params['dtype'])})"


register(Arange("np.arange", np.arange, _arange))


class Eye(Inactive):
    def show(self, args, params):
        return f"np.eye({', '.join(dict.fromkeys(args))}, dtype={_dtype(params['dtype'])})"


register(Eye("np.eye", np.eye, lambda b, args, dtype: Type("array", np.dtype(dtype), dims_of(b, args))))
for _name, _fn in (("np.argmax", np.argmax), ("np.argmin", np.argmin)):
    register(Inactive(_name, _fn, lambda b, args, axis: _arg_extremum(b, args, axis)))


def _arg_extremum(b, args, axis):
    t = b.type(args[0])
    if axis is None:
        return Type("np", np.dtype(np.int64))
    dims = tuple(d for k, d in enumerate(t.dims) if k != axis)
    return Type("array" if dims else "np", np.dtype(np.int64), dims)


register(Inactive("stop_gradient", rt.stop_gradient, lambda b, args: b.type(args[0])), rt.stop_gradient)
OPS["stop_gradient"].name = "rt.stop_gradient"
