"""`python -m benchmarks [--rows 3,4] [--quick]`: measure, check, print; save what a full run measured."""
import argparse
import importlib
import json
import os
import sys
import tempfile
from pathlib import Path

from benchmarks import tables

HERE = Path(__file__).parent
READY = "GRADSCRIBE_BENCHMARK_PROCESS"
CURVES = 22                                      # the row of how a transformation grows with the program: it has no peers
THREADS = 29                                     # the row of what more than one core gains
DEVICES = 21                                     # the row of several devices: it needs two cores, and has no gradients of peers


def row_modules():
    """{3: "row03_tanh", ...}"""
    return {int(path.stem[3:5]): path.stem for path in sorted(HERE.glob("row[0-9][0-9]_*.py"))}


def arguments(argv):
    parser = argparse.ArgumentParser(prog="run.py bench", description="Measure gradients against peers.")
    parser.add_argument("--rows", default="", help="numbers with commas, such as 3,4; all when left out")
    parser.add_argument("--quick", action="store_true", help="small cases and few calls; saves nothing")
    options = parser.parse_args(argv)
    known = sorted([*row_modules(), DEVICES, CURVES, THREADS])
    options.rows = [int(number) for number in options.rows.split(",") if number] or known
    if unknown := set(options.rows) - set(known):
        parser.error(f"no rows {sorted(unknown)}; there are {known}")
    return options


def main(argv):
    options = arguments(argv)
    from benchmarks import harness
    if READY not in os.environ:                  # BLAS and XLA read these when they are loaded: start again with them
        os.execve(sys.executable, [sys.executable, "-m", "benchmarks", *argv],
                  harness.environment(os.environ) | {READY: "1"})
    wrong = []
    if DEVICES in options.rows:                  # before this process and its children have one core only
        from benchmarks.devices import run
        wrong = [f"row {DEVICES}: {line}" for line in run.main(options.quick)]
    if THREADS in options.rows:
        from benchmarks import threads
        wrong += threads.main(options.quick)
    if CURVES in options.rows:
        from benchmarks import curves
        wrong += curves.main(options.quick)
    if numbers := [number for number in options.rows if number not in (DEVICES, CURVES, THREADS)]:
        wrong += measure_on_one_core(numbers, options.quick)
    print("\n".join(["", "Not as it should be:", *wrong] if wrong else ["", "All results agree to 1e-8."]))
    return 1 if wrong else 0


def measure_on_one_core(numbers, quick):
    """Print and save rows of gradients; the lines of what is not as it should be."""
    from benchmarks import harness
    harness.pin_one_core()
    modules = row_modules()
    with tempfile.TemporaryDirectory() as empty:  # what an earlier run has compiled would make first calls short
        os.environ["GRADSCRIBE_CACHE_DIR"] = empty
        rows = [harness.measure_row(importlib.import_module(f"benchmarks.{modules[number]}").ROW, quick,
                                    lambda line: print(line, file=sys.stderr, flush=True)) for number in numbers]
    tables.show(rows)
    if not quick:
        save(rows, HERE)
    return [line for row in rows for line in harness.failures(row)]


def save(rows, folder):
    """Rows that were not measured this time keep what was measured before."""
    store = folder / "results.json"
    before = json.loads(store.read_text())["rows"] if store.exists() else []
    merged = {row["row"]: row for row in [*before, *rows]}
    rows = [merged[number] for number in sorted(merged)]
    store.write_text(json.dumps({"rows": rows}, indent=1) + "\n")
    (folder / "results.md").write_text(tables.markdown(rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
