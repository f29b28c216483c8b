"""Random pure core programs with updates, views, branches and loops; every dim is a constant."""
import random

import numpy as np

from gradscribe.transformer.core import Block, Builder, Const, For, If, While
from gradscribe.transformer.core.types import PY_INT, Dim, array
from gradscribe.transformer.core.verifier import verify
from gradscribe.transformer.rules import OPS

SHAPES = [(3,), (4,), (3, 4), (4, 3), (12,)]


class Programs:
    def __init__(self, seed, statements=8, depth=2):
        self.r = random.Random(seed)
        self.b = Builder()
        self.statements, self.depth = statements, depth
        self.arrays, self.numbers, self.ints = [], [], []

    def function(self, params=3):
        names = []
        for k in range(params):
            shape = self.r.choice(SHAPES[:3])
            names.append(self.b.fresh("abcdef"[k], array("f8", *shape)))
            self.arrays.append(names[-1])
        self.block(self.statements, self.depth)
        results = [self.r.choice(self.arrays[-5:]) for _ in range(3)] + [self.r.choice(self.numbers or [Const(1.0)])]
        writes = {}
        if self.r.random() < 0.5:
            p = names[0]
            results.append(self.same_shape(p))
            writes = {p: len(results) - 1}
        return verify(self.b.fun("f", names, results, writes), after="generator")

    # choices ---------------------------------------------------------------------------------
    def shape(self, name):
        return tuple(d.constant for d in self.b.types[name].dims)

    def pick(self, rank=None):
        """An array, more often a recent one."""
        pool = [a for a in self.arrays if rank is None or len(self.shape(a)) == rank]
        if not pool:
            return self.zeros((3,) if rank == 1 else (3, 4))
        return self.r.choice(pool[-3:] if self.r.random() < 0.7 else pool)

    def same_shape(self, name):
        pool = [a for a in self.arrays if self.shape(a) == self.shape(name)]
        return self.r.choice(pool[-3:] if self.r.random() < 0.6 else pool) if pool else self.zeros(self.shape(name))

    def emit(self, op, *args, **params):
        if "dims" in params:
            params["dims"] = tuple(map(Dim.of, params["dims"]))
        name = self.b.emit(OPS[op], *args, **params)
        (self.arrays if self.b.types[name].kind == "array" else self.numbers).append(name)
        return name

    def zeros(self, shape):
        return self.emit("np.zeros", *map(Const, shape), dtype=np.dtype("f8"))

    def value(self, shape):
        """Something to store into a part of this shape."""
        pool = [a for a in self.arrays if self.shape(a) == shape]
        if pool and self.r.random() < 0.6:
            v = self.r.choice(pool[-4:])
            return self.emit("multiply", v, Const(0.5)) if self.r.random() < 0.4 else v
        return self.r.choice(self.numbers[-3:] + [Const(1.5)])

    def int_atom(self):
        return self.r.choice(self.ints) if self.ints and self.r.random() < 0.7 else Const(self.r.randrange(2))

    def index(self, shape, arrays=True):
        """(index, atoms, dims) of a part."""
        if arrays and self.r.random() < 0.15:
            at = self.emit("np.arange", Const(2), dtype=np.dtype("i8"), count=Dim.of(2))
            self.arrays.remove(at)
            return ("a",), (at,), (2, *shape[1:])
        kind = self.r.randrange(4)
        if kind == 0:
            return ("i",), (self.int_atom(),), shape[1:]
        if kind == 1:
            start = self.r.randrange(2) if shape[0] > 2 else 0
            return ("s110",), (Const(start), Const(start + 2)), (2, *shape[1:])
        if kind == 2 and len(shape) == 2:
            return (":", "i"), (self.int_atom(),), shape[:1]
        if kind == 3 and len(shape) == 2:
            return ("i", "i"), (self.int_atom(), self.int_atom()), ()
        return ("s001",) + (":",) * (len(shape) - 1), (Const(-1),), shape

    # statements ------------------------------------------------------------------------------
    def block(self, count, depth):
        for _ in range(self.r.randint(2, count)):
            choices = [self.update] * 6 + [self.view] * 3 + [self.fresh] * 2 + [self.total] + [self.row_update] * 2
            if depth:
                choices += [self.loop] * 2 + [self.branch] + [self.swap]
            self.r.choice(choices)()

    def fresh(self):
        x = self.pick()
        kind = self.r.randrange(4)
        if kind == 0:
            self.zeros(self.shape(x))
        elif kind == 1:
            self.emit("add", x, self.same_shape(x))
        elif kind == 2:
            self.emit("np.copy", x)
        else:
            self.emit("multiply", x, Const(2.0))

    def total(self):
        x = self.pick()
        self.emit("np.sum", x, axis=tuple(range(len(self.shape(x)))), keepdims=False)

    def view(self):
        x = self.pick()
        shape = self.shape(x)
        kind = self.r.randrange(6)
        if kind == 0 and len(shape) == 2:
            self.emit("np.transpose", x, axes=(1, 0))
        elif kind == 1:
            size = int(np.prod(shape))
            new = {12: [(3, 4), (4, 3), (12,)]}.get(size, [shape])
            self.emit("np.reshape", x, *map(Const, self.r.choice(new)))
        elif kind == 2 and self.r.random() < 0.3:
            self.emit("np.broadcast_to", self.r.choice([*self.numbers, Const(1.0)]), *map(Const, shape))
        elif kind == 2:
            self.emit("np.broadcast_to", x, *map(Const, (3, *shape)) if len(shape) == 1 else map(Const, shape))
        elif kind == 3:
            self.emit(self.r.choice(["np.asarray", "rt.stop_gradient"]), x)
        else:
            index, atoms, dims = self.index(shape)
            self.emit("getitem", x, *atoms, index=index, dims=dims)

    def update(self, x=None):
        x = x or self.pick()
        index, atoms, dims = self.index(self.shape(x))
        op = self.r.choice(["rt.update", "rt.update", "rt.update_add"])
        return self.emit(op, x, self.value(dims), *atoms, index=index, dims=dims)

    def row_update(self):
        """x[i] read, stored into, and written back."""
        x = self.pick(rank=2)
        index, atoms, dims = self.index(self.shape(x), arrays=False)
        row = self.emit("getitem", x, *atoms, index=index, dims=dims)
        if not dims:
            return
        dims = self.shape(row)
        if self.r.random() < 0.3:
            self.loop(first=row)
        else:
            self.update(row)
        new = self.same_shape(row) if self.r.random() < 0.3 else self.arrays[-1]
        if self.shape(new) == dims:
            if self.r.random() < 0.3:
                self.update(new)
            if self.shape(self.arrays[-1]) == dims:
                new = self.arrays[-1]
            self.emit("rt.update", x, new, *atoms, index=index, dims=dims)

    def inside(self):
        """The scope, to be restored after a block."""
        return list(self.arrays), list(self.numbers), list(self.ints)

    def restore(self, saved):
        self.arrays, self.numbers, self.ints = (list(s) for s in saved)

    def loop(self, first=None):
        if self.depth <= 0:
            return
        self.depth -= 1
        inits = [first] if first else []
        inits += [self.pick() for _ in range(self.r.randint(0 if first else 1, 3))]
        saved = self.inside()
        carried = [self.b.fresh(i, self.b.types[i]) for i in inits]
        is_while = self.r.random() < 0.2
        with self.b.block() as stmts:
            self.arrays += carried
            if is_while:
                k, test = self.b.fresh("k", PY_INT), self.b.fresh("go", self.b.type(Const(True)))
            else:
                k = self.b.fresh("i", PY_INT)
            self.ints.append(k)
            self.block(4, self.depth)
            nexts = [self.same_shape(c) for c in carried]
            if is_while:
                more = self.b.emit(OPS["add"], k, Const(1), hint="k")
                go = self.b.emit(OPS["less"], more, Const(2), hint="go")
        if is_while:
            self.b.append(While(test, (k, test, *carried), (Const(0), Const(True), *inits),
                                Block(tuple(stmts), (more, go, *nexts))))
        else:
            count = self.r.choice([0, 1, 2])
            self.b.append(For(k, Const(0), Const(count), Const(1), tuple(carried), tuple(inits),
                              Block(tuple(stmts), tuple(nexts))))
        self.restore(saved)
        self.arrays += carried
        self.depth += 1

    def swap(self):
        """u, v = v, u with stores."""
        if self.depth <= 0:
            return
        u = self.pick()
        v = self.same_shape(u)
        cu, cv = (self.b.fresh(n, self.b.types[n]) for n in (u, v))
        saved = self.inside()
        with self.b.block() as stmts:
            k = self.b.fresh("i", PY_INT)
            self.arrays += [cu, cv]
            self.ints.append(k)
            new = self.update(cv)
        self.b.append(For(k, Const(0), Const(2), Const(1), (cu, cv), (u, v), Block(tuple(stmts), (new, cu))))
        self.restore(saved)
        self.arrays += [cu, cv]

    def branch(self):
        if self.depth <= 0:
            return
        self.depth -= 1
        test = self.b.emit(OPS["less"], self.int_atom(), Const(1), hint="test")
        outs = [self.pick() for _ in range(self.r.randint(1, 2))]
        saved, sides = self.inside(), []
        for _ in range(2):
            with self.b.block() as stmts:
                self.block(3, self.depth)
                results = tuple(self.same_shape(o) for o in outs)
            sides.append(Block(tuple(stmts), results))
            self.restore(saved)
        names = tuple(self.b.fresh(o, self.b.types[o]) for o in outs)
        self.b.append(If(test, names, *sides))
        self.arrays += names
        self.depth += 1


def arguments(fun, seed):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal([d.constant for d in fun.types[p].dims]) for p in fun.params]
