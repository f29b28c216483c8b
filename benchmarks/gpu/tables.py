"""What was measured on a GPU, in markdown."""
from benchmarks.gpu.peers import COLUMNS
from benchmarks.harness import OURS
from benchmarks.tables import cell, markdown_table, ratio


def fraction(case, figure, speed):
    """How much of a speed ours has reached; None where nothing says how much there was to do, or nothing was measured."""
    seconds = case["peers"].get(OURS, {}).get("gradient")
    return case[figure] / seconds / speed if seconds and case[figure] else None


def percent(value):
    return "" if value is None else f"{100 * value:.{0 if value >= 0.0995 else 1}f} %"


def aims(case, machine):
    """(what is aimed at, whether it is reached or None where that was not measured)"""
    copied = fraction(case, "bytes", machine["copy"])
    if case["at_most"] is not None:
        yield f"q <= {case['at_most']}", None if case["q"] is None else case["q"] <= case["at_most"]
    if case["of_copy"] is not None:
        yield f">= {percent(case['of_copy'])} of the copy", None if copied is None else copied >= case["of_copy"]


def line(row, case):
    machine = row["machine"]
    told = [f"{text}: {'not measured' if reached is None else 'reached' if reached else 'missed'}" for text, reached in aims(case, machine)]
    return (row["row"], case["case"], *(cell(case, name, "gradient") for name in COLUMNS),
            f"{ratio(case['q'])} ({case['best']})" if case["q"] else "", percent(fraction(case, "bytes", machine["copy"])),
            percent(fraction(case, "flops", machine["matmul"])), ", ".join(told))


def times(rows):
    header = ("#", "case", *COLUMNS, "q", "of the copy", "of the product", "aim")
    return markdown_table(header, [line(row, case) for row in rows for case in row["cases"]])


def first_calls(rows):
    return markdown_table(("#", "case", *COLUMNS), [
        (row["row"], case["case"], *(cell(case, name, "first_gradient") for name in COLUMNS)) for row in rows for case in row["cases"]])


NOTES = """Times of one call, arguments on the GPU, until its results are there: the median block of calls that alternate with the others'. All
results agree to 1e-8 (of those that draw their own random numbers, as far as chance allows), or the case is `wrong` and not timed.
q = ours / the best peer. *Of the copy*: the bytes that a case has to move at least, over our time and over the speed of a copy on the
GPU; *of the product*: the operations of its formulas, the same way, over those of a product of matrices of float64, which has units
for itself that nothing else can use. `absent`: not installed, or without a GPU. CuPy by hand is arrays, without kernels of its own.
Written by `python3 run.py bench --cuda`."""


def markdown(rows):
    parts = ["# Measured on a GPU", *settings(rows), NOTES, "## Time of one gradient\n\n" + times(rows),
             "## First call: it compiles\n\n" + first_calls(rows),
             "## Rows\n\n" + "\n".join(f"- {row['row']}: {row['title']}" for row in rows)]
    if wrong := problems(rows):
        parts.append("## Not as it should be\n\n" + "\n".join(f"- {text}" for text in wrong))
    return "\n\n".join(parts) + "\n"


def settings(rows):
    """On what each row was measured, a paragraph for each GPU and set of versions; speeds are those of the first of them."""
    where = {}
    for row in rows:
        m = row["machine"]
        key = (m["gpu"], m["driver"], m["python"], *m["packages"].items())
        where.setdefault(key, []).append(row)
    return [setting(found) for found in where.values()]


def setting(rows):
    m = rows[0]["machine"]
    packages = ", ".join(f"{name} {version}" for name, version in m["packages"].items())
    return (f"Rows {', '.join(row['row'] for row in rows)}: {m['gpu']}, driver of {m['driver']}, float64, python {m['python']}, {packages}; "
            f"a copy moves {m['copy'] / 1e12:.2f} TB/s, a product of matrices has {m['matmul'] / 1e12:.1f} TFLOP/s.")


def problems(rows):
    """What is wrong, as lines; that an aim is missed is no defect."""
    found = []
    for row in rows:
        found += [f"row {row['row']}: {text}" for text in row.get("problems", ())]
        for case in row["cases"]:
            where = f"row {row['row']}, {case['case']}"
            found += [f"{where}: {text}" for text in case["problems"]]
            found += [f"{where}: {name} could not be made: {why['failed']}" for name, why in case["missing"].items() if "failed" in why]
    return found
