"""Batching by kind: an operation on one example becomes one on all of them, which stand along a new first axis.

    y = np.tanh(x)      x: [n]        y = np.tanh(x)          x: [N, n]
    t = W @ y                         t = y @ W.T             matrix-vector becomes matrix-matrix
    s = np.sum(t)                     s = np.sum(t, axis=(1,))

An operation that has no form for all examples at once raises `Unbatchable`; it then runs example by example.
"""
from __future__ import annotations

from typing import Callable

import numpy as np

from ..core import Atom, Block, Builder, Const, If, Let
from ..core.types import Dim, Type
from .batched_index import Indexed
from .inference import Unbatchable
from .kinds import Elementwise, Reduction, cast, dim_atom
from .registry import OPS


def lifted(t: Type, size: Dim) -> Type:
    """The type of all examples of a value of this type."""
    return Type("tape", t.dtype) if t.kind == "tape" else Type("array", t.dtype, (size, *t.dims))


class Lift:
    """A statement on one example, and its arguments for all: `args`, lifted where `batched` says so."""

    def __init__(self, b: Builder, let: Let, args: tuple[Atom, ...], batched: tuple[bool, ...],
                 size: Dim, same_for_all):
        self.b, self.let, self.args, self.batched, self.size = b, let, list(args), batched, size
        self.same_for_all = same_for_all  # a value, with the axis of examples
        self.hint = let.names[0] if let.names else "t"

    def type(self, k: int) -> Type:
        """The type that an argument has for one example."""
        return self.b.type(self.let.args[k])

    def emit(self, op: str, *args: Atom, **params):
        return self.b.emit(OPS[op], *args, hint=self.hint, **params)

    def again(self, *args: Atom, **params):
        """The same operation."""
        return self.b.emit(self.let.op, *args, hint=self.hint, **params)

    def alias(self, x: Atom) -> Atom:
        """The same value under a name of its own."""
        return self.emit("retype", x, dims=self.b.type(x).dims)

    def number(self) -> Atom:
        """How many examples there are."""
        return dim_atom(self.b, self.size)

    def all(self, k: int) -> Atom:
        """An argument with the axis of examples, whether it differs between them or not."""
        return self.args[k] if self.batched[k] else self.same_for_all(self.args[k])

    def padded(self, k: int, rank: int) -> Atom:
        """A lifted argument with axes of length 1 behind that of the examples,
        so that it broadcasts as one of this rank."""
        more = rank - self.type(k).rank
        return (self.args[k] if more <= 0 or not self.batched[k]
                else self.emit("getitem", self.args[k], index=(":",) + ("n",) * more))

    def aligned(self, x: Atom, dims: tuple[Dim, ...]) -> Atom:
        """An operand under the names that the result has for its lengths: what was proved equal may have two."""
        have = self.b.type(x).dims
        count = min(len(have), len(dims))
        new = (*have[:len(have) - count], *(d if d.is_one else e
                                            for d, e in zip(have[len(have) - count:], dims[len(dims) - count:])))
        return x if new == have else self.emit("retype", x, dims=new)

    def transposed(self, x: Atom, axes: tuple[int, ...]) -> Atom:
        return x if axes == tuple(range(len(axes))) else self.emit("np.transpose", x, axes=axes)

    def unless(self, *positions: int) -> None:
        """These arguments must be the same for all examples."""
        if any(self.batched[k] for k in positions):
            raise Unbatchable(f"an argument of {self.let.op.name} that decides about shapes differs between examples")


LIFTS: dict[str, Callable[[Lift], Atom]] = {}


def lifts(*names):
    def enter(rule):
        LIFTS.update((name, rule) for name in names)
        return rule
    return enter


def lift_rule(c: Lift) -> tuple[Atom, ...]:
    """The results of the statement for all examples."""
    op = c.let.op
    if op.across is not None:
        rule = op.across
    elif op.name in LIFTS:
        rule = LIFTS[op.name]
    elif isinstance(op, Elementwise):
        rule = batch_elementwise
    elif isinstance(op, Reduction):
        rule = batch_reduction
    else:
        raise Unbatchable(f"{op.name} has no form for several examples")
    result = rule(c)
    return () if result is None else result if isinstance(result, tuple) else (result,)


# elementwise ----------------------------------------------------------------------------------
NUMPY_FORM = {"rt.choose": "np.where", "not ": "np.logical_not"}


def batch_elementwise(c: Lift):
    types = [c.type(k) for k in range(len(c.args))]
    name = c.let.op.name
    if all(t.kind == "py" for t in types) and not all(t.dtype.kind in c.let.op.exact_of for t in types):
        raise Unbatchable(f"{name} of Python numbers, which raises where NumPy does not")
    want = c.b.type(c.let.name)
    args = [c.aligned(c.padded(k, want.rank), want.dims) for k in range(len(types))]
    first = 1 if name in ("np.where", "rt.choose") else 0
    common = np.result_type(*(t.python_type(1) if t.kind == "py" else t.dtype for t in types[first:]))
    for k in range(first, len(types)):  # a Python number is weak; an array of them must not be strong
        if c.batched[k] and types[k].kind == "py" and types[k].dtype != common:
            args[k] = c.emit("rt.astype", args[k], dtype=common)
    y = c.emit(NUMPY_FORM.get(name, name), *args, **dict(c.let.params))
    return y if c.b.type(y).dtype == want.dtype else c.emit("rt.astype", y, dtype=want.dtype)


@lifts("complex", "float", "int", "bool")
def conversion(c: Lift):
    have, want = c.type(0), c.b.type(c.let.name)
    if len(c.args) > 1:
        raise Unbatchable("complex of two numbers, for which NumPy has no function")
    if c.let.op.name == "int" and have.dtype.kind == "f":
        raise Unbatchable("int of a float, which raises where it is infinite or not a number")
    x = c.args[0]
    return c.alias(x) if have.dtype == want.dtype else c.emit("rt.astype", x, dtype=want.dtype)


# reductions -----------------------------------------------------------------------------------
def batch_reduction(c: Lift):
    axis = tuple(k + 1 for k in c.let.param("axis"))
    return c.again(c.args[0], axis=axis, keepdims=c.let.param("keepdims"))


@lifts("np.cumsum")
def batch_cumsum(c: Lift):
    return c.again(c.args[0], axis=c.let.param("axis") + 1)


@lifts("np.argmax", "np.argmin")
def arg_extremum(c: Lift):
    axis, t = c.let.param("axis"), c.type(0)
    x = c.args[0]
    if axis is None:
        total = Dim.of(1)
        for d in t.dims:
            total = total * d
        return c.again(c.emit("np.reshape", x, c.number(), dim_atom(c.b, total)), axis=1)
    return c.again(x, axis=axis % t.rank + 1)


# products -------------------------------------------------------------------------------------
@lifts("matmul")
def batch_matmul(c: Lift):
    x, y = c.args
    p, q = c.type(0).rank, c.type(1).rank
    if c.batched == (True, False) and q <= 2:
        return c.again(x, y)
    if c.batched == (False, True):
        if q == 1 and p <= 2:
            return c.again(y, x if p == 1 else c.transposed(x, (1, 0)))
        if q > 1 and p <= 2:
            return c.again(x, y)
    if (p, q) == (1, 1) and c.b.type(c.let.name).is_float:
        return c.emit("np.sum", c.emit("multiply", x, y), axis=(1,), keepdims=False)
    return stacked_product(c, p, q)


def stacked_product(c: Lift, p: int, q: int):
    """Both as stacks of matrices; the axes that a vector was given go away behind."""
    rank = max(p, q, 2)
    sides = []
    for k, own, vector in ((0, p, ("n", ":")), (1, q, (":", "n"))):
        x = c.args[k]
        if c.batched[k]:
            inner = vector if own == 1 else (":",) * own
            index = (":", *("n",) * (rank - max(own, 2)), *inner)
        else:
            index = vector if own == 1 else (":",) * own
        sides.append(c.emit("getitem", x, index=index) if "n" in index else x)
    y = c.again(*sides)
    if p > 1 and q > 1:
        return y
    last = ("i" if p == 1 else ":", "i" if q == 1 else ":")
    return c.emit("getitem", y, *[Const(0)] * last.count("i"), index=(":",) * (rank - 1) + last)


@lifts("np.outer")
def batch_outer(c: Lift):
    x = c.emit("getitem", c.args[0], index=(":", ":", "n") if c.batched[0] else (":", "n"))
    y = c.emit("getitem", c.args[1], index=(":", "n")) if c.batched[1] else c.args[1]
    return c.emit("multiply", x, y)


# shapes ---------------------------------------------------------------------------------------
@lifts("np.zeros", "np.ones", "np.empty", "np.eye", "rt.trip_count", "rt.slice_length", "np.arange",
       "rt.segment_length", "rt.segment_starts", "rt.starts_ahead", "rt.next_start")
def shaped(c: Lift):
    raise Unbatchable(f"{c.let.op.name} of a size that differs between examples")


@lifts("rt.full", "np.broadcast_to")
def batch_broadcast(c: Lift):
    c.unless(*range(1, len(c.args)))
    rank = len(c.args) - 1
    x = c.padded(0, rank)
    dtype = c.b.type(c.let.name).dtype
    x = x if c.b.type(x).dtype == dtype else c.emit("rt.astype", x, dtype=dtype)
    return c.emit("np.broadcast_to", x, c.number(), *c.args[1:])


@lifts("np.reshape")
def batch_reshape(c: Lift):
    c.unless(*range(1, len(c.args)))
    return c.again(c.args[0], c.number(), *c.args[1:])


@lifts("np.transpose")
def batch_transpose(c: Lift):
    return c.again(c.args[0], axes=(0, *(k + 1 for k in c.let.param("axes"))))


@lifts("np.asarray")
def batch_same_sizes(c: Lift):
    return c.alias(c.args[0])


@lifts("np.copy", "rt.astype", "rt.stop_gradient")
def keyword(c: Lift):
    return c.again(c.args[0], **dict(c.let.params))


@lifts("np.roll")
def roll(c: Lift):
    c.unless(1)
    return c.again(*c.args, axis=c.let.param("axis") + 1)


@lifts("np.concatenate", "np.stack")
def batch_join(c: Lift):
    return c.again(*(c.all(k) for k in range(len(c.args))), axis=c.let.param("axis") + 1)


@lifts("retype")
def retype(c: Lift):
    return c.again(c.args[0], dims=(c.size, *c.let.param("dims")))


@lifts("rt.match")
def batch_match(c: Lift):
    c.unless(*range(1, len(c.args)))
    params = dict(c.let.params)
    return c.again(*c.args, dims=(c.size, *params["dims"]), axes=tuple(k + 1 for k in params["axes"]),
                   how=params["how"], kind=params.get("kind", "ValueError"))


@lifts("rt.require")
def batch_require(c: Lift):
    """All examples pass; where one does not, its own values are reported."""
    values, params = list(c.args[1:]), dict(c.let.params)
    every = c.emit("np.all", c.args[0], axis=(0,), keepdims=False) if c.batched[0] else c.args[0]
    if not any(c.batched[1:]):
        c.b.emit(OPS["rt.require"], every, *values, **params)
        return
    with c.b.block() as stmts:
        k = c.emit("int", c.emit("np.argmin", c.args[0], axis=0)) if c.batched[0] else Const(0)
        for j, (x, differs) in enumerate(zip(values, c.batched[1:]), 1):
            if differs:
                own = c.emit("getitem", x, k, index=("i",))
                values[j - 1] = cast(c.b, own, c.type(j).kind, c.type(j).dtype, c.hint) if c.type(j).rank == 0 else own
        c.b.emit(OPS["rt.require"], Const(False), *values, **params)
    c.b.append(If(every, (), Block(()), Block(tuple(stmts)), c.let.origin))


# indexing -------------------------------------------------------------------------------------
@lifts("getitem", "rt.last_writer")
def getitem(c: Lift):
    x, batched = c.args[0], c.batched[0]
    if c.let.op.name == "rt.last_writer":
        x, batched = c.all(0), True
    at = Indexed(c, 1, batched)
    return c.transposed(c.again(x, *at.atoms, **at.params), at.order(c.b.type(c.let.name).rank))


@lifts("rt.update", "rt.update_add")
def batch_update(c: Lift):
    at = Indexed(c, 2, True)
    rank = c.let.op.part(c.b, c.let).rank
    order = at.order(rank)
    value, have = c.args[1], c.type(1).rank
    if order != tuple(range(rank + 1)) and have:
        index = ((":",) if c.batched[1] else ("n",)) + ("n",) * (rank - have)
        value = c.emit("getitem", value, index=index) if "n" in index else value
        value = c.transposed(value, tuple(int(k) for k in np.argsort(order)))
    elif c.batched[1]:
        value = c.padded(1, rank)
        value = c.transposed(value, tuple(int(k) for k in np.argsort(order)))
    return c.again(c.all(0), value, *at.atoms, **at.params)


# tapes: at the places from p to p + 1 of one example's tape, that of all has a place for each example ---------
@lifts("rt.tape_zeros")
def batch_tape_zeros(c: Lift):
    return c.again(c.args[0])


@lifts("rt.push", "rt.push_add")
def batch_push(c: Lift):
    c.unless(1)
    value, rank = c.all(2), c.type(2).rank
    return c.again(c.args[0], position(c, 1), c.transposed(value, (*range(1, rank + 1), 0)))


@lifts("rt.pop")
def batch_pop(c: Lift):
    c.unless(*range(1, len(c.args)))
    rank = len(c.args) - 2
    return c.transposed(c.again(c.args[0], position(c, 1), *c.args[2:], c.number()), (rank, *range(rank)))


def position(c: Lift, k: int) -> Atom:
    return c.emit("multiply", c.args[k], c.number()) if c.args[k] != Const(0) else Const(0)
