"""Row 22: how the time of a transformation grows with the program: curves, each with its exponent.

Time is that of the process.  Calls of functions are counted as well, which no other process disturbs: the same at each
run.  Compiling by numba is not part of it, but for the first calls below.
"""
from __future__ import annotations

import cProfile
import gc
import hashlib
import os
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

import numpy as np

MOST = 1.2                                       # the exponent: n log n from 100 to 1600 has 1.2


@dataclass(frozen=True)
class Curve:
    """A program that is n times as long, or deep."""
    text: Callable[[int], list[str]]             # n -> lines of its source
    args: Callable[[int], tuple]
    sizes: tuple[int, ...] = (40, 80, 160, 320)
    ways: tuple[str, ...] = ("grad", "jvp", "vmap", "jit")


CURVES: dict[str, Curve] = {}


def curve(args=lambda n: (1.5,), sizes=Curve.sizes, ways=Curve.ways):
    def enter(text):
        CURVES[text.__name__.replace("_", " ")] = Curve(text, args, sizes, ways)
        return text
    return enter


def indented(depth, line):
    return "    " * (depth + 1) + line


@curve(args=lambda n: (1.5, 2), sizes=(2, 4, 8, 16))
def nested_loops(n):
    return ["def f(x, m):", "    s = x",
            *[indented(k, line) for k in range(n) for line in (f"for i{k} in range(m):",)],
            indented(n, "s = s + s * x"), "    return s"]


@curve(args=lambda n: (np.ones(3), 2), sizes=(2, 4, 8, 16))
def nested_loops_with_stores(n):
    return ["def f(x, m):", "    s = np.zeros(3)",
            *[indented(k, f"for i{k} in range(m):") for k in range(n)],
            indented(n, "s[1] = s[1] * x[0] + x[2]"), "    return np.sum(s)"]


@curve(sizes=(2, 4, 8, 16), ways=("jvp", "vmap"))  # backwards each has a tape of the tapes within
def nested_whiles(n):
    return ["def f(x):", "    s = x", *[indented(k, f"while s < {k + 2}.0:") for k in range(n)],
            indented(n, "s = s + x * x"), "    return s"]


@curve()
def lines(n):
    return ["def f(x):", "    y0 = x", *[f"    y{k + 1} = np.sin(y{k}) * x" for k in range(n)], f"    return y{n}"]


@curve(args=lambda n: (np.ones(6), np.ones(3)), sizes=(4, 8, 16, 32), ways=("grad",))
def lengths_of_lengths(n):
    return ["def f(x, w):", *['    x = np.convolve(x, w, "same")'] * n, "    return np.sum(x)"]


@curve()
def lines_of_one_name(n):
    return ["def f(x):", "    y = x", *["    y = np.sin(y) * x + y"] * n, "    return y"]


@curve(args=lambda n: (np.ones(4),))
def stores(n):
    return ["def f(x):", "    y = x * 2.0",
            *[f"    y[{k % 4}] = y[{(k + 1) % 4}] * x[{k % 4}]" for k in range(n)], "    return np.sum(y)"]


@curve(sizes=(20, 40, 80, 160), ways=("grad", "jvp", "jit"))
def branches(n):
    return ["def f(x):", "    y = x * 2.0",
            *[line for k in range(n) for line in (f"    if y > {k}.0:", "        y = y * np.sin(x)", "    else:",
                                                  "        y = y - x")], "    return y"]


@curve(sizes=(20, 40, 80, 160), ways=("grad", "jvp", "jit"))
def branches_after_lines(n):
    return ["def f(x):", "    y = x", *[f"    y{k} = np.sin(x * {k}.5)" for k in range(n)],
            *[line for k in range(n) for line in (f"    if x > {k}.5:", f"        y = y * y{k}")], "    return y"]


@curve(args=lambda n: (np.ones(3), 0.5), sizes=(20, 40, 80, 160), ways=("jvp", "jit"))
def branches_among_arrays(n):
    return ["def f(x, y):", *[f"    a{k} = x * {k}.5" for k in range(4 * n)], "    s = y",
            *[line for k in range(n) for line in (f"    if y > {k}.5:", f"        s = s + a{k}[0]")], "    return s"]


@curve(sizes=(4, 8, 16))
def nested_branches(n):
    return ["def f(x):", "    y = x * 2.0",
            *[indented(k + j, line) for k in range(n) for j, line in enumerate((f"if x > {k}.0:", "y = y * np.sin(x)"))],
            "    return y"]


@curve(sizes=(10, 20, 40, 80))
def cases_of_an_elif(n):
    cases = [(f"    {'el' * (k > 0)}if x < {k}.5:", f"        y = np.sin(x) * {k}.5") for k in range(n)]
    return ["def f(x):", *[line for case in cases for line in case], "    else:", "        y = x", "    return y * x"]


@curve(args=lambda n: (1.5, 2), sizes=(20, 40, 80, 160))
def loops(n):
    return ["def f(x, m):", "    y = x * 2.0", *["    for i in range(m):", "        y = y * np.sin(x)"] * n,
            "    return y"]


@curve(ways=("grad", "jvp", "vmap"))
def calls_of_a_helper(n):
    return ["def g(a, x):", "    b = np.sin(a)", "    return b * x", "", "def f(x):", "    y = x * 2.0",
            *["    y = g(y, x)"] * n, "    return y"]


@curve(args=lambda n: (np.ones(3), 0.5), sizes=(8, 16, 32, 64))
def calls_in_branches(n):
    return ["def g(x, a, b):", "    u = np.tanh(a * x + b)", "    v = np.exp(-u * u) * x", "    w = v * np.cos(u) + 0.5",
            "    y = x + 0.1 * u * w * np.sin(v)", "    return y / np.sqrt(1.0 + y * y)", "", "def f(x, a):", "    y = x * 2.0",
            *[line for k in range(n) for line in (f"    if y[{k % 3}] > 0.{k}:", f"        y = g(y, {k}.5, a)", "    else:",
                                                  f"        y = g(x, a, {k}.25)")], "    return np.sum(y)"]


@curve(args=lambda n: ({f"k{i}": float(i) for i in range(n)},))
def leaves_of_a_dict(n):
    return ["def f(p):", "    s = 0.0", "    for k in p:", "        s = s + p[k] * p[k]", "    return s"]


@curve(args=lambda n: ([float(i) for i in range(n)],))
def items_of_a_list(n):
    return ["def f(p):", "    s = 0.0", "    for v in p:", "        s = s + v * v", "    return s"]


@curve(args=lambda n: ([float(i) for i in range(n)],), sizes=(20, 40, 80, 160), ways=("grad", "jvp", "jit"))
def branches_for_items(n):
    return ["def f(p):", "    s = 0.0", "    for v in p:", "        if v > 2.0:", "            s = s + v * v",
            "    return s"]


# ---- what is done with them

def grad(f, args):
    from gradscribe.transformer.api import Vjp
    Vjp(f, has_aux=False).source(args, 1.0)


def jvp(f, args):
    import gradscribe as gs
    from gradscribe.transformer.api import Jvp
    Jvp(f).source(args, gs.tree.map(lambda x: x, args))


def vmap(f, args):
    import gradscribe as gs
    axes = tuple([None if isinstance(a, int) else 0 for a in args])
    several = [a if axis is None else gs.tree.map(lambda x: np.stack([x] * 3), a) for a, axis in zip(args, axes)]
    gs.vmap(f, in_axes=axes).source(*several)


def jit(f, args):
    """The derivative's loops, before numba reads them."""
    import gradscribe as gs
    gs.jit(gs.grad(f)).source(*args, stage="compiled")


WAYS = {way.__name__: way for way in (grad, jvp, vmap, jit)}


def program(name, n):
    """(the function, its arguments); its text stands in a file, as users' does"""
    text = "\n".join(["import numpy as np", "", *CURVES[name].text(n), ""])
    file = Path(tempfile.gettempdir()) / f"gradscribe_curve_{hashlib.sha256(text.encode()).hexdigest()[:16]}.py"
    file.write_text(text)
    names = {}
    exec(compile(text, str(file), "exec"), names)
    return names["f"], CURVES[name].args(n)


def seconds(name, way, n):
    """Of the process."""
    f, args = program(name, n)
    gc.collect()
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        WAYS[way](f, args)
    return time.process_time() - start


def counted(name, way, n):
    """{function: how often it is called}, those of Python's own included."""
    f, args = program(name, n)
    profile = cProfile.Profile()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        profile.runcall(WAYS[way], f, args)
    found = {}
    for entry in profile.getstats():
        code = entry.code
        key = code if isinstance(code, str) else f"{code.co_filename}:{code.co_firstlineno} {code.co_name}"
        found[key] = found.get(key, 0) + entry.callcount
    return found


def exponent(sizes, figures):
    """e of figures that grow as size ** e: the slope of a line through their logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(figures), 1)[0])


# ---- the row

def measured(quick, report=lambda line: None):
    """A line for each curve and way: its sizes, calls and seconds, and the exponents of both."""
    for name, each in CURVES.items():
        sizes = each.sizes[:3] if quick else each.sizes
        for way in each.ways:
            report(f"row 22, {name}, {way}")
            seconds(name, way, sizes[0])         # what is made once in a process
            calls = [sum(counted(name, way, n).values()) for n in sizes]
            times = [min(seconds(name, way, n) for _ in range(1 if quick else 3)) for n in sizes]
            yield {"curve": name, "way": way, "sizes": list(sizes), "calls": calls, "seconds": times,
                   "exponent of calls": exponent(sizes, calls), "exponent of seconds": exponent(sizes, times)}


FIRST = {"lines": (40, 80, 160, 320), "loops": (10, 20, 40, 80), "stores": (40, 80, 160, 320),
         "calls of a helper": (8, 16, 32, 64), "calls in branches": (8, 16, 32, 64)}


def first_calls(report):
    """Of compiled gradients, numba and LLVM included: a line for each program, with the seconds of its sizes."""
    with tempfile.TemporaryDirectory() as empty:
        os.environ["GRADSCRIBE_CACHE_DIR"] = empty
        compiled("lines", 20)                    # what is compiled once in a process
        for name, sizes in FIRST.items():
            report(f"row 22, {name}, first call")
            times = [compiled(name, n) for n in sizes]
            figures = " | ".join(f"{t:.2f}" for t in times)
            yield f"| {name} | {sizes[0]} to {sizes[-1]} | {figures} | {exponent(sizes, times):.2f} |"


def compiled(name, n):
    """The seconds of a first call."""
    import gradscribe as gs
    f, args = program(name, n)
    gc.collect()
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gs.jit(gs.grad(f))(*args)
    return time.process_time() - start


def table(lines):
    rows = ["| curve | way | sizes | calls at the largest | exponent | seconds | exponent |", "|" + " --- |" * 7]
    rows += [f"| {line['curve']} | {line['way']} | {line['sizes'][0]} to {line['sizes'][-1]} | {line['calls'][-1]:,} "
             f"| {line['exponent of calls']:.2f} | {line['seconds'][-1]:.2f} | {line['exponent of seconds']:.2f} |"
             for line in lines]
    return "\n".join(rows)


def main(quick):
    """Print the curves, and save those of a full run; what grows too fast, as lines."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10_000))
    def say(line):
        print(line, file=sys.stderr, flush=True)

    lines = list(measured(quick, say))
    print(table(lines))
    wrong = [f"row 22, {line['curve']}, {line['way']}: calls grow with the exponent {line['exponent of calls']:.2f}"
             for line in lines if line["exponent of calls"] > MOST]
    if not quick:
        from benchmarks import expansion
        first = "\n".join(["| curve | sizes | seconds | | | | exponent |", "|" + " --- |" * 7, *first_calls(say)])
        of_lines, beyond = expansion.measured()
        (Path(__file__).parent / "results-curves.md").write_text(
            "# How the time of a transformation grows\n\nThe exponents of how often functions are called, which is the same "
            "at each run, and of the process's time.\n\n" + table(lines) + "\n\nFirst calls of compiled gradients, of which LLVM "
            "takes the most:\n\n" + first + "\n\n# What a line becomes\n\n"
            "The programs of examples/science, as compiled gradients: loops for a line of the user's, and instructions that "
            "LLVM reads for a line of ours.\n\n" + of_lines + "\n")
        wrong += [f"row 22, {line}" for line in beyond]
    return wrong
