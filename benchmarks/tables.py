"""What was measured, as tables: for the terminal and in markdown."""
import math

from benchmarks.harness import COLUMNS, JAX, OURS


def seconds(value):
    """Three digits and a unit: 0.812 us, 12.3 ms."""
    if value is None:
        return ""
    for unit, factor in (("us", 1e6), ("ms", 1e3), ("s", 1)):
        if value * factor < 999.5 or unit == "s":
            scaled = value * factor
            return f"{scaled:.{2 if scaled < 9.995 else 1 if scaled < 99.95 else 0}f} {unit}"


def ratio(value):
    return "" if value is None else f"{value:.3f}" if value < 0.0995 else f"{value:.2f}"


def cell(case, name, kind):
    """The time of a peer, or in a word why there is none."""
    if name in case["peers"]:
        return seconds(case["peers"][name].get(kind)) or ("wrong" if case["problems"] else "")
    if any(line.startswith(f"{name} failed") for line in case["problems"]):
        return "failed"
    why = case["missing"].get(name)
    return "" if why is None else "failed" if "failed" in why else "slow" if "slow" in why["absent"] else "absent"


def times(rows, kind):
    """(header, lines): the time of each peer that takes part anywhere."""
    taking_part = {name for row in rows for case in row["cases"] for name in (*case["peers"], *case["missing"])}
    names = [name for name in COLUMNS if name in taking_part]
    return ("#", "case", *names), [(str(row["row"]), case["case"], *(cell(case, name, kind) for name in names))
                                   for row in rows for case in row["cases"]]


def gradient_times(rows):
    """The same with the ratios beside it."""
    header, lines = times(rows, "gradient")
    cases = [case for row in rows for case in row["cases"]]
    return (*header, "r", "q", "vs hand"), [
        (*line, ratio(case["r"]), f"{ratio(case['q'])} ({case['best']})" if case["q"] else "", ratio(case["limit"]))
        for line, case in zip(lines, cases)]


def first_calls(rows):
    """The time of first calls, ours beside JAX's, and the geometric mean of rows that are about them."""
    header, lines = times(rows, "first_gradient")
    found = []
    for row in rows:
        ratios = [quotient(case["peers"], "first_gradient", OURS, JAX) for case in row["cases"]]
        found += [(*lines.pop(0), ratio(r)) for r in ratios]
        if row["target"].startswith("first call") and None not in ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            found.append((str(row["row"]), "geometric mean", *[""] * (len(header) - 2), ratio(mean)))
    return (*header, "vs JAX"), found


def quotient(peers, kind, a, b):
    """What one takes over what the other takes; None where one is not there."""
    x, y = (peers.get(name, {}).get(kind) for name in (a, b))
    return x / y if x and y else None


TABLES = (("Time of one gradient", gradient_times),
          ("Time of one value", lambda rows: times(rows, "value")),
          ("First call of the gradient: it compiles", first_calls))


def markdown(rows):
    """The whole results file. The first table is the one that the README shows."""
    parts = ["# Measured", *settings(rows), NOTES]
    for title, table in TABLES:
        header, lines = table(rows)
        parts.append(f"## {title}\n\n" + markdown_table(header, lines))
    parts.append("## Targets\n\n" + "\n".join(f"- {row['row']}. {row['title']}: {row['target']}" for row in rows))
    return "\n\n".join(parts) + "\n"


NOTES = ("r = gradient / value of ours, q = ours / the best peer; `by hand` is a gradient written and compiled by hand with\n"
         "numba, `C++` one written in C++ (`natural.cc`): the limit; vs JAX = ours / JAX. `readable` is our readable source run by\n"
         "plain Python, `ours by index` the same program with an index in place of what it walks over. Written by `python run.py bench`.")


def settings(rows):
    """On what each row was measured, a paragraph for each machine and set of versions."""
    where = {}
    for row in rows:
        where.setdefault(setting(row["machine"]), []).append(str(row["row"]))
    return [f"Rows {', '.join(numbers)}: {text}" for text, numbers in where.items()]


def setting(machine):
    packages = ", ".join(f"{name} {version}" for name, version in machine.items() if version and name != "processor")
    return f"one core and one thread of {machine['processor']}, float64, {packages}."


def markdown_table(header, lines):
    rule = ["---", "---"] + ["---:"] * (len(header) - 2)
    return "\n".join("| " + " | ".join(line) + " |" for line in (header, rule, *lines))


def plain_table(header, lines):
    widths = [max(len(line[k]) for line in (header, *lines)) for k in range(len(header))]
    def row(line):
        return "  ".join(text.ljust(width) if k < 2 else text.rjust(width)
                         for k, (text, width) in enumerate(zip(line, widths))).rstrip()
    return "\n".join([row(header), *map(row, lines)])


def show(rows):
    """Print the tables: by rich where it is installed, else as plain text."""
    for title, table in TABLES:
        header, lines = table(rows)
        try:
            show_rich(title, header, lines)
        except ImportError:
            print(f"\n{title}\n{plain_table(header, lines)}")


def show_rich(title, header, lines):
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table
    table = Table(title=title, title_justify="left")
    for k, name in enumerate(header):
        table.add_column(name, justify="left" if k < 2 else "right", no_wrap=True)
    for before, line in zip([None, *lines], lines):
        if before is not None and before[0] != line[0]:
            table.add_section()
        table.add_row(*map(escape, line))        # a case named x[mask] is no markup
    console = Console()
    Console(width=max(console.width, 190)).print(table)
