"""Calls that stay calls: checkpoints, and functions with derivatives of their own."""
from __future__ import annotations

from dataclasses import replace

from ..core import Block, For, Fun, If, Let, While, all_bound
from ..errors import SpecialisationError
from ..rules.custom import Call, CustomJvp, CustomVjp
from . import values as v
from .calls import call_value
from .transforms import Recorded, conform_tangent, fresh_leaves, leaves_of, paired, rebuild, record, structured, zero_like


def float_leaves(s, values) -> list:
    return [x for value in values for x in leaves_of(s, value) if s.b.type(s.atom(x)).is_float]


class Made:
    """A call that is being made: its arguments, and the functions recorded for it, which read what they read from outside as
    parameters of one order."""

    def __init__(self, s, function, args):
        self.s, self.name = s, getattr(getattr(function, "value", None), "__name__", "a function")
        self.args = [fresh_leaves(s, a) for a in args]
        self.leaves = float_leaves(s, self.args)
        self.primal = record(s, function, self.args, {}, self.leaves)
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
        return owner, types, tuple(self.primal.args[self.primal.count:]), tuple(first)

    def called(self, op: Call):
        """Append the call; its value."""
        s, r = self.s, self.primal
        names = op.call(s.b, (*r.args[:r.count], *self.outside()))
        return structured(s, r.out, [s.wrap(n, order=s.order(x)) for n, x in zip(names[op.lengths:], r.leaves)])

    def rule(self, r: Recorded, op: Call) -> Fun:
        fun = self.fun(r)
        return replace(fun, body=same_calls(fun.body, op, self.outside()))

    def with_lengths(self, fun: Fun) -> tuple[Fun, int]:
        """The function with the lengths that only it knows, of axes of its results, as results before the others."""
        inside = set(all_bound(fun.body))
        lengths = sorted({n for a in fun.body.results if isinstance(a, str) for d in fun.types[a].dims for n in d.names if n in inside})
        return Fun(fun.name, fun.params, Block(fun.body.stmts, (*lengths, *fun.body.results)), fun.types), len(lengths)


def checkpointed(s, function, args, kwargs):
    """Call a function whose mirror computes it again."""
    if kwargs:
        args, function = [*args, *kwargs.values()], with_keywords(function, len(args), tuple(kwargs))
    made = Made(s, function, args)
    fun, lengths = made.with_lengths(made.fun(made.primal))
    return made.called(Call("checkpoint", fun, made.primal.count, lengths))


def with_keywords(function, count, names):
    def apply(s, inner, args, kwargs):
        return call_value(s, inner, args[:count], dict(zip(names, args[count:])))
    return v.Derived(apply, function)


class Split:
    """The arguments that are differentiated, and those that are handed to the rule first."""

    def __init__(self, s, args, nondiff: tuple[int, ...], name: str):
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


class being_made:
    """While the rules of an operation are recorded, calls of the same function in them are the operation itself."""

    def __init__(self, s, key, op):
        self.s, self.key, self.op = s, key, op

    def __enter__(self):
        self.s.pending[self.key] = self.op

    def __exit__(self, *_):
        del self.s.pending[self.key]


def same_calls(block: Block, op: Call, outside) -> Block:
    """The block, its calls of `op` given all that the finished operation reads from outside."""
    def one(stmt):
        match stmt:
            case Let() if stmt.op is op:
                return replace(stmt, args=(*stmt.args[:op.count], *outside))
            case For() | While():
                return replace(stmt, body=same_calls(stmt.body, op, outside))
            case If():
                return replace(stmt, then=same_calls(stmt.then, op, outside), orelse=same_calls(stmt.orelse, op, outside))
        return stmt

    return Block(tuple(map(one, block.stmts)), block.results)


def custom_jvp(s, owner, function, rule, args, nondiff, name):
    split = Split(s, args, nondiff, name)
    made = Made(s, split.calling(function), split.args)
    made.name = name
    key = made.key(owner, split.first)
    if key in s.pending:
        return made.called(s.pending[key])
    fun, lengths = made.with_lengths(made.fun(made.primal))
    op = CustomJvp(name, fun, made.primal.count, lengths)
    dots = [rebuild(s, a, iter([twin(s, x) for x in leaves_of(s, a)])) for a in made.args]
    dot_leaves = [d for a, b in zip(made.args, dots) for x, d in zip(leaves_of(s, a), leaves_of(s, b)) if s.b.type(s.atom(x)).is_float]

    def apply(s, rule, args, kwargs):
        primals, tangents = args[:len(made.args)], args[len(made.args):]
        both = call_value(s, rule, [*split.first, v.Tuple(tuple(primals)), v.Tuple(tuple(tangents))], {})
        if not (isinstance(both, v.Tuple) and len(both.items) == 2):
            s.fail(f"the jvp rule of {name} returns {s.describe(both)}", "Return a pair: (the value, its tangent).", error=SpecialisationError)
        return v.Tuple(tuple(conformed(s, made, made.primal, both.items[0], both.items[1], "the tangent that the rule returns")))

    with being_made(s, key, op):
        r = record(s, v.Derived(apply, rule), [*made.args, *dots], {}, [*made.leaves, *dot_leaves])
    made.records.append(r)
    op.fun, op.rule = made.with_lengths(made.fun(made.primal))[0], made.rule(r, op)
    return made.called(op)


def conformed(s, made, primal: Recorded, out, other, what) -> list:
    """Per float leaf of `out`, which must be as what the function returns: its tangent or cotangent, of exactly its type."""
    leaves = leaves_of(s, out)
    types = [s.b.type(a) for a in primal.leaves]
    if len(leaves) != len(types) or any(s.b.type(s.atom(x)).rank != t.rank for x, t in zip(leaves, types)):
        s.fail(f"a rule of {made.name} returns another structure than the function", "Return the value that the function returns.", error=SpecialisationError)
    found = []
    for x, d in paired(s, out, other, what):
        if not s.b.type(s.atom(x)).is_float:
            continue
        found.append(zero_like(s, s.atom(x)) if isinstance(d, v.Static) and d.value is None else s.wrap(conform_tangent(s, x, d)))
    return [kept(s, x, t) for x, t in zip(found, [t for t in types if t.is_float])]


def kept(s, value, t):
    """The value with the kind and dtype of a result of the function."""
    from ..rules.kinds import cast
    atom = s.atom(value)
    have = s.b.type(atom)
    atom = cast(s.b, atom, t.kind, t.dtype, "dot")
    if t.kind == "array" and have.kind != "array":
        atom = s.emit("np.asarray", atom)
    return s.wrap(atom)


def twin(s, leaf):
    """Another object for a leaf's value."""
    return v.Array(leaf.cell, leaf.path) if isinstance(leaf, v.Array) else v.Num(leaf.atom) if isinstance(leaf, v.Num) else v.Static(leaf.value)


def custom_vjp(s, owner, function, forward, backward, args, nondiff, name):
    split = Split(s, args, nondiff, name)
    made = Made(s, split.calling(function), split.args)
    made.name = name
    key = made.key(owner, split.first)
    if key in s.pending:
        return made.called(s.pending[key])
    fun, lengths = made.with_lengths(made.fun(made.primal))
    if lengths:
        s.fail(f"{name} returns an array whose length only it knows", "Make the length an argument.", error=SpecialisationError)
    op = CustomVjp(name, fun, made.primal.count, 0)
    with being_made(s, key, op):
        fwd = record(s, split.calling(forward), made.args, {}, made.leaves)
    if not (fwd.out[0] is tuple and len(fwd.out[2]) == 2):
        s.fail(f"the forward rule of {name} does not return a pair", "Return (the value, residuals).", error=SpecialisationError)
    out, residuals = (structured(s, part, placeholders(s, fwd)) for part in fwd.out[2])
    count = len(leaves_of(s, out))
    if count != len(made.primal.leaves):
        s.fail(f"the forward rule of {name} returns another structure than the function", "Return (what the function returns, residuals).",
               error=SpecialisationError)
    ct = rebuild(s, out, iter([twin(s, x) for x in leaves_of(s, out)]))
    seeds = [d for x, d in zip(leaves_of(s, out), leaves_of(s, ct)) if s.b.type(s.atom(x)).is_float]

    def apply(s, rule, args, kwargs):
        res, ct = args
        cts = call_value(s, rule, [*split.first, res, ct], {})
        if not (isinstance(cts, v.Tuple) and len(cts.items) == len(made.args)):
            s.fail(f"the backward rule of {name} returns {s.describe(cts)}",
                   f"Return a tuple of {len(made.args)}: a cotangent (or None, for zero) for each argument.", error=SpecialisationError)
        found = []
        for a, g in zip(made.args, cts.items):
            if isinstance(g, v.Static) and g.value is None:
                found += [zero_like(s, s.atom(x)) for x in float_leaves(s, [a])]
                continue
            pairs = paired(s, a, g, "the cotangent that the backward rule returns")
            found += [zero_like(s, s.atom(x)) if isinstance(d, v.Static) and d.value is None else s.wrap(conform_tangent(s, x, d))
                      for x, d in pairs if s.b.type(s.atom(x)).is_float]
        return v.Tuple(tuple(found))

    own = leaves_of(s, residuals)
    with being_made(s, key, op):
        bwd = record(s, v.Derived(apply, backward), [residuals, ct], {}, [*own, *seeds])
    made.records += [fwd, bwd]
    op.fun, op.forward, op.backward = made.fun(made.primal), made.rule(fwd, op), made.rule(bwd, op)
    return made.called(op)


def placeholders(s, r: Recorded) -> list:
    """Values of the types of a recorded function's results."""
    found = []
    for a in r.fun.body.results:
        t = s.b.type(a) if not isinstance(a, str) else r.fun.types[a]
        found.append(s.wrap(s.b.fresh(a if isinstance(a, str) else "t", t), order=None))
    return found
