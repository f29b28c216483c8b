"""docs/coverage.md: which construct is tested under which transformation, plain and compiled.

    python tests/coverage_table.py      writes it

The table is made of what parametrises the tests (`cases.COVERED`), so that it cannot say more than they do.
"""
import importlib
from pathlib import Path

import cases
from programs import PROGRAMS

PAGE = Path(__file__).parents[1] / "docs" / "coverage.md"
TESTS = {"test_stages": "S", "test_check_grads": "G"}
HEAD = """\
# What is tested

Each program of [tests/programs.py](../tests/programs.py) adds one construct to the language. A cell says which tests
run it under a transformation, plain and compiled by numba:

- **S** the stage harness: every stage gives what the function itself gives, a derivative what its first stage gives:
  values, kinds, dtypes, shapes, what is stored into arguments, exceptions ([test_stages.py](../tests/test_stages.py));
- **G** `check_grads`: derivatives against finite differences ([test_check_grads.py](../tests/test_check_grads.py));
- in parentheses: on a third of the programs at each commit, on all with `python3 run.py test --all`.

No cell is empty. Programs that raise must raise the same under each transformation. This page is written by
`python tests/coverage_table.py`; a test fails where it is out of date.

"""


def covered() -> dict:
    for name in TESTS:
        importlib.import_module(name)
    return cases.COVERED


def cell(tests: dict) -> str:
    """`S G`, the rotating ones in parentheses; nothing where nothing covers it."""
    found = {}
    for test, rotates in tests.items():
        letter = TESTS[test.split(".")[-2]]
        found[letter] = found.get(letter, True) and rotates
    return " ".join(f"({k})" if found[k] else k for k in sorted(found, reverse=True))


def rows() -> list[tuple[str, list[str]]]:
    """(construct, its cells) of each program."""
    table = covered()
    columns = [(t, w) for t in cases.TRANSFORMS for w in cases.WAYS]
    return [(p.construct, [cell(table.get((p.construct, t, w), {})) for t, w in columns]) for p in PROGRAMS]


def page() -> str:
    titles = ["construct", *(f"{t}, {w}" for t in cases.TRANSFORMS for w in cases.WAYS)]
    lines = [titles, ["---"] * len(titles), *([c.replace("|", "\\|"), *cells] for c, cells in rows())]
    return HEAD + "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
