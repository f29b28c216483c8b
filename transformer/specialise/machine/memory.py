"""The machine's heap: how values are read, written and named."""
from __future__ import annotations

import itertools
from collections import OrderedDict
from dataclasses import replace
from typing import Any

import numpy as np

from ...core import Atom, Const, Let, Meanwhile, split_name, users_word
from ...core.types import Type
from ...errors.messages import ImpurityError, UnsupportedError
from ...library.registry import FUNCTIONS
from ...pytree.containers import made_of
from ..domain import values as v
from ..domain.aliasing import MIXED, freeze, is_frozen
from ..domain.classes import deque, is_deque
from ..domain.dict_keys import OTHER_LENGTH
from ..domain.growing_lists import refuse_store
from ..domain.heap import Heap
from ..refusals.words import as_aux

NUMBERS = (int, float, complex, bool, np.generic)


class Memory:
    """Values, and the core atoms that they are now."""

    def cell(self, atom: Atom, hint: str = "t", order: str | None = "C") -> v.Array:
        ref = v.Ref(hint, order)
        self.orders[atom] = order
        self.heap[ref, None] = atom
        return v.Array(ref)

    def order(self, atom: Atom) -> str | None:
        """The memory order of an array."""
        return self.orders.get(atom, "C") if self.b.type(atom).rank > 1 else "C"

    def note_order(self, op, result: Atom, atoms, params: dict) -> None:
        if isinstance(result, str) and len(self.b.types[result].dims) > 1:
            self.orders[result] = op.order([self.order(a) for a in atoms if self.b.type(a).rank > 1], params)

    def box(self, items, cls=list, keys=(), hint="list") -> v.Boxed:
        ref = v.Ref(hint, keys=tuple(keys))
        self.heap[ref, None] = tuple(items)
        return v.Boxed(ref, cls, ref.keys)

    def like(self, value, items):
        """A new container like this one, with these items."""
        return (v.Tuple(tuple(items), value.cls) if isinstance(value, v.Tuple)
                else self.box(items, value.cls, self.keys(value), value.box.hint))

    def keys(self, value: v.Boxed) -> tuple:
        """The keys of a dict, the field names of an object."""
        return self.heap.get((value.box, v.KEYS), value.keys)

    def items(self, value) -> tuple:
        if isinstance(value, v.Tuple):
            return value.items
        content = self.heap[value.box, None]
        self.met.add(value.box)
        keys = self.heap.get((value.box, v.KEYS))  # that a function, or a path, has put there
        if keys and (type(keys) is v.Unordered and self.by_key is not value.box
                     or isinstance(content, tuple) and any(map(v.is_uncertain, content))):
            content = v.Unjoinable(OTHER_LENGTH)
        if isinstance(content, v.Unjoinable) and value.box in self.appended:
            self.conflict(content, "a list that something is appended to on one path only",
                       "Make an array before, and count what is stored into it: out[count] = value; count += 1")
        if isinstance(content, v.Unjoinable):
            self.conflict(content, f"this {value.cls.__name__} cannot be used here",
                       getattr(value.cls, "JOINED", "Let it have the same length, or the same keys, on all paths."))
        if content and isinstance(content[0], v.Grown):
            content[0].instead()
        return content

    def item(self, value):
        """What was found in a container."""
        if isinstance(value, v.Unjoinable):
            self.conflict(value, "this item cannot be used here",
                       "Give it the same kind of value (dtype, number of axes, lengths) on all paths.")
        return value

    def change(self, value: v.Boxed, items) -> None:
        """Give a list, dict or object other items."""
        items, old = tuple(items), self.items(value)
        if len(items) == len(old) and all(a is b for a, b in zip(items, old)):
            return  # `d["w"] *= 2.0` puts back the array that was there
        self.check_change(value)
        self.heap[value.box, None] = items

    def check_change(self, value: v.Boxed) -> None:
        """Refuse to change what others may see."""
        self.own(value.box, "a change of")
        self.changed_at[value.box] = self.origin()
        if is_frozen(self.heap, value.box):
            self.fail(f"a change of a {value.cls.__name__}: {MIXED}",
                      "Change it before a branch or loop that mixes them, or make a copy of it.")

    def own(self, ref: v.Ref, what: str) -> None:
        """Refuse to change what is known outside of the function."""
        if ref in self.outside.found_at and self.outside.found_at[ref] not in self.static_paths:
            raise v.Restart(frozenset({self.outside.found_at[ref]}))
        if ref.outside and ref not in self.given_at:
            self.fail(f"{what} {ref.outside}, which others see as well",
                      as_aux(ref.outside.rpartition(".")[2], "Make a copy of it, change that, and return it"),
                      error=ImpurityError)

    def wrap(self, atom: Atom, hint: str = "t", order: str | None = ""):
        """The value that a core atom is: a number, or an array in a cell of its own."""
        if isinstance(atom, Const) and not isinstance(atom.value, np.generic):
            return v.Static(atom.value)
        if self.b.type(atom).kind == "array":
            return self.cell(atom, hint, self.order(atom) if order == "" else order)
        return v.Number(atom)

    def atom(self, value) -> Atom:
        """The core atom of a number or an array as it is now."""
        if type(value) is v.Number:
            return value.atom
        match value:
            case v.Array():
                return self.read(value)
            case v.Static(value=x) if isinstance(x, NUMBERS):
                return Const(plain(x))
            case v.OneOf(optional=True):
                return self.atom(self.present(value))
            case v.Tuple() | v.Boxed() if (value.cls is not slice and (isinstance(value, v.Tuple) or is_deque(value)
                                                                       or value.cls in (list, tuple))):
                return self.atom(self.array_of(value))
            case v.Iter(kind="range") | v.Static(value=range()):
                return self.atom(self.array_of(value))
        self.fail(f"{self.describe(value)} is used as a number or an array",
                  "Pass numbers and NumPy arrays to arithmetic and to NumPy functions.")

    def atom_in(self, heap, value) -> Atom:
        """The atom of a value as another heap has it."""
        with Meanwhile(self, "heap", heap):
            return self.atom(value)

    def array_of(self, value):
        """np.asarray of a list, tuple or range."""
        return FUNCTIONS[np.asarray](self, value)

    def wrap_array(self, value) -> v.Array:
        """The value as an array in a cell: np.asarray."""
        atom = self.atom(value)
        return self.wrap(atom if self.b.type(atom).kind == "array" else self.emit("np.asarray", atom))

    def describe(self, value) -> str:
        match value:
            case v.Static(value=x):
                text = getattr(x, "__name__", None) or repr(x)
                return "None" if x is None else f"the {type(x).__name__}{'' if ' at 0x' in text else ' ' + text[:60]}"
            case v.Number() | v.Array():
                return str(self.type(value))
            case v.Tuple(cls=c) | v.Boxed(cls=c):
                return f"a {c.__name__}"
            case v.Closure() | v.Pullback():
                return "a function"
            case v.OneOf(optional=True):
                return "a value that may be None"
            case v.OneOf(value=one, other=other):
                return f"{self.describe(one)} or {self.describe(other)}, which the run time chooses,"
            case v.BoundMethod(value=base, name=name):
                return f"the method {name} of {self.describe(base)}"
            case v.UnraisedException(cls=c):
                return f"an exception, {c.__name__}"
            case v.RunTimeText():
                return "a string with values of the run time"
        return f"a {type(value).__name__.lower()}"

    def type(self, value) -> Type:
        if isinstance(value, v.Array) and not value.path:
            return self.b.type(self.heap[value.cell, None])
        return self.b.type(self.atom(value))

    def is_numeric(self, value) -> bool:
        return isinstance(value, (v.Number, v.Array)) or isinstance(value, v.Static) and isinstance(value.value,
                                                                                                    NUMBERS)

    def class_name(self, value) -> str:
        """What Python's messages call the class of a value."""
        cls = self.class_of(value)
        full = cls.__module__ == "numpy" or cls in (deque, OrderedDict)
        return f"{cls.__module__}.{cls.__name__}" if full else cls.__name__

    def reify(self, value, opens, other):
        """The Python object of a value: a container is made of its items where `opens(value)`; of all else that is not
        known, it is `other(value)`."""
        match value:
            case v.Static(value=x) | v.Number(atom=Const(value=x)):
                return x
            case v.Iter(kind="keys", parts=(box,)):
                return dict.fromkeys(self.items(box) and self.keys(box)).keys()
            case v.Boxed(cls=c) if c is set and opens(value):
                return self.item(self.items(value)[0]).value.known
            case v.Tuple(cls=c) | v.Boxed(cls=c) if opens(value):
                items = [self.reify(x, opens, other) for x in self.items(value)]
                keys = self.keys(value) if isinstance(value, v.Boxed) else ()
                return slice(*items) if c is slice else made_of(c, keys, items)
        return other(value)

    def static(self, value, why: str):
        """The Python object of a value that must be known now."""
        def other(x):
            match x:
                case v.Number(atom=a):
                    try:
                        return self.b.known.value(a)
                    except LookupError as error:  # of a length that would have to be known, if that is all
                        raise v.NeedStatic(a if a in self.entry_ints else error.args[0], why, self.origin()) from None
                case v.Iter(kind="range", parts=parts):
                    return range(*(self.static(i, why) for i in parts))
                case v.Iter(kind=kind, parts=(box, *_)):
                    return getattr(self.static(box, why), kind)()
            self.fail(f"{self.describe(x)} must be known before the program runs: {why}", "Use a constant here.")

        return self.reify(value, lambda x: x.cls.__eq__ is not object.__eq__, other)

    def is_there(self, value: v.OneOf) -> bool:
        """Is it known to be no None here?"""
        return (value.flag in self.sight.known_true or value.flag == Const(True)
                or isinstance(value.other, v.Unbound) and value.other.name.startswith("_gs_"))

    def present(self, value):
        """The value of what may have none, which raises at run time where there is none; any other as it is."""
        if not (isinstance(value, v.OneOf) and value.optional):
            return value
        if not self.is_there(value):
            self.require(value.flag, *(
                ("RefusedValue", "this value is None here, where a number or an array is needed")
                if value.other == v.NONE else
                ("UnboundLocalError",
                 f"cannot access local variable '{value.other.name}' where it is not associated with a value")))
        return value.value

    def static_number(self, x):
        return v.Number(Const(x)) if isinstance(x, np.generic) else v.Static(x)

    def read(self, array: v.Array) -> Atom:
        """The present value of an array or view."""
        atom = self.heap[array.cell, None]
        self.met.add(array.cell)
        for k, step in enumerate(array.path, 1):
            hint = self.view_names.get((array.cell, array.path[:k]), "t")
            atom = self.emit(step.op, atom, *step.atoms, hint=hint, **dict(step.params))
        return atom

    def view(self, array: v.Array, op: str, *atoms: Atom, **params) -> v.Array:
        return v.Array(array.cell, array.path + (v.Step(op, tuple(atoms), tuple(params.items())),))

    def freeze(self, x: v.Array, y: v.Array, reason: str, same=False) -> None:
        """Two arrays that may share memory or not: neither may be stored into while the other is in use.

        same: they may be one object; else y is a new one, a view or a copy.
        """
        self.may_share(y.cell, x.cell)
        if not same:
            self.two_objects.add(frozenset((x.cell, y.cell)))
        self.shared_because[x.cell] = self.shared_because[y.cell] = reason

    def may_share(self, new: v.Ref, old: v.Ref) -> None:
        """What NumPy has as one array or container, or as views of one, and core as two:
        while both are in use, neither may be stored into."""
        # the old ones, too: who shares with one shares with both
        marks = {object()}.union(*(self.heap.get((ref, v.FROZEN), ()) for ref in (new, old)))
        for ref in (new, old):
            freeze(self.heap, ref, marks)
        new.outside = new.outside or old.outside

    def assign_whole(self, array: v.Array, atom: Atom) -> None:
        """Make `atom`, which has the array's type, the content of an array or view."""
        self.own(array.cell, "a store into")
        frozen = array.cell.frozen or is_frozen(self.heap, array.cell) and self.shared_because.get(array.cell, MIXED)
        if frozen:
            refuse_store(self, array.cell)
            error = UnsupportedError(self.origin(),
                                     f"a store into an array that may share memory with another: {frozen}",
                                     instead="Store into a copy: x = x.copy(), before a branch or loop that mixes "
                                             "them.")
            error.mixed = True
            raise error
        if not array.path:
            self.heap[array.cell, None] = atom
            self.orders[atom] = array.cell.order
            return
        base, last = v.Array(array.cell, array.path[:-1]), array.path[-1]
        params = dict(last.params)
        whole = self.read(base)
        match last.op:
            case "getitem":
                new = self.emit("rt.update", whole, atom, *last.atoms, hint=array.cell.hint, **params)
            case "np.transpose":
                new = self.emit("np.transpose", atom, axes=tuple(int(k) for k in np.argsort(params["axes"])))
            case "np.reshape":
                new = self.emit("np.reshape", atom, *(self.dim_atom(d) for d in self.b.type(whole).dims))
        self.assign_whole(base, new)

    def name_last(self, value, hint: str, others=()) -> Any:
        """Call what was just computed by the variable that it is assigned to,
        where neither the heap nor `others` have it, too."""
        if self.frames[-1].captured.library:  # the user's own name for it is better
            return value
        atom = (value.atom if isinstance(value, v.Number)
                else self.heap.get((value.cell, None)) if isinstance(value, v.Array) else None)
        if self.sizes.get(atom, (0, None))[1] is not None:
            self.facts.lengths.setdefault(atom, hint)
        hint = users_word(hint)
        self.note_view(value, hint)
        if isinstance(value, v.Array) and value.path:
            return value
        at, last = self.made_last(atom, len(others))
        if last is None or split_name(atom)[0] not in ("t", "size"):
            return value
        if (atom in self.entry_ints or atom in self.b.polynomials or last.op.effect or self.known_elsewhere(atom, value)
                or mentions(tuple(others), atom)):
            return value
        new = self.b.fresh(hint, self.b.types.pop(atom))
        self.b.note_several(new, self.b.several.get(atom, ()), self.b.loop_of([atom]))
        self.orders[new] = self.orders.get(atom, "C")
        self.b.stmts[at] = replace(last, names=(new,))
        self.b.known.note(self.b.stmts[at])
        self.b.made[new] = self.b.made.get(atom, -1)
        self.asked.update([new] * (atom in self.asked))
        if isinstance(value, v.Array):
            value.cell.hint = hint
            self.heap[value.cell, None] = new
            return value
        return v.Number(new)

    def note_view(self, value, hint: str) -> None:
        """A view is called by the first variable that has it."""
        if type(value) is v.Array and value.path:
            self.view_names.setdefault((value.cell, value.path), hint)

    def made_last(self, atom, waiting: int) -> tuple[int, Let | None]:
        """(where, the statement that computed an atom), which is the last but for those of values that wait."""
        if not isinstance(atom, str):
            return 0, None
        for at in range(-1, -min(6 * waiting + 6, len(self.b.stmts)) - 1, -1):  # each with the views that it is of
            last = self.b.stmts[at]
            if not isinstance(last, Let) or atom in last.args:
                break
            if last.names == (atom,):
                return at, last
        return 0, None

    def known_elsewhere(self, atom: str, value) -> bool:
        """Does anything but this value lead to the atom: an argument that has it too, an operation met before?"""
        own = (value.cell, None) if isinstance(value, v.Array) else None
        return atom in self.noted or any([mentions(x, atom) for key, x in self.written_since(atom) if key != own])

    def written_since(self, atom: str) -> list[tuple]:
        """The slots of the heap that were written after the atom was made, with what they hold; perhaps others, too."""
        heap, at = self.heap, self.b.made.get(atom, -1)
        if type(heap) is not Heap or at < heap.begun:
            return [*heap.items()]
        keys = itertools.takewhile(lambda key: heap.written[key] > at, reversed(heap.written))
        return [(key, heap[key]) for key in keys if key in heap]


def plain(x):
    """A number without what a class of the user's adds: of an IntEnum the int."""
    if type(x) in (int, float, bool) or isinstance(x, np.generic):
        return x
    return next((kind(x) for kind in (int, float) if isinstance(x, kind)), x)


def mentions(x, atom: str) -> bool:
    """Does a value, or a slot of the heap, hold the atom?"""
    if isinstance(x, str):
        return x == atom
    kind = type(x)
    if kind is v.Number:
        return x.atom == atom
    if kind is v.Array:
        return any([atom in step.atoms for step in x.path])
    if kind is v.Static or kind is v.Ref or kind is v.Frame:
        return False
    if isinstance(x, (tuple, list)):
        return any([mentions(i, atom) for i in x])
    return type(x).__module__ == v.__name__ and any([mentions(getattr(x, name), atom) for name in x.__match_args__])
