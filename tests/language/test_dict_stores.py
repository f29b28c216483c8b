"""Stores into a dict on one path of a branch, and in loops of the run time: its keys stay as they are,
so that it is one dict afterwards."""
import pytest

import gradscribe as gs

from .test_language import as_python


def one_path(x):
    d = {"x": x, "y": 2.0}
    if x < 3.0:
        d["x"] -= 1.0
    else:
        d["y"] = x * x
    return d


def ledger(x, n):
    balance = {"a": x, "b": 1.0}
    for k in range(n):
        for key in balance:
            if balance[key] > 1.5:
                balance[key] *= 0.5
            else:
                balance.update(a=balance["a"] + k)
    return balance["a"] * balance["b"]


def bounce(x, n):
    ball = {"x": x, "v": 1.0}
    for _ in range(n):
        ball["x"] += 0.3 * ball["v"]
        if ball["x"] > 1.0:
            ball["v"] *= -1
    return ball["x"]


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_on_one_path(compiled):
    for x in (0.5, 4.0):
        as_python(one_path, x, compiled=compiled)


@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", [ledger, bounce])
def test_in_a_loop(f, compiled):
    for x, n in ((0.5, 0), (0.45, 7), (4.0, 3)):
        as_python(f, x, n, compiled=compiled)
        grad = gs.jit(gs.grad(f)) if compiled else gs.grad(f)
        assert grad(x, n) == pytest.approx((f(x + 1e-6, n) - f(x - 1e-6, n)) / 2e-6)
    assert "for" in gs.jit(f).source(0.4, 7)  # it stays a loop
