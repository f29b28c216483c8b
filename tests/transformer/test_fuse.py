"""Which loops compute what: sums whose terms come one after the other, and stores into tapes beside repetitions."""
import importlib

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.core import For, Let, walk
from gradscribe.transformer.optimise import outline_beside_tapes
from gradscribe.transformer.optimise.fuse import FusedKernel, fuse
from gradscribe.transformer.optimise.outline import Routine
from tests.transformer.coretext import core


def kernels(fun):
    return [s.op for s in walk(fun.body) if isinstance(s, Let) and isinstance(s.op, FusedKernel)]


def test_a_sum_of_what_several_loops_could_compute_is_one_loop():
    before = core("""
        def f(w: "f8[n]", x: "f8[n]", v: "f8[n]", y: "f8[n]", n: int):
            s = w * x
            t = v * y
            z = s + t
            return (z,)
    """)
    after = fuse(before)
    (kernel,) = kernels(after)
    assert len(kernel.fun.body.results) == 1


def test_a_term_is_computed_where_its_sum_ends():
    before = core("""
        def f(y: "f8[n]", W: "f8[n, n]", n: int):
            k = matmul(W, y)
            t = 0.5 * k
            at1 = y + t
            t__1 = 0.1 * k
            at2 = y + t__1
            k__1 = matmul(W, at1)
            t__2 = 0.2 * k__1
            at2__1 = at2 + t__2
            return (at2__1,)
    """)
    after = fuse(before)
    first, second = kernels(after)
    assert first.fun.body.results == ("at1",) and second.fun.body.results == ("at2__1",)


def test_groups_that_depend_on_each_other_stay_apart():
    before = core("""
        def f(y: "f8[n]", W: "f8[n, n]", n: int):
            s = np.sin(y)
            c = matmul(W, s)
            t = np.cos(c)
            z = s + t
            return (z,)
    """)
    after = fuse(before)
    assert len(kernels(after)) == 2


def test_stores_into_tapes_make_way_for_functions(monkeypatch):
    pass_ = importlib.import_module("gradscribe.transformer.optimise.outline")
    for owner, name, value in ((pass_, "LARGE", 0), (pass_, "CALL", 0.0), (pass_.Outliner, "least", 2.0),
                               (pass_.Outliner, "worth", 0.5)):
        monkeypatch.setattr(owner, name, value)
    before = core("""
        def f(x: "f8[m]", tape: "f8[n, m]", other: "f8[n, m]", m: int, n: int):
            x__1, tape__1, other__1 = x, tape, other
            for k in range(0, n, 1):
                h = np.sin(x__1)
                tape__2 = rt.update(tape__1, h, np.s_[k])
                y = np.tanh(h)
                z = np.exp(y)
                h__1 = np.sin(z)
                other__2 = rt.update(other__1, h__1, np.s_[k])
                y__1 = np.tanh(h__1)
                z__1 = np.exp(y__1)
                x__1, tape__1, other__1 = z__1, tape__2, other__2
            return (x__1, tape__1, other__1)
    """)
    after = outline_beside_tapes(before)
    (loop,) = [s for s in after.body.stmts if isinstance(s, For)]
    assert sum(isinstance(s.op, Routine) for s in loop.body.stmts) == 2
    assert [s.op.name for s in loop.body.stmts[-2:]] == ["rt.update", "rt.update"]


STAGES = [[], [0.5], [0.1, 0.3], [0.2, -0.1, 0.4], [0.3, 0.2, 0.1, 0.05]]


def slope(y, w):
    h = np.tanh(y @ w) * np.exp(-y * y) + np.sin(y)
    return h / np.sqrt(1.0 + np.sum(h * h))


def stepped(y, w, n):
    for _ in range(n):
        slopes = []
        for row in STAGES:
            at = y
            for a, k in zip(row, slopes):
                at = at + a * k
            slopes.append(slope(at, w))
        y = y + 0.1 * sum(slopes)
    return np.sum(y * y)


@pytest.mark.heavy(one_in=14)
@pytest.mark.parametrize("large", [0, 250])
def test_stages_of_a_step_in_a_loop(monkeypatch, large):
    monkeypatch.setattr(importlib.import_module("gradscribe.transformer.optimise.outline"), "LARGE", large)
    y, w = np.linspace(-1.0, 1.0, 4), np.linspace(0.0, 1.0, 16).reshape(4, 4)
    want = gs.value_and_grad(stepped, argnums=(0, 1))(y, w, 3)
    got = gs.jit(gs.value_and_grad(stepped, argnums=(0, 1)))(y, w, 3)
    np.testing.assert_allclose(got[0], want[0], rtol=1e-12)
    for a, b in zip(got[1], want[1]):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-14)
