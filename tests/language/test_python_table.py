"""Python's own table: every built-in function, operator, method and special method, every function of `math`,
with every kind of operand.

A row is a function; a cell of it is a small Python function, `def cell(x, y): return math.pow(x, y)`, with what stands
for x and y: a constant in the text, or an argument of some kind, which takes several values. The cells are written into
a module, run by Python, and transformed: each must equal Python in value, type, dtype, what it stores into its
arguments, and exception, or be refused with a GradscribeError. Rows come from walking `builtins`, `operator`, `math`,
`dir(list)` and the like, so that what Python adds appears by itself; what is left out says why (SKIPPED).

Compiled, the cells of a row that never raise are one function that returns them all; those that always raise are one
function that is told which to run; the others are compiled one by one. What is refused plain is refused compiled, and
not tried.

Cells, and compiled rows as well, rotate from commit to commit; GRADSCRIBE_TEST_ALL=1 runs all.
`python tests/language/test_python_table.py [row ...]` prints what fails and how much is refused.
"""
import random
import sys

import pytest

from tests.language.python_cells import Run, run_cells
from tests.language.python_rows import Cell
from tests.language.python_special_methods import ROWS, SPECIAL, SPECIAL_SKIPPED, special_names
from tests.support.cases import ALL, rotating

# ---- the tests -------------------------------------------------------------------------------------------------------


def chosen(name: str, most: int) -> list[Cell]:
    """A sample of the cells of a row, the same each time; all of them with --all."""
    cells = ROWS[name]()
    if ALL or len(cells) <= most:
        return cells
    parts = -(-len(cells) // most)
    return random.Random(name).sample(cells, len(cells))[::parts]


def test_every_special_method_has_a_row():
    missing = special_names() - set(SPECIAL) - set(SPECIAL_SKIPPED)
    assert not missing, "no row in SPECIAL, and no reason why not in SPECIAL_SKIPPED"


@pytest.mark.heavy(one_in=46)
@pytest.mark.parametrize("row", ROWS)
def test_plain(row):
    run = run_cells(chosen(row, 6), compiled=False)
    assert not run.wrong, run.report()


@pytest.mark.heavy(one_in=23)
@pytest.mark.parametrize("row", rotating(ROWS, 8))
def test_compiled(row):
    run = run_cells(chosen(row, 8), compiled=True)
    assert not run.wrong, run.report()


def main(names):
    compiled = "--compiled" in names
    most = int(next((n.split("=")[1] for n in names if n.startswith("--most=")), 40))
    names = [n for n in names if not n.startswith("--")]
    total = Run()
    for row in ROWS:
        if names and not any(n in row for n in names):
            continue
        run = run_cells(chosen(row, most), compiled)
        total.right, total.wrong, total.refused = (total.right + run.right, total.wrong + run.wrong,
                                                   total.refused + run.refused)
        if run.wrong or "--refused" in sys.argv:
            print(f"== {row}: {run.report(most=6)}", flush=True)
    print(f"\n{total.right} right, {len(total.wrong)} wrong, {len(total.refused)} refused")


if __name__ == "__main__":
    main(sys.argv[1:])
