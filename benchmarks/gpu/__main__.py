"""`python -m benchmarks.gpu [--rows 3,n-body] [--quick]`: measure on a GPU, check, and write benchmarks/results-cuda.md.

Each row has a process of its own: a GPU that has failed stays so for its process, and memory that one row keeps is not the next one's.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.gpu import peers, tables
from benchmarks.gpu.rows import FULL, QUICK, ROWS
from benchmarks.harness import measure_case

HERE = Path(__file__).parents[1]
LIMIT = 900                                      # seconds for a row
UNKNOWN = {"gpu": "unknown", "driver": "unknown", "python": "", "packages": {}, "copy": float("nan"), "matmul": float("nan")}
VARIABLES = {"JAX_ENABLE_X64": "1", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}       # JAX would take three quarters of the memory


def arguments(argv):
    parser = argparse.ArgumentParser(prog="run.py bench --cuda", description="Measure gradients on a GPU against peers.")
    parser.add_argument("--rows", default="", help=f"names with commas, of {', '.join(ROWS)}; all when left out")
    parser.add_argument("--quick", action="store_true", help="small cases and few calls; saves nothing")
    parser.add_argument("--into", type=Path, help=argparse.SUPPRESS)             # a row's own process: its one row, into this file
    options = parser.parse_args(argv)
    options.rows = [name for name in options.rows.split(",") if name] or list(ROWS)
    if unknown := set(options.rows) - set(ROWS):
        parser.error(f"no rows {sorted(unknown)}; there are {', '.join(ROWS)}")
    return options


def main(argv):
    options = arguments(argv)
    os.environ.update(VARIABLES)
    if (problem := why_not()) is not None:
        print(f"benchmarks.gpu: {problem}", file=sys.stderr)
        return 1
    if options.into is not None:
        from benchmarks.gpu.machine import described
        measure(ROWS[options.rows[0]], options.quick, described(options.quick), options.into)
        return 0
    rows = []
    for name in options.rows:
        print(f"row {name}", file=sys.stderr, flush=True)
        rows.append(apart(name, options.quick))
        if not options.quick:
            save([rows[-1]], HERE)
    print(tables.markdown(rows))
    return 1 if tables.problems(rows) else 0


def why_not():
    from gradscribe.runtime.cuda import backend
    return backend.missing()


def apart(name, quick, command=(sys.executable, "-m", "benchmarks.gpu"), limit=LIMIT):
    """A row, measured in a process of its own; of one that dies or has no end, the cases that it had done."""
    with tempfile.TemporaryDirectory() as folder:
        into = Path(folder, "row.json")
        try:
            status = subprocess.run([*command, "--rows", name, "--into", str(into), *["--quick"] * quick], timeout=limit).returncode
            problem = f"its process died with exit code {status}" if status else None
        except subprocess.TimeoutExpired:
            problem = f"not done after {limit} s"
        row = json.loads(into.read_text()) if into.exists() else {"row": name, "title": ROWS[name].title, "machine": UNKNOWN, "cases": []}
    return row | {"problems": [problem] if problem else []}


def measure(row, quick, machine, into):
    """All cases of a row, as plain data, which is written after each."""
    found = {"row": row.name, "title": row.title, "machine": machine, "cases": []}
    for case in row.cases(QUICK if quick else FULL):
        print(f"  {case.name}", file=sys.stderr, flush=True)
        entry = measure_case(case, case.peers, budget=0.1 if quick else 1.0)
        entry |= {"bytes": case.bytes, "flops": case.flops, "at_most": case.q, "of_copy": case.of_copy}
        found["cases"].append(entry)
        into.write_text(json.dumps(found))
        peers.release()


def save(rows, folder):
    """Rows that were not measured this time keep what was measured before."""
    store = folder / "results-cuda.json"
    before = json.loads(store.read_text())["rows"] if store.exists() else []
    merged = {row["row"]: row for row in [*before, *rows]}
    rows = [merged[name] for name in ROWS if name in merged]
    store.write_text(json.dumps({"rows": rows}, indent=1) + "\n")
    (folder / "results-cuda.md").write_text(tables.markdown(rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
