"""Random programs that run over lists and tuples of equal items, in the ways that people write such loops.

    python -m tests.corpus.list_programs [--seed S] [--count N]     compares rows of arrays with the items written out,
                                                                    and with differences
"""
from __future__ import annotations

import argparse
import copy
import linecache
import random
import re
import sys
from contextlib import contextmanager

import numpy as np

import gradscribe as gs  # noqa: E402
from gradscribe.transformer.programs import reuse
from gradscribe.transformer.pytree import rows  # noqa: E402
from gradscribe.transformer.specialise.evaluator.syntax import rolling  # noqa: E402

KINDS = {  # of items: (how one is made, the names that a loop takes it apart into, what these are)
    "matrix": (lambda r: r.normal(size=(3, 3)) / 2, "w", {"w": "M"}),
    "vector": (lambda r: r.normal(size=3), "v", {"v": "V"}),
    "number": (lambda r: float(r.normal()), "c", {"c": "N"}),
    "pair": (lambda r: (r.normal(size=(3, 3)) / 2, r.normal(size=3)), "(w, v)", {"w": "M", "v": "V"}),
    "dict": (lambda r: {"W": r.normal(size=(3, 3)) / 2, "c": float(r.normal())}, "p", {'p["W"]': "M", 'p["c"]': "N"}),
    "nested": (lambda r: [r.normal(size=3), {"c": float(r.normal())}], "p", {"p[0]": "V", 'p[1]["c"]': "N"}),
}
LITERAL = "(0.3, -0.7, 1.1, 0.2)", (None, "c", {"c": "N"})


class Program:
    """The text of a function of two lists or tuples and a vector; `names` are of the innermost loop:
    {text: M, V or N}."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.kinds = [self.rng.choice(list(KINDS)) for _ in range(2)]
        self.counts = [self.rng.choice((3, 4, 5, 12, 13, 20)) for _ in range(2)]
        self.containers = [self.rng.choice((list, list, tuple)) for _ in range(2)]
        if self.rng.random() < 0.6:
            self.counts[1] = self.counts[0]
        self.lines, self.depth = [], 1
        self.write("x = 1.0 * x")
        self.write("total = 0.0")
        self.write(f"log = np.zeros(({max(self.counts)}, 3))")
        for _ in range(self.rng.choice((1, 1, 2))):
            self.loop({}, inner=False)
        self.write("return total + np.sum(np.sin(x)) + 0.1 * np.sum(log ** 2)")
        self.text = "def f(first, second, x):\n" + "\n".join(self.lines) + "\n"

    def write(self, line):
        self.lines.append("    " * self.depth + line)

    def of(self, names, kind, otherwise):
        return self.rng.choice([n for n, k in names.items() if k == kind] or [otherwise])

    def number(self, names):
        return self.rng.choice([f"np.sum({self.of(names, 'V', 'x')})", self.of(names, "N", "0.5"),
                                f"np.sin({self.of(names, 'M', 'x')}[0]).sum()", "x[1]", "-0.7"])

    def vector(self, names):
        return self.rng.choice(
            [f"{self.of(names, 'M', 'np.eye(3)')} @ x", f"{self.of(names, 'V', 'x')} * {self.number(names)}",
             f"x - {self.of(names, 'V', 'x')}", f"{self.of(names, 'M', 'np.eye(3)')}.T @ x",
             f"np.maximum({self.of(names, 'V', 'x')}, 0.3)", f"np.outer({self.of(names, 'V', 'x')}, x)[1]"])

    def loop(self, names, inner: bool):
        k = self.rng.randrange(5) // 2
        lists, (_, target, own) = (("first", "second")[k], KINDS[self.kinds[k]]) if k < 2 else LITERAL
        index = "ij"[inner]
        if inner:  # with names of its own
            target, own = renamed(target), {renamed(text): kind for text, kind in own.items()}
        way = self.rng.choice(("plain", "plain", "plain", "enumerate", "reversed", "zip", "range", "slice"))
        head = {"plain": f"{target} in {lists}", "enumerate": f"{index}, {target} in enumerate({lists})",
                "reversed": f"{target} in reversed({lists})", "zip": f"{target}, {index} in zip({lists}, range(50))",
                "range": f"{index} in range(len({lists}))", "slice": f"{target} in {lists}[1:]"}[way]
        self.write(f"for {head}:")
        self.depth += 1
        if way == "range":
            self.write(f"{target} = {lists}[{index}]")
        known = {**names, **own}
        for _ in range(self.rng.choice((1, 2, 3))):
            self.statement(known, index if way in ("enumerate", "zip", "range") and not inner else None, inner)
        self.depth -= 1

    def statement(self, names, index, inner):
        choice = self.rng.choice(("step", "step", "step", "sum", "sum", "branch", "log", "leave", "copy",
                                  "loop", "carry"))
        match choice:
            case "step":
                self.write(f"x = np.tanh({self.vector(names)} + 0.3 * ({self.vector(names)}))")
            case "sum":
                self.write(f"total = total + 0.1 * {self.number(names)} * np.sum({self.vector(names)})")
            case "branch":
                self.write(f"if {self.number(names)} > {self.rng.choice(('0.0', 'total', '-0.4'))}:")
                self.depth += 1
                self.write(f"total += np.cos({self.number(names)})")
                self.depth -= 1
            case "log" if index:
                self.write(f"log[{index}] = {self.vector(names)}")
            case "leave" if not inner:
                self.write(f"if x[0] > {self.rng.choice(('0.9', '0.5'))}:")
                self.write(f"    {self.rng.choice(('continue', 'break'))}")
            case "copy":
                self.write(f"y = {self.of(names, 'V', 'x')}.copy()")
                self.write(f"y[1] *= {self.number(names)}")
                self.write("total = total + np.sum(np.sin(y))")
            case "loop" if not inner:
                self.loop(names, inner=True)
            case "carry":
                self.write(f"x = np.where(np.abs(x) > 2.0, 0.1 * x, x) + 0.05 * ({self.vector(names)})")
            case _:
                self.write("total = 0.9 * total")

    def arguments(self):
        r = np.random.default_rng(self.rng.getrandbits(32))
        return *[made([KINDS[kind][0](r) for _ in range(count)])
                 for made, kind, count in zip(self.containers, self.kinds, self.counts)], r.normal(size=3)

    def function(self, name: str):
        linecache.cache[name] = len(self.text), None, self.text.splitlines(True), name
        namespace = {"np": np, "gs": gs}
        exec(compile(self.text, name, "exec"), namespace)
        return namespace["f"]


class Lists(Program):
    """A function of two lists and a vector that gives lists, made in the ways of a step of training."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.kinds = [self.rng.choice(list(KINDS)) for _ in range(2)]
        self.counts = [self.rng.choice((2, 4, 12, 15)) for _ in range(2)]
        self.containers = [list, self.rng.choice((list, list, tuple))]
        self.lines, self.depth = [], 1
        self.write("x, total = 1.0 * x, 0.0")
        self.lists = {"first": self.kinds[0], "second": self.kinds[1]}  # and of which kind they are
        for k in range(self.rng.choice((1, 2, 3))):
            self.another(f"made{k}")
        for name, kind in self.lists.items():
            if self.rng.random() < 0.3:
                self.write(f"for {KINDS[kind][1]} in {name}:")
                self.write(f"    total = total + np.sum({self.of(KINDS[kind][2], 'V', 'x')}) "
                           f"* {self.of(KINDS[kind][2], 'N', '0.5')}")
        made = [name for name in self.lists if name.startswith("made")]
        form = self.rng.choice(("[{}]", "({}, total)", '{{"a": ({},), "b": x}}'))
        self.write(f"return {form.format(', '.join(made))}")
        self.text = "def f(first, second, x):\n" + "\n".join(self.lines) + "\n"

    def another(self, name: str):
        of = self.rng.choice(list(self.lists))
        kind = self.lists[of]
        _, target, own = KINDS[kind]
        numbers = {text: self.rng.choice((f"{text} * 0.5", f"{text} - 0.1 * np.sin({text})", f"{text} * np.sum(x)"))
                   for text in own}
        if kind in ("number", "dict", "nested"):  # a number of Python's stays one
            numbers = {text: f"float({new})" if own[text] == "N" else new for text, new in numbers.items()}
        new = {"pair": "({w}, {v})", "dict": '{{"W": {p["W"]}, "c": {p["c"]}}}',
               "nested": '[{p[0]}, {{"c": {p[1]["c"]}}}]'}.get(kind, "{%s}" % target)
        for text, number in numbers.items():
            new = new.replace("{%s}" % text, number)
        new = new.replace("{{", "{").replace("}}", "}")
        way = self.rng.choice(("comprehension", "append", "map", "map of two", "enumerate", "extend", "again"))
        match way:
            case "comprehension":
                self.write(f"{name} = [{new} for {target} in {of}]")
            case "append" | "extend":
                self.write(f"{name} = []")
                self.write(f"for {target} in {of}:")
                self.write(f"    x = np.tanh(x * 0.5 + {self.of(own, 'V', 'x')})")
                self.write(f"    {name}.append({new})" if way == "append" else f"    {name} += [{new}]")
            case "enumerate":
                self.write(f"{name} = [{new} for k, {target} in enumerate({of})]")
            case "again":  # twice the same list
                self.write(f"{name} = {of}")
                self.write(f"{name} = [{new} for {target} in {name}]")
            case _:
                other = (self.rng.choice([n for n, k in self.lists.items() if k == kind]) if way == "map of two"
                         else None)
                body = self.rng.choice(("p * 0.5", "p - 0.1 * np.sum(x) * p")) + (" + q * 0.1" if other else "")
                self.write(f"{name} = gs.tree.map(lambda p{', q' if other else ''}: {body}, "
                           f"{of}{f', {other}' if other else ''})")
        self.lists[name] = kind

    def wrong(self, name: str) -> list[str]:
        """What the program gives by itself, and by rows, and written out: what differs."""
        f, args = self.function(name), self.arguments()
        want, found = outcome(lambda f: f, f, args), {"jit": outcome(gs.jit, f, args)}
        with where(rolling, LONG=0):
            found["all in rows"] = outcome(gs.jit, f, args)
        return [f"{way}: {x if isinstance(x, str) else 'other numbers'}"
                for way, x in found.items() if not same(x, want)]


def renamed(text: str) -> str:
    return re.sub(r"(?<![\w\"])[wvcp](?![\w\"])", r"\g<0>2", text)


@contextmanager
def where(module, **settings):
    """Another value of a module's names."""
    before = {name: getattr(module, name) for name in settings}
    vars(module).update(settings)
    try:
        yield
    finally:
        vars(module).update(before)


def gradient(f):
    return gs.value_and_grad(f, argnums=(0, 1, 2))


def compiled(f):
    return gs.jit(gradient(f))


def outcome(way, f, args):
    """What a function gives that is transformed in some way, and what has become of its arguments;
    the exception, where one is raised."""
    args = copy.deepcopy(args)
    reuse.entries.clear()
    try:
        return way(f)(*args), args
    except Exception as error:
        return repr(error).partition("<")[0][:40]  # some show their arguments


def same(a, b) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a == b
    one, other = gs.tree.leaves(a), gs.tree.leaves(b)
    return (gs.tree.structure(a) == gs.tree.structure(b) and list(map(type, one)) == list(map(type, other))
            and all([np.allclose(x, y, rtol=1e-8, atol=1e-10) for x, y in zip(one, other)]))


def moved(x, by, step):
    if isinstance(x, dict):
        return {k: moved(x[k], by[k], step) for k in x}
    return type(x)([moved(a, b, step) for a, b in zip(x, by)]) if isinstance(x, (list, tuple)) else x + step * by


def slope_of(f, args, by, step=1e-6) -> float:
    return (f(*moved(args, by, step)) - f(*moved(args, by, -step))) / (2 * step)


def wrong(seed: int) -> str | None:
    """What is wrong of one program; None: nothing."""
    if seed % 3 == 2:
        program = Lists(seed)
        texts = program.wrong(f"<list program {seed}>")
        return "\n".join([*texts, program.text]) if texts else None
    program = Program(seed)
    f, args = program.function(f"<list program {seed}>"), program.arguments()
    found = {"rows": outcome(gradient, f, args), "rows, compiled": outcome(compiled, f, args)}
    with where(rolling, LONG=0):
        found |= {"all in rows": outcome(gradient, f, args), "all in rows, compiled": outcome(compiled, f, args)}
    with where(rows, MANY=10**9), where(rolling, LONG=np.inf):
        written_out = outcome(gradient, f, args)
    texts = [f"{way}: {x if isinstance(x, str) else 'other numbers'}"
             for way, x in found.items() if not same(x, written_out)]
    if not texts and not isinstance(found["rows"], str):
        (value, slopes), _ = found["rows"]
        r = np.random.default_rng(seed)
        by = gs.tree.map(lambda x: r.normal(size=np.shape(x)) if np.ndim(x) else float(r.normal()), args)
        ours = sum(float(np.sum(np.asarray(a) * b)) for a, b in zip(gs.tree.leaves(slopes), gs.tree.leaves(by)))
        steps = [slope_of(f, args, by, step) for step in (1e-6, 2e-7)]
        if abs(value - f(*args)) > 1e-9 * (1 + abs(value)):
            texts = [f"the value is {value}, not {f(*args)}"]
        elif abs(steps[0] - steps[1]) < 1e-5 * (1 + abs(ours)) < abs(ours - steps[0]):  # else it steps over a branch
            texts = [f"the slope is {ours}, by differences {steps}"]
    return "\n".join([*texts, program.text]) if texts else None


def main(argv=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args(argv)
    failed = 0
    for seed in range(given.seed, given.seed + given.count):
        if (text := wrong(seed)) is not None:
            failed += 1
            print(f"seed {seed}: {text}", flush=True)
    print(f"{given.count} programs, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
