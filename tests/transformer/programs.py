"""Core programs for the tests of transformations, and a small language to write them in.

    def square_all(t, x):
        n = t.size(x)
        return t.loop(0, n, [x], lambda i, a: t.set(a, t.get(a, i) * t.get(a, i), i))
"""
from __future__ import annotations

import numpy as np

from gradscribe.transformer.core import Block, Builder, For, Fun, If, While
from gradscribe.transformer.core.types import PY_INT
from gradscribe.transformer.core.verifier import verify
from gradscribe.transformer.rules import OPS
from gradscribe.transformer.rules.expr import Formula, atom_of
from gradscribe.transformer.rules.kinds import dim_atom


class Tracer:
    """Appends to a core function under construction; values are `Expr`s."""

    def __init__(self, b: Builder):
        self.b = b

    def wrap(self, atom, hint="t"):
        return tuple(Formula(self.b, a, hint) for a in atom) if isinstance(atom, tuple) else Formula(self.b, atom, hint)

    def op(self, name, *args, hint="t", **params):
        return self.wrap(self.b.emit(OPS[name], *map(atom_of, args), hint=hint, **params))

    def size(self, x, axis=0):
        return self.wrap(dim_atom(self.b, x.type.dims[axis]))

    def zeros(self, *shape):
        return self.op("np.zeros", *shape, dtype=np.dtype("f8"), hint="a")

    def _index(self, index):
        codes, atoms = [], []
        for i in index:
            if isinstance(i, slice):
                bounds = (i.start, i.stop, i.step)
                codes.append(":" if all(v is None for v in bounds)
                             else "s" + "".join("01"[v is not None] for v in bounds))
                atoms += [v for v in bounds if v is not None]
            else:
                codes.append("a" if isinstance(i, Formula) and i.type.kind == "array" else "i")
                atoms.append(i)
        return tuple(codes), atoms

    def get(self, x, *index, dims=None):
        codes, atoms = self._index(index)
        extra = {} if dims is None else {"dims": tuple(self.b.dim(atom_of(d)) for d in dims)}
        return self.op("getitem", x, *atoms, index=codes, **extra)

    def set(self, x, value, *index, dims=None, add=False):
        codes, atoms = self._index(index)
        extra = {} if dims is None else {"dims": tuple(self.b.dim(atom_of(d)) for d in dims)}
        return self.op("rt.update_add" if add else "rt.update", x, value, *atoms, hint="a", index=codes, **extra)

    def sum(self, x, axis=None, keepdims=False):
        axis = tuple(range(x.type.rank)) if axis is None else axis
        return self.op("np.sum", x, axis=axis, keepdims=keepdims)

    # control flow -------------------------------------------------------------------------------
    def _block(self, body, *args):
        with self.b.block() as stmts:
            results = body(*args)
            results = results if isinstance(results, (tuple, list)) else (results,)
        return Block(tuple(stmts), tuple(map(atom_of, results)))

    def _carried(self, inits, types=()):
        """Fresh names; a type given as `lambda name: ...` may mention the name carried before it."""
        names: list[str] = []
        for k, init in enumerate(inits):
            t = types[k](names[-1]) if types and types[k] else self.b.type(atom_of(init))
            names.append(self.b.fresh("c", t))
        return tuple(names)

    def _out(self, names):
        values = self.wrap(tuple(names))
        return values[0] if len(values) == 1 else values

    def loop(self, start, stop, inits, body, step=1, index="i", types=()):
        i, carried = self.b.fresh(index, PY_INT), self._carried(inits, types)
        block = self._block(body, *self.wrap((i, *carried)))
        ends = [atom_of(v) for v in (start, stop, step)]
        self.b.append(For(i, *ends, carried, tuple(map(atom_of, inits)), block))
        return self._out(carried)

    def while_(self, test, inits, body):
        """test(*carried) gives a bool."""
        first = atom_of(test(*inits))
        carried = self._carried(inits)
        flag = self.b.fresh("go", self.b.type(first))

        def both(*values):
            after = body(*values)
            after = after if isinstance(after, (tuple, list)) else (after,)
            return (test(*after), *after)

        block = self._block(both, *self.wrap(carried))
        self.b.append(While(flag, (flag, *carried), (first, *map(atom_of, inits)), block))
        return self._out(carried)

    def if_(self, test, then, orelse):
        sides = [self._block(then), self._block(orelse)]
        names = tuple(self.b.fresh("r", self.b.type(r)) for r in sides[0].results)
        self.b.append(If(atom_of(test), names, *sides))
        return self._out(names)


def program(body, **types) -> Fun:
    """A core function from `body(tracer, *params)`."""
    b = Builder()
    params = [b.fresh(name, t) for name, t in types.items()]
    for p in params:
        for axis, d in enumerate(types[p].dims):
            if len(d.names) == 1 and d == next(iter(d.names)) and str(d) not in b.types:
                b.emit(OPS["rt.size"], p, axis=axis, hint=str(d))
    results = body(Tracer(b), *[Formula(b, p) for p in params])
    results = results if isinstance(results, (tuple, list)) else (results,)
    return verify(b.fun(body.__name__, params, map(atom_of, results)), after="program")
