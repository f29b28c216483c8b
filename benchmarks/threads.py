"""Row 29: what two and more cores gain. The same compiled function with threads ("auto") and in one, in turn in one process.

It needs a machine on which nothing else runs: with one core busy there is nothing to gain.
"""
import os
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.harness import difference
from benchmarks.row25_clusters import spread, spread_broadcast

WANTED, LEAST = 1.6, 0.97  # times as fast as in one thread: large ones, and all


def tanh(x):
    return np.tanh(x)


def chain(x, w, b):
    return np.sum(np.tanh(x * w + b) ** 2)


def bell(x):
    return np.sum(x * x * 0.5 + np.exp(-x * x) * np.sin(x))


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return np.sum((e / np.sum(e, axis=1, keepdims=True))[:, 0] ** 2)


def jacobi(u, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return np.sum(u * u)


def cases(quick):
    """(name, value, the function of which the gradient is taken, arguments)"""
    numbers = np.random.default_rng(0)
    large = 100_000 if quick else 2_000_000
    x, centres = numbers.standard_normal(large), numbers.random((100, 16))
    yield f"tanh of {large:,}", tanh, lambda x: np.sum(np.tanh(x)), (x,)
    for n in (10, 1_000, large):
        yield f"sum of tanh(x * w + b) ** 2, {n:,}", chain, chain, (x[:n], 0.7, 0.2)
    yield f"sums, exp and sin, {large:,}", bell, bell, (x,)
    yield "softmax of 2,000 x 200", softmax, softmax, (numbers.standard_normal((2_000, 200)),)
    for n in (64, 128, 256, 360, 512):
        yield f"Jacobi, {n} x {n}, 30 steps", jacobi, jacobi, (numbers.random((n, n)), 30)
    for n in (1_000, 10_000):
        points = numbers.random((n, 16))
        yield f"k-means by loops, {n:,} points", spread, spread, (centres, points)
        yield f"k-means by broadcasting, {n:,} points", spread_broadcast, spread_broadcast, (centres, points)


def seconds(functions, args, budget):
    """The least seconds of a call of each, in turn."""
    once = [perf_counter(), functions[0](*args), perf_counter()]
    calls = max(1, int(2e-4 / (once[2] - once[0])))
    least, end = [np.inf] * len(functions), perf_counter() + budget
    while perf_counter() < end:
        for k, f in enumerate(functions):
            start = perf_counter()
            for _ in range(calls):
                f(*args)
            least[k] = min(least[k], (perf_counter() - start) / calls)
    return least


def measured(quick):
    import gradscribe as gs
    for name, value, f, args in cases(quick):
        line = {"case": name}
        for kind, fun in ("value", value), ("gradient", gs.grad(f)):
            alone, shared = gs.jit(fun, parallel=False, tiered=False), gs.jit(fun, tiered=False)
            line[f"{kind} apart"] = difference(alone(*args), shared(*args))
            line[kind] = seconds([alone, shared], args, 0.1 if quick else 1.0)
        yield line


def main(quick):
    """Print the table, and save that of a full run; what is not as it should be, as lines."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    rows = ["| case | value in one thread | with threads | times as fast | gradient in one thread | with threads | times as fast |",
            "|" + " --- |" * 7]
    wrong = []
    for line in measured(quick):
        cells = [line["case"]]
        for kind in ("value", "gradient"):
            one, many = line[kind]
            cells += [f"{one * 1e6:,.1f} us", f"{many * 1e6:,.1f} us", f"{one / many:.2f}"]
            if line[f"{kind} apart"] > 1e-12:
                wrong.append(f"row 29, {line['case']}: the {kind} with threads is another")
            if one / many < LEAST and not quick:
                wrong.append(f"row 29, {line['case']}: the {kind} is slower with threads, {one / many:.2f}")
        rows.append("| " + " | ".join(cells) + " |")
        print(rows[-1], file=sys.stderr, flush=True)
    print("\n".join(rows))
    if not quick:
        (Path(__file__).parent / "results-threads.md").write_text(
            f"# What {cores} cores gain\n\nLeast times of calls in turn, written by `python run.py bench --rows 29`. At most {cores} "
            f"times as fast can be wanted, {WANTED} of two cores for large arrays.\n\n" + "\n".join(rows) + "\n")
    return wrong
