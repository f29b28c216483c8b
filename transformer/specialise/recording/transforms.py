"""Transformed functions inside a specialisation: record the function as core, transform, inline.

`gs.grad(f)(x)` at the top and inside another function take this same way, so that everything composes.
"""
from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...core import Block, Const, Fun, all_bound, free_names, inline
from ...errors import ImpurityError, SpecialisationError
from ...pipeline import optimise
from ...rules.kinds import cast, zeros_of
from ...transform.jvp import jvp
from ...transform.vjp import vjp, vjp_split
from ...tree import REGISTERED, static_fields
from ...types import Type
from ..evaluator.calls import place
from ..evaluator.iteration import is_iterator
from ..evaluator.tables import call_value, calls
from ..heap import values as v


@dataclass
class Recorded:
    """A call as a core function: its free names are parameters after those of its leaves."""

    fun: Fun
    args: tuple  # atoms to call it with again
    out: Any  # the structure of the value it gave, as `outline` has it
    leaves: list  # the atoms of its leaves, in order: the results
    count: int  # how many parameters are leaves
    stores: bool  # does it store into its arguments?
    shared: list  # arrays of the value that the caller has, too, or that are views of such: see `sharing`
    shared_boxes: list  # the same of lists, dicts and objects

    @property
    def active(self) -> tuple[bool, ...]:
        """Which parameters are leaves."""
        return tuple(k < self.count for k in range(len(self.fun.params)))


WORDS = {"static": "None or another object without numbers", "leaf": "a number"}


def outline(s, value, whole=False):
    """(structure, leaves) of a result: ("leaf", k), ("static", object) or (class, keys, parts); whole:
    of the program, ("present", k, part), too."""
    leaves: list = []

    def visit(x):
        match x:
            case v.Static(value=obj) if type(obj) is not float:
                return ("static", obj)
            case v.Num() | v.Array() | v.Static():
                leaves.append(x)
                return ("leaf", len(leaves) - 1)
            case v.Tuple(items=items, cls=c) if c is not slice:
                return (c, None, tuple(visit(i) for i in items))
            case v.Boxed() if is_iterator(x):
                s.fail("the function returns an iterator", "Return a list of what it gives: list(it).")
            case v.Boxed(cls=c):
                return (c, s.keys(x), tuple(("static", s.static(i, "it is a static field")) if fixed else visit(i)
                                            for fixed, i in marked(s, x)))
            case v.Maybe(flag=str() as flag, missing="None") if whole:
                leaves.append(v.Num(flag))
                return ("present", len(leaves) - 1, visit(x.value))
            case v.Maybe():
                s.require(x.flag, "RefusedValue",
                          "the function returns None here, where on another path it returns a value")
                return visit(x.value)
        s.fail(f"the function returns {s.describe(x)}", "Return numbers, arrays and containers of them.")

    return visit(value), leaves


def structured(s, structure, leaves):
    """The value of a structure, with these leaves."""
    tag = structure[0]
    if tag == "leaf":
        return leaves[structure[1]]
    if tag == "static":
        return v.Static(structure[1])
    cls, keys, parts = structure
    items = [structured(s, p, leaves) for p in parts]
    return v.Tuple(tuple(items), cls) if keys is None and cls is not list else s.box(items, cls, keys or ())


def marked(s, value) -> list:
    """[(is it a static field of a dataclass?, item)] of what is in a container."""
    fixed = static_fields(value.cls)
    return ([(k in fixed, i) for k, i in zip(s.keys(value), s.items(value))] if fixed
            else [(False, i) for i in s.items(value)])


def varying(s, value) -> list:
    """What is in a container, static fields apart."""
    return [i for fixed, i in marked(s, value) if not fixed]


def is_leaf(value) -> bool:
    """Is it a number of the run time, an array or a float?  (Ints and bools that are known have no derivatives.)"""
    return isinstance(value, (v.Num, v.Array)) or isinstance(value, v.Static) and isinstance(value.value, float)


def parts_of(s, value) -> list:
    """A value and all that is in it, in order; static fields apart."""
    found, todo = [], [value]
    while todo:
        x = todo.pop()
        x = s.present(x)
        found.append(x)
        if isinstance(x, (v.Tuple, v.Boxed)):
            todo += reversed(varying(s, x))
    return found


def leaves_of(s, value) -> list:
    """The numbers and arrays in a value, in order."""
    return [x for x in parts_of(s, value) if is_leaf(x)]


def paired(s, value, other, what: str) -> list:
    """[(leaf of value, the part of other at its place)]; what has no leaf in value needs none in other."""
    value = s.present(value)
    if is_leaf(value):
        return [(value, other)]
    if not isinstance(value, (v.Tuple, v.Boxed)):
        return []
    fits = isinstance(other, (v.Tuple, v.Boxed)) and len(s.items(other)) == len(s.items(value))
    parts = s.items(other) if fits else ()
    if fits and isinstance(value, v.Boxed) and isinstance(other, v.Boxed):
        fits, found = set(s.keys(value)) == set(s.keys(other)), dict(zip(s.keys(other), parts))
        parts = [found.get(k) for k in s.keys(value)] or parts
    if not fits:
        s.fail(f"{what} is {listed(s, other)}, and what it belongs to is {listed(s, value)}",
               "Give it the same structure.", error=SpecialisationError)
    return [pair for (fixed, x), y in zip(marked(s, value), parts) if not fixed for pair in paired(s, x, y, what)]


def listed(s, value) -> str:
    """What a value is, and of how many items or of which keys."""
    if not isinstance(value, (v.Tuple, v.Boxed)):
        return s.describe(value)
    keys = s.keys(value) if isinstance(value, v.Boxed) else ()
    return f"{s.describe(value)} of {', '.join(map(repr, keys)) if keys else len(s.items(value))}"


def float_leaves(s, values) -> list:
    return [x for value in values for x in leaves_of(s, value) if s.b.type(s.atom(x)).is_float]


def mapped(s, value, change):
    """The value with `change(x)` for what is in it and is no container; static fields stay."""
    match value:
        case v.Tuple(items=items, cls=c):
            return v.Tuple(tuple([mapped(s, x, change) for x in items]), c)
        case v.Boxed(cls=c):
            return s.box([x if fixed else mapped(s, x, change) for fixed, x in marked(s, value)], c,
                         s.keys(value), value.box.hint)
        case v.Maybe():
            return mapped(s, s.present(value), change)
    return change(value)


def rebuild(s, value, new):
    """The value with its leaves replaced by those of the iterator."""
    return mapped(s, value, lambda x: next(new) if is_leaf(x) else x)


def over_leaves(s, value, change):
    """The tree with each number and array in it changed; numbers that are known by now among them."""
    return mapped(s, value, lambda x: change(x) if s.is_numeric(x) else x)


def fresh_cells(s, value):
    """The value with its arrays in cells of their own: stores into them change nothing else."""
    return rebuild(s, value, iter([s.wrap(s.atom(x)) if isinstance(x, v.Array) else x for x in leaves_of(s, value)]))


def hint_of(s, leaf) -> str:
    atom = leaf.atom if isinstance(leaf, v.Num) else s.heap[leaf.cell, None] if isinstance(leaf, v.Array) else "x"
    return atom if isinstance(atom, str) else "x"


def record(s, function, args, kwargs, leaves, types=None, orders=None, derived=True, alive=False) -> Recorded:
    """Call `function` with the `leaves` (those of some of args) turned into parameters: of their own types, or of
    `types`.

    `derived`: a derivative is taken, which need not read what it has no use for.  `alive`: the arguments count as in
    use to the end.
    """
    s.facts.derived |= derived
    atoms = [s.atom(x) for x in leaves]
    names = [s.b.fresh(hint_of(s, x), t) for x, t in zip(leaves, types or map(s.b.type, atoms))]
    s.orders.update(zip(names, orders or map(s.order, atoms)))
    chosen = {id(leaf): name for leaf, name in zip(leaves, names)}
    cells: dict[v.Ref, Any] = {}  # of the function's parameters: those of the arguments

    def parameter(leaf):
        new = (s.wrap(chosen[id(leaf)], hint_of(s, leaf)) if id(leaf) in chosen
               else s.wrap(s.atom(leaf)) if isinstance(leaf, v.Array) else leaf)
        if isinstance(new, v.Array):
            cells[new.cell] = leaf.cell
        return new

    before, structure, results, shared, shared_boxes, met = dict(s.heap), None, (), [], [], s.met
    with s.scope() as stmts:
        new = [rebuild(s, a, iter([parameter(x) for x in leaves_of(s, a)])) for a in args]
        named = {k: rebuild(s, a, iter([parameter(x) for x in leaves_of(s, a)])) for k, a in kwargs.items()}
        if alive:
            s.heap[v.Frame(None, None, hint="arguments"), 0] = v.Tuple((*new, *named.values()))
        own = dict(s.heap)
        known = {ref: ref for ref, part in before if part is None}
        boxes = known | stand_ins(s, [*args, *kwargs.values()], [*new, *named.values()])
        try:
            s.met = set()
            value = call_value(s, function, new, named)
            structure, out_leaves = outline(s, value)
            results = tuple(s.atom(x) for x in out_leaves)
            shared = sharing(s, [x.cell if isinstance(x, v.Array) else None for x in out_leaves], known | cells)
            shared_boxes = sharing(s, [x.box for x in boxes_of(s, [value])], boxes)
        except v.Stopped:
            pass
        changed = {isinstance(own[k], (str, Const))
            for k in own if k not in before and isinstance(k[0], v.Ref) and k[1] is None and s.heap.get(k) != own[k]}
    check_pure(s, before)
    own_met, s.met = s.met, s.met | met
    given = [*args, *kwargs.values()]
    check_apart(s, own_met, [x.cell for a in given for x in leaves_of(s, a) if isinstance(x, v.Array)]
                if True in changed else [])
    check_apart(s, own_met, [x.box.original or x.box for x in boxes_of(s, given)] if False in changed else [])
    stores = bool(changed)
    s.facts.stores |= stores
    s.facts.changes |= False in changed
    s.heap = before
    fun, order = closed(s, names, Block(tuple(stmts), results))
    if structure is None:
        inline(s.b, fun, (*atoms, *order))
        raise v.Stopped
    # what is computed once is saved once
    return Recorded(optimise(replace(fun, whole=not s.facts.derived)), (*atoms, *order), structure, list(results),
                    len(names), stores, shared, shared_boxes)


def boxes_of(s, values) -> list[v.Boxed]:
    """The lists, dicts and objects in values."""
    return [x for value in values for x in parts_of(s, value) if isinstance(x, v.Boxed)]


def stand_ins(s, old, new) -> dict[v.Ref, v.Ref]:
    """{box: the one that it stands for} of values and those that a function is recorded with instead."""
    found = {n.box: a.box for a, n in zip(boxes_of(s, old), boxes_of(s, new))}
    for box, old in found.items():
        box.original = old.original or old
    return found


def sharing(s, refs, known: dict) -> list:
    """Pairs of the position of a ref that is not new, and what it is to the caller: one of `known`, an outside one, or
    the position of an equal one that comes before; None: one of several that only the run time knows."""
    found, known = [], dict(known)
    for k, ref in enumerate(refs):
        if ref is None:
            continue
        if ref in known or ref.outside:
            found.append((k, known.get(ref, ref)))
        elif s.heap.get((ref, "frozen")):
            found.append((k, None))
        known.setdefault(ref, k)
    return found


def check_pure(s, before) -> None:
    """What a function under a derivative changes, it changes in its own copies."""
    # a mark: what the function's own variables may be as well
    if any(s.heap.get(k) != x for k, x in before.items() if k[1] != "frozen"):
        s.fail("a function under a derivative changes a variable, array or list from outside",
               "Return the new value instead.", error=ImpurityError)


def check_apart(s, met, stored) -> None:
    """Arrays, or containers, some of which are stored into:
    their copies would not see each other's stores, nor what the function sees around it those."""
    if len(set(stored)) < len(stored):
        s.fail("a function under a derivative stores into an argument that shares memory with another",
               "Pass a copy of one of them: x.copy()")
    if met & set(stored):
        s.fail("a function under a derivative stores into an argument that it also reads from outside",
               "Pass a copy of it: x.copy()")


def closed(s, names, body: Block) -> tuple[Fun, list[str]]:
    """A block as a function of `names` and of the names from outside that it reads, and the latter."""
    free = free_names(body) - set(names)
    inside = set(all_bound(body)) | set(names)
    for name in [*inside, *free]:
        free |= {n for d in s.b.types[name].dims for n in d.names if n not in inside}
    order = sorted(free)
    return Fun("f", (*names, *order), body, dict(s.b.types)), order


def refuse_hidden(s, value, what: str, origin=None) -> None:
    """An object that the specialiser does not look into stays as it is: it must hold no floats."""
    for x in parts_of(s, value):
        if isinstance(x, v.Static) and holds_floats(x.value):
            s.fail(f"{what} holds floats in an object of class {type(x.value).__name__}, which is no container here",
                   "Make the class a dataclass, or pass what it holds in a dict or tuple.",
                   error=SpecialisationError, origin=origin)


def holds_floats(x) -> bool:
    """Is it an object with floats and arrays of them in its attributes?"""
    def is_float(y):
        if isinstance(y, (tuple, list, dict)):
            return any(map(is_float, y.values() if isinstance(y, dict) else y))
        return isinstance(y, float) or isinstance(y, (np.ndarray, np.generic)) and y.dtype.kind == "f"
    plain = isinstance(x, type) or inspect.isroutine(x) or inspect.ismodule(x)
    return type(x) in REGISTERED or not plain and any(map(is_float, getattr(x, "__dict__", {}).values()))


def differentiable(s, value, what: str, origin=None) -> list:
    refuse_hidden(s, value, what, origin)
    leaves = leaves_of(s, value)
    for leaf in [*leaves, *integers_of(s, value)]:
        t = s.b.type(s.atom(leaf))
        if not t.is_float:
            s.fail(f"{what} has dtype {t.dtype}, and only floats have derivatives",
                   "Pass floats (x.astype(float)), or name the float arguments in argnums.",
                   error=SpecialisationError, origin=origin)
    return leaves


def integers_of(s, value) -> list:
    """The ints and bools in a value that had to be known."""
    return [x for x in parts_of(s, value) if isinstance(x, v.Static)
            and isinstance(x.value, (int, np.integer, np.bool_))]


def one_like(s, t: Type) -> Const:
    return Const(1.0) if t.kind == "py" else Const(t.dtype.type(1))


def chosen_numbers(s, argnums, args) -> tuple[int, ...]:
    """The positions that argnums names, counted from the front."""
    numbers = argnums if isinstance(argnums, (tuple, list)) else (argnums,)
    for k in numbers:
        if not isinstance(k, (int, np.integer)) or isinstance(k, bool):
            s.fail(f"argnums={argnums!r}", "Give the positions of arguments: an int, or a tuple of ints.",
                   error=SpecialisationError)
        if not -len(args) <= k < len(args):
            s.fail(f"argnums={argnums}, and the call has {len(args)} positional argument{'s' * (len(args) != 1)}",
                   "Pass the arguments to differentiate by position.", error=SpecialisationError)
    return tuple(int(k) % len(args) for k in numbers)


def is_one(argnums) -> bool:
    """Is there one derivative, or a tuple of them?"""
    return not isinstance(argnums, (tuple, list))


def value_and_grad(s, function, args, kwargs, argnums, has_aux, want_value=True):
    numbers = chosen_numbers(s, argnums, args)
    args = [fresh_leaves(s, a) if k in numbers else a for k, a in enumerate(args)]
    leaves = [leaf for k in sorted(set(numbers)) for leaf in differentiable(s, args[k], f"argument {k}",
                                                                            place(function, k))]
    r = record(s, function, args, kwargs, leaves)
    loss = without_aux(s, r, has_aux, function)
    t = s.b.type(r.leaves[loss[1]]) if loss[0] == "leaf" else None
    if t is None or t.rank or not t.is_float:
        s.fail(f"grad is of a function that returns one float, and this one returns "
               f"{t or WORDS.get(loss[0], loss[0].__name__ if isinstance(loss[0], type) else loss[0])}",
               "Return a scalar, e.g. with np.sum, or use gs.vjp.", error=SpecialisationError, origin=place(function))
    joint = vjp(r.fun, r.active, (0,))
    one = one_like(s, t)
    if t.kind == "array":
        one = s.emit("np.asarray", one)
    results = inline(s.b, joint, (*r.args, one))
    values, bars = results[:len(r.leaves)], results[len(r.leaves):]
    out = returned(s, r, values)
    bars = iter([s.wrap(a) for a in bars])
    grads = {k: rebuild(s, args[k], bars) for k in sorted(set(numbers))}
    grad = grads[numbers[0]] if is_one(argnums) else v.Tuple(tuple(grads[k] for k in numbers))
    if want_value:
        return v.Tuple((out, grad))
    return v.Tuple((grad, out.items[1])) if has_aux else grad


def fresh_leaves(s, value):
    """The value with leaves that are objects of their own, so that each is told from its equals."""
    new = rebuild(s, value, map(twin, leaves_of(s, value)))
    stand_ins(s, [value], [new])
    return new


def twin(leaf):
    """Another object for a leaf's value."""
    return (v.Array(leaf.cell, leaf.path) if isinstance(leaf, v.Array)
            else type(leaf)(leaf.atom if isinstance(leaf, v.Num) else leaf.value))


def arguments(s, primals) -> list:
    """The arguments of a jvp or vjp, with leaves of their own."""
    for k, p in enumerate(primals):
        refuse_hidden(s, p, f"argument {k}")
    return [fresh_leaves(s, p) for p in primals]


@calls(v.Pushforward)
def call_pushforward(s, function, args, kwargs):
    return pushed(s, function.fun, function.primals, v.Tuple(tuple(args))).items[1]


def forward(s, function, primals, tangents):
    """gs.jvp inside a specialisation."""
    args = arguments(s, s.items(primals))
    return pushed(s, record(s, function, args, {}, float_leaves(s, args)), v.Tuple(tuple(args)), tangents)


def pushed(s, r: Recorded, primals, tangents):
    """(the value, its tangent) of a recorded function."""
    dot_atoms = [conform_tangent(s, x, d) for x, d in paired(s, primals, tangents, "the tangent")
                 if s.b.type(s.atom(x)).is_float]
    fun = jvp(r.fun, r.active)
    results = inline(s.b, fun, (*r.args, *dot_atoms))
    n = len(r.leaves)
    out = returned(s, r, results)
    dot_results = iter(results[n:])
    dots_out = [s.wrap(next(dot_results)) if s.b.type(a).is_float else zero_like(s, a) for a in results[:n]]
    return v.Tuple((out, structured(s, r.out, dots_out)))


def zero_like(s, atom):
    return s.wrap(zeros_of(s.b, s.b.type(atom)))


def conform_tangent(s, primal, tangent, what="the tangent"):
    """The tangent (`what`: what users call it) with exactly the primal's type;
    other shapes and dtypes are the caller's mistake."""
    t, atom = s.b.type(s.atom(primal)), s.atom(tangent)
    have = s.b.type(atom)
    if have.rank != t.rank or have.dtype.kind not in "fiub":
        s.fail(f"{what} is {have}, and what it belongs to is {t}", "Give it the same shape and dtype.",
               error=SpecialisationError)
    atom = s.match_exactly(atom, t.dims, "a tangent or cotangent must have the shape of its primal")
    return of_kind(s, atom, t)


def of_kind(s, atom, t: Type):
    """A number or array as one of the kind and dtype of t."""
    atom = cast(s.b, atom, t.kind, t.dtype, "dot")
    if s.b.type(atom).kind == t.kind:
        return atom
    return s.emit("np.asarray", atom) if t.kind == "array" else s.emit("getitem", atom, index=())


def linearised(s, function, primals):
    """gs.linearize inside a specialisation: (out, a linear map that is inlined where it is called)."""
    args = arguments(s, primals)
    r = record(s, function, args, {}, float_leaves(s, args))
    out = evaluated(s, r)
    return v.Tuple((out, v.Pushforward(r, tuple(r.args), v.Tuple(tuple(args)), out)))


def without_aux(s, r: Recorded, has_aux: bool, function):
    """The structure of what is differentiated: with `has_aux` the first of a pair."""
    if has_aux and not (r.out[0] is tuple and len(r.out[2]) == 2):
        s.fail("has_aux=True, and the function does not return a pair", "Return (value, aux).",
               error=SpecialisationError, origin=place(function))
    return r.out[2][0] if has_aux else r.out


def returned(s, r: Recorded, results, structure=None):
    """The value of a recorded function, or a part of it, where these are its results."""
    return structured(s, structure or r.out, [s.wrap(a, order=s.order(x)) for a, x in zip(results, r.leaves)])


def evaluated(s, r: Recorded):
    """The value of a recorded function."""
    return returned(s, r, inline(s.b, r.fun, r.args))


def pull(s, function, primals, has_aux=False):
    """gs.vjp inside a specialisation: (out, a pull-back that is inlined where it is called)."""
    args = arguments(s, primals)
    r = record(s, function, args, {}, float_leaves(s, args))
    without_aux(s, r, has_aux, function)
    out = evaluated(s, r)
    pullback = v.Pullback(r, tuple(r.args), v.Tuple(tuple(args)), out.items[0] if has_aux else out)
    return v.Tuple((out.items[0], pullback, out.items[1])) if has_aux else v.Tuple((out, pullback))


@calls(v.Pullback)
def call_pullback(s, function, args, kwargs):
    return apply_pullback(s, function, *args)


def apply_pullback(s, pullback: v.Pullback, cotangent):
    r = pullback.fun
    pairs = paired(s, pullback.out, cotangent, "the cotangent")
    floats = [k for k, (o, _) in enumerate(pairs) if s.b.type(s.atom(o)).is_float]
    joint = vjp(r.fun, r.active, tuple(floats))
    atoms = [conform_tangent(s, *pairs[k], "the cotangent") for k in floats]
    results = inline(s.b, joint, (*r.args, *atoms))
    bars = iter([s.wrap(a) for a in results[len(r.leaves):]])
    primals = s.items(pullback.primals)
    return v.Tuple(tuple([rebuild(s, p,
        iter([next(bars) if s.b.type(s.atom(x)).is_float else zero_like(s, s.atom(x)) for x in leaves_of(s, p)]))
                          for p in primals]))


@dataclass
class Backward:
    """The second half of a `gs.vjp`, and what it takes and gives."""

    fun: Fun  # (residuals, cotangents of the float results) -> cotangents of the float primals
    out: Any  # the structure of the value
    out_floats: tuple[bool, ...]  # of its leaves
    primals: Any  # the structure of the arguments
    floats: tuple[bool, ...]  # of their leaves


def forward_sweep(s, function, primals, has_aux):
    """The first half of gs.vjp at the top: (out, residuals); the other half is left in `s.facts.backward`."""
    args = arguments(s, primals)
    r = record(s, function, args, {}, float_leaves(s, args))
    value = without_aux(s, r, has_aux, function)
    floats = [s.b.type(a).is_float if not isinstance(a, str) else r.fun.types[a].is_float for a in r.fun.body.results]
    count = len(leaf_numbers(value))
    chosen = tuple(k for k in range(count) if floats[k])
    fwd, bwd = vjp_split(r.fun, r.active, chosen)
    results = inline(s.b, fwd, r.args)
    out = returned(s, r, results)
    structure, leaves = outline(s, v.Tuple(tuple(args)))
    s.facts.backward = Backward(bwd, value, tuple(floats[:count]), structure,
                                tuple(s.b.type(s.atom(x)).is_float for x in leaves))
    return v.Tuple((out, v.Tuple(tuple(s.wrap(a) for a in results[len(floats):]))))


def leaf_numbers(structure) -> list[int]:
    """The positions of the leaves of a result structure."""
    if structure[0] == "leaf":
        return [structure[1]]
    return [] if structure[0] == "static" else [k for part in structure[2] for k in leaf_numbers(part)]
