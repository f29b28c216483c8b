"""Random programs of small arrays that loops rebind, swap, alias and store into, for `vmap`:
on a GPU each example is a thread, its arrays numbers.

    NUMBA_ENABLE_CUDASIM=1 python -m tests.gpu.small_states SEED COUNT
"""

import importlib.util
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

import gradscribe as gs
from gradscribe.runtime.cuda import backend

SCALARS, PAIRS, MATRICES = ["s", "t"], ["u", "v", "w"], ["m", "k"]
ROUNDS, EXAMPLES = 3, 3


class Program:
    """The text of `one(a, x, n)`: a number, four numbers, and how many rounds loops have."""

    def __init__(self, seed: int):
        self.rng, self.lines, self.loops, self.fresh = random.Random(seed), [], [], 0
        self.emit(0, "def bump(p, q):")
        self.emit(1, "p[0] += 0.3 * q")
        self.emit(1, "return p")
        self.emit(0, "")
        self.emit(0, "def one(a, x, n):")
        self.emit(1, "s, t = a * 0.5, x[0]")
        self.emit(1, self.pick(["u = np.array([a, x[1]])", "u = x[:2].copy()", "u = np.zeros(2)", "u = x[1:3] * 1.0"]))
        self.emit(1, "v = np.array([x[2], 0.25])")
        self.emit(1, self.pick(["w = u", "w = v + 0.5", "w = np.ones(2)"]))
        self.emit(1, self.pick(["m = np.eye(2)", "m = np.array([[a, 0.1], [x[3], 0.2]])", "m = np.outer(u, v)"]))
        self.emit(1, self.pick(["k = m", "k = m.copy()", "k = m.T", "k = np.zeros((2, 2))"]))
        self.block(1, self.rng.randint(0, 2))
        self.loop(1)
        self.block(1, self.rng.randint(0, 2))
        if self.rng.random() < 0.5:
            self.loop(1)
        self.emit(1, "return np.array([s, t]), np.sin(u) + v, w * 0.5, m + k")

    def emit(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def pick(self, choices):
        return self.rng.choice(choices)

    # expressions ---------------------------------------------------------------------------------------
    def place(self) -> str:
        """An index of two."""
        known = ["0", "1", "-1", "-2"]
        return self.pick(known + [f"{i} % 2" for i in self.loops] + [f"1 - {i} % 2" for i in self.loops[-1:]])

    def element(self) -> str:
        if self.rng.random() < 0.7:
            return f"{self.pick(PAIRS)}[{self.place()}]"
        return f"{self.pick(MATRICES)}[{self.place()}, {self.place()}]"

    def number(self) -> str:
        x = self.pick([self.element, lambda: self.pick(SCALARS),
                       lambda: f"x[{self.pick(['0', '1', '-1', *[f'{i} % 4' for i in self.loops]])}]"])
        return self.pick([f"0.4 * {x()}", f"np.tanh({x()} + {x()})", f"0.3 * np.sin({x()}) * {x()}", f"{x()} / 3.0"])

    def pair(self) -> str:
        p, q, m = self.pick(PAIRS), self.pick(PAIRS), self.pick(MATRICES)
        return self.pick([f"0.5 * {p} - 0.2 * {q}", f"np.array([{self.number()}, {self.number()}])",
                          f"np.tanh({m} @ {p})", f"np.tanh({p} * {self.element()})", f"{p}[::-1] * 0.7",
                          f"0.5 * {m}[{self.place()}]", f"0.5 * {m}[:, {self.place()}] + {q} * 0.1", f"{p}.copy()",
                          f"np.where({p} > {q}, 0.5, 0.2) * {p}"])

    def matrix(self) -> str:
        p, q, m, k = self.pick(PAIRS), self.pick(PAIRS), self.pick(MATRICES), self.pick(MATRICES)
        return self.pick([f"np.tanh({m} @ {k})", f"np.outer({p}, {q}) * 0.3", f"0.5 * {m} + 0.1 * {k}.T",
                          f"np.array([{p}, {q}]) * 0.4", f"{m} * 0.6"])

    # statements ----------------------------------------------------------------------------------------
    def block(self, depth: int, count: int) -> None:
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        p, q, r = self.rng.sample(PAIRS, 3)
        m, k = self.rng.sample(MATRICES, 2)
        s = self.pick(SCALARS)
        self.pick([
            lambda: self.emit(depth, f"{p} = {self.pair()}"),
            lambda: self.emit(depth, f"{p}, {q} = {q}, {self.pair()}"),
            lambda: self.emit(depth, f"{p}, {q}, {r} = {r}, {p}, {q}"),
            lambda: self.emit(depth, f"{p} = {q}"),
            lambda: self.emit(depth, f"{p}[{self.place()}] = {self.number()}"),
            lambda: self.emit(depth, f"{p}[{self.place()}] {self.pick('+-')}= {self.number()}"),
            lambda: self.emit(depth, f"{p} *= 0.7"),
            lambda: self.emit(depth, f"{p}[:] = {self.pair()}"),
            lambda: self.emit(depth, f"{m} = {self.matrix()}"),
            lambda: self.emit(depth, f"{m} = {k}"),
            lambda: self.emit(depth, f"{m}[{self.place()}, {self.place()}] = {self.number()}"),
            lambda: self.emit(depth, f"{m}[{self.place()}] = {self.pair()}"),
            lambda: self.emit(depth, f"{m}[:, {self.place()}] += {p} * 0.1"),
            lambda: self.emit(depth, f"{s} = {self.number()}"),
            lambda: self.emit(depth, f"{s} += {self.number()}"),
            lambda: self.emit(depth, f"{p} = bump({q}, {self.number()})"),
            lambda: self.row(depth),
            lambda: self.branch(depth),
        ])()

    def row(self, depth: int) -> None:
        """A view, and a store through it or into what it is of."""
        self.fresh += 1
        name, m = f"row{self.fresh}", self.pick(MATRICES)
        self.emit(depth,
                  f"{name} = {m}[{self.place()}]" if self.rng.random() < 0.7 else f"{name} = {m}.T[{self.place()}]")
        self.block(depth, self.rng.randint(0, 1))
        self.emit(depth, self.pick([f"{name}[{self.place()}] += {self.number()}", f"t = {name}[{self.place()}] * 0.5",
                                    f"{m}[0, 1] = {name}[0] * 0.4"]))

    def branch(self, depth: int) -> None:
        self.emit(depth, f"if {self.number()} > {self.pick(['0.0', '0.1', self.number()])}:")
        self.block(depth + 1, self.rng.randint(1, 2))
        if self.rng.random() < 0.6:
            self.emit(depth, "else:")
            self.block(depth + 1, 1)

    def loop(self, depth: int) -> None:
        self.fresh += 1
        i = f"i{self.fresh}"
        self.emit(depth, f"for {i} in {self.pick(['range(n)', 'range(n)', 'range(n - 1, -1, -1)', 'range(3)'])}:")
        self.loops.append(i)
        self.block(depth + 1, self.rng.randint(2, 5))
        if depth < 2 and self.rng.random() < 0.3:
            self.loop(depth + 1)
        self.loops.pop()


def module_of(text: str, folder: str, seed: int):
    path = Path(folder, f"small_state_{seed}.py")
    path.write_text("import numpy as np\n\n\n" + text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def check(seed: int) -> bool:
    """Was it taken?  Raises AssertionError, with the program, where a GPU gives something else than NumPy,
    or than the gradient as it reads."""
    text = "\n".join(Program(seed).lines) + "\n"
    rng = np.random.default_rng(seed)
    a, x = rng.normal(size=EXAMPLES), rng.normal(size=(EXAMPLES, 4))
    with tempfile.TemporaryDirectory() as folder:
        one = module_of(text, folder, seed).one

        def loss(a, x, n):
            return sum(np.sum(np.sin(part)) for part in one(a, x, n))

        every = gs.vmap(one, in_axes=(0, 0, None))
        slopes = gs.vmap(gs.value_and_grad(loss, argnums=(0, 1)), in_axes=(0, 0, None))
        try:
            shown = {n: every(a, x, n) for n in (ROUNDS, 0)}
            shown_slopes = slopes(a, x, ROUNDS) if seed % 2 else None
        except gs.errors.GradscribeError:
            return False  # on every target, with what to write instead
        for n, shows in shown.items():
            want = [np.stack(parts) for parts in zip(*[one(b.item(), y.copy(), n) for b, y in zip(a, x)])]
            same(text, shows, want)
            same(text, gs.jit(every, target="cuda")(a, x, n), want)
        if shown_slopes is not None:
            value, by_each = gs.jit(slopes, target="cuda")(a, x, ROUNDS)
            same(text, (value, *by_each), (shown_slopes[0], *shown_slopes[1]))
    return True


def same(text: str, got, want) -> None:
    for g, w in zip(got, want, strict=True):
        g = backend.get(g)
        assert g.dtype == w.dtype and g.shape == w.shape, f"{g.dtype} {g.shape}, not {w.dtype} {w.shape}\n{text}"
        assert np.allclose(g, w, rtol=1e-9, atol=1e-11, equal_nan=True), f"{g}\nnot\n{w}\n{text}"


def main(first: str, count: str) -> int:
    wrong = refused = 0
    for seed in range(int(first), int(first) + int(count)):
        try:
            refused += not check(seed)
        except Exception as error:
            wrong += 1
            text = str(error) if isinstance(error, AssertionError) else f"{error!r}\n" + "\n".join(Program(seed).lines)
            print(f"seed {seed}: {text}\n", flush=True)
    print(f"{count} programs, {refused} refused, {wrong} wrong")
    return wrong


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) > 0)
