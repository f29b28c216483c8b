"""A call of a transformed function, recorded as a core function of its own."""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...core import Block, Const, Fun, Meanwhile, all_bound, free_names, inline, lengths_in_params
from ...errors.messages import ImpurityError, SpecialisationError
from ...optimise.pipeline import optimise
from ...pytree.containers import holds_floats
from ...transform.budget import budgeted
from ..domain import values as v
from ..domain.growing_lists import structured_value
from ..domain.lattice import cases_of, has_forms
from ..evaluator.flow.escaping import is_mark
from ..evaluator.names.places import place
from ..evaluator.names.tables import call_value
from .leaves import (argument_name, float_leaves, is_fixed, is_known_integer, is_known_range, is_leaf, leaf_hint,
                     leaves_of, named_parts, parts_of, rebuild, result_outline)


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
    memory: Any = None  # the budget for what a mirror keeps

    @property
    def active(self) -> tuple[bool, ...]:
        """Which parameters are leaves."""
        return tuple(k < self.count for k in range(len(self.fun.params)))

    def to_mirror(self, results=None) -> Fun:
        """The function for a mirror of these results that keeps to the budget of memory."""
        return budgeted(self.fun, self.active, results, self.memory) if self.memory is not None else self.fun


def record(s, function, args, kwargs, leaves, types=None, orders=None, derived=True, alive=False,
           pure=False, seen=True, memory=None) -> Recorded:
    """Call `function` with the `leaves` (those of some of args) turned into parameters: of their own types, or of
    `types`.

    `orders`: their memory orders, as `types`. What it stores is dropped with its heap: `stores` tells the caller of it.
    `derived`: a derivative is taken, which need not read what it has no use for.  `alive`: the arguments count as in
    use to the end.  `pure`: it may store into nothing but its arguments.  `seen`: a number is no array without axes.
    """
    s.facts.derived |= derived
    atoms, given = [*map(s.atom, leaves)], [*args, *kwargs.values()]
    names = [s.b.fresh(leaf_hint(s, x), t) for x, t in zip(leaves, types or map(s.b.type, atoms))]
    s.stands_for.update(zip(names, atoms))
    s.orders.update(zip(names, orders or map(s.order, atoms)))
    chosen = {id(leaf): name for leaf, name in zip(leaves, names)}
    cells: dict[v.Ref, Any] = {}  # of the function's parameters: those of the arguments
    before, met = dict(s.heap), s.met
    structure, results, shared, shared_boxes = None, (), [], []  # of a function that always raises
    with s.scope() as stmts:
        new = [rebuild(s, a, iter([parameter_for(s, x, chosen, cells) for x in leaves_of(s, a)])) for a in given]
        if alive:
            s.heap[v.Frame(None, None, hint="arguments"), 0] = v.Tuple(tuple(new))  # a variable that stays
        inner_heap = dict(s.heap)
        from_outside = {ref: ref for ref, part in before if part is None}  # the function sees them as they are
        boxes = from_outside | stand_ins(s, given, new)
        try:
            s.met = set()  # the arrays and containers that this function alone reads
            with Meanwhile(s.rows, "asked", False):  # the function sees lists, not the rows that stand for them
                value = call_value(s, function, new[:len(args)], dict(zip(kwargs, new[len(args):])))
            if not seen and has_forms(value) and any([isinstance(x, v.Array) for x in cases_of(value)]):
                value = call_value(s, v.Static(np.asarray), [value], {})
            structure, out_leaves = result_outline(s, value, function=function)
            results = tuple(map(s.atom, out_leaves))
            shared = sharing(s, [getattr(x, "cell", None) for x in out_leaves], from_outside | cells)
            shared_boxes = sharing(s, [x.box for x in boxes_of(s, [value])], boxes)
        except v.CertainException:  # its statements, the check that fails among them, stand in the caller: see below
            pass
        arrays, containers = changed_kinds(s, before, inner_heap)
    inner_met, s.met = s.met, s.met | met
    check_changes(s, before, given, inner_met, arrays, containers, pure)
    stores = arrays or containers
    s.facts.stores |= stores
    s.facts.changes |= containers
    s.heap = before
    fun, order = closed_function(s, names, Block(tuple(stmts), results))
    if structure is None:  # it always raises
        inline(s.b, fun, (*atoms, *order))
        raise v.CertainException
    # whole: without a derivative, what is read and not used stays, since the read may raise
    # optimised before it is differentiated: a value that is computed twice would be saved twice for the adjoint
    return Recorded(optimise(replace(fun, whole=not s.facts.derived)), (*atoms, *order), structure, list(results),
                    len(names), stores, shared, shared_boxes, memory)


def parameter_for(s, leaf, chosen: dict, cells: dict):
    """What stands for a leaf of an argument while a function is recorded; arrays have cells of their own."""
    new = (s.wrap(chosen[id(leaf)], leaf_hint(s, leaf)) if id(leaf) in chosen
           else s.wrap(s.atom(leaf)) if isinstance(leaf, v.Array) else leaf)
    if isinstance(new, v.Array):
        cells[new.cell] = leaf.cell
    return new


def changed_kinds(s, before, inner_heap) -> tuple[bool, bool]:
    """Have arrays, and have containers, changed of those that stand for the arguments of a recorded function?  Those
    are in the heap with which it began, and not in that before."""
    # the heap has an atom for an array, and items for a container
    changed = [isinstance(x, (str, Const)) for key, x in inner_heap.items()
               if key not in before and isinstance(key[0], v.Ref) and key[1] is None and s.heap.get(key) != x]
    return True in changed, False in changed


def cells_of(s, values) -> list[v.Ref]:
    """The cells of the arrays in values."""
    return [x.cell for value in values for x in leaves_of(s, value) if isinstance(x, v.Array)]


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


def check_changes(s, before, given, met, arrays: bool, containers: bool, pure: bool) -> None:
    """Refuse what a function under a derivative must not change, or what its copies would not see changed."""
    check_pure(s, before, given, pure)
    check_apart(s, met, cells_of(s, given) if arrays else [])
    check_apart(s, met, [x.box.original or x.box for x in boxes_of(s, given)] if containers else [])


def check_pure(s, before, given, pure: bool) -> None:
    """What a function under a derivative changes, it changes in its own copies; so it leaves, as arguments, arrays from
    outside that it stores into."""
    # a mark: what the function's own variables may be as well
    changed = [k for k, x in before.items() if k[1] is not v.FROZEN and s.heap.get(k) != x]
    left = {ref for ref, part in changed if part is None and s.outside.found_at.get(ref) in s.static_paths and not pure}
    variables = set(s.outside.modules.values()) if not pure else set()
    s.facts.stores |= bool(left)
    check_apart(s, set(cells_of(s, given)), left)
    if any([slot[0] not in left and slot[0] not in variables and not is_mark(slot) for slot in changed]):
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


def closed_function(s, names, body: Block) -> tuple[Fun, list[str]]:
    """A block as a function of `names` and of the names from outside that it reads, and the latter."""
    inside = set(all_bound(body)) | set(names)
    free = (free_names(body) | lengths_in_params(body)) - inside
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


NAME_THEM = "Pass floats ({}), or name the float arguments in argnums."
BESIDE = "Pass floats ({}): ints are held fixed, and there is nothing else here."


def differentiable(s, value, function, k: int, allow_int: bool | None = None, instead=NAME_THEM) -> list:
    """The numbers and arrays in argument k of a function, which must be floats; allow_int: need not be, None: cannot
    be otherwise."""
    what, origin = f"argument {k}", place(function, k)
    refuse_hidden(s, value, what, origin)
    leaves = leaves_of(s, value)

    def refused(s, value):
        return [x for x in parts_of(s, value) if is_fixed(x) or is_leaf(x) and not s.b.type(s.atom(x)).is_float]

    if isinstance(value, v.Static) and not is_leaf(value) and not is_fixed(value) and value.value is not None:
        s.fail(f"{what} is {s.describe(value)}, and only floats have derivatives", instead.format("numbers or arrays"),
               error=SpecialisationError, origin=origin)
    if not allow_int and refused(s, value):
        name = argument_name(function, k)
        found, text = named_parts(s, value, name, refused)[0]
        has = ("is a range of ints" if is_known_range(found) else f"has dtype {s.b.type(s.atom(found)).dtype}")
        as_float = f"float({text})" if not isinstance(found, v.Array) else f"{text}.astype(float)"
        zeros = " With allow_int=True it has zeros for a derivative." if allow_int is not None else ""
        s.fail(f"{what if text == name else text} {has}, and only floats have derivatives",
               instead.format(as_float) + zeros, error=SpecialisationError, origin=origin)
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
            else type(leaf)(leaf.atom if isinstance(leaf, v.Number) else leaf.value))


def recorded_call(s, function, primals, memory=None) -> tuple[v.Tuple, Recorded]:
    """The arguments of a jvp or vjp, with leaves of their own, and the call of the floats among them.  Ints beside
    floats are held fixed; where there are no floats at all they are refused, as they are where argnums names them."""
    floats = float_leaves(s, primals)
    for k, p in enumerate(primals):
        if floats:
            refuse_hidden(s, p, f"argument {k}")
        else:
            differentiable(s, p, function, k, instead=BESIDE)
    args = [fresh_leaves(s, p) for p in primals]
    return v.Tuple(tuple(args)), record(s, function, args, {}, float_leaves(s, args), memory=memory)


def without_aux(s, r: Recorded, has_aux: bool, function):
    """The structure of what is differentiated: with `has_aux` the first of a pair."""
    if has_aux and not (r.out[0] is tuple and len(r.out[2]) == 2):
        s.fail("has_aux=True, and the function does not return a pair", "Return (value, aux).",
               error=SpecialisationError, origin=place(function))
    return r.out[2][0] if has_aux else r.out


def returned(s, r: Recorded, results, structure=None):
    """The value of a recorded function, or a part of it, where these are its results."""
    return structured_value(s, structure or r.out, wrapped(s, r, results))


def wrapped(s, r: Recorded, results) -> list:
    """The leaves of the value of a recorded function, where these are its results."""
    for a, x in zip(results, r.leaves):
        s.b.note_several(a, s.b.types_of(x), s.b.loop_of([x]))
    return [s.wrap(a, order=s.order(x)) for a, x in zip(results, r.leaves)]


def evaluated(s, r: Recorded):
    """The value of a recorded function."""
    return returned(s, r, inline(s.b, r.fun, r.args))
