"""Derivatives of the whole corpus against finite differences: to second order plain, to first compiled.

Of a program that is not smooth at its arguments the first derivatives are checked. The second ones, and what the
derivatives of a program that raises do, is for the stage harness.
"""
import contextlib

import gradscribe as gs
import pytest
from cases import covers
from programs import PROGRAMS

from gradscribe.test_util import check_grads

RETURNING = [p for p in PROGRAMS if p.raises is None]
SMOOTH = [p for p in RETURNING if p.smooth]
ROUGH = [p for p in RETURNING if not p.smooth]


def cells(way, order):
    return [(transform, way) for transform in ("jvp", "vjp", "second order")[:order + 1]]


def check(p, f, order):
    check_grads(f, p.make_args(), order=order)


@pytest.mark.heavy(one_in=4)
@covers(*cells("plain", 2), programs=SMOOTH)
def test_second_order(p):
    check(p, p.fun, 2)


@covers(*cells("plain", 1), programs=ROUGH)
def test_first_order(p):
    check(p, p.fun, 1)


@pytest.mark.heavy(one_in=30)
@covers(*cells("compiled", 1), programs=RETURNING)
def test_first_order_compiled(p):
    check(p, gs.jit(p.fun), 1)


@pytest.mark.heavy(one_in=30)
@covers(*cells("compiled", 2), programs=SMOOTH, rotate=True)
def test_second_order_compiled(p):
    check(p, gs.jit(p.fun), 2)


class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high


gs.tree.register(Interval, lambda i: ((i.low, i.high), None), lambda aux, ends: Interval(*ends))


@pytest.mark.parametrize("f, fits", [(lambda i: i.low * i.high ** 2, True), (lambda i: Interval(i.high, i.low * i.low), True),
                                     (lambda i: gs.stop_gradient(i.low) * i.high, False)], ids=["argument", "both", "wrong"])
def test_objects_of_registered_classes(f, fits):
    with contextlib.nullcontext() if fits else pytest.raises(AssertionError):
        check_grads(f, (Interval(2.0, 3.0),))
