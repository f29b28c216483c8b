"""Derivatives of the whole corpus against finite differences: to second order plain, to first compiled.

Of a program that is not smooth at its arguments the first derivatives are checked. The second ones, and what the
derivatives of a program that raises do, is for the stage harness.
"""
import contextlib

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import check_grads
from tests.corpus.programs import PROGRAMS
from tests.support.cases import covers

RETURNING = [p for p in PROGRAMS if p.raises is None]
SMOOTH = [p for p in RETURNING if p.smooth]
ROUGH = [p for p in RETURNING if not p.smooth]


def cells(way, order):
    return [(transform, way) for transform in ("jvp", "vjp", "second order")[:order + 1]]


def check(p, f, order):
    check_grads(f, p.make_args(), order=order)


@pytest.mark.heavy(one_in=52)
@covers(*cells("plain", 2), programs=SMOOTH)
def test_second_order(p):
    check(p, p.fun, 2)


@covers(*cells("plain", 1), programs=ROUGH)
def test_first_order(p):
    check(p, p.fun, 1)


@pytest.mark.heavy(one_in=457)
@covers(*cells("compiled", 1), programs=RETURNING)
def test_first_order_compiled(p):
    check(p, gs.jit(p.fun), 1)


@pytest.mark.heavy(one_in=471)
@covers(*cells("compiled", 2), programs=SMOOTH, rotate=True)
def test_second_order_compiled(p):
    check(p, gs.jit(p.fun), 2)


X = np.array([0.4, 1.7])


class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high


gs.tree.register(Interval, lambda i: ((i.low, i.high), None), lambda aux, ends: Interval(*ends))


@pytest.mark.parametrize("f, fits",
                         [(lambda i: i.low * i.high ** 2, True), (lambda i: Interval(i.high, i.low * i.low), True),
                          (lambda i: gs.stop_gradient(i.low) * i.high, False)], ids=["argument", "both", "wrong"])
def test_objects_of_registered_classes(f, fits):
    with contextlib.nullcontext() if fits else pytest.raises(AssertionError):
        check_grads(f, (Interval(2.0, 3.0),))


Z = np.array([0.3 + 0.7j, -1.1 + 0.2j])
COMPLEX = {
    "holomorphic": lambda z: z * z * np.exp(z), "conjugated": lambda z: z * np.conj(z),
    "real": lambda z: np.sum(z.real * z.imag ** 2), "abs": np.abs, "of_real_numbers": lambda z: np.exp(1j * np.abs(z)),
    "mixed": lambda z: (z @ np.array([1.0, 2.0]), {"x": z.imag}, 3), "fft": np.fft.fft}


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_numbers_are_moved_in_both_parts(name):
    """They were held fixed, and results that are complex were held against differences of their real parts."""
    check_grads(COMPLEX[name], (Z,), order=2)
    if name == "conjugated":
        check_grads(gs.jit(COMPLEX[name]), (Z,), order=1)
        check_grads(COMPLEX[name], (Z[0],), order=2)
        check_grads(COMPLEX[name], (complex(Z[0]),), order=2)
        check_grads(COMPLEX[name], (Z.astype(np.complex64),), order=1)
        check_grads(lambda z, x: z * x, (Z, X), order=1)


def with_rule(value, tangent):
    f = gs.custom_jvp(lambda z: value(z))
    f.defjvp(lambda primals, tangents: (f(*primals), tangent(primals[0], tangents[0])))
    return f


@pytest.mark.parametrize("modes", ["fwd", ("rev",), ("fwd", "rev")], ids=str)
@pytest.mark.parametrize("tangent", [lambda z, dz: 2 * z * dz, lambda z, dz: np.conj(z) * dz,
                                     lambda z, dz: z * np.conj(dz) + np.conj(z) * dz.real,
                                     lambda z, dz: 1j * (z * np.conj(dz) + np.conj(z) * dz), lambda z, dz: 0.0 * dz],
                         ids=["holomorphic", "half", "one part of the direction",
                              "the other part of the result", "zero"])
def test_a_wrong_rule_of_a_complex_argument_is_caught(modes, tangent):
    check_grads(with_rule(lambda z: z * np.conj(z), lambda z, dz: z * np.conj(dz) + np.conj(z) * dz), (Z,), order=1,
                modes=modes)
    with pytest.raises(AssertionError, match="of order 1: .* differences give"):
        check_grads(with_rule(lambda z: z * np.conj(z), tangent), (Z,), order=1, modes=modes)


def test_a_pull_back_that_conjugates_is_caught():
    square = gs.custom_vjp(lambda z: z * z)
    square.defvjp(lambda z: (z * z, z), lambda z, ct: (2 * np.conj(z) * ct,))
    with pytest.raises(AssertionError, match="vjp of order 1"):
        check_grads(square, (Z,), order=1, modes="rev")


def test_floats_beside_ints_in_one_argument_are_moved():
    """A container with an int in it was held fixed as a whole, and any rule of it passed."""
    check_grads(lambda d: np.sum(d["x"][d["k"]] ** d["n"]), ({"x": X, "k": np.array([1, 0, 1]), "n": 3},), order=2)
    with pytest.raises(AssertionError, match="jvp of order 1"):
        check_grads(lambda d: gs.stop_gradient(d["x"]) * d["n"], ({"x": 2.0, "n": 3},), order=1)


def test_what_checks_nothing_is_refused():
    with pytest.raises(gs.errors.SpecialisationError,
                       match="argument 0 has dtype int64, and only floats have derivatives"):
        check_grads(lambda n: n * 2.0, (3,))
    with pytest.raises(ValueError, match="modes=.'forward',.: they are"):
        check_grads(np.sin, (1.0,), modes=("forward",))
