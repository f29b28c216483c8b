"""The text of what source calls of the run time, and of all that this calls in turn, to stand in one file with it.

A definition keeps its name; where another has it, or the source itself uses it, the name of its module is put before.
"""
from __future__ import annotations

import ast
import builtins
import functools
import importlib
import importlib.util
import inspect
from dataclasses import dataclass, field

from ..errors.messages import GradscribeError

RUNTIME = "gradscribe.runtime"
ARRAYS, KINDS = f"{RUNTIME}.plain.arrays", f"{RUNTIME}.plain.kinds"
DEVICES = {f"{RUNTIME}.plain.collectives", f"{RUNTIME}.plain.collective_calls"}
Place = tuple[str, str]  # a module, and a name in it; a module that is imported has no second


@dataclass
class ModuleText:
    """A module of the run time: its lines, and what each name at its top is."""

    lines: list[bytes]
    defined: dict[str, ast.stmt] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)  # {name: the line that imports it}
    elsewhere: dict[str, Place] = field(default_factory=dict)  # in another module of the run time

    @classmethod
    @functools.cache
    def of(cls, name: str) -> ModuleText:
        module = importlib.import_module(name)
        text = inspect.getsource(module)
        made = cls(text.encode().splitlines(True))
        for node in ast.parse(text).body:
            made.enter(node, module.__package__)
        return made

    def enter(self, node: ast.stmt, package: str) -> None:
        """Note what a statement at the top of the module defines."""
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.defined[node.name] = node
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in getattr(node, "targets", None) or [node.target]:
                self.defined |= {n.id: node for n in ast.walk(target) if isinstance(n, ast.Name)}
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self.enter_import(node, package)

    def enter_import(self, node: ast.Import | ast.ImportFrom, package: str) -> None:
        """Note the names that it binds."""
        if isinstance(node, ast.Import):
            self.imported |= {a.asname or a.name: f"import {ast.unparse(a)}" for a in node.names}
        elif not node.level:
            self.imported |= {a.asname or a.name: f"from {node.module} import {ast.unparse(a)}"
                              for a in node.names}
        else:
            module = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            for a in node.names:
                self.elsewhere[a.asname or a.name] = (module, a.name) if node.module else (f"{module}.{a.name}", "")

    def text_of(self, node: ast.stmt) -> tuple[int, int]:
        """The lines of a definition, from its decorators and the comments right above it to its end."""
        first = min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", ())]]) - 1
        while first and self.lines[first - 1].startswith(b"#"):
            first -= 1
        return first, node.end_lineno


class FreeNames(ast.NodeVisitor):
    """The nodes of the names that a definition has from its module: a name, or a name of a module and an attribute."""

    def __init__(self, modules):
        self.modules, self.scopes, self.found = modules, [set()], []

    def is_own(self, name: str) -> bool:
        return any([name in scope for scope in self.scopes])

    def visit_Name(self, node):
        if not self.is_own(node.id):
            self.found.append(node)

    def visit_Attribute(self, node):
        if isinstance(node.value, ast.Name) and node.value.id in self.modules and not self.is_own(node.value.id):
            self.found.append(node)
        else:
            self.generic_visit(node)

    def scope(self, node):
        self.scopes.append(names_of_scope(node))
        self.generic_visit(node)
        self.scopes.pop()

    visit_FunctionDef = visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = scope


def names_of_scope(scope: ast.AST) -> set[str]:
    """The names that a function, or a comprehension, binds."""
    found, todo = set(), list(ast.iter_child_nodes(scope))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.MatchAs, ast.MatchStar, ast.ExceptHandler)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {a.asname or a.name.partition(".")[0] for a in node.names}
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            todo += ast.iter_child_nodes(node)
    return found


class RuntimeSource:
    """Collects definitions of the run time, from those that source calls.

    taken: the names that the source itself uses.
    """

    def __init__(self, taken: set[str]):
        self.taken = set(taken)
        self.names: dict[Place, str] = {}  # what each place is called in the file
        self.parts: dict[str, dict[int, tuple[ast.stmt, list]]] = {}  # {module: {line: (definition, its free names)}}

    def name_of(self, name: str, module: str = RUNTIME) -> str:
        """What a name of a module is called in the file; its definition goes there."""
        return self.place(*self.found(module, name))

    def found(self, module: str, name: str) -> Place:
        """Where a name of a module is defined."""
        text = ModuleText.of(module)
        while name in text.elsewhere:
            module, name = text.elsewhere[name]
            text = ModuleText.of(module)
        return (text.imported[name], "") if name in text.imported else (module, name)

    def place(self, module: str, name: str) -> str:
        place = (module, name)
        if place in self.names:
            return self.names[place]
        if not name:
            return self.called(place, module.split()[-1], "the_")
        if module in DEVICES:
            raise GradscribeError(None, "a function that several devices share cannot be written to a file",
                                  "Export the function of one device: without gs.pmap and gs.shard_map.")
        chosen = self.called(place, name, f"{module.rpartition('.')[2]}_")
        text = ModuleText.of(module)
        node = text.defined[name]
        free = FreeNames({n for n, (_, inner) in text.elsewhere.items() if not inner})
        free.visit(node)
        uses = [(n, self.use(module, n)) for n in free.found]
        self.parts.setdefault(module, {})[node.lineno] = (node, [(n, new) for n, new in uses if new])
        return chosen

    def called(self, place: Place, name: str, prefix: str) -> str:
        """Choose a name that nothing else has."""
        chosen = name if name == "np" else next(n for k in range(99) if (n := prefix * k + name) not in self.taken)
        self.taken.add(chosen)
        self.names[place] = chosen
        return chosen

    def use(self, module: str, node) -> str:
        """What a name in a definition is called in the file; "" of a builtin."""
        if isinstance(node, ast.Attribute):
            inner, _ = ModuleText.of(module).elsewhere[node.value.id]
            return self.name_of(node.attr, inner)
        text = ModuleText.of(module)
        if node.id in text.defined or node.id in text.imported or node.id in text.elsewhere:
            return self.name_of(node.id, module)
        assert hasattr(builtins, node.id), f"{module}: {node.id}"
        return ""

    def imports(self) -> list[str]:
        """The lines that import what the definitions need."""
        wanted = {line: name for (line, inner), name in self.names.items() if not inner}
        return sorted([line if line.split()[-1] == name else f"{line.partition(' as ')[0]} as {name}"
                       for line, name in wanted.items()])

    def text(self) -> str:
        """The definitions, each below those that it needs while it is made."""
        texts = [self.renamed(module, *part) for module, parts in self.parts.items()
                 for _, part in sorted(parts.items())]
        functions = [t for t, is_function in texts if is_function]
        return "\n\n".join([t for t, is_function in texts if not is_function] + ["\n" + t for t in functions])

    def renamed(self, module: str, node: ast.stmt, uses: list) -> tuple[str, bool]:
        """The text of a definition, with the names that the file has."""
        text = ModuleText.of(module)
        first, end = text.text_of(node)
        lines = list(text.lines[first:end])
        edits = [(n.lineno, n.col_offset, n.end_col_offset, new) for n, new in uses if ast.unparse(n) != new]
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            start = 4 if isinstance(node, ast.FunctionDef) else 6
            edits.append((node.lineno, start, start + len(node.name), self.names[module, node.name]))
        for line, start, stop, new in sorted(edits, reverse=True):
            k = line - 1 - first
            assert lines[k][start:stop].replace(b".", b"").replace(b"_", b"").isalnum()
            lines[k] = lines[k][:start] + new.encode() + lines[k][stop:]
        return b"".join(lines).decode().rstrip(), isinstance(node, ast.FunctionDef)
