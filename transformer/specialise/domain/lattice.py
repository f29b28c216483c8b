"""The lattice of joins: what holds both of two values, at the end of a branch and at the header of a loop.

    a branch    x at the end of one side, y at that of the other
    a loop      x before it (None: not bound), y after an iteration; old: what has held them so far, which gets wider

Which kinds of values have something in common is said here.  How a name, an array or a box is made that holds both is
said by `Joiner` (branch_join.py), for which it is a result of an If, and by `LoopHeaders`
(loop_headers.py), for which a loop carries it.
"""
from __future__ import annotations

import enum
import functools

import numpy as np

from ...core import Atom, Const, Meanwhile
from ...core.types import Type
from . import values as v
from .number_join import exact, join_types
from .plans import APART

NUMBER = "number",
NO_VALUE = "it may be None, and may have no value at all"


class Lattice:
    """How they differ is said by methods of each:

    same(x, y, old)              where nothing has to be made: what holds both; else None
    case(one, x, y, old)         the flag that it is this one of several: of cases as `cases_of` has them
    either(x, y, hint, old)      what holds x and y, of which one may be None: there is none then
    atom(x, y, hint, old=None)   a name that is x or y
    length(d, e, old=None)       the length of an axis that is d or e
    array, joined_box, other     (x, y, hint, old): of two arrays and two boxes; of values that have nothing in common
                                 for all: what holds both, or None
    """

    s: object  # the machine
    words: tuple[str, str]  # where x is, and where y is
    heaps: tuple[dict, dict]  # in which x stands, and y

    def value(self, x, y, hint, old=None):
        """What holds x and y; a Conflict where nothing does."""
        for a in (x, y):
            if isinstance(a, v.Unjoinable):
                raise v.Conflict(a.why)
        if (v.is_subclassed(x) or v.is_subclassed(y)) and x != y:
            raise self.unlike(x, y)
        same = self.same(x, y, old)
        if same is not None:
            return same
        missing = {a.other if isinstance(a, v.OneOf) else a for a in (x, y, old)
                   if a == v.NONE or isinstance(a, v.OneOf) and a.optional}
        if missing and not x == y == v.NONE:
            if len(missing) > 1:
                raise v.Conflict(NO_VALUE)
            return self.optional(x, y, hint, old, *missing)
        return self.present_value(x, y, hint, old)

    def present_value(self, x, y, hint, old):
        """What holds two values of which neither may be None."""
        if self.is_number(y) and (x is None or self.is_number(x)):
            return self.numeric(x, y, hint, old)
        if has_forms(x) or has_forms(y):
            return self.split(x, y, hint, old)
        match x, y:
            case (v.Array() | None), v.Array():
                return self.array(x, y, hint, old)
            case v.BoundMethod(name=name), v.BoundMethod() if name == y.name:
                return v.BoundMethod(self.value(x.value, y.value, hint), name)
            case (v.Tuple() | None), v.Tuple():
                return self.tuple(x, y, hint, old)
            case (v.Boxed() | None), v.Boxed() if x is None or x.cls is y.cls:
                return self.joined_box(x, y, hint, old)
        found = self.other(x, y, hint, old)
        if found is None:
            raise self.unlike(x, y)
        return found

    # what there is of each -----------------------------------------------------------------------
    def called(self, item, hint: str) -> str:
        """What an item of a tuple is called."""
        return hint

    def content_of(self, k: int, x: v.Boxed) -> tuple:
        """What a container holds that stands in the heap k; a Conflict where nothing does."""
        content = self.heaps[k][x.box, None]
        if isinstance(content, v.Unjoinable):
            raise v.Conflict(content.why)
        return content

    # one of several ------------------------------------------------------------------------------
    def optional(self, x, y, hint, old, missing):
        """What is None, or not bound: a flag, and the value."""
        flags, inner = zip(*[flag_and_value(a, missing) for a in (x, y, old)])
        if inner[0] is inner[1] is None:
            return missing
        before = flags[2] if isinstance(flags[2], str) else None
        flag, value = self.atom(*flags[:2], f"has_{hint}", before), self.either(*inner[:2], hint, inner[2])
        return old if flag == before and value is inner[2] else v.OneOf(flag, value, missing)

    def split(self, x, y, hint, old=None):
        """An array on one path, and a number, or an array of another dtype or number of axes, on another, or objects of
        two classes: of each form what has it, and a flag for each but the last.  What is done with it is done with
        each."""
        if not all([a is None or has_forms(a) or self.s.is_numeric(a) or has_attributes(a) for a in (x, y)]):
            raise self.unlike(x, y)
        numbers_join = self.numbers_join(x, y, old)
        cases = [forms_of(self.s, heap, a, numbers_join)
                 for heap, a in zip((*self.heaps, self.heaps[1]), (x, y, old))]
        flags = [{form: flag for form, (flag, _) in some.items()} for some in cases]
        *found, last = sorted(dict.fromkeys([*cases[2], *cases[0], *cases[1]]), key=lambda form: form[:1] == NUMBER)
        values = {form: self.of_form(*[some.get(form, (None, None))[1] for some in cases], hint)
                  for form in (*found, last)}
        result = values[last]
        for form in reversed(found):
            result = v.OneOf(self.case(form, *flags), values[form], result)
        return old if result == old else result

    def numbers_join(self, x, y, old) -> bool:
        """Can one number hold the numbers in these?"""
        numbers = [numbers_among(a) for a in (x, y, old)]
        if max(map(len, numbers)) > 1:
            return False
        atoms = [self.s.atom(a) for some in numbers for a in some]
        types = {self.s.b.type(a).scalar() for a in atoms}
        if len(types) < 2 or APART in self.s.static_paths:
            return len(types) < 2
        try:
            return bool(self.type(*atoms))
        except v.Conflict:
            return False

    def of_form(self, x, y, old, hint):
        """What has one form, on the paths on which something has."""
        return self.either(x, y, hint, old)

    def chosen(self, x, y, old=None):
        """One of several things that are known: a flag for each of them but the last, however many branches chose."""
        cases = [cases_of(a) for a in (x, y, old)]
        *found, result = dict.fromkeys([*cases[2], *cases[0], *cases[1]])
        for one in reversed(found):
            result = v.OneOf(self.case(one, *cases), one, result)
        return old if result == old else result

    # what is the same ------------------------------------------------------------------------------
    def is_number(self, x) -> bool:
        return self.s.is_numeric(x) and not isinstance(x, v.Array)

    def unlike(self, x, y) -> v.Conflict:
        def described(a, heap):
            with Meanwhile(self.s, "_heap", heap), self.s.scope():
                return "nothing" if a is None else self.s.describe(a)

        one, other = map(described, (x, y), self.heaps)
        return v.Conflict(f"it is {one} {self.words[0]} and {other} {self.words[1]}")

    def numeric(self, x, y, hint, old):
        before = old.atom if isinstance(old, v.Number) else None
        name = self.atom(None if x is None else self.s.atom(x), self.s.atom(y), hint, before)
        return old if before is not None and name == before else self.s.wrap(name)

    def type(self, x: Atom | None, y: Atom, old: Atom | None = None) -> Type:
        """The type of a name that is x or y."""
        types = [a if a is None else self.s.b.type(a) for a in (x, y, old)]
        t = functools.reduce(join_types, [u for u in (types[0], types[2], types[1]) if u is not None])
        for a in (x, y):
            if a is not None:
                exact(self.s, a, t)
        return t.with_dims(self.length(*row) for row in beside_in_rows(*(u and u.dims for u in types)))

    def path(self, x, y, old) -> tuple[v.Step, ...]:
        """The views through which both are seen, at indices and of lengths that hold both."""
        steps = []
        for k, q in enumerate(y.path):
            p, o = (None if a is None else a.path[k] for a in (x, old))
            atoms = tuple([self.index(*row) for row in beside_in_rows(*(step and step.atoms for step in (p, q, o)))])
            dims = tuple([self.length(*row) for row in beside_in_rows(*(
                step and dict(step.params).get("dims", ()) for step in (p, q, o)))])
            steps.append(v.Step(q.op, atoms, tuple((key, dims if key == "dims" else x) for key, x in q.params)))
        return tuple(steps)

    def index(self, x, y, old):
        """An atom of a step: what it always is, or a name."""
        return y if old is None and x == y else self.atom(x, y, "i", old)

    def tuple(self, x, y, hint, old):
        if x is not None and x.cls is not y.cls:
            raise self.unlike(x, y)
        if x is not None and len(x.items) != len(y.items):
            raise v.Conflict(f"it is a tuple of {len(x.items)} {self.words[0]} and of {len(y.items)} {self.words[1]}")
        olds = old.items if isinstance(old, v.Tuple) else None
        items = tuple([self.value(a, b, self.called(b, hint), before)
                       for a, b, before in beside_in_rows(x and x.items, y.items, olds)])
        return old if unchanged(items, olds) else v.Tuple(items, y.cls)


def beside_in_rows(x, y, old):
    """What stands beside each other in the rows of x, y and old; None where there is no row of x or old."""
    return zip(*(row if row is not None else (None,) * len(y) for row in (x, y, old)))


def is_unchanged(header, end) -> bool:
    """Is what a variable holds at the end what it held at the header?  Of an array only the same view: x[:] has the
    memory of x, and is another object."""
    return end is header or not isinstance(end, v.Array) and end == header


def unchanged(items, olds) -> bool:
    """Are these the items that there were?"""
    return olds is not None and all(a is b for a, b in zip(items, olds))


def flag_and_value(x, missing) -> tuple:
    """(the flag that it is there, the value) of what is missing in this way."""
    if x is None or x == missing:
        return Const(False), None
    is_split = isinstance(x, v.OneOf) and x.optional and type(x.other) is type(missing)
    return (x.flag, x.value) if is_split else (Const(True), x)


def has_forms(x) -> bool:
    """Is it an array or a number on one path, and one of another kind on another, or an object of one of several
    classes?"""
    return isinstance(x, v.OneOf) and not x.optional and (
        isinstance(x.value, (v.Array, v.Number)) or has_attributes(x.value)
        or isinstance(x.value, v.Static) and type(x.value.value) in (bool, int, float, complex))


def has_attributes(x) -> bool:
    return isinstance(x, v.Boxed) and x.box.hint == v.OBJECT


def forms_of(s, heap, x, numbers_join=True) -> dict:
    """{form: (the flag that it has this form, what has it then)} of numbers and arrays; the last has no flag."""
    found = {}
    while has_forms(x):
        found |= {array_form(s, heap, x.value, numbers_join): (x.flag, x.value)}
        x = x.other
    return found if x is None else found | {array_form(s, heap, x, numbers_join): (None, x)}


def numbers_among(x) -> list:
    """The numbers that it may be."""
    numbers = []
    while has_forms(x):
        numbers += [x.value] if isinstance(x.value, (v.Number, v.Static)) else []
        x = x.other
    return numbers if x is None or isinstance(x, v.Array) or has_attributes(x) else [*numbers, x]


def widest(s, x) -> v.Array | v.Number | None:
    """Of an array or number that has another dtype on another path the one that holds all, which the run must have;
    None of what is no such array."""
    forms = forms_of(s, s.heap, x, numbers_join=False) if has_forms(x) else {}
    if len({form[:2] for form in forms}) != 1 or len(forms) == 1:
        return None
    form = next((f for f in forms if f[2] == np.result_type(*[dtype for *_, dtype in forms])), None)
    if form is not None:
        s.require(is_it(s, form, {f: flag for f, (flag, _) in forms.items()}), "RefusedValue",
                  f"a value is not of {form[2]} here, as it is on another path: what is in an array, a derivative or a "
                  f"batch has one dtype; write x.astype(np.{form[2]}), or np.{form[2]}(x) of a number")
    return form and forms[form][1]


def array_form(s, heap, x, numbers_join=True) -> tuple:
    """What numbers, arrays and objects have in common that are joined to one: of arrays dtype and number of axes, of
    numbers that they are some, or their type."""
    if has_attributes(x):
        return "object", x.cls
    if not isinstance(x, v.Array):
        return NUMBER if numbers_join else (*NUMBER, (t := s.b.type(s.atom(x))).kind, t.dtype)
    with Meanwhile(s, "_heap", heap), s.scope():  # what is read of a view is there only on its own path
        t = s.type(x)
    return "array", t.rank, t.dtype


def cases_of(x) -> dict:
    """{what it may be: the flag that it is this}; the last has no flag: it is what it is else."""
    found = {}
    while isinstance(x, v.OneOf):
        found[x.value], x = x.flag, x.other
    return found if x is None else found | {x: None}


def is_it(s, one, cases: dict) -> Atom:
    """The flag that says whether it is this one."""
    flag = cases.get(one, Const(False))
    others = [s.emit("not ", other) for other in cases.values() if other is not None] if flag is None else [flag]
    return functools.reduce(functools.partial(s.emit, "and_"), others) if others else Const(True)


def which(box: v.Ref):
    """Which box it is, as a value that is known, or one of several such."""
    return box.chosen or (v.Static(box) if box.original is None else which(box.original))


def is_choosable(x) -> bool:
    """Is it a function that is known now, apart from what it reads in the frames around it and is bound to, a string,
    a dtype, a member of an Enum, or one of such?"""
    if isinstance(x, v.Partial):
        return is_choosable(x.function)
    return (isinstance(x, (v.OneOf, v.Closure)) and not has_forms(x) or v.is_known(x)
            and (not isinstance(x, v.Static) or callable(x.value) or isinstance(x.value, (str, enum.Enum, np.dtype))))


def same_steps(p, q) -> bool:
    """Are two views of the same kind, their indices and lengths apart?"""
    def kind(step):
        return step.op, len(step.atoms), [(k, x) for k, x in step.params if k != "dims"]
    return len(p) == len(q) and all(kind(a) == kind(b) for a, b in zip(p, q))


def keys_in(heap, boxed):
    return heap.get((boxed.box, v.KEYS), boxed.keys)


def without_keys(ref: v.Ref, heaps) -> dict:
    """What the heap is told of a dict whose keys stand in its rows."""
    return {(ref, v.KEYS): ()} if ref.keys or any([heap.get((ref, v.KEYS)) for heap in heaps]) else {}
