"""Programs that are all ways out: loops in loops that break, continue and return from try blocks, handlers, `else` and
branches, and exceptions that come before that. What they compute is simple: numbers, a counter, an array of the
argument's length. What one round leaves behind, the next begins with."""

import numpy as np

from .scope import Fn, Stuck

LONGEST = 45  # lines
TROUBLE = "class Trouble(RuntimeError):\n    pass"
STEPS = ("b += x[i % n]", "b = b * 0.5 + 1.0", "c = b", "b = c + x[0]", "k += 1", "a[i % n] += b", "a = a * 0.5 + b",
         "d = x[i % n]", "c = 0.5 * c + d", "b += 0.25", "c += k")
RISKS = ("b += (1.0, 2.0)[i]", "b += x[i]", "a[i] = c", "c = b + {0: 1.0, 2: d}[i]")
TESTS = ("b > 1.01", "x[i % n] > 0.0", "k > 2", "k == 1", "c < b", "i == 1", "i % 2 == 0", "a[0] > c")
RESULTS = ("x[0] + b + c", "a.sum()", "c * x[-1]")
LOOPS = ("for i in range(n):", "for i in range(4):", "for i, v in enumerate(x):", "while k < 5:")
CAUGHT = ("Trouble", "(Trouble, ValueError)", "Exception", "(LookupError, RuntimeError)", "Exception", "Exception")


def program(rng) -> str:
    fn = Fn(rng, "f64", budget=0)
    fn.indent = 1
    loop(fn, rng.choice((2, 3, 3, 4)), False)
    if len(fn.lines) > LONGEST:
        raise Stuck
    lines = ["import numpy as np", TROUBLE, "def f(x):", "    n = len(x)", "    b, c, d, k, i = 0.3, x[1], 0.1, 0, 0",
             "    a = x.copy()", *fn.lines, "    return x[0] + b + 2.0 * c + 0.1 * d + k + np.sum(a * a)"]
    return "\n".join(lines)


def arguments(rng) -> tuple:
    return (np.array([rng.uniform(-1.6, 1.6) for _ in range(rng.choice((2, 7)))]),)


def block(fn, depth, most, caught, looped):
    for _ in range(fn.one((1, 1, most))):
        statement(fn, depth, caught, looped)


def statement(fn, depth, caught, looped):
    kind = fn.rng.random()
    if depth <= 0 or kind < 0.35:
        fn.emit(fn.one(RISKS if caught and fn.chance(0.3) else STEPS))
    elif kind < 0.5:
        with fn.block(f"if {fn.one(TESTS)}:"):
            if fn.chance(0.5):
                block(fn, depth - 2, 1, caught, looped)
            way_out(fn, caught, looped)
    elif kind < 0.6:
        with fn.block(f"if {fn.one(TESTS)}:"):
            block(fn, depth - 1, 2, caught, looped)
        with fn.block("else:"):
            block(fn, depth - 1, 2, caught, looped)
    elif kind < 0.9:
        attempt(fn, depth, caught, looped)
    else:
        loop(fn, depth - 1, caught)


def way_out(fn, caught, looped):
    ways = ["break", "continue", "return " + fn.one(RESULTS)] * looped
    ways += ["raise Trouble('t')", "raise ValueError"] * caught
    fn.emit(fn.one(ways or STEPS))


def attempt(fn, depth, caught, looped):
    handled = fn.chance(0.9)
    with fn.block("try:"):
        block(fn, depth - 1, 3, caught or handled, looped)
        if looped and fn.chance(0.4):
            way_out(fn, False, looped)
    if handled:
        with fn.block(f"except {fn.one(CAUGHT)}:"):
            block(fn, depth - 1, 2, caught, looped)
            if looped and fn.chance(0.2):
                way_out(fn, caught, looped)
        if fn.chance(0.25):
            with fn.block("else:"):
                block(fn, depth - 1, 2, caught, looped)
    if not handled or fn.chance(0.25):
        with fn.block("finally:"):
            block(fn, depth - 2, 2, caught and fn.chance(0.2), False)


def loop(fn, depth, caught):
    head = fn.one(LOOPS)
    with fn.block(head):
        fn.emit("k += 1")
        if head.startswith("while"):
            fn.emit("i = k - 1")
        block(fn, depth, 3, caught, True)
    if fn.chance(0.2):
        with fn.block("else:"):
            block(fn, depth - 2, 1, caught, False)
