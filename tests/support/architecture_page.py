"""docs/architecture.md: the blocks that show what a call becomes at each stage are what the code makes of it.

    python -m tests.support.architecture_page      writes them anew

A block is a fence with the name of its stage, ```py core. The function that is called is the page's first block.
"""
import ast
import linecache
import re
from pathlib import Path

import gast
import numpy as np

from gradscribe.test_util import primal
from gradscribe.transformer.core import core_text
from gradscribe.transformer.frontend.capture import capture
from gradscribe.transformer.frontend.desugar import desugar
from gradscribe.transformer.frontend.exits import structured
from gradscribe.transformer.loop_core.show import SPELLINGS
from gradscribe.transformer.optimise.pipeline import optimise
from gradscribe.transformer.transform.vjp import vjp

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
FIRST = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```py (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ARGUMENTS = np.array([1.0, 2.0, 3.0]), 0.5


def example(text: str) -> dict:
    """The names of the page's first block, which is a file of its own."""
    code, names = FIRST.search(text)[1], {"__name__": "echo"}
    linecache.cache["echo.py"] = len(code), None, code.splitlines(True), "echo.py"
    exec(compile(code, "echo.py", "exec"), names)
    return names


def simple_tree(function) -> str:
    """The function once the frontend has written it in terms of less."""
    captured = capture(function)
    tree = structured(desugar(captured.node, captured.origin_of), captured.origin_of)
    return ast.unparse(ast.fix_missing_locations(gast.gast_to_ast(tree)))


def outline(stmts, depth: int = 0):
    """Statements of loop core: the class of each, and its text."""
    for stmt in stmts:
        text = ast.unparse(ast.fix_missing_locations(SPELLINGS["numba"].statement(stmt))).split("\n")[0]
        yield f"{type(stmt).__name__:8}{'    ' * depth}{text}"
        for block in ("body", "then", "orelse"):
            yield from outline(getattr(stmt, block, ()), depth + 1)


def since(text: str, start: str, end: str | None = None) -> str:
    """The lines from the last that contains a text, to the next that contains another, which is left out."""
    lines = text.splitlines()
    first = max(k for k, line in enumerate(lines) if start in line)
    last = next((k for k, line in enumerate(lines) if k > first and end and end in line), len(lines))
    return "\n".join(lines[first:last])


def without_imports(text: str) -> str:
    """A module from its first function on."""
    return text[text.index("def "):].strip()


def stages(text: str) -> dict[str, str]:
    """What the page shows of each stage."""
    names = example(text)
    function, gradient = names["echo"], names["gradient"]
    value = primal(function)._cache.lookup(ARGUMENTS, {}).core
    program = gradient._cache.lookup(ARGUMENTS, {})
    loops = "\n".join(outline(program.lowered().functions[-1].body))
    return {"tree": since(simple_tree(function), "if w"), "core": core_text(value).strip(),
            "vjp": since(core_text(vjp(optimise(value), (True, False), (0,))), "if t").strip("\n"),
            "optimised": since(core_text(program.optimised), "if t", "else"),
            "loops": since(loops, "Loop"), "compiled": since(program.text("compiled"), "    for i", "return"),
            "readable": without_imports(program.text("readable"))}


def page(text: str) -> str:
    """The page with its blocks as they are today."""
    made = stages(text)
    return BLOCK.sub(lambda match: f"```py {match[1]}\n{made[match[1]]}\n```", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {PAGE}")
