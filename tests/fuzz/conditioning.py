"""How far float64 determines an answer at all.

A program that magnifies rounding (a chaotic loop, sums that cancel) has no answer to compare to nine digits. How many
it has is measured: the same program at numbers that differ in the last place, those in its text and those that
functions give included, has answers as far apart as rounding may take two right ways to compute one."""

import ast

import numpy as np

from .loading import loaded
from .numeric import apart, run

NEIGHBOURS = 6
ULPS = 4  # how far each number moves at most
MARGIN = 5  # rounding happens at every operation, not only at those
# functions whose results are floats whatever they are given
FLOATING = ("sin", "cos", "tanh", "exp", "log", "sqrt", "mean")

# Each element moves by its own amount: what is equal by symmetry does not stay so when it is rounded.
NUDGED = """
def nudged(v, phase):
    return (v * (1.0 + {amount} * np.cos(3.7 * np.arange(v.size).reshape(v.shape) + phase))).astype(v.dtype)
"""


def spread(source: str, name: str, numbers: tuple, measure, eps: float) -> np.ndarray:
    """How far each element of `measure(function, *numbers)` may be off."""
    *_, farthest = spreads(source, name, numbers, measure, eps)
    return farthest


def spreads(source: str, name: str, numbers: tuple, measure, eps: float):
    """The same by one neighbour, by two, ...: it only grows."""
    with loaded(source, name) as function:
        base = measured(measure, function, numbers)
    farthest = np.zeros(base.shape)
    for rng in map(np.random.default_rng, range(NEIGHBOURS)):
        with loaded(nudged_text(source, rng, eps), name) as function:
            near = measured(measure, function, nudged(numbers, rng, eps))
        if near.shape == base.shape:  # else it takes another way out, of which nothing follows
            off = np.abs(apart(near, base))
            farthest = np.maximum(farthest, np.where(np.isnan(off), np.inf, off))
        yield MARGIN * farthest


def undecided(source: str, name: str, numbers: tuple, eps: float) -> bool:
    """Does rounding decide whether a matrix is singular, or positive definite?
    Of two right ways to compute it only one may raise."""
    found = set()
    for rng in map(np.random.default_rng, range(NEIGHBOURS)):
        with loaded(nudged_text(source, rng, eps), name) as function:
            found.add(isinstance(run(function, nudged(numbers, rng, eps)).error, np.linalg.LinAlgError))
    return len(found) > 1


def measured(measure, function, numbers) -> np.ndarray:
    result = run(lambda *numbers: measure(function, *numbers), numbers)
    return np.zeros(0) if result.error is not None else np.asarray(result.out, np.float64)


def nudged(value, rng, eps: float):
    """The floats in tuples moved by a few units in the last place; what is zero stays zero."""
    if isinstance(value, tuple):
        return tuple(nudged(v, rng, eps) for v in value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return (value * (1.0 + eps * rng.integers(-ULPS, ULPS + 1, size=value.shape))).astype(value.dtype)
    if isinstance(value, (float, np.floating)):
        return type(value)(value * (1.0 + eps * int(rng.integers(-ULPS, ULPS + 1))))
    return value


def nudged_text(source: str, rng, eps: float) -> str:
    return ast.unparse(Nudge(rng, eps).visit(ast.parse(source))) + NUDGED.format(amount=ULPS * eps)


class Nudge(ast.NodeTransformer):
    """Moves the floats of a text, and what functions give; exponents stay,
    for a whole one means something else than its neighbours."""

    def __init__(self, rng, eps):
        self.rng, self.eps = rng, eps

    def visit_BinOp(self, node):
        node.left = self.visit(node.left)
        if not isinstance(node.op, ast.Pow):
            node.right = self.visit(node.right)
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if (isinstance(node.func, ast.Attribute) and node.func.attr in FLOATING
                and ast.unparse(node.func.value) != "math"):
            return ast.Call(ast.Name("nudged"), [node, ast.Constant(float(self.rng.uniform(0.0, 6.0)))], [])
        return node

    def visit_Constant(self, node):
        return ast.Constant(nudged(node.value, self.rng, self.eps))
