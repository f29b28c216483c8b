"""What goes round a loop inside a container: random moves among slots that begin equal, or not, in lists, tuples within
tuples, dicts, objects, deques, lists of lists; each as Python has it, for any number of rounds, and so are their
derivatives."""
import itertools
import linecache
from collections import deque

import numpy as np
import pytest

import gradscribe as gs

NAMES = ("a", "b", "c")
FORMS = {
    "list": ("[{a}, {b}, {c}]", "s[{k}]", True),
    "tuple": ("(({a}, {b}), {c})", "(s[0][0], s[0][1], s[1])[{k}]", False),
    "dict": ("dict(a={a}, b={b}, c={c})", "s['{name}']", True),
    "object": ("Slots({a}, {b}, {c})", "s.{name}", True),
    "deque": ("deque([{a}, {b}, {c}])", "s[{k}]", True),
    "lists": ("[[{a}], [{b}, {c}]]", "s[{i}][{j}]", True),
}
STARTS = [("x", "x", "x"), ("x", "x", "y"), ("x", "y", "x"), ("x", "y", "y"), ("1", "1", "1"), ("n", "n", "x * 0 + n"),
          ("x", "x + 0", "x")]


class Slots:
    def __init__(self, a, b, c):
        self.a, self.b, self.c = a, b, c


def slot(form, k):
    text = FORMS[form][1]
    return text.format(k=k, name=NAMES[k], i=min(k, 1), j=max(k - 1, 0))


def program(form, start, seed) -> str:
    """A loop that moves what is in the slots, by stores or by a new container."""
    rng = np.random.default_rng(seed)
    make, _, stores = FORMS[form]
    values = [slot(form, k) for k in range(3)]
    lines = []
    for _ in range(rng.integers(1, 4)):
        others = [values[i] + str(rng.choice(["", "", " * 2", " + 1", " + k"])) for i in rng.integers(0, 3, 3)]
        way = rng.integers(0, 3) if stores else 0
        if way == 0:
            lines.append("s = " + make.format(a=others[0], b=others[1], c=others[2]))
        elif way == 1:
            lines.append(f"{values[rng.integers(0, 3)]} = {others[0]}")
        else:
            i, j = rng.permutation(3)[:2]
            lines.append(f"{values[i]}, {values[j]} = {values[j]}, {values[i]}")
    if rng.integers(0, 2):
        lines[-1:] = ["if k != 1:", "    " + lines[-1]]
    head = rng.choice(["for k in range(n):", "while k < n:"])
    body = [*lines, *(["k = k + 1"] if head.startswith("while") else [])]
    return "\n".join(["def f(x, y, n):", "    k = 0", "    s = " + make.format(**dict(zip(NAMES, start))),
                      "    " + head, *["        " + line for line in body],
                      f"    return {values[0]} + 10 * {values[1]} + 100 * {values[2]}"])


def made(text):
    place, scope = f"<{hash(text)}>", {"np": np, "deque": deque, "Slots": Slots}
    linecache.cache[place] = (len(text), None, text.splitlines(True), place)
    exec(compile(text, place, "exec"), scope)
    return scope["f"]


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("form, start", list(itertools.product(FORMS, STARTS)))
def test_random_moves(form, start):
    for seed in range(6):
        text = program(form, start, seed)
        f = made(text)
        run, both = gs.test_util.primal(f), gs.value_and_grad(f)
        for n in (0, 1, 2, 3, 5):
            want = f(1.25, 0.5, n)
            assert run(1.25, 0.5, n) == want, (text, n)
            if "x" in start:
                value, slope = both(1.25, 0.5, n)
                assert value == want and slope == pytest.approx((f(1.5, 0.5, n) - f(1.0, 0.5, n)) / 0.5), (text, n)


@pytest.mark.heavy(one_in=7)
@pytest.mark.parametrize("form, start", list(itertools.product(FORMS, STARTS)))
def test_random_moves_compiled(form, start):
    text = program(form, start, 7)
    f = made(text)
    run = gs.jit(f)
    for n in (0, 1, 2, 3, 5):
        assert run(1.25, 0.5, n) == f(1.25, 0.5, n), (text, n)


class Walker:
    def __init__(self, at, pace=1.0):
        self.at, self.pace = at, pace

    def step(self):
        self.at += self.pace
        return self.at


def taking_turns(p, n):
    me, you = Walker(p), Walker(p)
    for _ in range(n):
        me.step()
        me, you = you, me
    return me.at + 100 * you.at


def population(p, n):
    some = [Walker(p) for _ in range(3)]
    for _ in range(n):
        some[0].step()
        some = some[1:] + some[:1]
    return some[0].at + 10 * some[1].at + 100 * some[2].at


def kept_views(p, n):
    A = np.arange(12.0).reshape(4, 3) * p
    s = [A[0], A[0], A[0]]
    for k in range(n):
        s = [A[k % 4], s[0], s[1]]
    return s[0][0] + 10 * s[1][1] + 100 * s[2][2]


def shift_register(p, n):
    h = [p] * 3
    for _ in range(n):
        h.insert(0, h[0] * 2 + h[2])
        h.pop()
    return h[0] + 10 * h[1] + 100 * h[2]


def last_three(p, n):
    d = deque([p, p, p], maxlen=3)
    for k in range(n):
        d.append(d[0] + d[-1] * 0.5 + k)
    return d[0] + 10 * d[1] + 100 * d[2]


def folded(p, n):
    return gs.lax.fori_loop(0, n, lambda k, s: [s[0] * 2, s[0], s[1]], [p, p, p])[2]


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f", [taking_turns, population, kept_views, shift_register, last_three, folded])
def test_programs(f):
    for n in (0, 1, 2, 3, 7):
        want = f(1.5, n)
        assert gs.test_util.primal(f)(1.5, n) == gs.jit(f)(1.5, n) == want
        assert gs.grad(f)(1.5, n) == pytest.approx((f(2.0, n) - f(1.0, n)))
