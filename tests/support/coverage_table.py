"""docs/coverage.md: which construct is tested under which transformation, plain and compiled.

    python -m tests.support.coverage_table      writes it

The table is made of what parametrises the tests (`cases.COVERED`), so that it cannot say more than they do.
"""
import importlib
from pathlib import Path

from tests.corpus.programs import PROGRAMS
from tests.support import cases

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
TESTS = {"tests.transforms.test_stages": "S", "tests.derivatives.test_check_grads": "G"}
HEAD = """\
# What is tested

Each program of [tests/corpus/programs.py](../tests/corpus/programs.py) adds one construct to the language. \
A cell says which tests
run it under a transformation, plain and compiled by numba:

- **S** the stage harness: every stage gives what the function itself gives, a derivative what its first stage gives:
  values, kinds, dtypes, shapes, what is stored into arguments, exceptions \
([test_stages.py](../tests/transforms/test_stages.py));
- **G** `check_grads`: derivatives against finite differences \
([test_check_grads.py](../tests/derivatives/test_check_grads.py));
- in parentheses: on a third of the programs at each commit, on all with `python3 run.py test --all`.

No cell is empty. Programs that raise must raise the same under each transformation. This page is written by
`python -m tests.support.coverage_table`; a test fails where it is out of date.

"""


def covered() -> dict:
    for name in TESTS:
        importlib.import_module(name)
    return cases.COVERED


def cell(tests: dict) -> str:
    """`S G`, the rotating ones in parentheses; nothing where nothing covers it."""
    found = {}
    for test, rotates in tests.items():
        letter = TESTS[test.rpartition(".")[0]]
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
