"""The Python in README.md and docs/*.md runs, and prints what the page says.

All ```python blocks of a file run in order, in one namespace, as if each were a file of its own (model.py).

    ```text after a block       exactly what the block prints
    ```python raises            the block raises; the ```text after it is the message
    expression  # -> value      the value as Python shows it
    expression  # JAX prints v  the numbers that JAX prints, in single precision
    | JAX | Gradscribe | ...    the code in the second column of such a table runs
"""
import ast
import contextlib
import io
import linecache
import re
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
# but the one that has a test of its own
PAGES = [ROOT / "README.md", *[page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "contributing.md"]]
FENCE = re.compile(r"^```(\w+)?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Block:
    line: int
    code: str
    raises: bool
    shown: str | None  # the text after it
    cells: tuple = ()  # (code, place) of the tables after it


def blocks(page: Path) -> list[Block]:
    text, found = page.read_text(encoding="utf-8"), []
    end = 0
    for match in FENCE.finditer(text):
        language, words, body = match[1], match[2].strip(), match[3]
        if language == "python":
            found.append(Block(text[:match.start()].count("\n") + 2, body, words == "raises", None))
        elif language == "text" and found and not text[end:match.start()].strip():
            found[-1].shown = body
        end = match.end()
    starts = [b.line for b in found[1:]] + [len(text)]
    for block, stop in zip(found, starts):
        block.cells = tuple(cells(text, page.name, block.line, stop))
    return found


def cells(text: str, page: str, start: int, stop: int):
    """The code spans in the second column of the tables of JAX's API, between two lines."""
    table = False
    for number, line in enumerate(text.splitlines(), 1):
        columns = [c.strip() for c in line.split(" | ")]
        table = line.startswith("| JAX | Gradscribe |") or table and line.startswith("|")
        if table and start < number < stop and not line.startswith("|--"):
            yield from ((code, f"{page}:{number}:{k}") for k, code in enumerate(re.findall(r"`([^`]*)`", columns[1])))


@pytest.mark.heavy(one_in=123)
@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
@mock.patch.dict("os.environ")  # a page may say how many devices there are
def test_the_page_runs(page):
    namespace = {"__name__": "model"}
    for number, block in enumerate(blocks(page)):
        printed = run(block, f"model{number}.py", namespace, f"{page.name}:{block.line}")
        for cell, place in block.cells:
            run(Block(0, cell, False, None), f"{place}.py", namespace, place)
        if block.shown is not None:
            assert (re.sub(r"model\d+\.py", "model.py", printed).strip()
                    == block.shown.strip()), f"{page.name}:{block.line}"


def run(block: Block, file: str, namespace: dict, place: str) -> str:
    """Run a block; what it prints, or the message of what it raises."""
    # where functions find their source
    linecache.cache[file] = len(block.code), None, block.code.splitlines(True), file
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            for stmt in ast.parse(block.code).body:
                step(stmt, block.code.splitlines(), file, namespace, place)
    except Exception as error:
        if not block.raises:
            raise AssertionError(f"the block at {place} raises {type(error).__name__}") from error
        return str(error)
    assert not block.raises, f"the block at {place} raises nothing"
    return out.getvalue()


def step(stmt, lines, file, namespace, place):
    """Run one statement; where it is an expression with a value beside it, compare."""
    expected, printed = (re.search(rf"# {words} (.*)$", lines[stmt.end_lineno - 1]) for words in ("->", "JAX prints"))
    if isinstance(stmt, ast.Expr) and expected:
        value = eval(compile(ast.Expression(stmt.value), file, "eval"), namespace)
        assert same(repr(value),
                    expected[1]), f"{place}, line {stmt.lineno} of the block: {value!r} instead of {expected[1]}"
    elif isinstance(stmt, ast.Expr) and printed:
        value = eval(compile(ast.Expression(stmt.value), file, "eval"), namespace)
        got, want = ([float(n) for n in NUMBER.findall(t)]
                     for t in (np.array2string(np.asarray(value), precision=9), printed[1]))
        assert len(got) == len(want), f"{place}: {value!r} instead of {printed[1]}"
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=1e-6, err_msg=place)
    else:
        exec(compile(ast.Module([stmt], []), file, "exec"), namespace)


NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*(?:e[-+]?\d+)?")


def same(got: str, want: str) -> bool:
    """The same text, its numbers to nine digits."""
    numbers = [[float(n) for n in NUMBER.findall(text)] for text in (got, want)]
    words = [re.sub(r"\s+", "", NUMBER.sub("#", text)) for text in (got, want)]
    return words[0] == words[1] and all(abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-3) for a, b in zip(*numbers))


def test_the_reader_of_pages(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Title\n```python\nprint(1)\n```\n\n```text\n1\n```\nwords\n```text\nother\n```\n"
                    "```python raises\n1 / 0\n```\n")
    first, second = blocks(page)
    assert (first.line, first.code, first.raises, first.shown) == (3, "print(1)\n", False, "1\n")
    assert second.raises and second.shown is None and run(second, "m.py", {}, "") == "division by zero"
    assert (same("array([1. , 0.30000000000000004])", "array([1., 0.3])") and not same("1.0", "2.0")
            and not same("f(1)", "g(1)"))


def test_the_reader_of_tables(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\na = 1\n```\n| JAX | Gradscribe | why |\n|---|---|---|\n| `x` | `a + 1`, `b` | `c` |\n\n"
                    "| `y` | `z` |\n```python\na  # JAX prints [1.0]\n```\n")
    first, second = blocks(page)
    assert first.cells == (("a + 1", "page.md:6:0"), ("b", "page.md:6:1")) and second.cells == ()
    run(second, "m.py", {"a": 1.0000001}, "")
    with pytest.raises(AssertionError):
        run(second, "m.py", {"a": 1.001}, "")


def test_the_page_of_the_language_names_all_syntax_that_is_refused():
    from gradscribe.transformer.specialise.refusals.syntax import REFUSED
    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    assert [what for what, _ in REFUSED.values() if what not in page] == []
