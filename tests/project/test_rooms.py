"""The text keeps to sizes that a reader can take in, and imports go one way: a module uses what stands below it."""
import ast

import pytest

from tests.support.imports import FILES, MODULES, ROOT, circle, imported_by, room_of

WIDTH, LENGTH, LINES, RATHER = 120, 60, 450, 400
# folders, the lowest first: each imports only those before it
FOLDERS = [f"transformer.{room}" if not room.startswith("runtime") else room for room in (
    "runtime.plain", "runtime", "runtime.compiler", "runtime.native", "runtime.loading", "runtime.devices",
    "runtime.cuda", "errors", "core", "frontend", "pytree", "inputs", "loop_core", "rules", "library", "analyse",
    "transform", "optimise", "lower", "readable", "specialise.domain", "specialise.refusals", "specialise.machine",
    "specialise.evaluator.names", "specialise.evaluator.arrays", "specialise.evaluator.flow",
    "specialise.evaluator.objects", "specialise.evaluator.syntax", "specialise.evaluator", "specialise.builtins",
    "specialise.staged_calls", "specialise", "sharding", "programs", "tools", "functions", "devices")]
GRAPH = {name: imported_by(name, path.read_text()) for name, path in MODULES.items()}


def test_there_are_files():
    assert len(FILES) > 100


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_lines_functions_and_files_fit(path):
    text = path.read_text()
    wide = [k for k, line in enumerate(text.splitlines(), 1) if len(line) > WIDTH]
    long = [f"{f.name}, line {f.lineno}" for f in ast.walk(ast.parse(text))
            if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) and f.end_lineno - f.lineno >= LENGTH]
    assert not wide, f"lines of more than {WIDTH} characters: {wide}"
    assert not long, f"functions of more than {LENGTH} lines: {long}"
    assert len(text.splitlines()) <= LINES, "the file is too long: what in it is a topic of its own?"


def test_few_files_are_long():
    everywhere = [path for room in ("transformer", "runtime", "tests") for path in (ROOT / room).rglob("*.py")
                  if path.parent.name != "failures"]
    long = [str(path.relative_to(ROOT)) for path in everywhere if len(path.read_text().splitlines()) > RATHER]
    assert len(long) <= 5, long


def test_no_module_imports_itself_by_way_of_others():
    assert not circle(GRAPH), "each of these imports the next, the last the first"


def test_imports_between_rooms_go_one_way():
    rooms = {room: set() for room in map(room_of, GRAPH)}
    for name, others in GRAPH.items():
        rooms[room_of(name)] |= {room_of(other) for other in others} - {room_of(name)}
    assert not circle(rooms), "each of these imports the next, the last the first"
    assert ({room for room in rooms if MODULES[room].name == "__init__.py"} - {"transformer", "gradscribe"}
            == set(FOLDERS))
    up = [(room, other) for room in rooms for other in rooms[room]
          if {room, other} <= set(FOLDERS) and FOLDERS.index(other) >= FOLDERS.index(room)]
    assert not up, "these import what stands above them"


@pytest.mark.parametrize("room", FOLDERS)
def test_a_room_says_what_it_is_and_what_it_imports(room):
    if room == "runtime":
        return  # what generated source imports
    doc = ast.get_docstring(ast.parse(MODULES[room].read_text())) or ""
    used = sorted({room_of(other) for name, others in GRAPH.items() if room_of(name) == room for other in others}
                  - {room})
    what, *_, last = " ".join(doc.split("\n")).split("  ") if doc else ["", ""]
    assert len(what) > 40
    assert last == f"Imports {', '.join(used) or 'nothing of ours'}.", "the last paragraph of its __init__"


@pytest.mark.parametrize("text, expected", [
    ("from .core import Let", {"transformer.core"}),
    ("from . import core, api", {"transformer.core", "transformer.api"}),
    ("def f():\n    from gradscribe.runtime.plain import arrays", {"runtime.plain.arrays"}),
    ("from gradscribe import runtime as rt, grad", {"runtime", "gradscribe"}),
    ("import numpy as np, gradscribe.transformer.core.text", {"transformer.core.text"}),
    ("if TYPE_CHECKING:\n    from .api import grad", set())])
def test_what_is_an_import(text, expected):
    assert imported_by("transformer.testing", text) == expected


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"c", "d"}, "c": set(), "d": {"b"}}) == ["b", "d"]
    assert not circle({"a": {"b", "c"}, "b": {"c"}, "c": set()})
