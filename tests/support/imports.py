"""Which module of ours imports which: read in the text, imports inside functions among them."""
import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("gradscribe", "transformer", "runtime") for path in (ROOT / folder).rglob("*.py"))


def module_of(path: Path) -> str:
    """runtime.arrays of runtime/plain/arrays.py, transformer.core of transformer/core/__init__.py"""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}


def imported_by(name: str, text: str) -> set[str]:
    """The modules of ours that one imports whose text this is; what only a type checker imports is left out."""
    package = name.split(".") if MODULES[name].name == "__init__.py" else name.split(".")[:-1]
    found = set()

    def visit(node):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        if isinstance(node, ast.Import):
            found.update(nearest(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[:len(package) - node.level + 1] if node.level else []
            base = base + node.module.split(".") if node.module else base
            found.update(nearest([*base, alias.name]) for alias in node.names)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(text))
    return found - {name, None}


def nearest(parts: list[str]) -> str | None:
    """The module of ours that a dotted name is, or is in; gradscribe.runtime is the folder runtime."""
    parts = parts[1:] if parts[:2] in (["gradscribe", "transformer"], ["gradscribe", "runtime"]) else parts
    return next((found for k in range(len(parts), 0, -1) if (found := ".".join(parts[:k])) in MODULES), None)


def room_of(name: str) -> str:
    """The folder of a module; what stands in transformer/ and gradscribe/ itself is a room of its own."""
    folder = module_of(MODULES[name].parent)
    return folder if folder not in ("transformer", "gradscribe") else name


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Nodes each of which leads to the next, and the last to the first; none where there is no circle."""
    done, way = set(), []

    def follow(node):
        if node in way:
            return way[way.index(node):]
        if node in done:
            return []
        way.append(node)
        for other in sorted(graph[node]):
            if found := follow(other):
                return found
        done.add(way.pop())
        return []

    return next(filter(None, map(follow, graph)), [])
