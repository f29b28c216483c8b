"""What tests cost: seconds of the dearest case of each that takes more than half a second, in tests/data/costs.json.

    GRADSCRIBE_TEST_COSTS=/tmp/costs python3 run.py test        # and --more: notes what each case takes
    python -m tests.support.costs /tmp/costs                    # puts what is noted there into the table

What takes more than `LONG` seconds is not among what a newcomer waits for, but for `WORTH_IT`; of the rest what takes
long is begun first, so that no process is left alone with it in the end.
"""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path

TABLE = Path(__file__).parents[1] / "data" / "costs.json"
NOTED, LONG = 0.5, 2.0
WORTH_IT = {  # test -> why a newcomer waits for it
    "tests/project/test_same_text.py::test_the_corpus": "nothing else holds that text is the same in each process",
    "tests/project/test_typing.py::test_a_typed_program_passes_mypy_and_runs": "mypy takes its time",
    "tests/devices/test_jobs.py::test_arrays_that_are_laid_over_devices": "processes of MPI have to start"}


def recorded() -> dict[str, float]:
    return json.loads(TABLE.read_text()) if TABLE.exists() else {}


def note(report) -> None:
    """A line for what a case has taken, where the environment asks for it."""
    if (place := os.environ.get("GRADSCRIBE_TEST_COSTS")) and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(place, "a") as file:
            print(f"{report.duration:.3f} {report.nodeid}", file=file)


def merged(lines: list[str], before: dict[str, float]) -> dict[str, float]:
    """The table with what has been noted; of a test that was noted anew what it took then."""
    cases: dict[str, float] = {}
    for line in lines:
        seconds, nodeid = line.split(" ", 1)
        cases[nodeid] = cases.get(nodeid, 0.0) + float(seconds)
    found: dict[str, float] = {}
    for nodeid, seconds in cases.items():
        name = nodeid.partition("[")[0]
        found[name] = max(found.get(name, 0.0), seconds)
    kept = before | found
    return {name: round(kept[name], 1) for name in sorted(kept) if kept[name] > NOTED}


if __name__ == "__main__":
    TABLE.write_text(json.dumps(merged(Path(sys.argv[1]).read_text().splitlines(), recorded()), indent=0) + "\n")
