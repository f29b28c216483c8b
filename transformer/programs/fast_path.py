"""A generated function for the calls that look like the last one: it tests what the key and the guards test, in
straight-line code, and otherwise leaves the call to the cache.

    def fast(args):
        try:
            x, d = args
            x0, = x.shape
            w = d['w']
            if not (type(x) is ndarray and x.dtype is D0 and x0 != 1 and type(d) is dict and [*d] == ['w'] and ...):
                return MISS
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
            return MISS
        try:
            out = empty(x0)
            entry(x, w, out)
        except Exception as error:
            return assemble(structure, rescue(error, (x, w)))  # gets the user's line, or runs with more checks
        return {'w': out}
"""
from __future__ import annotations

import builtins
import functools
from collections import deque
from dataclasses import is_dataclass
from keyword import iskeyword
from typing import Any, Callable

import numpy as np

from ..core import Const
from ..core.size_assumptions import computing
from ..inputs.guards import (ABSENT, LEAST, MOST, Instance, Kind, Path, Shape, SizeGuard, Value, field_names, holds,
                             is_huge, is_run_time_leaf, size_of, vars_of)
from ..pytree.containers import (REGISTERED, folded_structure, foreign_parts, is_dataclass_value, is_pythons_record,
                                 is_records, made_of, only_stores, open_container)
from ..pytree.results import assemble
from ..pytree.rows import SplitRows, Stack, rows_of
from ..specialise.domain.plans import known_arguments
from .numpy_errors import as_set, quiet, raised_kinds

MISS = object()
LENGTHS = (tuple.__len__, list.__len__)
BUILT_IN = (tuple.__getitem__, list.__getitem__, dict.__getitem__)
RELATIONS = {"!=": "!=", ">=": ">=", "==": "=="}


class Unsuited(Exception):
    """This program is called by the general way only."""


class TestWriter:
    """Collects the lines, tests and constants of a fast path."""

    def __init__(self, orders: bool, compiled: bool):
        self.orders = orders  # must arrays have the same memory order?
        self.compiled = compiled  # compiled code takes no int of more than 64 bits
        self.lines: list[str] = []
        self.tests: list[str] = []
        self.constants: dict[str, Any] = {"ndarray": np.ndarray, "MISS": MISS}
        self.leaves: list[str] = []  # how each leaf of the arguments is spelled
        self.shapes: dict[str, list[str]] = {}
        self.found: dict[tuple, str] = {}  # the places outside that have names
        self.names: dict[int, str] = {}  # of constants, by identity
        self.computed: dict[str, str] = {}  # sizes that take computing

    def constant(self, value) -> str:
        if id(value) not in self.names:
            self.names[id(value)] = name = f"C{len(self.constants)}"
            self.constants[name] = value
        return self.names[id(value)]

    def local(self, expression: str, stem: str) -> str:
        name = f"{stem}{len(self.lines)}"
        self.lines.append(f"{name} = {expression}")
        return name

    def leaf(self, x, name: str) -> None:
        """Tests that a value is of the kind of the leaf x."""
        if isinstance(x, np.ndarray):
            sizes = [f"{name}_{k}" for k in range(x.ndim)]
            self.lines.append(f"{', '.join(sizes)}{',' if sizes else '()'} = {name}.shape")
            self.tests += [f"type({name}) is ndarray", f"{name}.dtype is {self.constant(x.dtype)}"]
            self.tests += [f"{s} {'==' if n == 1 else '!='} 1" for s, n in zip(sizes, x.shape)]
            if self.orders and x.ndim > 1:
                self.tests += [f"{name}.flags.{k} is {x.flags[k.upper()]}" for k in ("c_contiguous", "f_contiguous")]
            self.shapes[name] = sizes
        else:
            self.tests.append(f"type({name}) is {self.constant(type(x))}")
            if type(x) is int and not self.compiled:
                self.tests.append(f"{LEAST} <= {name} <= {MOST}")

    def stack(self, leaves: list[str]) -> str:
        """A name for the array whose rows are these leaves."""
        sizes = self.shapes.get(leaves[0], [])
        self.tests += [f"{n} == {m}" for x in leaves[1:] for n, m in zip(self.shapes.get(x, ()), sizes)]
        name = self.local(f"{self.constant(rows_of)}(({', '.join(leaves)},))", "rows")
        self.shapes[name] = [str(len(leaves)), *sizes]
        return name

    def argument(self, x, name: str) -> None:
        if is_run_time_leaf(x):
            self.leaf(x, name)
            self.leaves.append(name)
        elif is_plain_sequence(x):
            self.tests += [f"type({name}) is {self.constant(type(x))}", f"len({name}) == {len(x)}"]
            self.tests += [f"{name}.maxlen == {x.maxlen}"] if type(x) is deque else []
            for k, item in enumerate(open_container(x).items):
                self.argument(item, self.local(f"{name}[{k}]", "t"))
        elif isinstance(x, dict):
            self.keys(x, name)
            for key, item in x.items():
                self.argument(item, self.local(f"{name}[{key!r}]" if isinstance(key, (str, int))
                                               else f"{name}[{self.constant(key)}]", "d"))
        elif is_dataclass_value(x) and type(x) not in REGISTERED:
            self.of_class(x, name)
            node = open_container(x)
            for key, item in zip(node.keys, node.items):
                place = self.local(f"{name}.{key}", "f")
                (self.known if key in node.fixed else self.argument)(item, place)
        elif is_records(x):
            self.records(x, name)
        elif x is None:
            self.tests.append(f"{name} is None")
        else:
            raise Unsuited

    def records(self, x, name: str) -> None:
        """Tests of a structured array."""
        found = foreign_parts(x)
        self.of_dtype(x, name)
        for key, item, ((_, field),) in zip(found.opened.keys, found.opened.items, found.ways):
            place = self.local(f"{name}[{field!r}]", "f")
            (self.known if key in found.opened.fixed else self.argument)(item, place)

    def of_dtype(self, x, name: str) -> None:
        self.tests += [f"type({name}) is {self.constant(type(x))}", f"{name}.dtype == {self.constant(x.dtype)}"]

    def keys(self, x: dict, name: str) -> None:
        """Tests that a value is a dict with the keys of x, in their order."""
        self.tests += [f"type({name}) is {self.constant(type(x))}", f"[*{name}] == {self.constant(list(x))}"]
        if not all([type(k) is str for k in x]):
            self.tests.append(f"{self.constant(Shape.of(x).fits)}({name})")  # 1, 1.0 and True are equal

    def of_class(self, x, name: str) -> None:
        """Tests that a value is an object of the class of x, and has no other attributes."""
        self.tests.append(f"type({name}) is {self.constant(type(x))}")
        own = vars_of(x)
        if hasattr(x, "__dict__"):
            self.tests.append(f"len({name}.__dict__) == {len(own)}" if own.keys() <= field_names(type(x))
                              else f"{name}.__dict__.keys() == {self.constant({*own})}")

    def known(self, x, name: str) -> None:
        """Tests that a value is the x that the program was made for."""
        if type(x) not in (str, int, bool, type(None)):
            raise Unsuited
        self.tests.append(f"type({name}) is {self.constant(type(x))} and {name} == {self.constant(x)}")

    def outside(self, path: Path) -> str:
        """An expression for an outside object as it is now."""
        match path.how:
            case "name" if path.key in path.holder:
                return f"{self.constant(path.holder)}[{path.key!r}]"
            case "name":
                self.tests.append(f"{path.key!r} not in {self.constant(path.holder)}")
                return f"{self.constant(vars(builtins))}[{path.key!r}]"
            case "cell":
                return f"{self.constant(path.holder)}.cell_contents"
            case "default":
                return self.constant(path.holder)
            case "attr" if path.key.isidentifier() and not iskeyword(path.key):
                return f"{self.held(path.holder)}.{path.key}"
            # and not a method of the user's
            case "item" if getattr(type(path.holder.get()), "__getitem__", None) in BUILT_IN:
                key = repr(path.key) if type(path.key) in (str, int) else self.constant(path.key)
                return f"{self.held(path.holder)}[{key}]"
            case "own":
                return f"{self.held(path.holder)}.__dict__[{path.key!r}]"
        return f"{self.constant(path)}.get()"

    def held(self, path: Path) -> str:
        """A name for an outside object that others are found by."""
        if path.how == "default":
            return self.constant(path.holder)
        if path.place not in self.found:
            self.found[path.place] = self.local(self.outside(path), "h")
        return self.found[path.place]

    def guard(self, path: Path, known) -> None:
        """Tests that what is known of an outside object is still so."""
        match known:
            case Kind():
                pass  # tested as the leaf that it is
            case Shape(cls=cls, keys=keys) if cls in (tuple, list) or issubclass(cls, tuple):
                name = self.held(path)
                self.tests += [f"type({name}) is {self.constant(cls)}",
                               f"{'len' if cls.__len__ in LENGTHS else self.constant(size_of)}({name}) == {keys[0]}"]
            case Shape() if is_records(path.get()):
                self.of_dtype(path.get(), self.held(path))
            case Shape(cls=cls) if is_dataclass(cls) and cls not in REGISTERED:
                self.of_class(path.get(), self.held(path))
            case Shape(cls=cls) if issubclass(cls, dict):
                self.keys(path.get(), self.held(path))
            case Value(key=(cls, value)) if cls in (str, int, bool):
                self.known(value, self.held(path))
            case SizeGuard(count=count):
                self.tests.append(f"len({self.outside(path)}) == {count}")
            case Shape() | Value():
                self.tests.append(f"{self.constant(known.fits)}({self.held(path)})")
            case Instance(obj=obj, cls=cls):
                name = self.constant(obj)
                self.tests += [f"{self.outside(path)} is {name}", f"type({name}) is {self.constant(cls)}"]
            case _ if known is ABSENT:
                self.absent(path)
            case _:
                self.tests.append(f"{self.outside(path)} is {self.constant(known)}")

    def absent(self, path: Path) -> None:
        """Tests that there is still nothing at a place outside."""
        if path.how == "item":
            self.tests.append(f"{path.key!r} not in {self.held(path.holder)}")
        elif path.how != "own" or path.holder.how != "default":
            self.tests.append(f"{self.constant(holds)}({self.constant(path)}, {self.constant(ABSENT)})")
        elif hasattr(path.holder.holder, "__dict__"):
            self.tests.append(f"{path.key!r} not in {self.outside(path.holder)}.__dict__")

    def given(self, param) -> str:
        """An expression for what the program is given as a parameter: a leaf, a stack of leaves, an outside object."""
        if isinstance(param, int):
            return self.leaves[param]
        if isinstance(param, Stack):
            return self.stack([self.leaves[k] for k in param.leaves])
        name = self.held(param)
        self.leaf(param.get(), name)
        return name


def is_plain_sequence(x) -> bool:
    """Is it a deque, or a tuple or list whose items and length are those that Python itself finds?"""
    cls = type(x)
    return cls is deque or (isinstance(x, (tuple, list)) and not is_pythons_record(x)
                            and cls.__getitem__ in BUILT_IN and cls.__len__ in LENGTHS)


def fast_path(program, args: tuple) -> Callable | None:
    """The fast path of a program for arguments like these; None where it has none."""
    spec = program.spec
    if spec.apart or spec.assigned is not None or known_arguments(spec.static):
        return None  # overlap and values are compared by the general way
    try:
        return _write(program, args)
    except Unsuited:
        return None


def _write(program, args):
    w, spec = TestWriter(program.spec.facts.orders, getattr(program.run, "call", None) is not None), program.spec
    names = [f"a{k}" for k in range(len(args))]
    w.lines.append(f"{', '.join(names)}{',' if names else '()'} = args")
    for name, x in zip(names, args):
        w.argument(x, name)
    flat = [w.given(p) for p in spec.params]
    for path, known in spec.guards:
        w.guard(path, known)
    for dim, relation, number in spec.assumptions:
        w.tests.append(f"{size_polynomial(w, spec, flat, dim)} {RELATIONS[relation]} {number}")
    if program.owner.compiled:
        w.tests.append("(as_set() is quiet[0] or not raised_kinds())")
    lines, results, namespace = call_lines(w, program, flat)
    given = f"({''.join(name + ', ' for name in flat)})"
    text = ["def fast(args):", "    try:", *("        " + line for line in w.lines),
            f"        if not ({' and '.join(w.tests) or 'True'}):", "            return MISS",
            "    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):", "        return MISS",
            "    try:", *("        " + line for line in lines),
            "    except Exception as error:",
            *([f"        if type(error) is OverflowError and any(map(is_huge, {given})):", "            return MISS"]
              if w.compiled else []),
            f"        return assemble(out, rescue(error, {given}))",
            f"    return {built_result(w, spec.out, results)}"]
    namespace |= w.constants | {"assemble": assemble, "out": spec.out, "rescue": program.rescue, "is_huge": is_huge,
                                "as_set": as_set, "quiet": quiet, "raised_kinds": raised_kinds}
    exec(compile("\n".join(text), "<fast path>", "exec"), namespace)
    return namespace["fast"]


def call_lines(w: TestWriter, program, flat):
    """(lines that call the program, the expressions of its results, what they need)"""
    call = getattr(program.run, "call", None)
    if call is not None:  # compiled
        return call.lines(flat, lambda k, axis: w.shapes[flat[k]][axis]), call.results, dict(call.namespace)
    results = [f"r{k}" for k in range(len(program.core.body.results))]
    run = f"run({', '.join(flat)})"
    return [f"{', '.join(results)}, = {run}" if results else run], results, {"run": program.run}


def size_polynomial(w: TestWriter, spec, flat, dim) -> str:
    """The expression of a polynomial of sizes."""
    sizes = {n: size_name(w, spec, flat, n) for n in sorted(dim.names)}
    return " + ".join("*".join([str(c), *(sizes[n] for n in m)]) for m, c in dim.terms)


def size_name(w, spec, flat, name) -> str:
    if name in spec.sizes:
        k, axis = spec.sizes[name]
        return flat[k] if axis is None else w.shapes[flat[k]][axis]
    if name not in w.computed:
        op, atoms, params = spec.computed[name]
        given = [w.constant(a.value) if isinstance(a, Const) else size_name(w, spec, flat, a) for a in atoms]
        function = w.constant(computing(op, params))
        w.computed[name] = w.local(f"{function}({', '.join(given)})", "s")
    return w.computed[name]


def built_result(w: TestWriter, structure, results: list[str]) -> str:
    """The expression that builds the result."""
    def python(k, classes):
        real = ".real" * any([cls is complex for _, cls in classes])
        texts = [results[k] if cls is None else f"{w.constant(cls)}({results[k]}{real * (cls is not complex)})"
                 for _, cls in classes]
        tests = [f" if {results[flag]} else " for flag, _ in classes if flag is not None]
        return f"({''.join(a + b for a, b in zip(texts, [*tests, '']))})"

    return folded_structure(structure, results.__getitem__, w.constant, functools.partial(container, w), python,
                            lambda k, part, other: f"({part()} if {results[k]} else {other()})")


def container(w: TestWriter, cls: type, keys, items: list[str]) -> str:
    """The expression of a container."""
    if isinstance(cls, SplitRows):
        return f"{w.constant(cls.made)}(({''.join(i + ', ' for i in items)}))"
    if cls is tuple:
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    if cls is list:
        return f"[{', '.join(items)}]"
    if cls is dict:
        return "{" + ", ".join(f"{w.constant(k) if not isinstance(k, str) else repr(k)}: {i}"
                               for k, i in zip(keys, items)) + "}"
    if issubclass(cls, tuple):
        return f"{w.constant(tuple.__new__)}({w.constant(cls)}, ({''.join(i + ', ' for i in items)}))"
    if keys and only_stores(cls, keys):
        return f"{w.constant(cls)}({', '.join(f'{k}={i}' for k, i in zip(keys, items))})"
    return f"{w.constant(made_of)}({w.constant(cls)}, {w.constant(keys)}, ({''.join(i + ', ' for i in items)}))"
