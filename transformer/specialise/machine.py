"""The specialiser's machine: a heap, a builder, and the ways to read, write and compute values.

The modules beside this one hold what the machine does with each kind of syntax (expressions,
statements, control, calls, indexing) and with each NumPy function (numpy_api, builtin_api).
"""
from __future__ import annotations

import builtins
import functools
import inspect
import itertools
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from ..analyse.raising import holds
from ..core import POLYNOMIAL, Atom, Builder, Const, Let, split_name
from ..errors import GradscribeError, ImpurityError, UnsupportedError
from ..rules import OPS
from ..rules.kinds import ONE, Comparison, Division, Elementwise, Power, Quotient, Shift, dim_atom
from ..rules.inference import Unaligned, Untyped, result_scalar
from ..tree import made_of
from ..types import PY_BOOL, PY_INT, Dim, Type, sample
from . import values as v
from . import builtin_api, calls, control, expressions, hosts, indexing, iteration, numpy_api, raising, statements
from .containers import raised
from .growing import refuse_store
from .join import MIXED, freeze, is_frozen
from .objects import class_of
from .transforms import structured
from ..outside import Path, Size, has_python_code, seen

EXACT = {int, float, bool, complex, type(None), str}
NUMBERS = (int, float, complex, bool, np.generic)
NEGATIVE = "negative dimensions are not allowed"
NOTHING: frozenset[Type] = frozenset()
STRETCHED = ("a size that only the run time knows is 1 here, where NumPy would broadcast; "
             "reshape the array so that its length along this axis is known to be 1")
EMPTY = "a slice of one place, x[k:k + 1], is empty here, where it would broadcast; keep its bounds inside of the array"


class Emitter(Builder):
    """A builder that notes the ints and bools which the entry can compute before the program runs.

    `entry_ints`: {name: None for an argument or a length of one, else (op, args, params)}
    """

    def __init__(self):
        super().__init__()
        self.entry_ints: dict[str, tuple | None] = {}
        self.several: dict[str, frozenset[Type]] = {}  # numbers that have different types on several paths -> those
        # such numbers -> a loop without which they would not, if its first iteration were done apart
        self.loops: dict[str, str] = {}

    def types_of(self, atom: Atom) -> frozenset[Type]:
        """The types that a number has on the paths that lead to it."""
        return self.several.get(atom) or frozenset([self.type(atom)])

    def note_several(self, name: Atom, types, loop: str | None = None) -> None:
        """A name stands for numbers that have these types, by the path; in or after a loop, perhaps."""
        if isinstance(name, str) and len(types := frozenset(types)) > 1:
            self.several[name] = types
            if loop is not None:
                self.loops[name] = loop

    def loop_of(self, atoms) -> str | None:
        return next((self.loops[a] for a in atoms if a in self.loops), None)

    def results_of(self, op, atoms, numpy: bool = False) -> frozenset[Type]:
        """The types of an element of the result by the path; NOTHING where not all paths have one.  numpy:
        the first argument is made NumPy's."""
        found = set()
        for first, *others in itertools.product(*[self.types_of(a) for a in atoms]):
            try:
                types = first.scalar() if numpy else first, *others
                found.add(result_scalar(op, (), tuple([t if t.kind == "py" else t.scalar() for t in types])))
            except Untyped:
                return NOTHING
        return frozenset(found)

    def append(self, stmt):
        super().append(stmt)
        if (self.several and type(stmt) is Let and isinstance(stmt.op, Elementwise)
                and not self.several.keys().isdisjoint(stmt.args)):
            (name,) = stmt.names
            if not self.types[name].rank:
                self.note_several(name, self.results_of(stmt.op, stmt.args), self.loop_of(stmt.args))
        if type(stmt) is not Let or len(stmt.names) != 1 or not stmt.args or stmt.op.effect:
            return
        (name,) = stmt.names
        if (self.types[name] in (PY_INT, PY_BOOL)
                and all([isinstance(a, Const) or a in self.entry_ints for a in stmt.args])):
            self.entry_ints[name] = (stmt.op, stmt.args, dict(stmt.params))


class Specialiser:
    """Evaluates a user's function on abstract values and emits core for what only the run time knows."""

    # what modules do that import those which need it
    append, in_order, run_over, bind, certain = (builtin_api.append, builtin_api.in_order, statements.run_over,
                                                 statements.bind, raising.certain)
    call_value, closure, qualified, class_of, structured, scope = (calls.call_value, calls.closure, calls.qualified,
                                                                   class_of, structured, control.scope)
    call_function, call_host = calls.call_function, hosts.call_host
    truth, negate, both, either = expressions.truth, expressions.negate, expressions.both, expressions.either
    as_bool, compare, get_at, of_numbers = (expressions.as_bool, expressions.compare_values, indexing.get_at,
                                            numpy_api.of_numbers)
    as_int, iterate_static, only_element = iteration.as_int, iteration.iterate_static, numpy_api.only_element
    iterators = iteration.LEAVES | iteration.COMPOSED

    def __init__(self):
        self.b = Emitter()
        self.outside: dict[tuple, Any] = {}  # the part of the heap that is not the function's own: it never changes
        self.heap: dict[tuple, Any] = {}
        self.orders: dict[Atom, str | None] = {}  # the memory order of arrays of two axes and more
        self.facts = v.Facts()
        self.main: Any = None  # the first user function that is called, captured
        self.node: Any = None  # the syntax node being evaluated, for errors
        self.frames: list[v.Frame] = []
        self.calls: tuple[tuple[str, int], ...] = ()  # as in Origin
        self.serial = 0  # of the last of them
        self.not_one: set[str] = set()  # integers known to differ from 1
        self.nonnegative: set[str] = set()  # integers that count something
        self.singles: set[Dim] = set()  # lengths of x[k:k + 1]: 1, or 0 where it runs out
        self.entry_ints = self.b.entry_ints
        self.sizes: dict[str, tuple] = {}  # lengths and integers among the arguments -> (parameter, axis or None)
        self.matched: dict[tuple, Atom] = {}  # (array, dims proved) -> its name after the check, in this block
        self.interned: dict[tuple, Atom] = {}  # integer operations emitted in this block or around it
        self.known_true: set[str] = set()  # flags that hold where we are
        self.parameters: set[str] = set()  # arguments and numbers from outside, and their lengths
        self.appended: set[v.Ref] = set()  # the lists that something was appended to
        self.changed_at: dict[v.Ref, Any] = {}  # where a list or dict was changed last
        self.compiled = False  # is the program that is written for numba?
        self.paths: dict[int, Any] = {}  # where static objects from outside were found
        self.branches: dict[Atom, str] = {}  # tests that the entry can compute -> what their branch is called
        self.static_paths: set[str] = set()  # arguments and outside numbers that had to be known now
        self.guarded: set[tuple] = set()  # the places whose state is noted
        self.met: set[v.Ref] = set()  # the arrays and containers that were read
        self.lifting: list = []  # the outside containers that are being made values, one in the other
        self.lifted: dict[Any, Any] = {}  # outside objects that have become hidden arguments
        self.partial: set[type] = set()  # the dataclasses of which an object came in: only its fields are known
        self.axes: dict[Any, Dim] = {}  # of the vmaps around: axis_name -> how many examples
        self.stand_ins: dict[Any, Any] = {}  # what stands for values among Python's own objects
        self.catching: list[tuple[str, list]] = []  # exceptions that end an iterator, and the block in which they do
        self.pending: list[tuple[tuple, Any]] = []  # (key, operation) with rules of the user's that are being recorded

    @property
    def heap(self) -> dict[tuple, Any]:
        return self._heap

    @heap.setter
    def heap(self, heap) -> None:
        """Another state of the heap; what was met outside since it was taken is there as well."""
        self._heap = heap
        heap.update(self.outside)

    @property
    def sight(self):
        """What has been emitted and found out where the machine stands; it ends with the block."""
        return self.matched, self.interned, self.known_true

    @sight.setter
    def sight(self, sight) -> None:
        self.matched, self.interned, self.known_true = sight

    def guard(self, path, known) -> None:
        """Note that the program holds while what is found at the path is this very object (an equal string or number),
        fits the Shape or Kind, or is ABSENT."""
        if path.place not in self.guarded:
            self.guarded.add(path.place)
            self.facts.guards.append((path, seen(known)))

    def guard_members(self, obj) -> None:
        """Note of a class or an object of the user's which bases it has, and that no attribute comes or goes."""
        cls = obj if isinstance(obj, type) else type(obj)
        if has_python_code(cls) and inspect.isfunction(cls.__getattribute__):
            self.fail(f"{cls.__name__} has a __getattribute__",
                      "Write a __getattr__, which is asked for what is not found.")
        if len(cls.__mro__) > 2 and has_python_code(cls):
            self.guard(Path(cls.__name__, cls, None, "default").attr("__mro__"), cls.__mro__)
        for holder in (*cls.__mro__, *type(cls).__mro__,
                       *([obj] if obj is not cls and hasattr(obj, "__dict__") else [])):
            if has_python_code(holder if isinstance(holder, type) else cls):
                path = Path(getattr(holder, "__name__", cls.__name__), holder, None, "default").attr("__dict__")
                self.guard(path, Size.of(vars(holder)))

    # errors ----------------------------------------------------------------------------------
    def origin(self, node=None):
        """The place of a node in the user's text; of one in a function of ours or of another library,
        the place of the call."""
        places = self.places(node)
        found = next((p for p, foreign in places if not foreign), places[0][0] if places else None)
        return replace(found, calls=self.calls) if self.calls and found is not None else found

    @contextmanager
    def within(self, name: str):
        """What is emitted meanwhile belongs to one call of a function, or to one round of a loop."""
        outer, self.serial = self.calls, self.serial + 1
        self.calls = (*outer, (name, self.serial))
        try:
            yield
        finally:
            self.calls = outer

    def places(self, node=None) -> list[tuple]:
        """[(place, is it in a library?)] of a node and of the calls around it,
        up to the first in the user's own text."""
        node, found = node if node is not None else self.node, []
        for frame in reversed(self.frames):
            if frame.captured is not None and node is not None and hasattr(node, "lineno"):
                found.append((frame.captured.origin_of(node), frame.captured.foreign))
                if not frame.captured.foreign:
                    break
                node = frame.call
        return found

    def fail(self, message: str, instead: str, node=None, error=UnsupportedError, origin=None):
        inner = next((p for p, _ in self.places(node)), None)
        origin = origin or self.origin(node)
        if inner is not None and origin != inner and not self.frames[-1].captured.ours:
            message += f" (in {inner.function}, {inner.place})"
        raise error(origin, message, instead=instead)

    def clash(self, clash: v.Clash, message: str, instead: str):
        """Refuse what the paths of a branch or loop disagree about; where the test of the branch can be known, know it.

        What has another type before a loop than in it may have the same in all iterations but the first: do that apart.
        """
        self.know(clash.test)
        if clash.loop is not None and clash.loop not in self.static_paths:
            raise v.Restart(frozenset({clash.loop}))
        self.fail(f"{message}: {clash.why}", instead)

    def located(self, error: Exception, node) -> None:
        """Tell an exception that passes by where in the user's text it came from, once."""
        if isinstance(error, (v.Restart, v.Stopped, v.Grows)):
            return
        if isinstance(error, v.NeedStatic):
            error.origin = error.origin or self.origin(node)
        elif not isinstance(error, GradscribeError) and not getattr(error, "__notes__", None):
            origin = self.origin(node)
            if origin is not None:
                error.add_note(f"while {origin.place} was transformed: {origin.first_text}")

    def loop_key(self, node) -> str:
        """What a loop is called among the things that had to be static."""
        captured = self.frames[-1].captured
        called = f" in {self.origin(node)}" if captured.ours else ""
        return f"loop:{captured.file}:{node.lineno}:{node.col_offset}{called}"

    # values and atoms ------------------------------------------------------------------------
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
        ref = v.Ref(hint)
        self.heap[ref, None] = tuple(items)
        return v.Boxed(ref, cls, tuple(keys))

    def keys(self, value: v.Boxed) -> tuple:
        """The keys of a dict, the field names of an object."""
        return self.heap.get((value.box, "keys"), value.keys)

    def items(self, value) -> tuple:
        if isinstance(value, v.Tuple):
            return value.items
        content = self.heap[value.box, None]
        self.met.add(value.box)
        if isinstance(content, v.Clash) and value.box in self.appended:
            self.clash(content, "a list that something is appended to on one path only",
                       "Make an array before, and count what is stored into it: out[count] = value; count += 1")
        if isinstance(content, v.Clash):
            self.clash(content, f"this {value.cls.__name__} cannot be used here",
                       "Let it have the same length, or the same keys, on all paths.")
        if content and isinstance(content[0], v.Grown):
            content[0].instead()
        return content

    def item(self, value):
        """What was found in a container."""
        if isinstance(value, v.Clash):
            self.clash(value, "this item cannot be used here",
                       "Give it the same kind of value (dtype, number of axes, lengths) on all paths.")
        return value

    def change(self, value: v.Boxed, items) -> None:
        """Give a list, dict or object other items."""
        items, old = tuple(items), self.items(value)
        if len(items) == len(old) and all(a is b for a, b in zip(items, old)):
            return  # `d["w"] *= 2.0` puts back the array that was there
        self.own(value.box, "a change of")
        self.changed_at[value.box] = self.origin()
        if is_frozen(self.heap, value.box):
            self.fail(f"a change of a {value.cls.__name__}: {MIXED}",
                      "Change it before a branch or loop that mixes them, or make a copy of it.")
        self.heap[value.box, None] = items

    def own(self, ref: v.Ref, what: str) -> None:
        """Refuse to change what is known outside of the function."""
        if ref.outside:
            self.fail(f"{what} {ref.outside}, which others see as well",
                      "Make a copy of it, change that, and return it.", error=ImpurityError)

    def wrap(self, atom: Atom, hint: str = "t", order: str | None = ""):
        """The value that a core atom is: a number, or an array in a cell of its own."""
        if isinstance(atom, Const) and not isinstance(atom.value, np.generic):
            return v.Static(atom.value)
        if self.b.type(atom).kind == "array":
            return self.cell(atom, hint, self.order(atom) if order == "" else order)
        return v.Num(atom)

    def atom(self, value) -> Atom:
        """The core atom of a number or an array as it is now."""
        if type(value) is v.Num:
            return value.atom
        match value:
            case v.Array():
                return self.read(value)
            case v.Static(value=complex() | np.complexfloating()):
                self.fail("a complex number", "Keep the real and the imaginary part in two arrays.")
            case v.Static(value=x) if isinstance(x, NUMBERS):
                return Const(plain(x))
            case v.Maybe():
                return self.atom(self.present(value))
            case v.Tuple() | v.Boxed() if (getattr(value, "cls", None) is not slice
                                           and (isinstance(value, v.Tuple) or value.cls is list)):
                return self.atom(self.array_of(value))
        self.fail(f"{self.describe(value)} is used as a number or an array",
                  "Pass numbers and NumPy arrays to arithmetic and to NumPy functions.")

    def atom_in(self, heap, value) -> Atom:
        """The atom of a value as another heap has it."""
        outer, self.heap = self.heap, heap
        try:
            return self.atom(value)
        finally:
            self.heap = outer

    def wrap_array(self, value) -> v.Array:
        """The value as an array in a cell: np.asarray."""
        atom = self.atom(value)
        return self.wrap(atom if self.b.type(atom).kind == "array" else self.emit("np.asarray", atom))

    def describe(self, value) -> str:
        match value:
            case v.Static(value=x):
                text = getattr(x, "__name__", None) or repr(x)
                return "None" if x is None else f"the {type(x).__name__}{'' if ' at 0x' in text else ' ' + text[:60]}"
            case v.Num() | v.Array():
                return str(self.type(value))
            case v.Tuple(cls=c) | v.Boxed(cls=c):
                return f"a {c.__name__}"
            case v.Closure() | v.Pullback():
                return "a function"
            case v.Choice(then=then, orelse=orelse):
                return f"{self.describe(then)} or {self.describe(orelse)}, which the run time chooses,"
            case v.Bound(value=base, name=name):
                return f"the method {name} of {self.describe(base)}"
            case v.Problem(cls=c):
                return f"an exception, {c.__name__}"
            case v.Text():
                return "a string with values of the run time"
            case v.Maybe():
                return "a value that may be None"
        return f"a {type(value).__name__.lower()}"

    def type(self, value) -> Type:
        if isinstance(value, v.Array) and not value.path:
            return self.b.type(self.heap[value.cell, None])
        return self.b.type(self.atom(value))

    def is_numeric(self, value) -> bool:
        return isinstance(value, (v.Num, v.Array)) or isinstance(value, v.Static) and isinstance(value.value, NUMBERS)

    def class_name(self, value) -> str:
        """What Python's messages call the class of a value."""
        cls = self.class_of(value)
        return f"numpy.{cls.__name__}" if cls.__module__ == "numpy" else cls.__name__

    def may_be_same(self, a: v.Ref, b: v.Ref) -> bool:
        """May two cells or boxes be one object at run time?"""
        return bool(self.heap.get((a, "frozen"), frozenset()) & self.heap.get((b, "frozen"), frozenset()))

    def static(self, value, why: str):
        """The Python object of a value that must be known now."""
        match value:
            case v.Static(value=x):
                return x
            case v.Num(atom=Const(value=x)):
                return x
            case v.Num(atom=a):
                raise v.NeedStatic(a, why, self.origin())
            case v.Tuple():
                return self.built(value, lambda x: self.static(x, why))
            case v.Boxed(cls=c) if issubclass(c, (list, dict)) or c.__eq__ is not object.__eq__:
                return self.built(value, lambda x: self.static(x, why))
            case v.Iter(kind=kind, parts=parts):
                return range(*(self.static(i, why) for i in parts)) if kind == "range" else dict.fromkeys(
                    self.keys(parts[0])).keys() if kind == "keys" else \
                    getattr(self.static(parts[0], why), kind)()
        self.fail(f"{self.describe(value)} must be known before the program runs: {why}", "Use a constant here.")

    def is_there(self, value: v.Maybe) -> bool:
        """Is it known to be no None here?"""
        return value.flag in self.known_true or value.flag == Const(True) or value.missing.startswith("_gs_")

    def built(self, value, part):
        """A container of Python's with `part(item)` of each item."""
        cls, items = value.cls, list(map(part, self.items(value)))
        return slice(*items) if cls is slice else made_of(cls,
                                                          self.keys(value) if isinstance(value, v.Boxed) else (), items)

    def present(self, value):
        """The value under a Maybe, which raises at run time where it is missing; any other as it is."""
        if not isinstance(value, v.Maybe):
            return value
        if not self.is_there(value):
            if value.missing == "None":
                self.require(value.flag, "RefusedValue",
                             "this value is None here, where a number or an array is needed")
            else:
                self.require(value.flag, "UnboundLocalError",
                             f"cannot access local variable '{value.missing}' where it is not associated with a value")
        return value.value

    def require(self, flag: Atom, kind: str, message: str, *values: Atom) -> None:
        """Raise unless the flag holds; with values, the message has places for them."""
        error = {"error": ((("text", message, *range(len(values))),), ())} if values else {"message": message}
        self.emit("rt.require", flag, *values, kind=kind, **error)
        if isinstance(flag, str):
            self.known_true.add(flag)

    # operations ------------------------------------------------------------------------------
    def emit(self, name: str, *atoms: Atom, hint: str = "t", **params):
        if self.b.several and OPS[name].dtype_of_numbers:
            self.refuse_several([a for a in atoms if len({t.dtype for t in self.b.types_of(a)}) > 1])
        try:
            result = self.b.emit(OPS[name], *atoms, hint=hint, **params)
        except Untyped as problem:
            self.stop(builtin_kind(problem.error), str(problem.error))
        self.note_order(OPS[name], result, atoms, params)
        return result

    def know(self, atom: Atom | None) -> None:
        """Specialise again with the value of this flag, if it is an argument or comes from
        int and bool arguments and sizes."""
        if atom in self.branches and not self.from_flags(atom):
            if self.branches[atom] not in self.static_paths:
                raise v.Restart(frozenset({self.branches[atom]}))
        elif isinstance(atom, str) and atom in self.entry_ints:
            raise v.NeedStatic(atom, "it decides between two branches", self.origin())

    def from_flags(self, atom: Atom) -> bool:
        """Does it come from bool arguments alone?"""
        made = self.entry_ints.get(atom, ())
        return isinstance(atom, Const) or (self.b.types[atom] == PY_BOOL if made is None
                                           else bool(made) and all(map(self.from_flags, made[1])))

    def know_flags(self, atom: Atom) -> None:
        """As `know`, where it comes from bool arguments alone:
        there are few programs, and each is exactly what Python does."""
        if self.from_flags(atom):
            self.know(atom)

    def elementwise(self, name: str, *args, hint: str = "t", numpy: bool = False):
        """An elementwise operation on values; `numpy`: it is NumPy's function, which gives NumPy scalars."""
        op = OPS[name]
        if any([type(a) is v.Static and type(a.value) not in EXACT for a in args]):
            args = self.as_numpy(args)
        if all([isinstance(a, v.Static) and isinstance(a.value, NUMBERS) for a in args]):
            return self.static_op(op, [a.value for a in args], numpy)
        atoms = [self.atom(a) for a in args]
        types = [self.b.type(a) for a in atoms]
        if numpy and all([t.kind == "py" for t in types]):
            if len(self.b.results_of(op, atoms, numpy)) != 1:
                self.refuse_several(atoms)
            atoms[0] = self.emit("rt.astype", atoms[0], dtype=np.result_type(*[t.dtype for t in types]))
        elif (numpy and (op.symbol or name == "abs")
                and all([any([t.kind == "py" for t in self.b.types_of(a)]) for a in atoms])):
            self.refuse_several(atoms)  # its text is that of Python's operator
        elif op.symbol in POLYNOMIAL and len(atoms) == 2 and all([t == PY_INT for t in types]):
            return self.wrap(self.int_op(name, *atoms, hint=hint))
        if name == "power":
            if (not numpy and self.b.type(atoms[0]).rank and self.b.type(atoms[0]).dtype.kind == "b"
                    and self.b.type(atoms[1]).kind == "py"):
                self.fail("a power of an array of bools, whose dtype depends on the exponent",
                          "Convert the array first: x.astype(int) ** n.")
            # of which ** makes less than np.power does
            if numpy and types[0].kind != "py" and types[0].dtype.kind == "b":
                atoms[0] = self.emit("rt.astype", atoms[0], dtype=np.power(*map(sample, types)).dtype)
            self.check_power(atoms)
        elif isinstance(op, Division) and not self.b.several.keys().isdisjoint(atoms):
            self.check_division(atoms)
        if not isinstance(op, Comparison):
            self.check_weak(op, atoms, types)
        return self.wrap(self.aligned(op, atoms, hint), hint)

    def check_weak(self, op, atoms, types) -> None:
        """A Python int that NumPy's integers beside it do not hold is an OverflowError, whoever reads the result."""
        integers = {t.dtype for a in atoms for t in self.b.types_of(a) if t.kind != "py" and t.dtype.kind in "iu"}
        if any([type(a) is Const and type(a.value) is int and not holds(dtype, a.value) for a in atoms
                for dtype in integers]):
            if not self.b.several.keys().isdisjoint(atoms):
                self.refuse_several(atoms)  # Python's number beside it is held
            self.now(op.fn, *[a.value if type(a) is Const else sample(t) for a, t in zip(atoms, types)])

    def as_numpy(self, args) -> list:
        """Beside NumPy's numbers those of a subclass of int or float, such as members of an IntEnum,
        are no Python numbers but NumPy's."""
        if not any([isinstance(a, v.Array) or isinstance(a, v.Num) and self.type(a).kind != "py" for a in args]):
            return list(args)
        return [v.Num(Const(np.asarray(plain(a.value))[()])) if isinstance(a, v.Static) and v.is_subclassed(a)
                else a for a in args]

    def static_op(self, op, numbers, numpy: bool):
        if numpy and not any(isinstance(x, np.generic) for x in numbers):
            numbers = [np.asarray(numbers[0])[()], *numbers[1:]]
        with np.errstate(all="ignore"):
            return self.static_number(self.now(op.fn, *numbers))

    def now(self, function, *args):
        """What an operation gives of numbers that are known now;
        what it raises is raised where the program comes there."""
        try:
            return function(*args)
        except (ArithmeticError, TypeError, ValueError) as error:
            raised(self, error)

    def static_number(self, x):
        return v.Num(Const(x)) if isinstance(x, np.generic) else v.Static(x)

    def stop(self, kind: str, message: str | None, values=(), **error) -> None:
        """An exception is certain here; `values` and `error`:
        of one without a message, what `runtime.arrays.problem` makes it of."""
        if any(kind == caught and self.b.stmts is not stmts for caught, stmts in self.catching):
            self.fail(f"whether {kind} ends this is known only at run time",
                      "Let what is known before the run decide, or write the loop without it.")
        self.emit("rt.require", Const(False), *values, kind=kind, **(error or {"message": message}))
        raise v.Stopped(kind)

    def lacks(self, value, message: str) -> None:
        """The class of a value, which the message names, cannot do this."""
        if isinstance(value, v.Text):
            self.fail("a text with a value of the run time is taken apart", "Take the value, not its text.")
        self.stop("TypeError", message.format(self.class_name(value)))

    def missing(self, value, attr: str) -> None:
        """An attribute is not there; where the program asks just that, it raises."""
        if any(kind == "AttributeError" for kind, _ in self.catching):
            self.stop("AttributeError", f"'{self.class_name(value)}' object has no attribute '{attr}'")

    def check_division(self, atoms) -> None:
        """A division by zero of what is Python's number on one path and NumPy's on another:
        Python's raises, NumPy's does not."""
        divisor = atoms[1]
        if (isinstance(divisor, Const) and divisor.value != 0
                or not all([any([t.kind == "py" for t in self.b.types_of(a)]) for a in atoms])):
            return
        why = ("a division by zero of a Python number on one path, a NumPy number on another: only Python's raises; "
               "give it one type from the start")
        if self.b.type(divisor) == PY_INT:
            self.ensure(self.b.dim(divisor), "!=", 0, "RefusedValue", why)
        else:
            self.require(self.emit("not_equal", divisor, Const(0), hint="ok"), "RefusedValue", why)

    def check_power(self, atoms) -> None:
        """Powers whose type depends on values: integers to negative powers, and negative numbers to fractions."""
        x, y = (self.b.type(a) for a in atoms)
        if x.kind == y.kind == "py" and y.is_float:
            self.check_fractional_power(*atoms)
        if x.dtype.kind not in "ib" or y.dtype.kind != "i":
            return
        if isinstance(atoms[1], Const):
            if atoms[1].value < 0 and x.kind == y.kind == "py":
                atoms[0] = self.emit("float", atoms[0])
            elif atoms[1].value < 0:
                self.stop("ValueError", "Integers to negative integer powers are not allowed.")
        else:
            ok = self.emit("greater_equal", atoms[1], Const(0), hint="ok")
            ok = self.emit("np.all", ok, axis=tuple(range(y.rank)), keepdims=False, hint="ok") if y.rank else ok
            python = x.kind == y.kind == "py"  # whose result is a float, or an int, as the exponent says
            self.require(ok, "RefusedValue" if python else "ValueError",
                         "Integers to negative integer powers are not allowed." + python * " (Write float(x) ** n.)")

    def check_fractional_power(self, x, y) -> None:
        """A negative Python number to a fractional power is complex, and complex numbers are refused."""
        if (isinstance(y, Const) and not y.value % 1.0 > 0.0
                or isinstance(x, Const) and (x.value >= 0 or x.value == -np.inf)):
            return
        bad = self.emit("less", x, Const(0), hint="bad")
        if not isinstance(y, Const):
            bad = self.emit("and_", bad, self.emit("greater", self.emit("mod", y, Const(1.0)), Const(0.0), hint="bad"),
                            hint="bad")
        self.require(self.emit("not ", bad, hint="ok"), "RefusedValue",
                     "a negative number to a fractional power is a complex number")

    def int_op(self, name: str, *atoms: Atom, hint: str = "size", **params) -> Atom:
        """An operation on Python ints, computed now where they are known and emitted once a block."""
        op = OPS[name]
        if all(isinstance(a, Const) for a in atoms):
            return Const(self.now(functools.partial(op.fn, **params), *(a.value for a in atoms)))
        key = (name, tuple(self.b.dim(a) for a in atoms), tuple(params.items()))
        if key not in self.interned:
            self.interned[key] = self.emit(name, *atoms, hint=hint, **params)
            if op.length:
                self.nonnegative.add(self.interned[key])
        return self.interned[key]

    def is_count(self, atom: Atom) -> bool:
        """Is an integer surely 0 or more: a sum of products of what counts something?"""
        return all(c > 0 and set(names) <= self.nonnegative for names, c in self.b.dim(atom).terms)

    def dim_value(self, dim: Dim):
        return self.wrap(self.dim_atom(dim))

    def dim_atom(self, dim: Dim) -> Atom:
        """An integer atom for a dim."""
        if dim.constant is not None:
            return Const(dim.constant)
        key = ("dim", dim)
        if key not in self.interned:
            self.interned[key] = dim_atom(self.b, dim)
        return self.interned[key]

    # dims that must agree ----------------------------------------------------------------------
    def at_entry(self, dim: Dim) -> bool:
        """Can it be computed before the program runs, whatever the arguments are?"""
        return all(map(self.total, dim.names))

    def total(self, name: str) -> bool:
        """Is an integer one that the entry can compute, without a division that the program may have kept from zero?"""
        match self.entry_ints.get(name, ()):
            case None:
                return True
            case (op, args, params) if not isinstance(op, (Power, Shift, Quotient)):
                no_step = op.name == "rt.slice_length" and params["given"].endswith("0")
                safe = op.divisor is None or no_step or self.is_not_zero(args[op.divisor])
                return safe and all(isinstance(a, Const) or self.total(a) for a in args)
        return False

    def is_not_zero(self, atom: Atom) -> bool:
        dim = self.b.dim(atom)
        return dim.constant != 0 if dim.constant is not None else self.presume(dim, "!=", 0) is True

    def assume(self, dim: Dim, relation: str, number: int) -> None:
        """Note that this specialisation is for sizes with `dim relation number`."""
        if (dim, relation, number) not in self.facts.assumptions:
            self.facts.assumptions.append((dim, relation, number))

    def surely_not_one(self, dim: Dim) -> bool:
        return dim.constant != 1 if dim.constant is not None else any(dim == n for n in dim.names & self.not_one)

    def ensure(self, dim: Dim, relation: str, number: int, kind: str, message: str) -> None:
        """Make sure that `dim relation number`: by knowledge, by an assumption at entry, or by a check at run time."""
        name = {"!=": "not_equal", ">=": "greater_equal"}[relation]
        if dim.constant is not None:
            if not OPS[name].fn(dim.constant, number):
                self.stop(kind, message)
            return
        true = self.presume(dim, relation, number)
        if true is None:
            self.require(self.emit(name, self.dim_atom(dim), Const(number), hint="ok"), kind, message)
        elif not true:
            raise v.NeedStatic(self.dim_atom(dim), "programs for many lengths leave this one out", self.origin(),
                               special=True)

    def not_one_here(self, dim: Dim) -> None:
        """Make sure that a dim is not 1, where it is not known."""
        if dim.constant is None and not self.surely_not_one(dim):
            self.ensure(dim, "!=", 1, "RefusedValue", STRETCHED)

    def not_negative(self, dim: Dim) -> None:
        """Make sure that a length that the program computes is not negative."""
        if dim.constant is not None or not (all(c > 0 for _, c in dim.terms) and dim.names <= self.nonnegative):
            self.ensure(dim, ">=", 0, "ValueError", NEGATIVE)

    def neither_stretches(self, d: Dim, e: Dim) -> None:
        """Make sure that of two lengths not just one is 1, which would broadcast:
        by knowledge, assumptions, or a check."""
        unknown = [q for q in (d, e) if q.constant is None and not self.surely_not_one(q) and not self.at_entry(q)]
        for q in (d, e):
            if q not in unknown:
                self.not_one_here(q)
        if unknown:
            flags = [self.emit("not_equal", self.dim_atom(q), Const(1), hint="ok") for q in unknown]
            both = flags[0] if len(flags) == 1 else self.emit("and_", *flags, hint="ok")
            same = self.emit("equal", self.dim_atom(d), self.dim_atom(e), hint="ok")
            self.require(self.emit("or_", both, same, hint="ok"), "RefusedValue", STRETCHED)

    def matched_array(self, atom: Atom, dims: tuple[Dim, ...], how: str, numbers=(), kind="ValueError") -> Atom:
        """The array under dims that a check at run time proves equal to its own."""
        have = self.b.type(atom).dims
        if have == dims:
            return atom
        for d, e in zip(have, dims):
            if d != e:
                self.neither_stretches(d, e)
        key = (atom, dims)
        if key not in self.matched:
            self.matched[key] = self.match_exactly(atom, dims, how, numbers, kind)
        return self.matched[key]

    def shape_text(self, *types: Type) -> tuple[str, list[Atom]]:
        """`({},{}) ({},)` and the lengths to fill in, as NumPy's messages spell shapes."""
        shapes = " ".join("(" + ",".join("{}" for _ in t.dims) + ("," if t.rank == 1 else "") + ")" for t in types)
        return shapes, [self.dim_atom(d) for t in types for d in t.dims]

    def aligned(self, op, atoms: list[Atom], hint: str = "t", **params) -> Atom:
        """Emit an operation; dims that it needs equal and that are not known to be are checked first."""
        atoms = [self.single(a, atoms) for a in atoms] if self.singles and op.name != "matmul" else list(atoms)
        for _ in range(8):
            try:
                if self.b.several and isinstance(op, Elementwise) and not self.b.several.keys().isdisjoint(atoms):
                    self.one_dtype(op, atoms)
                result = self.b.emit(op, *atoms, hint=hint, **params)
                self.note_order(op, result, atoms, params)
                return result
            except Unaligned as problem:
                self.align(atoms, problem, op)
            except Untyped as problem:
                self.refuse_several(atoms)
                self.stop(builtin_kind(problem.error), str(problem.error))
        raise AssertionError("dims do not settle")

    def one_dtype(self, op, atoms) -> None:
        """Refuse an operation that not all paths can do, or that NumPy computes in another width by the path."""
        results = self.b.results_of(op, atoms)
        arrays = any([self.b.type(a).rank for a in atoms])
        numpys = {t.dtype for t in results if t.kind != "py"}
        narrow = any([dtype.itemsize < 8 or dtype.kind == "u" for dtype in numpys])
        if results is NOTHING or len(numpys) > 1 or (arrays or narrow) and len({t.dtype for t in results}) > 1:
            self.refuse_several(atoms)

    def refuse_several(self, atoms) -> None:
        """A number of another type by the path is used where that makes a difference."""
        if any([len(self.b.types_of(a)) > 1 for a in atoms]):
            loop = self.b.loop_of(atoms)
            if loop is not None and loop not in self.static_paths:
                raise v.Restart(frozenset({loop}))
            self.fail("a number that has another type on each path, where that makes a difference",
                      "Give it one type on all paths: int(x), float(x) or np.float64(x) from the start.")

    def single(self, atom: Atom, atoms: list[Atom]) -> Atom:
        """An argument with a length of x[k:k + 1] that meets another length and broadcasts:
        it is 1 there, after a check."""
        dims = list(self.b.type(atom).dims)
        others = [self.b.type(a).dims for a in atoms]
        for k in range(1, len(dims) + 1):
            if dims[-k] in self.singles and any(len(o) >= k and o[-k] not in self.singles for o in others):
                dims[-k] = ONE
        return self.match_exactly(atom, tuple(dims), EMPTY)

    def align(self, atoms, problem: Unaligned, op) -> None:
        j, k = problem.other, problem.position
        x, y = (self.b.type(atoms[i]) for i in (j, k))
        if op.name == "matmul":
            xa, ya = x.rank - 1, max(0, y.rank - 2)
            pairs = ([(xa, ya)] if x.dims[xa] != y.dims[ya]
                     else [(x.rank - a, y.rank - a) for a in range(3, min(x.rank, y.rank) + 1)])
            how = ("matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                   "(n?,k),(k,m?)->(n?,m?) (size {} is different from {})")
            numbers = [self.dim_atom(y.dims[ya]), self.dim_atom(x.dims[xa])]
        else:
            pairs = [(x.rank - a, y.rank - a) for a in range(1, min(x.rank, y.rank) + 1)]
            text, numbers = self.shape_text(*(self.b.type(a) for a in atoms if self.b.type(a).rank))
            how = f"operands could not be broadcast together with shapes {text} "
        xd, yd = list(x.dims), list(y.dims)
        for p, q in pairs:
            d, e = xd[p], yd[q]
            stretch = op.name != "matmul" or (p, q) != (x.rank - 1, max(0, y.rank - 2))
            if d == e or stretch and (d.is_one or e.is_one):
                continue
            if d.constant is None and e.constant is not None:
                xd[p] = e
            else:
                yd[q] = d
        # a product's inner dims are compared even where they are 1
        match = self.match_exactly if op.name == "matmul" else self.matched_array
        atoms[j], atoms[k] = match(atoms[j], tuple(xd), how, numbers), match(atoms[k], tuple(yd), how, numbers)

    def match_exactly(self, atom, dims, how, numbers=(), kind="ValueError") -> Atom:
        """The array under these dims, after a check at run time; where nothing broadcasts."""
        have = self.b.type(atom).dims
        axes = tuple(k for k, (d, e) in enumerate(zip(have, dims)) if d != e)
        if not axes:
            return atom
        lengths = [self.dim_atom(dims[k]) for k in axes]
        return self.emit("rt.match", atom, *lengths, *numbers, hint=split_name(atom)[0], dims=tuple(dims),
                         axes=axes, how=how, kind=kind)

    # arrays: reading and writing through views -------------------------------------------------
    def read(self, array: v.Array) -> Atom:
        """The present value of an array or view."""
        atom = self.heap[array.cell, None]
        self.met.add(array.cell)
        for step in array.path:
            atom = self.emit(step.op, atom, *step.atoms, hint="t", **dict(step.params))
        return atom

    def view(self, array: v.Array, op: str, *atoms: Atom, **params) -> v.Array:
        return v.Array(array.cell, array.path + (v.Step(op, tuple(atoms), tuple(params.items())),))

    def freeze(self, x: v.Array, y: v.Array, reason: str) -> None:
        """Two arrays that may share memory or not: neither may be stored into."""
        x.cell.frozen = y.cell.frozen = reason

    def may_share(self, new: v.Ref, old: v.Ref) -> None:
        """What NumPy has as one array or container, or as views of one, and core as two:
        while both are in use, neither may be stored into."""
        # the old ones, too: who shares with one shares with both
        marks = {object()}.union(*(self.heap.get((ref, "frozen"), ()) for ref in (new, old)))
        for ref in (new, old):
            freeze(self.heap, ref, marks)
        new.outside = new.outside or old.outside

    def assign_whole(self, array: v.Array, atom: Atom) -> None:
        """Make `atom`, which has the array's type, the content of an array or view."""
        self.own(array.cell, "a store into")
        frozen = array.cell.frozen or is_frozen(self.heap, array.cell) and MIXED
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

    # names -----------------------------------------------------------------------------------
    def name_last(self, value, hint: str, others=()) -> Any:
        """Call what was just computed by the variable that it is assigned to,
        where neither the heap nor `others` have it, too."""
        if self.frames[-1].captured.library:  # the user's own name for it is better
            return value
        atom = (value.atom if isinstance(value, v.Num)
                else self.heap.get((value.cell, None)) if isinstance(value, v.Array) else None)
        if self.sizes.get(atom, (0, None))[1] is not None:
            self.facts.lengths.setdefault(atom, hint)
        if isinstance(value, v.Array) and (value.path or not isinstance(atom, str)):
            return value
        last = self.b.stmts[-1] if self.b.stmts else None
        if not (isinstance(atom, str) and isinstance(last, Let) and last.names == (atom,)
                and split_name(atom)[0] in ("t", "size")):
            return value
        if (atom in self.entry_ints or atom in self.b.polynomials or last.op.effect or self.known_elsewhere(atom, value)
                or mentions(tuple(others), atom)):
            return value
        new = self.b.fresh(hint, self.b.types.pop(atom))
        self.b.note_several(new, self.b.several.get(atom, ()), self.b.loop_of([atom]))
        self.orders[new] = self.orders.get(atom, "C")
        self.b.stmts[-1] = replace(last, names=(new,))
        if isinstance(value, v.Array):
            value.cell.hint = hint
            self.heap[value.cell, None] = new
            return value
        return v.Num(new)

    def known_elsewhere(self, atom: str, value) -> bool:
        """Does anything but this value lead to the atom: an argument that has it too, an operation met before?"""
        own = (value.cell, None) if isinstance(value, v.Array) else None
        return (atom in self.interned.values() or atom in self.matched.values()
                or any([mentions(x, atom) for key, x in self.heap.items() if key != own]))

    def array_of(self, value):
        """np.array of nested lists of numbers."""
        return numpy_api.array_of_items(self, value)


def plain(x):
    """A number without what a class of the user's adds: of an IntEnum the int."""
    if type(x) in (int, float, bool) or isinstance(x, np.generic):
        return x
    return next((kind(x) for kind in (int, float) if isinstance(x, kind)), x)


def builtin_kind(error: Exception) -> str:
    """The name of the built-in exception that an exception is."""
    return next(cls.__name__ for cls in type(error).__mro__ if getattr(builtins, cls.__name__, None) is cls)


def mentions(x, atom: str) -> bool:
    """Does a value, or a slot of the heap, hold the atom?"""
    if isinstance(x, str):
        return x == atom
    kind = type(x)
    if kind is v.Num:
        return x.atom == atom
    if kind is v.Array:
        return any([atom in step.atoms for step in x.path])
    if kind is v.Static or kind is v.Ref or kind is v.Frame:
        return False
    if isinstance(x, (tuple, list)):
        return any([mentions(i, atom) for i in x])
    return type(x).__module__ == v.__name__ and any([mentions(getattr(x, name), atom) for name in x.__match_args__])
