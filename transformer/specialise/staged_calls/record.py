"""A call of a transformed function, recorded as a core function of its own."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ...core import Block, Const, Fun, all_bound, free_names, inline
from ...errors.messages import ImpurityError, SpecialisationError
from ...optimise.pipeline import optimise
from ...pytree.containers import holds_floats
from ..domain import values as v
from ..evaluator.names.places import place
from ..evaluator.names.tables import call_value
from .leaves import (by_rows, float_leaves, hint_of, is_fixed, is_known_integer, is_leaf, is_range, leaves_of, outline,
                     parts_of, rebuild, structured)


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


def record(s, function, args, kwargs, leaves, types=None, orders=None, derived=True, alive=False,
           pure=False) -> Recorded:
    """Call `function` with the `leaves` (those of some of args) turned into parameters: of their own types, or of
    `types`.

    `derived`: a derivative is taken, which need not read what it has no use for.  `alive`: the arguments count as in
    use to the end.  `pure`: it may store into nothing but its arguments.
    """
    s.facts.derived |= derived
    atoms = [s.atom(x) for x in leaves]
    names = [s.b.fresh(hint_of(s, x), t) for x, t in zip(leaves, types or map(s.b.type, atoms))]
    s.stands_for.update(zip(names, atoms))
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
            with by_rows(s, False):
                value = call_value(s, function, new, named)
            structure, out_leaves = outline(s, value, function=function)
            results = tuple(s.atom(x) for x in out_leaves)
            shared = sharing(s, [x.cell if isinstance(x, v.Array) else None for x in out_leaves], known | cells)
            shared_boxes = sharing(s, [x.box for x in boxes_of(s, [value])], boxes)
        except v.Stopped:
            pass
        changed = {isinstance(own[k], (str, Const))
            for k in own if k not in before and isinstance(k[0], v.Ref) and k[1] is None and s.heap.get(k) != own[k]}
    given, own_met, s.met = [*args, *kwargs.values()], s.met, s.met | met
    check_pure(s, before, given, pure)
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
        elif s.heap.get((ref, v.FROZEN)):
            found.append((k, None))
        known.setdefault(ref, k)
    return found


def check_pure(s, before, given, pure: bool) -> None:
    """What a function under a derivative changes, it changes in its own copies; so it leaves, as arguments, arrays from
    outside that it stores into."""
    # a mark: what the function's own variables may be as well
    changed = [k for k, x in before.items() if k[1] is not v.FROZEN and s.heap.get(k) != x]
    left = {ref for ref, part in changed if part is None and ref in s.stored and not pure}
    variables = set(s.modules.values()) if not pure else set()
    s.facts.stores |= bool(left)
    check_apart(s, {x.cell for a in given for x in leaves_of(s, a) if isinstance(x, v.Array)}, left)
    if any([ref not in left and ref not in variables for ref, _ in changed]):
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


NAME_THEM = "Pass floats (x.astype(float)), or name the float arguments in argnums."
BESIDE = "Pass floats (x.astype(float)): ints are held fixed, and there is nothing else here."


def differentiable(s, value, what: str, origin=None, allow_int: bool | None = None, instead=NAME_THEM) -> list:
    """The numbers and arrays in a value, which must be floats; allow_int: need not be, None: cannot be otherwise."""
    refuse_hidden(s, value, what, origin)
    leaves = leaves_of(s, value)
    refused = [x for x in parts_of(s, value) if is_fixed(x) or is_leaf(x) and not s.b.type(s.atom(x)).is_float]
    if isinstance(value, v.Static) and not is_leaf(value) and not is_fixed(value) and value.value is not None:
        s.fail(f"{what} is {s.describe(value)}, and only floats have derivatives", instead,
               error=SpecialisationError, origin=origin)
    if refused and not allow_int:
        found = refused[0]
        has = ("is a range of ints" if is_range(found) else f"has dtype {s.b.type(s.atom(found)).dtype}")
        s.fail(f"{what} {has}, and only floats have derivatives",
               instead + (" With allow_int=True it has zeros for a derivative." if allow_int is not None else ""),
               error=SpecialisationError, origin=origin)
    return leaves


def integers_of(s, value) -> list:
    """The ints and bools in a value that had to be known."""
    return [x for x in parts_of(s, value) if is_known_integer(x)]


def fresh_leaves(s, value):
    """The value with leaves that are objects of their own, so that each can be distinguished from its equals."""
    new = rebuild(s, value, map(renewed, leaves_of(s, value)))
    stand_ins(s, [value], [new])
    return new


def renewed(leaf):
    """Another object for a leaf's value."""
    return (v.Array(leaf.cell, leaf.path) if isinstance(leaf, v.Array)
            else type(leaf)(leaf.atom if isinstance(leaf, v.Num) else leaf.value))


def arguments(s, function, primals) -> list:
    """The arguments of a jvp or vjp, with leaves of their own.  Ints beside floats are held fixed; where there are no
    floats at all they are refused, as they are where argnums names them."""
    floats = float_leaves(s, primals)
    for k, p in enumerate(primals):
        if floats:
            refuse_hidden(s, p, f"argument {k}")
        else:
            differentiable(s, p, f"argument {k}", place(function, k), instead=BESIDE)
    return [fresh_leaves(s, p) for p in primals]


def without_aux(s, r: Recorded, has_aux: bool, function):
    """The structure of what is differentiated: with `has_aux` the first of a pair."""
    if has_aux and not (r.out[0] is tuple and len(r.out[2]) == 2):
        s.fail("has_aux=True, and the function does not return a pair", "Return (value, aux).",
               error=SpecialisationError, origin=place(function))
    return r.out[2][0] if has_aux else r.out


def returned(s, r: Recorded, results, structure=None):
    """The value of a recorded function, or a part of it, where these are its results."""
    return structured(s, structure or r.out, wrapped(s, r, results))


def wrapped(s, r: Recorded, results) -> list:
    """The leaves of the value of a recorded function, where these are its results."""
    for a, x in zip(results, r.leaves):
        s.b.note_several(a, s.b.types_of(x), s.b.loop_of([x]))
    return [s.wrap(a, order=s.order(x)) for a, x in zip(results, r.leaves)]


def evaluated(s, r: Recorded):
    """The value of a recorded function."""
    return returned(s, r, inline(s.b, r.fun, r.args))
