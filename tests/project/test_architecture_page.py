"""docs/architecture.md, and the READMEs of the folders that it links, say what the code is.

GRADSCRIBE_GOLDEN=write writes the blocks of the page anew: read the difference before you commit it.
"""
import ast
import functools
import os
import re
from pathlib import Path

import pytest

from tests.project import test_rooms
from tests.support.architecture_page import PAGE, page
from tests.support.imports import FILES, ROOT

TEXT = PAGE.read_text(encoding="utf-8")
WHY = sorted(path for folder in ("transformer", "runtime") for path in (ROOT / folder).rglob("README.md"))
CODE = re.compile(r"`([\w./]+\.py)(?:: (\w+(?:\.\w+)*))?`")  # a file, or a name in it
FOLDERS = ("transformer", "runtime", "gradscribe", "tests", "docs", "benchmarks")
LINES, WIDTH, WORDS = {PAGE: 252}, 140, 40


def rows(title: str) -> list[list[str]]:
    """The cells of the table under a heading."""
    section = TEXT[TEXT.index(f"\n## {title}"):].partition("\n\n## ")[0]
    return [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]


def file_at(name: str, page: Path) -> Path | None:
    """The file of that name: beside the page, below transformer/, or by a path from the root."""
    places = [ROOT] if name.partition("/")[0] in FOLDERS else [page.parent, ROOT / "transformer"]
    return next((place / name for place in places if (place / name).is_file()), None)


@functools.cache
def names_in(path: Path) -> frozenset[str]:
    """What a module binds, and what its classes do, behind a dot."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        own = {getattr(node, "name", None), *(t.id for t in targets if isinstance(t, ast.Name))} - {None}
        inner = {n.name for n in getattr(node, "body", ()) if isinstance(n, ast.FunctionDef)}
        found |= own | {f"{a}.{b}" for a in own for b in inner if isinstance(node, ast.ClassDef)}
    return frozenset(found)


def test_the_stages_are_what_the_code_makes_of_them():
    if os.environ.get("GRADSCRIBE_GOLDEN") == "write":
        PAGE.write_text(page(TEXT), encoding="utf-8")
        pytest.skip("written anew")
    assert page(TEXT) == TEXT, "run: python -m tests.support.architecture_page"


@pytest.mark.parametrize("path", [PAGE, *WHY], ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_are_short_and_name_what_there_is(path):
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    assert len(lines) <= LINES.get(path, 150) and max(map(len, lines)) <= WIDTH
    found = {match[0]: (file_at(match[1], path), match[2]) for match in CODE.finditer(text)}
    lost = [said for said, (file, name) in found.items() if file is None or name and name not in names_in(file)]
    assert found and not lost


def test_the_map_has_each_folder_on_its_floor():
    named = [cells[0].strip("` ") for cells in rows("Map")]
    floors = [name.removeprefix("transformer.").replace(".", "/") for name in test_rooms.FOLDERS if name != "runtime"]
    assert named == [*floors, "gradscribe"]
    linked = {(PAGE.parent / link).resolve() for link in re.findall(r"\((\.\./[\w/]+/README\.md)\)", TEXT)}
    assert linked == set(WHY)


def test_tasks_name_tests_that_there_are():
    for task, where, test in rows("Where do I"):
        named = re.findall(r"`(tests/[^`]*)`", where + test)
        assert named and all((ROOT / name).exists() for name in named), task


def test_words_are_few_and_those_of_the_code():
    table = rows("Glossary")
    said = "\n".join(path.read_text() for path in FILES).lower()
    assert len(table) <= WORDS and [cells[0] for cells in table] == sorted(cells[0] for cells in table)
    for word, _, where in table:
        assert CODE.search(where), f"{word}: where is it?"
        assert re.search(rf"\b{word.strip().lower()}", said), f"{word}: the code does not say it"


def test_a_name_that_is_gone_is_found():
    assert file_at("core/terms.py", PAGE) and not file_at("core/gone.py", PAGE)
    names = names_in(ROOT / "transformer" / "core" / "terms.py")
    assert {"Fun", "Atom", "Op.infer"} <= names and "Gone" not in names
