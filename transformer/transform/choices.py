"""A choice is a choice, not a factor of 0.

What `np.where`, `np.maximum` or a mask has not chosen gets nothing, however steep what lies below it:

    h = np.sqrt(x)                     h_bar = y_bar                                          where x > 0
    y = np.where(x > 0, h, 0.0)        x_bar = np.where(x > 0, h_bar * (0.5 / np.where(x > 0, h, 1.0)), 0.0)

So a choice does not put zeros into a cotangent that still comes to a slope that may be infinite, since 0 times infinity
is no number.  The mask waits beside the cotangent (`Chosen`), is handed back with it, and is applied behind the last
such slope.  A zero that was computed is none of this: it says nothing about an infinite slope.
"""
from __future__ import annotations

import functools
from dataclasses import replace
from typing import Callable

import numpy as np

from ..analyse.degrees import curved, degrees
from ..analyse.norms import Norms, is_square, is_whole_power
from ..analyse.signs import Signs
from ..analyse.steepness import moves, read_in_parts, readers, takes_extremes
from ..core import Atom, Builder, Const, Fun, Let
from ..rules import OPS
from ..rules.elementwise import opposite
from ..rules.expr import Formula, any_of, atom_of
from ..rules.indexing import Getitem, Update, may_repeat
from ..rules.kinds import (CURVED, FLAT, LARGE, POLE, STEEP, Elementwise, Linear, Reduction, add_all, bar_name, conform,
                           dim_atoms, dot_name, zeros_of)
from ..rules.norms import (STRICT, NormSlope, Slope, Times, norm_slope, power_of_magnitude, product_slope, root_slope,
                           times, unit)
from ..rules.operators import Selection
from ..rules.shape import Join
from .chosen import BOOL, Chosen, ChosenSide, Cotangent, both_masks, lets_of, masked, settled, sides_of

LEVELS = 4  # operations that an element is computed through: of a long sum it would be one of each of its terms


class Choices:
    """What statements choose, and how what they have chosen goes through others.

    steepness  (`analyse/steepness.py`)
    active     the names that have a derivative
    lets       the statement that binds each name
    """

    def __init__(self, b: Builder, fun: Fun, active, steepness: Callable):
        self.b, self.active, self.signs = b, active, Signs(fun)
        self.steepness = steepness(fun, active, self.signs)
        self.lets, self.norms, self.readers = lets_of(fun), Norms(fun, active, self.signs), readers(fun, active)
        slopes = [let for let in self.lets.values() if isinstance(let.op, (Slope, Times))]
        found = degrees(fun, active) if slopes else {}
        self.curved = {let.name for let in slopes if curved(let, found)}
        for names in (self.norms.roots, self.norms.products):
            names -= self.curved
        # what `asked` finds: to begin with, the names that have a derivative on one side of a branch
        self.asks: dict[Atom, tuple[Let, int] | ChosenSide | None] = dict(sides_of(fun, active))
        self.levels: dict[str, int] = {}  # elements -> through how many operations they were come to
        self.within: set[str] | None = None  # in the mirror of a loop: the names that have cotangents there

    # what a statement chooses -------------------------------------------------------------------
    def least(self, let: Let) -> int | None:
        """From which curvature on what a statement does not choose must be kept apart; None: it chooses nothing."""
        if isinstance(let.op, Selection):
            return CURVED if let.op.hides else LARGE
        if isinstance(let.op, (Getitem, Update)):
            if isinstance(let.op, Getitem) and let.param("distinct") is True:
                return CURVED  # a mask may leave out what is nan
            if isinstance(let.op, Update):
                return STEEP if "a" in let.param("index") else POLE
            return STEEP if self.read_apart(let.args[0]) else POLE
        return LARGE if takes_extremes(let.op) or self.indicator(let) is not None else None

    def indicator(self, let: Let) -> tuple[int, str] | None:
        """(k, mask) where a product has a bool as its factor k, perhaps made a number."""
        if let.op is not OPS["multiply"]:
            return None
        for k, factor in enumerate(let.args):
            while isinstance(factor, str) and self.b.types[factor].dtype.kind != "b" and (
                    (made := self.lets.get(factor)) and made.op.converts):
                factor = made.args[0]
            if isinstance(factor, str) and self.b.types[factor].dtype.kind == "b":
                return k, factor
        return None

    def choice(self, let: Let, k: int, g: Atom, hint: str) -> tuple[Atom, Atom] | None:
        """(what g is worth to argument k, where it is chosen); None: the statement does not choose it."""
        b, args = self.b, [Formula(self.b, a, hint) for a in let.args]
        if isinstance(let.op, Selection):
            if let.op.choices[k] is None:
                return None
            where, worth = let.op.choices[k]
            return atom_of(worth(Formula(b, g, hint), *args)), atom_of(where(*args))
        found = self.indicator(let)
        return (g, found[1]) if found is not None and found[0] != k else None

    def demanded(self, name: Atom) -> Atom | None:
        """A mask of where anybody asks for the cotangent of a name; None: everywhere."""
        asked = self.asked(name)
        if isinstance(asked, ChosenSide):
            return self.taken(asked.test, asked.then)
        return None if asked is None else self.choice(*asked, Const(0.0), "t")[1]

    def asked(self, name: Atom) -> tuple[Let, int] | ChosenSide | None:
        """(the choice that a name is computed of, which of its arguments has a derivative), if nothing else has one."""
        way = []
        while name not in self.asks:
            way.append(name)
            let = self.lets.get(name)
            asked = [] if let is None else [k for k, a in enumerate(let.args) if a in self.active]
            if (len(asked) != 1 or not isinstance(let.op, Elementwise)
                    or self.b.types[let.args[asked[0]]].dims != self.b.types[name].dims):
                self.asks[name] = None
            elif isinstance(let.op, Selection) or self.indicator(let) is not None:
                self.asks[name] = let, asked[0]
            else:
                name = let.args[asked[0]]
        self.asks.update(dict.fromkeys(way, self.asks[name]))
        return self.asks[name]

    def of_side(self, name: str, g: Atom, test: Atom, then: bool) -> Cotangent:
        """A cotangent, or a tangent, that one side of a branch has given."""
        if self.steepness.get(name, FLAT) < STEEP:
            return g
        return Chosen(g, self.taken(test, then), STEEP)

    def taken(self, test: Atom, then: bool) -> Atom:
        """Is one side of a branch taken?"""
        if then:
            return test if self.b.type(test).dtype == BOOL else (Formula(self.b, test) != 0).atom
        return opposite(Formula(self.b, test)).atom

    def waiting(self, names, sides: list[dict]) -> dict[str, int]:
        """{name: from which curvature on its mask waits} of those to which the sides of a branch give nothing but what
        is chosen: the branch has the mask as another result."""
        found = {u: [g for bars in sides if (g := bars.get(u)) is not None] for u in names}
        return {u: min([g.least for g in given]) for u, given in found.items()
                if all([isinstance(g, Chosen) for g in given])
                and self.steepness.get(u, FLAT) >= min([g.least for g in given])}

    def mask_of(self, name: str, g: Chosen | None) -> Atom:
        """Where a side has chosen; one that gives nothing has chosen nothing."""
        dims = dim_atoms(self.b, self.b.types[name].dims)
        if g is None:
            return Const(np.False_) if not dims else self.b.emit(OPS["np.zeros"], *dims, hint="mask", dtype=BOOL)
        return self.full(g.mask, name)

    def smooth(self, let: Let) -> Let:
        """abs(z) ** n as a function of z, where it has no kink from n = 2 on; the slope of a norm of what does not move
        in lines as a quotient, which is nan where it is 0 / 0; other statements as they are."""
        if isinstance(let.op, (Slope, Times)) and let.name in self.curved:
            return replace(let, op=OPS[STRICT[type(let.op)]])
        n = 2 if is_square(let) else int(let.args[1].value) if is_whole_power(let) else None
        made = self.lets.get(let.args[0]) if n is not None and let.args[0] in self.active else None
        if made is None or made.op is not OPS["abs"] or not self.reaches(made.args):
            return let
        return replace(let, op=power_of_magnitude(n), args=made.args)

    def reaches(self, args) -> bool:
        """Can arguments of a statement elsewhere be given cotangents here?"""
        return self.within is None or all([a not in self.active or a in self.within for a in args])

    # backwards ----------------------------------------------------------------------------------
    def wait(self, let: Let, g: Cotangent | None, wanted: list[bool]) -> bool:
        """Does a mask wait here, for what comes before?"""
        if len(let.names) != 1 or g is None:
            return False
        if let.name in self.norms.roots or let.name in self.norms.products:
            return True
        if isinstance(g, Chosen):
            return self.steepness.get(let.name, FLAT) >= g.least
        if self.indicator(let) is not None:  # 0 times what may be infinite
            return True
        least = self.least(let)
        if isinstance(let.op, (Getitem, Update)):
            return wanted[0] and self.picks(let) and self.steepness.get(let.args[0], FLAT) >= least
        if least is not None and any([self.steepness.get(a, FLAT) >= least for a, w in zip(let.args, wanted) if w]):
            return True
        return self.signs.curvature(let, self.b.types) >= STEEP and any([
            self.asked(a) for a, w in zip(let.args, wanted) if w])

    def picks(self, let: Let) -> bool:
        """Does a read or a store choose elements?"""
        if set(let.param("index")) <= {":", "n"} or let.param("distinct") == "all":
            return False
        if self.within is not None or isinstance(let.op, Update):  # in a loop what is outside is read many times
            return self.within is None and not let.op.add
        return "a" in let.param("index") or self.read_apart(let.args[0])

    def read_apart(self, name: str) -> bool:
        return len(self.readers.get(name, ())) == 1 or name in self.read_in_parts

    @functools.cached_property
    def read_in_parts(self) -> set[str]:
        def chooses(let: Let) -> bool:
            return not isinstance(let.op, Getitem) and self.least(let) is not None
        return read_in_parts(self.lets, self.readers, self.steepness, self.b.types, chooses)

    def back(self, let: Let, g: Cotangent, wanted: list[bool]) -> list[Cotangent | None]:
        """Cotangents of the arguments."""
        value, mask, least = (g.value, g.mask, g.least) if isinstance(g, Chosen) else (g, None, STEEP)
        least = min(least, self.least(let) or STEEP)
        terms = [self.term(let, k, value, mask) if w else None for k, w in enumerate(wanted)]
        return [None if term is None else self.chosen(arg, *term, least) for arg, term in zip(let.args, terms)]

    def term(self, let: Let, k: int, g: Atom, mask: Atom | None) -> tuple[Atom, Atom | None] | None:
        """(cotangent of argument k, where it is chosen)"""
        b, op, hint = self.b, let.op, bar_name(let.args[k])
        chosen = self.choice(let, k, g, hint)
        if chosen is not None:
            return chosen[0], both_masks(b, mask, chosen[1])
        if let.name in self.norms.roots and not isinstance(op, Slope):
            return norm_slope(*root_slope(b, let, g, hint)).atom, mask
        if let.name in self.norms.products and not isinstance(op, (NormSlope, Times)):
            return times(*product_slope(b, let, k, g, hint)).atom, mask
        if isinstance(op, Elementwise):
            steep = self.signs.curvature(let, b.types) >= STEEP
            term = op.term(b, let, k, g, hint, both_masks(b, mask, self.demanded(let.args[k])) if steep else None)
            return None if term is None else (atom_of(term), mask)
        if isinstance(op, Reduction):
            kept = None if mask is None else op.kept(b, let, self.full(mask, let.name), "mask").atom
            if not takes_extremes(op):
                return op.vjp(b, let, (g,), [True])[0], kept
            y, g, x = op.value(b, let, hint), op.kept(b, let, g, hint), Formula(b, let.args[0], hint)
            share = op.share(y, x, g, op.summed(let.param("axis")))
            return conform(b, share, b.type(let.args[0]), hint), both_masks(b, kept, (x == y).atom)
        if isinstance(op, Update):
            return self.stored(let, k, g, mask, hint)
        assert isinstance(op, Linear) and moves(op), op
        return op.transpose(b, let, g)[k], None if mask is None else op.transpose(b, let, self.full(mask, let.name))[k]

    def read(self, let: Let, g: Cotangent, have: Chosen | None) -> Chosen:
        """The cotangent of what a statement reads elements of: those are chosen, beside the ones that are already."""
        b, (x, *index), hint = self.b, let.args, bar_name(let.args[0])
        value, mask, least = (g.value, g.mask, g.least) if isinstance(g, Chosen) else (g, Const(True), self.least(let))
        params = dict(let.params)
        clean = have is not None or mask == Const(True) or may_repeat(let)
        if clean and isinstance(g, Chosen):
            value = settled(b, g, b.type(let.name), hint)
        if have is None:
            bar = zeros_of(b, b.type(x), hint)
            chosen = b.emit(OPS["np.zeros"], *dim_atoms(b, b.type(x).dims), hint="mask", dtype=BOOL)
        else:
            bar, chosen, least = settled(b, have, b.type(x), hint), self.full(have.mask, x), min(least, have.least)
        bar = b.emit(OPS["rt.update_add"], bar, value, *index, hint=hint, **params)
        if mask != Const(True):  # of bools a sum is whether any is true: what is read twice may be chosen once
            chosen = b.emit(OPS["rt.update_add"], chosen, self.full(mask, let.name), *index, hint="mask", **params)
        else:
            chosen = b.emit(OPS["rt.update"], chosen, mask, *index, hint="mask", **params)
        return Chosen(bar, chosen, least, clean)

    def stored(self, let: Let, k: int, g: Atom, mask: Atom | None, hint: str) -> tuple[Atom, Atom | None]:
        """Of what is stored into the elements that are not overwritten are chosen."""
        b, op, (x, _, *index), params = self.b, let.op, let.args, dict(let.params)
        if k == 1:
            return op.vjp(b, let, (masked(b, mask, g, hint).atom if mask is not None else g,), [False, True])[1], None
        if op.add:
            return g, mask
        everything = self.full(mask, let.name) if mask is not None else b.emit(
            OPS["np.ones"], *dim_atoms(b, b.type(x).dims), hint="mask", dtype=BOOL)
        return g, b.emit(OPS["rt.update"], everything, Const(False), *index, hint="mask", **params)

    def full(self, mask: Atom, name: str) -> Atom:
        """A mask with all axes of what it belongs to."""
        dims = self.b.types[name].dims
        return mask if self.b.type(mask).dims == dims else self.b.emit(
            OPS["np.broadcast_to"], mask, *dim_atoms(self.b, dims), hint="mask")

    def chosen(self, arg: str, term: Atom, mask: Atom | None, least: int) -> Cotangent:
        """A term as the cotangent of an argument.  Where terms are summed any of them may be chosen."""
        b, t, hint = self.b, self.b.type(arg), bar_name(arg)
        have = b.type(term).dims
        if mask is None or have == t.dims:
            value = conform(b, term, t, hint)
            return value if mask is None else Chosen(value, mask, least)
        value = conform(b, masked(b, mask, term, hint), t, hint)
        if self.steepness.get(arg, FLAT) < max(least, POLE):
            return value
        if b.type(mask).dims != have:
            mask = b.emit(OPS["np.broadcast_to"], mask, *dim_atoms(b, have), hint="mask")
        extra = len(have) - t.rank
        added = tuple(range(extra))
        stretched = tuple(k for k in range(t.rank) if t.dims[k].is_one and not have[extra + k].is_one)
        for axis, kept in ((added, False), (stretched, True)):
            if axis:
                mask = b.emit(OPS["np.any"], mask, hint="mask", axis=axis, keepdims=kept)
        return Chosen(value, mask, least)

    def total(self, name: str, have: Cotangent, g: Cotangent) -> Cotangent:
        """The sum of two cotangents of a name.  It is chosen where either is."""
        b, t, hint, terms = self.b, self.b.types[name], bar_name(name), (have, g)
        masks = [x.mask for x in terms if isinstance(x, Chosen)]
        one = len(masks) == 2 and masks[0] == masks[1]
        values = [x.value if one else settled(b, x, t, hint) for x in terms]
        value = conform(b, b.emit(OPS["add"], *values, hint=hint), t, hint)
        if len(masks) < 2:
            return value
        least = min(x.least for x in terms)
        if one or self.steepness.get(name, FLAT) < least:
            return Chosen(value, masks[0], least) if one else value
        return Chosen(value, (Formula(b, masks[0]) | Formula(b, masks[1])).atom, least)

    def computed_here(self, let: Let) -> Let | None:
        """x[i] of an x that is computed element by element, and of which only parts are read, as computed of elements:
        np.sqrt(y)[1:] is np.sqrt(y[1:]).  What is not read has no part in it then."""
        made = self.lets.get(let.args[0]) if isinstance(let.op, Getitem) else None
        if made is None or (level := self.levels.get(let.name, 0)) == LEVELS or (
                not self.is_computed_by_elements(let, made)):
            return None
        b = self.b
        parts = {a: b.emit(let.op, a, *let.args[1:], hint=a, **dict(let.params)) for a in made.args if b.type(a).rank}
        self.levels.update(dict.fromkeys(parts.values(), level + 1))
        here = replace(made, names=let.names, args=tuple(parts.get(a, a) for a in made.args))
        for name, whole in ((let.name, made.name), *[(part, a) for a, part in parts.items()]):
            self.steepness[name] = self.steepness.get(whole, FLAT)
            for names in (self.norms.roots, self.norms.products, self.active):
                if whole in names:
                    names.add(name)
        return here

    def is_computed_by_elements(self, let: Let, made: Let) -> bool:
        """Can x[i] be computed of elements of what x is made of, and is it better so?"""
        if not isinstance(made.op, Elementwise) or made.name not in self.read_in_parts or (
                self.steepness.get(made.name, FLAT) < min(STEEP, self.least(let))):
            return False
        if self.within is not None and (isinstance(made.op, Selection) or self.indicator(made) is not None):
            return False  # a mask does not leave the loop: what a choice before it has not chosen is apart outside
        dims = self.b.types[made.name].dims
        return all(self.b.type(a).dims in ((), dims) for a in made.args) and self.reaches(made.args)

    def behind(self, names) -> set[str]:
        """What steep names, each of which is read once or in parts, are computed of, element by element: in a loop that
        reads them cotangents may go there."""
        found, waiting = set(), list(names)
        while waiting:
            let = self.lets.get(name := waiting.pop())
            if let is not None and isinstance(let.op, Elementwise) and (
                    self.steepness.get(name, FLAT) >= STEEP and self.read_apart(name)):
                more = {a for a in let.args if a in self.active} - found
                found |= more
                waiting += more
        return found

    def goes_on(self, name: str, g: Cotangent, own: dict) -> bool:
        """Is what a loop gives to an array made before it handed on at once, as a mask does not leave the loop?"""
        return (self.within is not None and isinstance(g, Chosen) and name in own and self.read_apart(name)
                and (let := self.lets.get(name)) is not None and isinstance(let.op, Elementwise)
                and self.steepness.get(name, FLAT) >= STEEP and self.reaches(let.args))

    # forwards -----------------------------------------------------------------------------------
    def under_one_mask(self, let: Let, tangents: list[Cotangent | None]) -> tuple[Atom | None, list[Atom | None]]:
        """(where any of the tangents of a statement is chosen, what they are there)"""
        masks = list(dict.fromkeys(g.mask if isinstance(g, Chosen) else None for g in tangents if g is not None))
        if len(masks) == 1 or None in masks:
            return masks[0] if len(masks) == 1 else None, [g.value if isinstance(g, Chosen) else g for g in tangents]
        return any_of(self.b, masks), [g if g is None else settled(self.b, g, self.b.type(a), dot_name(a))
                                       for a, g in zip(let.args, tangents)]

    def ahead(self, let: Let, tangents: list[Cotangent | None]) -> Cotangent | None:
        """The tangent of the result where it has a mask that waits for what comes; None: in the usual way."""
        there = [k for k, g in enumerate(tangents) if g is not None]
        if len(let.names) != 1 or not (
                let.name in self.norms.roots or self.indicator(let) is not None or self.is_steep(let)):
            return None
        b, t, hint = self.b, self.b.types[let.name], dot_name(let.name)
        mask, values = self.under_one_mask(let, tangents)
        chosen = self.choice(let, there[0], values[there[0]], hint) if len(there) == 1 else None
        if chosen is not None:
            return Chosen(conform(b, chosen[0], t, hint), both_masks(b, mask, chosen[1]), STEEP)
        if let.name in self.norms.roots and not isinstance(let.op, Slope):
            value = conform(b, unit(*root_slope(b, let, values[0], hint)), t, hint)
            return value if mask is None else Chosen(value, mask, STEEP)
        if mask is None or isinstance(let.op, (Selection, Join)):
            return None
        if isinstance(let.op, Elementwise):
            return self.summed(let, there, values, mask, hint)
        is_moved = (moves(let.op) or let.op is OPS["getitem"]) and len(there) == 1
        return self.moved(let, values[0], mask, hint) if is_moved else None

    def is_steep(self, let: Let) -> bool:
        """Is a statement, or what comes of it, steep somewhere?"""
        return let.name in self.steepness or self.signs.curvature(let, self.b.types) >= STEEP

    def summed(self, let: Let, there: list[int], values: list[Atom | None], mask: Atom, hint: str) -> Chosen | None:
        """The tangent of an elementwise operation, of those of the arguments that are there."""
        b, t = self.b, self.b.types[let.name]
        guard = mask if self.signs.curvature(let, b.types) >= STEEP else None
        terms = [let.op.term(b, let, k, values[k], hint, guard) for k in there]
        terms = [conform(b, term, t, hint) for term in terms if term is not None]
        return Chosen(add_all(b, terms, t, hint), mask, STEEP) if terms else None

    def moved(self, let: Let, value: Atom, mask: Atom, hint: str) -> Chosen:
        """The tangent of what moves elements; its mask moves as they do."""
        b, t, op, others, params = self.b, self.b.types[let.name], let.op, let.args[1:], dict(let.params)
        if op.effect:  # a check, which has been made
            op, others, params = OPS["retype"], (), {"dims": t.dims}
        move = functools.partial(b.emit, op, hint=hint, **params)
        kept = mask if op.converts else move(self.full(mask, let.args[0]), *others)
        return Chosen(conform(b, move(value, *others), t, hint), kept, STEEP)
