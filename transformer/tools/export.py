"""Generated source as one file that needs NumPy alone: the source as it is shown, what it calls of the run time, and
what the function sees from outside as parameters that have its value.

A program is made for kinds of arguments, and the cache makes another for others.  The file cannot: it tests the kinds,
and what was assumed of sizes, and refuses what the source was not made for.
"""
from __future__ import annotations

import ast
import builtins
import dataclasses
import inspect
import os
import textwrap
from typing import Any

from ..core import Const
from ..core.types import type_of_number
from ..errors.messages import GradscribeError
from ..pytree.containers import folded_structure
from ..readable import Source, readable
from ..readable.signature import ShownSignature, container_text, static
from .export_parameters import Parameter, exported_parameters, function_inside
from .literals import class_definition, docstring_lines, exact_text, is_present
from .runtime_source import ARRAYS, KINDS, RuntimeSource

LICENCE = "The parts of Gradscribe's run time in this file: Apache-2.0"
SHORT, WIDTH = 40, 100  # of a text within a line, and of a line


class LiteralText:
    """An object that `repr` writes as this text."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self):
        return self.text


def refuse_to_write(program) -> None:
    """Refuse what the shown source does not do by itself."""
    spec = program.spec
    for found, what, instead in (
            (spec.assigned is not None, "assigns to variables outside", "Return what it assigns."),
            (spec.changed, "changes a container that it is called with", "Return what it changes."),
            (spec.apart - {"arrays"}, "compares objects with `is`, or changes containers", "Compare names or values.")):
        if found:
            raise GradscribeError(None, f"{program.core.name} cannot be written to a file: it {what}", instead)


@dataclasses.dataclass(frozen=True)
class WholeSignature(ShownSignature):
    """A signature that makes a number of the class that the run says, which the shown one leaves to who reads it.

    complexes: the results that are complex numbers; by_place: how many parameters are passed by place alone
    """

    complexes: frozenset[int] = frozenset()
    by_place: int = 0

    def header_parts(self) -> list[str]:
        parts, k = super().header_parts(), self.by_place
        return [*parts[:k], "/", *parts[k:]] if k else parts

    def result(self, texts: list[str]) -> str:
        """The expression that is returned; `texts` are those of the flat results, with those that say classes."""
        def number(k, classes):
            flag, cls = classes[0]
            x = texts[k]
            made = x if cls is None else f"{cls.__name__}({x}{'.real' * (k in self.complexes and cls is not complex)})"
            return made if flag is None else f"({made} if {texts[flag]} else {number(k, classes[1:])})"

        made = folded_structure(self.out, texts.__getitem__, static, container_text, number,
                                lambda k, part, other: f"({part()} if {texts[k]} else {other()})")
        return made[1:-1] if self.out[0] is tuple and len(self.out[2]) > 1 else made


def whole_signature(program, parameters: dict[str, Parameter], written: dict[str, Any]) -> WholeSignature:
    """The signature of the function in the file, with these defaults."""
    shown, results = program.signature(), program.core.body.results
    by_name = next((p.name for p in parameters.values() if p.by_name), None)
    complexes = [k for k, x in enumerate(results) if (type_of_number(x.value) if isinstance(x, Const)
                                                      else program.core.types[x]).dtype.kind == "c"]
    by_place = max([k for k, p in enumerate(parameters.values(), 1) if p.by_place], default=0)
    return WholeSignature(shown.name, tuple(parameters), shown.access, shown.out, written, by_name, shown.rows,
                          frozenset(complexes), by_place)


def whole_source(program, signature: WholeSignature) -> Source:
    """The readable source with this signature, and with the results that say of which class others are."""
    facts = program.spec.facts
    return readable(program.optimised, owned=frozenset(program.core.writes), signature=signature,
                    main=program.spec.main, lengths=facts.lengths, quiet=tuple(sorted(facts.quiet)),
                    primal=program.core)


class ExportedFile:
    """The parts of the file of a program."""

    def __init__(self, program, parameters: dict[str, Parameter]):
        self.program, self.parameters = program, parameters
        self.long = {p.name: p.default for p in parameters.values() if p.default and len(p.default) > SHORT}
        self.signature = whole_signature(program, parameters, {
            p.name: LiteralText(p.name if p.name in self.long else p.default)
            for p in parameters.values() if p.default is not None})
        self.access, self.source = self.signature.access, whole_source(program, self.signature)
        tree = self.source.located
        self.imports = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
        self.functions = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
        taken = {getattr(n, "id", None) or getattr(n, "arg", None) or getattr(n, "name", None) for n in ast.walk(tree)}
        self.runtime = RuntimeSource(taken - {None})
        self.classes: dict[str, str] = {}
        self.extra: list[str] = []  # imports of the source itself, and of classes

    def text(self, title: list[str], doc: str | None) -> str:
        """All of it."""
        self.take_imports()
        self.take_exceptions()
        own, source = self.own_parts(), self.source_text(doc)
        constants = [line for name, text in self.long.items() for line in text_in_lines(f"{name} = {text}")]
        imports = sorted({*self.extra, *self.runtime.imports(), "import numpy as np"})
        parts = ["\n".join([*[f"# {line}" for line in title], "from __future__ import annotations", "", *imports]),
                 self.runtime.text(), *self.classes.values(), "\n".join(constants), *own, source]
        return "\n\n\n".join([part.strip("\n") for part in parts if part]) + "\n"

    def own_parts(self) -> list[str]:
        """What stands above the source."""
        return []

    def take_imports(self) -> None:
        """Modules are imported as they are; of classes that the file cannot import it has its own."""
        for node in self.imports:
            for alias in node.names:
                if alias.name == "gradscribe":
                    called = ", ".join(self.calls_of_gradscribe())
                    name = self.program.core.name
                    raise GradscribeError(None, f"{name} cannot be written to a file: its source calls {called}",
                                          "Pass what it computes, such as random numbers, as an argument.")
                if isinstance(node, ast.Import):
                    self.extra.append(f"import {ast.unparse(alias)}")
                elif node.module != "gradscribe":
                    cls = next(c for c in self.program.signature().classes() if c.__name__ == alias.name)
                    self.take_class(cls, f"from {node.module} import {alias.name}")

    def calls_of_gradscribe(self) -> list[str]:
        """What the source calls of the package, which the run time has not: gs.random.normal."""
        called = [ast.unparse(n.func) for n in ast.walk(self.source.tree) if isinstance(n, ast.Call)]
        return sorted({name for name in called if name.startswith("gs.")})

    def take_class(self, cls: type, line: str | None) -> None:
        if is_present(cls):
            self.extra += [line] if line else []
            return
        text = class_definition(cls)
        if cls.__name__ in self.runtime.taken and self.classes.get(cls.__name__) not in (None, text):
            raise GradscribeError(None, f"two classes are called {cls.__name__}", "Give one of them another name.")
        self.runtime.taken.add(cls.__name__)
        self.classes[cls.__name__] = text
        self.extra += [f"import {module}" for module in ("collections", "dataclasses") if f"{module}." in text]

    def take_exceptions(self) -> None:
        """Classes of users that the run raises: `rt.require` finds them by their names."""
        from gradscribe.runtime.plain.arrays import OBJECTS
        names = {n.value for n in ast.walk(self.source.located) if isinstance(n, ast.Constant)
                 and isinstance(n.value, str) and ":" in n.value and n.value in OBJECTS}
        for name in sorted(names):
            cls = OBJECTS[name]
            if not isinstance(cls, type):
                raise GradscribeError(None, f"{cls!r}, with which the function raises, cannot be written to a file",
                                      "Raise with text and numbers.")
            self.take_class(cls, None)
            if not is_present(cls):
                self.classes[name] = f"{self.runtime.name_of('OBJECTS', ARRAYS)}[{name!r}] = {cls.__name__}"

    def source_text(self, doc: str | None) -> str:
        """The functions, whose calls of the run time are calls of what the file has."""
        lines = [line.encode() for line in self.source.text.splitlines()]
        for node in sorted(self.calls(), key=lambda n: (n.lineno, n.col_offset), reverse=True):
            k, name = node.lineno - 1, self.runtime.name_of(node.attr).encode()
            assert lines[k][node.col_offset:node.end_col_offset] == b"rt." + node.attr.encode()
            lines[k] = lines[k][:node.col_offset] + name + lines[k][node.end_col_offset:]
        main = next(f for f in self.functions if f.name == self.source.name)
        top = next(k for k in range(main.lineno - 1, main.body[0].lineno) if lines[k].rstrip().endswith(b":"))
        tests = [line.encode() for line in [*docstring_lines(doc), *self.tests()]]
        start = max([n.end_lineno for n in self.imports], default=0)
        return b"\n".join([*lines[start:top + 1], *tests, *lines[top + 1:]]).decode()

    def calls(self) -> list[ast.Attribute]:
        return [n for n in ast.walk(self.source.located) if isinstance(n, ast.Attribute)
                and isinstance(n.value, ast.Name) and n.value.id == "rt"]

    def tests(self) -> list[str]:
        """What the function does first: it refuses what it was not made for."""
        from gradscribe.runtime.plain.kinds import kind_of
        expect = self.runtime.name_of("expect", KINDS)
        lines = []
        for p in self.parameters.values():
            kind = kind_of(p.value, p.known)
            known = [k for k in p.known if kind_of(p.value, tuple(j for j in p.known if j != k)) != kind]
            ending = f", {tuple(known)}" if known else ""
            lines.append(f"    {expect}({p.name!r}, {p.name}, {kind!r}{ending})")
        for dim, relation, number in self.program.spec.assumptions:
            text = f"{dim.substitute({n: self.length(n) for n in dim.names})} {relation} {number}"
            said = text if len(text) < SHORT else "other lengths"
            lines += text_in_lines(f"    {self.runtime.name_of('assume', KINDS)}({text},", f"{said!r})")
        if self.program.spec.apart and len(arrays := self.arrays_passed()) > 1:
            lines.append(f"    {self.runtime.name_of('refuse_common_memory', KINDS)}({', '.join(arrays)})")
        return lines

    def arrays_passed(self) -> list[str]:
        types, rows = self.program.core.types, self.signature.rows  # those are copies
        return [self.access[p] for p in self.program.core.params if types[p].kind == "array" and p not in rows]

    def length(self, name: str) -> str:
        """A length or an integer of the entry, as the file computes it."""
        spec = self.program.spec
        if name in spec.sizes:
            k, axis = spec.sizes[name]
            text = self.access[self.program.core.params[k]]
            return text if axis is None else f"{text}.shape[{axis}]"
        op, atoms, params = spec.computed[name]
        parts = [exact_text(name, a.value) if isinstance(a, Const) else self.length(a) for a in atoms]
        if op.symbol and len(parts) == 2:
            return f"({f' {op.symbol} '.join(parts)})"
        if op.name.startswith("rt.") and getattr(op, "fun", None) is None:
            parts += [f"{key}={exact_text(name, x)}" for key, x in params.items()]
            return f"{self.runtime.name_of(op.name[3:])}({', '.join(parts)})"
        raise GradscribeError(None, f"the source is made for lengths that {op.name} computes, which a file cannot test",
                              "Pass such a length as an argument.")


def text_in_lines(line: str, last: str = "") -> list[str]:
    """A line in several, broken at its spaces, with its last part in one piece."""
    lines = textwrap.wrap(line, WIDTH, subsequent_indent=" " * 8, break_long_words=False, break_on_hyphens=False)
    if last and len(lines[-1]) + len(last) < WIDTH:
        lines[-1] += f" {last}"
        return lines
    return [*lines, f"        {last}"] if last else lines


def exported_text(g, args, kwargs, version: str) -> tuple[str, str]:
    """The text of the file, and the name of the function in it."""
    if not hasattr(g, "_cache"):
        raise GradscribeError(None, f"{getattr(g, '__name__', g)} is not a function that a transformation made",
                              "Export gs.grad(f), gs.vmap(f), ...; of f itself, also where it calls gs.vjp, gs.jit(f).")
    args, kwargs = g._cache.fixed(args, kwargs)
    leaves: list = []
    program, _ = g._cache.find(args, kwargs, leaves)
    refuse_to_write(program)
    file = ExportedFile(program, exported_parameters(program, args, kwargs, program.spec.static))
    function = function_inside(g)
    doc = inspect.getdoc(function) if inspect.isroutine(function) else None
    text = file.text(title_lines(g, file.source, version), doc)
    refuse_unbound(text, program.core.name)
    return text, file.source.name


def title_lines(g, source: Source, version: str) -> list[str]:
    """What the file says of itself."""
    function = function_inside(g)
    code = getattr(inspect.unwrap(function), "__code__", None)
    place = f", {os.path.basename(code.co_filename)}, line {code.co_firstlineno}" if code else ""
    return [f"{source.name}: written by Gradscribe {version} of {getattr(function, '__name__', 'a function')}{place}.",
            "It computes what the source that Gradscribe runs computes, for arguments of the same kinds. What the",
            "function saw from outside is as it was then.", LICENCE]


def refuse_unbound(text: str, name: str) -> None:
    """Refuse a file with a name that nothing in it binds, as that of a user's function in a result."""
    tree = ast.parse(text)
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    bound |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)} | {*dir(builtins)}
    for n in ast.walk(tree):
        if isinstance(n, (ast.FunctionDef, ast.ClassDef, ast.MatchAs, ast.MatchStar, ast.ExceptHandler)):
            bound.add(n.name)
        elif isinstance(n, (ast.Import, ast.ImportFrom)):
            bound |= {a.asname or a.name.partition(".")[0] for a in n.names}
    free = sorted({n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} - bound)
    if free:
        raise GradscribeError(None, f"{name} cannot be written to a file: its source has the object {free[0]} in it",
                              "Return numbers, arrays and containers of them.")


__all__ = ["exported_text", "function_inside"]
