"""The text keeps to sizes that a reader can take in: lines of 120 characters, functions that fit on a screen."""
import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(path for folder in ("gradscribe", "transformer", "runtime") for path in (ROOT / folder).rglob("*.py"))
WIDTH, LENGTH = 120, 60


def test_there_are_files():
    assert len(FILES) > 100


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_lines_and_functions_fit(path):
    text = path.read_text()
    wide = [k for k, line in enumerate(text.splitlines(), 1) if len(line) > WIDTH]
    long = [f"{f.name}, line {f.lineno}" for f in ast.walk(ast.parse(text))
            if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) and f.end_lineno - f.lineno >= LENGTH]
    assert not wide, f"lines of more than {WIDTH} characters: {wide}"
    assert not long, f"functions of more than {LENGTH} lines: {long}"
