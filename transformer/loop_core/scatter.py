"""Sums into shared places: each place is one thread's, which takes what goes there in its order.

    for i in range(n):                      for i in range(n):
        y[idx[i]] += v[i]                       keys[i] = idx[i]
                                            order = rs.argsort(keys)
                                    ->      for p in range(n):  [independent]
                                                i = order[p]
                                                if p == 0 or keys[order[p - 1]] != keys[i]:
                                                    q = p
                                                    while q < n and keys[order[q]] == keys[i]:
                                                        y[idx[order[q]]] += v[order[q]]
                                                        q = q + 1

Several sums of one iteration into places that differ become a loop each, whose iterations then often do not meet:
`y[i - 1] += a` and `y[i + 1] += b`.
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable

from . import facts as known
from .coalesce import renamed_uses
from .core import (BOOL, I8, ONE, ZERO, Alloc, Assign, Assigns, Binary, Call, Check, Choose, Expr, If, Length, Load,
                   Loop, Name, Share, Stmt, Store, While, expr, product)
from .facts import handed_on
from .nests import FEW, Nests
from .rounds import around, has_fewer_rounds, is_plain_range, iteration_indices, loop_trip_count, perfect
from .walking import bound_by, names_bound, names_in, reads


@dataclass(frozen=True)
class Sum:
    """A nest of loops with one sum into a place.

    loops    the loops
    scalars  what an iteration computes before
    store    the sum
    """

    loops: list[Loop]
    scalars: tuple[Stmt, ...]
    store: Store

    def loop(self) -> Loop:
        return around(self.loops, (*self.scalars, self.store))[0]

    def key(self, own: set[Name]) -> Expr | None:
        """The number of its place, among those that have the same indices of loops whose iterations do not meet."""
        meant, out = known.meanings(self.scalars), None
        for axis, e in enumerate(self.store.index):
            if not any(n in own for n in names_in(known.replaced(e, meant))):
                out = e if out is None else out * Length(self.store.array, axis) + e
        return out

    def anew(self, fresh) -> "Sum":
        """The same under names of its own."""
        body = (*self.scalars, self.store)
        bound = sorted(names_bound(body) | {x.index.id for x in self.loops})
        names = {name: fresh(name.rstrip("_0123456789") or name) for name in bound}
        *scalars, store = renamed_uses(body, lambda name: names.get(name, name))
        loops = renamed_uses([replace(x, body=()) for x in self.loops], lambda name: names.get(name, name))
        return Sum(list(loops), tuple(scalars), store)


def spread_sums(loop: Loop, nests: Nests, fresh: Callable[[str], str]) -> list[Stmt] | None:
    """The statements in the place of a loop with sums into shared places; None of another.

    fresh  gives names that nothing has
    """
    if loop.share or not (sums := each_sum(loop, nests, fresh)):
        return None
    out: list[Stmt] = []
    for one in sums:
        alone = one.loop()
        nests.adopt(alone, loop)
        shared = shared_loops(one, nests)
        out += by_place(one, shared, fresh) if shared and may_sort(one, shared) else [alone]
    return out if len(out) > 1 else None


def each_sum(loop: Loop, nests: Nests, fresh) -> list[Sum] | None:
    """The sums of a nest of loops, of which none depends on another."""
    chain, body = perfect(loop)
    stores = [s for s in body if isinstance(s, Store)]
    scalars = tuple([s for s in body if not isinstance(s, Store)])
    if (not stores or not all(sums_up(s, nests) for s in body) or handed_on(body) or nests.lasting(loop)
            or reads_what_it_stores(body, nests.arrays)):
        return None
    checks = [s for s in scalars if isinstance(s, Check)]
    return [Sum(chain, wanted(scalars, (store, *(checks if k == 0 else []))), store).anew(fresh)
            for k, store in enumerate(stores)]


def sums_up(stmt: Stmt, nests: Nests) -> bool:
    """Is it a sum into a place, or numbers for one, that a thread can do?"""
    if isinstance(stmt, Store):
        return stmt.add and stmt.array.dtype != BOOL and nests.inside(stmt)
    return (isinstance(stmt, (Assign, Assigns, Check)) and nests.inside(stmt)
            and not any(map(nests.arrays.gives_array, reads(stmt))))


def reads_what_it_stores(body, arrays: known.Arrays) -> bool:
    found = [(arrays.memory(name), stores) for name, _, stores in known.accesses(body, arrays)]
    return not {m for m, stores in found if stores}.isdisjoint([m for m, stores in found if not stores])


def wanted(stmts: tuple[Stmt, ...], ends) -> tuple[Stmt, ...]:
    """Those statements on which others rest."""
    names = {n.id for s in ends for e in reads(s) for n in names_in(e)}
    out = []
    for s in reversed(stmts):
        if s in ends or names & {n.id for n in bound_by(s)}:
            out.append(s)
            names |= {n.id for e in reads(s) for n in names_in(e)}
    return tuple(reversed(out))


def shared_loops(one: Sum, nests: Nests) -> list[Loop]:
    """The loops of which two iterations may meet; all, where what the place of one is depends on the others."""
    body = (*one.scalars, one.store)
    bound = {x.index.id for x in one.loops} | names_bound(body)
    own = {x.index for x in one.loops if not known.disjoint_arrays(body, x.index, bound, nests.arrays)}
    if len(own) == len(one.loops):
        return []
    key = one.key(own)
    ends = [*checks(one), *([Assign(one.store.array, key)] if key is not None else [])]
    behind = {n for s in (*ends, *wanted(one.scalars, ends)) for e in reads(s) for n in names_in(e)}
    return [x for x in one.loops if x.index not in own or behind & own]


def may_sort(one: Sum, shared: list[Loop]) -> bool:
    """Do the places depend on the loops, whose bounds are known before, and are there many?"""
    bound = {x.index.id for x in one.loops} | names_bound(one.scalars)
    own = {x.index for x in one.loops if x not in shared}
    key = one.key(own)
    return (key is not None and (known.loads(key) or any(n.id in bound for n in names_in(key)))
            and not any(n.id in bound for x in one.loops for e in (x.start, x.stop, x.step) for n in names_in(e))
            and not all(has_fewer_rounds([x], FEW) for x in shared))


def by_place(one: Sum, shared: list[Loop], fresh) -> list[Stmt]:
    """The places of all iterations, their order, and the sums by it."""
    keys, order, count = [Name(fresh(hint), I8) for hint in ("keys", "order", "count")]
    own = [x for x in one.loops if x not in shared]
    key = one.key({x.index for x in own})
    k = shared[0].index if is_plain_range(shared) else Name(fresh("k"), I8)
    at = Name(fresh("at"), I8)
    ends = (Assign(at, key), *checks(one))
    first = Loop(k, ZERO, count, ONE, (*iteration_indices(k, shared), *wanted(one.scalars, ends), *ends[:1],
                                       Store(keys, (k,), at)), "independent")
    return [Assign(count, product([Call("rs.span", (ZERO, loop_trip_count(x)), I8) for x in shared])),
            Alloc(keys, (count,), early=True), first, Assign(order, Call("rs.argsort", (keys,), I8)),
            summed_in_order(one.anew(fresh), [x in shared for x in one.loops], keys, order, count, fresh)]


def summed_in_order(one: Sum, is_shared: list[bool], keys: Name, order: Name, count: Name, fresh) -> Stmt:
    """The thread at the first of each place takes all that go there."""
    p, q, mine, element = [Name(fresh(hint), I8) for hint in ("p", "q", "mine", "element")]
    going = Name(fresh("going"), BOOL)

    def key(place: Expr) -> Expr:
        return Load(keys, (Load(order, (place,)),))

    goes_on = Assign(going, Choose(q < count, key(q).eq(mine), expr(False)))
    rounds = (Assign(element, Load(order, (q,))),
              *iteration_indices(element, [x for x, its in zip(one.loops, is_shared) if its]), *one.scalars, one.store,
              Assign(q, q + 1), goes_on)
    begins = Binary("or", p.eq(ZERO), key(p - 1).ne(mine))
    body = (Assign(mine, key(p)), If(begins, (Assign(q, p), goes_on, While(going, rounds))))
    apart = Share((one.store.array,), 1, False)
    own = [replace(x, share=apart) for x, its in zip(one.loops, is_shared) if not its]
    return around([Loop(p, ZERO, count, ONE, (), "independent", apart), *own], body)[0]


def checks(one: Sum) -> list[Check]:
    return [s for s in one.scalars if isinstance(s, Check)]
