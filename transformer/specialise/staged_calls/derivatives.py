"""Transformed functions inside a specialisation: record the function as core, transform, inline.

`gs.grad(f)(x)` at the top and inside another function take this same way, so that everything composes.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core import Const, Fun, Meanwhile, inline, shows
from ...core.types import Type
from ...errors.messages import SpecialisationError
from ...library import registry
from ...library.registry import frontend
from ...rules.kinds import cast, zeros_of
from ...transform.jvp import jvp
from ...transform.vjp import vjp, vjp_split
from ..domain import values as v
from ..evaluator.names.places import place
from ..evaluator.names.tables import call_value, calls
from .leaves import (float_leaves, is_fixed, is_leaf, leaf_numbers, leaves_of, paired, parts_of, rebuild,
                     result_outline, still)
from .record import Recorded, differentiable, evaluated, fresh_leaves, record, recorded_call, returned, without_aux

MOVED = "the tangent of an int is not 0, and only floats have derivatives"
HELD = "Pass a float (x.astype(float)); an int is held fixed, and its tangent is 0."
NO_LOSS = ("Return a scalar; with has_aux=True a pair of a scalar and whatever else; gs.vjp and gs.jacrev are of all "
           "that holds floats.")
NO_NUMBER = ("Return a scalar, e.g. with np.sum. Of an array take gs.jacrev(f); the derivative of gs.grad(f) is "
             "gs.hessian(f).")
NO_FLOAT = "Return a float that is computed of the arguments: an integer or a bool has no slope."
WORDS = {"static": "None or another object without numbers", "leaf": "a number"}


def one_like(t: Type) -> Const:
    return Const(t.python_type(1)) if t.kind == "py" else Const(t.dtype.type(1))


def chosen_numbers(s, argnums, args, otherwise=lambda: None) -> tuple[int, ...]:
    """The positions that argnums names, counted from the front."""
    numbers = argnums if isinstance(argnums, (tuple, list)) else (argnums,)
    for k in numbers:
        if not isinstance(k, (int, np.integer)) or isinstance(k, bool):
            s.fail(f"argnums={argnums!r}", "Give the positions of arguments: an int, or a tuple of ints.",
                   error=SpecialisationError)
        if not -len(args) <= k < len(args):
            otherwise()  # a call that Python refuses is a TypeError
            s.fail(f"argnums={argnums}, and the call has {len(args)} positional argument{'s' * (len(args) != 1)}",
                   "Pass the arguments to differentiate by position.", error=SpecialisationError)
    return tuple(int(k) % len(args) for k in numbers)


def refuse_complex(s, types, out, holomorphic: bool, name: str, function) -> None:
    """A real function of complex arguments has a gradient, df/dx - i df/dy; a complex one a derivative where it is
    holomorphic, which is for the user to say."""
    if holomorphic and not all([t.dtype.kind == "c" for t in types]):
        s.fail(f"holomorphic=True is of complex functions of complex numbers, and here are values of dtype "
               f"{next(t.dtype for t in types if t.dtype.kind != 'c')}", "Leave it away, or pass z.astype(complex).",
               error=SpecialisationError, origin=place(function))
    if not holomorphic and out is not None and out.dtype.kind == "c":
        s.fail(f"{name} of what is complex, {out}",
               "Return a real number, such as np.abs(z) or z.real; where f is holomorphic, say holomorphic=True.",
               error=SpecialisationError, origin=place(function))


def value_and_grad(s, function, args, kwargs, argnums=0, has_aux=False, want_value=True, holomorphic=False,
                   allow_int=False, memory=None):
    numbers = chosen_numbers(s, argnums, args, lambda: call_value(s, function, args, kwargs))
    with Meanwhile(s.rows, "asked", True):  # all numbers of a leaf are treated alike
        return derived(s, function, args, kwargs, numbers, argnums, has_aux, want_value, holomorphic, allow_int, memory)


def derived(s, function, args, kwargs, numbers, argnums, has_aux, want_value, holomorphic, allow_int, memory):
    args = [fresh_leaves(s, a) if k in numbers else a for k, a in enumerate(args)]
    chosen = sorted(set(numbers))
    for k in chosen:
        differentiable(s, args[k], function, k, allow_int)
    leaves = float_leaves(s, [args[k] for k in chosen])
    r = record(s, function, args, kwargs, leaves, seen=want_value or has_aux, memory=memory)
    t = type_of_loss(s, r, without_aux(s, r, has_aux, function), leaves, holomorphic, function)
    joint = vjp(r.to_mirror((0,)), r.active, (0,))
    one = one_like(t)
    if t.kind == "array":
        one = s.emit("np.asarray", one)
    results = inline(s.b, joint, (*r.args, one))
    out = returned(s, r, results[:len(r.leaves)])
    bars = iter([s.wrap(a) for a in results[len(r.leaves):]])
    grads = {k: cotangents_of(s, args[k], bars) for k in chosen}
    grad = v.Tuple(tuple(grads[k] for k in numbers)) if isinstance(argnums, (tuple, list)) else grads[numbers[0]]
    if want_value:
        return v.Tuple((out, grad))
    return v.Tuple((grad, out.items[1])) if has_aux else grad


def type_of_loss(s, r: Recorded, loss, leaves, holomorphic: bool, function) -> Type:
    """The type of what a function under gs.grad returns, which is one float."""
    t = s.b.type(r.leaves[loss[1]]) if loss[0] == "leaf" else None
    refuse_complex(s, [*map(s.type, leaves), *([t] if t else [])], t, holomorphic, "grad", function)
    if t is None or t.rank or not t.is_float:
        s.fail(f"grad is of a function that returns one float, and this one returns "
               f"{t or WORDS.get(loss[0], loss[0].__name__ if isinstance(loss[0], type) else loss[0])}",
               NO_LOSS if t is None else NO_NUMBER if t.is_float else NO_FLOAT, error=SpecialisationError,
               origin=place(function))
    return t


@calls(v.Pushforward)
def call_pushforward(s, function, args, kwargs):
    return pushed(s, function.fun, function.primals, v.Tuple(tuple(args))).items[1]


def push_forward(s, function, primals, tangents):
    """gs.jvp inside a specialisation."""
    primals, r = recorded_call(s, function, s.items(primals))
    return pushed(s, r, primals, tangents, place(function))


@frontend(registry.pushed)
def pushed_by_library(s, f, x, dx):
    """A call more than the user's program has, which nobody may see."""
    first = len(s.b.stmts)
    found = push_forward(s, f, v.Tuple((x,)), v.Tuple((dx,)))
    if shows(s.b.stmts[first:]):
        s.fail("a function that prints, of which a root is found", "Print what the solver gives.")
    return found


def pushed(s, r: Recorded, primals, tangents, where=None):
    """(the value, its tangent) of a recorded function, which stands at `where`."""
    dot_atoms = []
    for x, d, at in paired(s, primals, tangents, "tangents", "primals", lambda x: is_leaf(x) or is_fixed(x)):
        if is_fixed(x) or not s.b.type(s.atom(x)).is_float:
            refuse_moved(s, d, where)
        else:
            dot_atoms.append(conform_tangent(s, x, d, f"tangents{at}", f"primals{at}"))
    fun = jvp(r.fun, r.active)
    results = inline(s.b, fun, (*r.args, *dot_atoms))
    n = len(r.leaves)
    out = returned(s, r, results)
    dot_results = iter(results[n:])
    dots_out = [s.wrap(next(dot_results)) if s.b.type(a).is_float else zero_like(s, a) for a in results[:n]]
    return v.Tuple((out, rebuild(s, still(s, out), iter(dots_out))))


def refuse_moved(s, tangent, where) -> None:
    """Make sure that the tangent of an int says no more than that it is held fixed."""
    for x in [x for x in parts_of(s, tangent) if s.is_numeric(x)]:
        with s.b.at(s.b.origin or where):
            holds = s.atom(s.elementwise("equal", x, v.Static(0)))
            if rank := s.b.type(holds).rank:
                holds = s.emit("np.all", holds, axis=tuple(range(rank)), keepdims=False)
            if holds == Const(False):
                s.fail(MOVED, HELD, error=SpecialisationError, origin=s.b.origin)
            s.require(holds, "RefusedValue", f"{MOVED}. {HELD}")


def zero_like(s, atom):
    return s.wrap(zeros_of(s.b, s.b.type(atom)))


def conform_tangent(s, primal, tangent, what: str, of: str):
    """The tangent (`what`, of the primal `of`: what users call them) with exactly the primal's type;
    other shapes and dtypes are the caller's mistake."""
    t, atom = s.b.type(s.atom(primal)), s.atom(tangent)
    have = s.b.type(atom)
    if have.rank != t.rank or have.dtype.kind not in "fiubc" or have.dtype.kind == "c" != t.dtype.kind:
        s.fail(f"{what} is {have}, and {of} is {t}", "Give it the same shape and dtype.",
               error=SpecialisationError)
    shapes = [f"({', '.join(['{}'] * t.rank)}{',' * (t.rank == 1)})"] * 2
    atom = s.match_exactly(atom, t.dims, "{} has the shape {}, and {} has {}".format(what, shapes[0], of, shapes[1]),
                           [s.dim_atom(d) for d in (*have.dims, *t.dims)] if have.dims != t.dims else ())
    return of_kind(s, atom, t)


def of_kind(s, atom, t: Type):
    """A number or array as one of the kind and dtype of t."""
    atom = cast(s.b, atom, t.kind, t.dtype, "dot")
    if s.b.type(atom).kind == t.kind:
        return atom
    return s.emit("np.asarray", atom) if t.kind == "array" else s.emit("getitem", atom, index=())


def linearised(s, function, primals):
    """gs.linearize inside a specialisation: (out, a linear map that is inlined where it is called)."""
    primals, r = recorded_call(s, function, primals)
    out = evaluated(s, r)
    return v.Tuple((out, v.Pushforward(r, tuple(r.args), primals, out)))


def pull(s, function, primals, has_aux=False, memory=None):
    """gs.vjp inside a specialisation: (out, a pull-back that is inlined where it is called)."""
    primals, r = recorded_call(s, function, primals, memory)
    without_aux(s, r, has_aux, function)
    out = evaluated(s, r)
    pullback = v.Pullback(r, tuple(r.args), primals, out.items[0] if has_aux else out)
    return v.Tuple((out.items[0], pullback, out.items[1])) if has_aux else v.Tuple((out, pullback))


@calls(v.Pullback)
def call_pullback(s, function, args, kwargs):
    return apply_pullback(s, function, *args)


def apply_pullback(s, pullback: v.Pullback, cotangent):
    r = pullback.fun
    pairs = paired(s, pullback.out, cotangent, "cotangent", "value")
    floats = [k for k, (o, _, _) in enumerate(pairs) if s.b.type(s.atom(o)).is_float]
    joint = vjp(r.to_mirror(tuple(floats)), r.active, tuple(floats))
    atoms = [conform_tangent(s, x, d, f"cotangent{at}", f"value{at}") for x, d, at in [pairs[k] for k in floats]]
    results = inline(s.b, joint, (*r.args, *atoms))
    bars = iter([s.wrap(a) for a in results[len(r.leaves):]])
    return v.Tuple(tuple([cotangents_of(s, p, bars) for p in s.items(pullback.primals)]))


def cotangents_of(s, primal, bars):
    """The primal with the next cotangent in place of each float, and zeros for what has none."""
    leaves = [next(bars) if s.b.type(s.atom(x)).is_float else zero_like(s, s.atom(x)) for x in leaves_of(s, primal)]
    return rebuild(s, still(s, primal), iter(leaves))


@dataclass
class Backward:
    """The second half of a `gs.vjp`, and what it takes and gives."""

    fun: Fun  # (residuals, cotangents of the float results) -> cotangents of the float primals
    out: Any  # the structure of the value
    out_floats: tuple[bool, ...]  # of its leaves
    primals: Any  # the structure of the arguments
    floats: tuple[bool, ...]  # of their leaves


def forward_sweep(s, function, primals, has_aux, memory=None):
    """The first half of gs.vjp at the top: (out, residuals); the other half is left in `s.facts.backward`."""
    primals, r = recorded_call(s, function, primals, memory)
    value = without_aux(s, r, has_aux, function)
    floats = [s.b.type(a).is_float if not isinstance(a, str) else r.fun.types[a].is_float for a in r.fun.body.results]
    count = len(leaf_numbers(value))
    chosen = tuple(k for k in range(count) if floats[k])
    fwd, bwd = vjp_split(r.to_mirror(chosen), r.active, chosen)
    results = inline(s.b, fwd, r.args)
    out = returned(s, r, results)
    structure, leaves = result_outline(s, still(s, primals))
    s.facts.backward = Backward(bwd, value, tuple(floats[:count]), structure,
                                tuple(s.b.type(s.atom(x)).is_float for x in leaves))
    return v.Tuple((out, v.Tuple(tuple(s.wrap(a) for a in results[len(floats):]))))
