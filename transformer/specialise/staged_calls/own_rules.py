"""Calls that stay calls: checkpoints, and functions with derivatives of their own."""
from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np

from ...core import Block, Const, For, Fun, If, Let, OnTop, While, all_bound
from ...errors.messages import ImpurityError, SpecialisationError
from ...library import registry
from ...library.registry import Kept, frontend
from ...rules.kept_calls import CheckpointCall, CustomJvp, CustomVjp, LibraryCall, MovingAs
from ...transform.values import as_type
from ..domain import values as v
from ..domain.growing_lists import structured_value
from ..evaluator.names.places import place
from ..evaluator.names.tables import call_value, calls
from ..evaluator.syntax.calls import call_function
from .derivatives import conform_tangent, of_kind, zero_like
from .leaves import float_leaves, leaves_of, paired, rebuild
from .record import Recorded, boxes_of, cells_of, fresh_leaves, record, renewed, stand_ins, wrapped

ORDERS = 4  # rules may call their own function with other arguments: how deep such calls have rules in their turn


class Made:
    """A call that is being made: its arguments, and the functions recorded for it, which read what they read from
    outside as parameters of one order."""

    def __init__(self, s, function, args, name=None):
        self.s, self.name = s, name or getattr(getattr(function, "value", None), "__name__", "a function")
        self.place = place(function)
        self.args = [fresh_leaves(s, a) for a in args]
        self.boxes = stand_ins(s, args, self.args)
        self.leaves = float_leaves(s, self.args)
        self.primal = record(s, function, self.args, {}, self.leaves, derived=False, alive=True, pure=True)
        if self.primal.stores:
            s.fail(f"{self.name} stores into an argument, and is a function with its own derivative or a checkpoint",
                   "Store into a copy, x.copy(), and return it.", error=ImpurityError)
        self.records = [self.primal]

    def outside(self) -> list[str]:
        return sorted({n for r in self.records for n in r.args[r.count:]})

    def fun(self, r: Recorded, drop: int = 0) -> Fun:
        """A recorded function with the parameters from outside that all have; without its first `drop` results."""
        own = r.fun.params[:r.count]
        types = dict(r.fun.types)
        for name in self.outside():
            types.setdefault(name, self.s.b.types[name])
        return Fun(self.name, (*own, *self.outside()), Block(r.fun.body.stmts, r.fun.body.results[drop:]), types)

    def key(self, owner, first):
        """What tells calls of one function apart: two of one key have the same rules."""
        types = tuple(self.s.b.type(a) for a in self.primal.args[:self.primal.count])
        return (owner, types, tuple(self.primal.args[self.primal.count:]), tuple(first),
                tuple(pattern(self.s, a) for a in self.args))

    def called(self, op: CheckpointCall, more=()):
        """Append the call; its value."""
        s, r = self.s, self.primal
        names = op.call(s.b, (*r.args[:r.count], *self.outside(), *more))
        leaves = wrapped(s, r, names[op.lengths:])
        value = structured_value(s, r.out, leaves)
        for shared, refs in ((r.shared, [getattr(x, "cell", None) for x in leaves]),
                             (r.shared_boxes, [x.box for x in boxes_of(s, [value])])):
            for k, other in shared:
                for old in self.of_arguments() if other is None else [self.boxes.get(other, other)
                                                                      if isinstance(other, v.Ref) else refs[other]]:
                    s.may_share(refs[k], old)
        return value

    def of_arguments(self) -> list[v.Ref]:
        """All arrays and containers that the call was given."""
        return [*self.boxes.values(), *cells_of(self.s, self.args)]

    def as_returned(self, value):
        """The value that a rule returns, which must be what the function returns:
        of its structure, shapes and dtypes."""
        s, wanted = self.s, [self.s.b.type(a) for a in self.primal.leaves]
        leaves = leaves_of(s, value)
        have = [s.b.type(s.atom(x)) for x in leaves]
        if [(t.rank, t.dtype) for t in have] != [(t.rank, t.dtype) for t in wanted]:
            s.fail(f"a rule of {self.name} returns {described_types(have)}, and the function {described_types(wanted)}",
                   "Return the value that the function returns.", error=SpecialisationError)
        what = f"a rule of {self.name} returns a value of another shape than the function"
        return rebuild(s, value,
            iter([s.wrap(of_kind(s, s.match_exactly(s.atom(x), t.dims, what), t)) for x, t in zip(leaves, wanted)]))

    def rule(self, r: Recorded, op: CheckpointCall) -> Fun:
        fun = self.fun(r)
        return replace(fun, body=same_calls(fun.body, op, self.outside()))

    def with_lengths(self, fun: Fun) -> tuple[Fun, int]:
        """The function with the lengths that only it knows, of axes of its results, as results before the others."""
        inside = set(all_bound(fun.body))
        lengths = sorted({n for a in fun.body.results if isinstance(a, str) for d in fun.types[a].dims
                          for n in d.names if n in inside})
        return Fun(fun.name, fun.params, Block(fun.body.stmts, (*lengths, *fun.body.results)), fun.types), len(lengths)

    def without_lengths(self) -> Fun:
        """The function; where only it knows a length of its results, its rules could not be held to it."""
        fun, lengths = self.with_lengths(self.fun(self.primal))
        if lengths:
            self.s.fail(f"{self.name} returns an array whose length only it knows", "Make the length an argument.",
                        error=SpecialisationError, origin=self.place)
        return fun


def pattern(s, value):
    """What an argument is besides its floats: its structure, numbers, strings and functions."""
    match value:
        case v.Tuple() | v.Boxed():
            return (value.cls, s.keys(value) if isinstance(value, v.Boxed) else None,
                    tuple(pattern(s, x) for x in s.items(value)))
        case v.OneOf(flag=flag, value=x, other=other):
            return flag, pattern(s, x), pattern(s, other)
    return "float" if float_leaves(s, [value]) else value


def checkpointed(s, function, args, kwargs):
    """Call a function whose mirror computes it again."""
    if kwargs:
        args, function = [*args, *kwargs.values()], with_keywords(function, len(args), tuple(kwargs))
    made = Made(s, function, args)
    fun, lengths = made.with_lengths(made.fun(made.primal))
    return made.called(CheckpointCall("checkpoint", fun, made.primal.count, lengths))


@calls(Kept)
def library_call(s, kept: Kept, args, kwargs):
    """Call a function of the library that stays a call, `name(...)`, where its arguments can be written in a line."""
    f, atoms = kept.function, []
    try:
        texts = [written_argument(s, x, atoms) for x in args] + [f"{k}={written_argument(s, x, atoms)}" for k,
                                                                 x in kwargs.items()]
    except Unwritten:
        return call_function(s, f, args, kwargs)
    made = Made(s, with_keywords(f, len(args), tuple(kwargs)), [*args, *kwargs.values()], f.__name__)
    fun, lengths = made.with_lengths(made.fun(made.primal))
    if lengths:
        return call_function(s, f, args, kwargs)
    given = [*made.primal.args[:made.primal.count], *made.outside()]
    read = list(dict.fromkeys(atoms))
    more = [a for a in read if a not in given]
    fun = replace(fun, params=(*fun.params, *more), types={**fun.types, **{a: s.b.types[a] for a in more}})
    template = f"{kept.name}({', '.join(texts)})".format(**{a: f"{{{k}}}" for k, a in enumerate(read)})
    return made.called(LibraryCall(f.__name__, fun, template, tuple([*given, *more].index(a) for a in read)), more)


class Unwritten(Exception):
    """An argument that is not written in a line, or that a derivative may be taken with respect to."""


def written_argument(s, value, atoms: list) -> str:
    """An argument of a call as people write it; {x} is the atom x, which is noted."""
    match value:
        case v.Number(atom=str() as atom) if not s.b.types[atom].is_float:
            pass
        case v.Array() if not s.type(value).is_float:
            atom = s.atom(value)
        case v.Number(atom=Const(value=x)) | v.Static(value=x) if x is None or type(x) in (int, float, bool):
            return repr(x)
        case v.Static(value=x) if isinstance(x, np.dtype) or isinstance(x, type) and issubclass(x, np.generic):
            return f"np.{np.dtype(x).name}"
        case v.Tuple(items=items, cls=cls) if cls is tuple:
            return f"({', '.join([written_argument(s, x, atoms) for x in items])}{',' * (len(items) == 1)})"
        case _:
            raise Unwritten
    atoms.append(atom)
    return f"{{{atom}}}"


def with_keywords(function, count: int, names: tuple) -> v.Derived:
    """A function that is given by position what this one is given by these names, after `count` others."""
    def apply(s, inner, args, kwargs):
        return call_value(s, inner, args[:count], dict(zip(names, args[count:])))
    return v.Derived(apply, function)


class SplitArguments:
    """The arguments that are differentiated, and those that are handed to the rule first."""

    def __init__(self, args, nondiff: tuple[int, ...]):
        nondiff = tuple(k % len(args) for k in nondiff)
        self.count = len(args)
        self.fixed = {k: args[k] for k in nondiff}
        self.chosen = [k for k in range(len(args)) if k not in nondiff]
        self.args = [args[k] for k in self.chosen]

    def calling(self, function):
        """The function of the differentiated arguments alone."""
        def apply(s, inner, args, kwargs):
            full = dict(zip(self.chosen, args)) | self.fixed
            return call_value(s, inner, [full[k] for k in range(self.count)], {})
        return v.Derived(apply, function)

    @property
    def first(self) -> list:
        return [self.fixed[k] for k in sorted(self.fixed)]


def same_calls(block: Block, op: CheckpointCall, outside) -> Block:
    """The block, its calls of `op` given all that the finished operation reads from outside."""
    def one(stmt):
        match stmt:
            case Let() if stmt.op is op:
                return replace(stmt, args=(*stmt.args[:op.count], *outside))
            case For() | While():
                return replace(stmt, body=same_calls(stmt.body, op, outside))
            case If():
                return replace(stmt, then=same_calls(stmt.then, op, outside),
                               orelse=same_calls(stmt.orelse, op, outside))
        return stmt

    return Block(tuple(map(one, block.stmts)), block.results)


def customised(s, kind, add_rules, owner, function, args, nondiff, name):
    """Call a function with rules of its own, which add_rules(s, split, made, op) records.

    While they are, calls of the same function in them are the operation itself.
    """
    split = SplitArguments(args, nondiff)
    made = Made(s, split.calling(function), split.args, name)
    key = made.key(owner, split.first)
    op = next((op for k, op in s.pending if k == key), None)
    if op is None:
        op = kind(name, made.without_lengths(), made.primal.count, 0)
        if sum(k[0] is owner for k, _ in s.pending) < ORDERS:
            with OnTop(s.pending, (key, op)):
                add_rules(s, split, made, op)
            op.fun = made.fun(made.primal)
    return made.called(op)


def stage_custom_jvp(s, owner, function, rule, *rest):
    return customised(s, CustomJvp, functools.partial(jvp_rule, rule), owner, function, *rest)


def jvp_rule(rule, s, split, made, op) -> None:
    name = made.name
    dots = [rebuild(s, a, map(renewed, leaves_of(s, a))) for a in made.args]

    def apply(s, rule, args, kwargs):
        primals, tangents = args[:len(made.args)], args[len(made.args):]
        both = call_value(s, rule, [*split.first, v.Tuple(tuple(primals)), v.Tuple(tuple(tangents))], {})
        if not (isinstance(both, v.Tuple) and len(both.items) == 2):
            s.fail(f"the jvp rule of {name} returns {s.describe(both)}", "Return a pair: (the value, its tangent).",
                   error=SpecialisationError, origin=place(rule))
        return v.Tuple(tuple(conformed(s, made.as_returned(both.items[0]), both.items[1],
                                       f"the tangent that the jvp rule of {name} returns")))

    r = record(s, v.Derived(apply, rule), [*made.args, *dots], {}, [*made.leaves, *float_leaves(s, dots)],
               pure=True)
    made.records.append(r)
    op.rule = made.rule(r, op)


def described_types(types) -> str:
    return f"({', '.join(map(str, types))})" if len(types) != 1 else str(types[0])


def conformed(s, value, other, what) -> list:
    """Per float leaf of `value`: its tangent or cotangent, of exactly its type; None is zero, for a leaf or for all."""
    floats = float_leaves(s, [value])
    if other == v.NONE:
        return [zero_like(s, s.atom(x)) for x in floats]
    of = "what it belongs to"
    return [zero_like(s, s.atom(x)) if d == v.NONE else s.wrap(conform_tangent(s, x, d, what + at, of + at))
            for x, d, at in paired(s, value, other, what, of) if s.b.type(s.atom(x)).is_float]


@frontend(registry.moving_as)
def moving_as(s, x, y):
    t = s.type(x)
    y = as_type(s.b, s.match_exactly(s.atom(y), t.dims, "a step has another shape"), t, "y")
    same = Fun("found", ("x", "y"), Block((), ("x",)), {"x": t, "y": t})
    return s.wrap(MovingAs("found", same, 2, 0).call(s.b, (s.atom(x), y))[0])


def stage_custom_vjp(s, owner, function, forward, backward, *rest):
    return customised(s, CustomVjp, functools.partial(vjp_rules, forward, backward), owner, function, *rest)


def vjp_rules(forward, backward, s, split, made, op) -> None:
    name = made.name

    def both(s, rule, args, kwargs):
        pair = call_value(s, rule, args, kwargs)
        if not (isinstance(pair, v.Tuple) and len(pair.items) == 2):
            s.fail(f"the forward rule of {name} does not return a pair", "Return (the value, residuals).",
                   error=SpecialisationError, origin=place(forward))
        return v.Tuple((made.as_returned(pair.items[0]), pair.items[1]))

    fwd = record(s, v.Derived(both, split.calling(forward)), made.args, {}, made.leaves, pure=True)
    out, residuals = (structured_value(s, part, placeholders(s, fwd)) for part in fwd.out[2])
    ct = rebuild(s, out, map(renewed, leaves_of(s, out)))

    def apply(s, rule, args, kwargs):
        res, ct = args
        cts = call_value(s, rule, [*split.first, res, ct], {})
        if not (isinstance(cts, v.Tuple) and len(cts.items) == len(made.args)):
            s.fail(f"the backward rule of {name} returns {s.describe(cts)}",
                   f"Return a tuple of {len(made.args)}: a cotangent (or None, for zero) for each argument.",
                   error=SpecialisationError, origin=place(rule))
        what = f"the cotangent that the backward rule of {name} returns"
        return v.Tuple(tuple(x for a, g in zip(made.args, cts.items) for x in conformed(s, a, g, what)))

    bwd = record(s, v.Derived(apply, backward), [residuals, ct], {}, [*leaves_of(s, residuals), *float_leaves(s, [ct])],
                 pure=True)
    made.records += [fwd, bwd]
    op.forward, op.backward = made.rule(fwd, op), made.rule(bwd, op)


def placeholders(s, r: Recorded) -> list:
    """Values of the types of a recorded function's results."""
    found = []
    for a in r.fun.body.results:
        t = s.b.type(a) if not isinstance(a, str) else r.fun.types[a]
        found.append(s.wrap(s.b.fresh(a if isinstance(a, str) else "t", t), order=None))
    return found
