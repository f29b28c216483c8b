"""No NaN where a derivative exists: programs with guarded poles, forwards, backwards and to second order,
against their limits in mpmath.

What is chosen is right (`poles.NAMED`, `poles.GUARDED`); what is computed and meets an infinite slope is right or not a
number (`poles.COMPUTED`). The limits come of the same text (`limits.py`), and some are written down beside it.
"""
import functools
import warnings
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from tests.corpus import poles
from tests.support import limits

EXACT = limits.exactly(*sorted((Path(poles.__file__).parent / "guarded").glob("[a-z]*.py")))
TABLES = {"named": poles.NAMED, "guarded": poles.GUARDED, "computed": poles.COMPUTED}
ENTRIES = {}
for _table, _entries in TABLES.items():
    for _entry in _entries:
        _again = sum(e.program is _entry.program for e, _ in ENTRIES.values())
        ENTRIES[_entry.name + f" {_again + 1}" * bool(_again)] = (_entry, _table)
CHOSEN = [name for name, (_, table) in ENTRIES.items() if table != "computed"]
BY_HAND = {  # gradients
    "autoregression_with_missing_start": [0, 0, 1.5, 2, 2.5, -12],  # 2 (y - y / 2 - phi) / 2, of a prediction
    "strangle_payoff_power": [2],                                   # 2 x, below the strike
    "sortino": [1 / 3, 1 / 3, 1 / 3, -1],                           # nothing is below the target: the mean
    "capped_variance_swap": [0, 2, 0],                              # 2 / (2 sqrt(1 / 4)), between floor and cap
    "mixing_entropy": [0, -8.314 * (1 + np.log(0.25)), -8.314 * (1 + np.log(0.75))],
    "rodrigues": [7, -0.5, -2],                                     # a x b of (1, 2, 3), (1/2, -1, 2), at the identity
    "group_lasso": [0, 0, 0] + list(np.array([1, -2, 0.5]) / np.sqrt(5.25)),  # the least of a norm: 0 is a subgradient
    "circle_height": [0, -1 / (2 * np.sqrt(0.5)), 0],
    "log_gap": [0, 1 + np.log(0.5), 0],
    "roots_by_sign": [0, -2, 1],
    "root_squared": [1, 1, 1], "cube_of_cube_root": [1, 1, 1], "exp_of_log": [1, 1, 1], "inverse_of_inverse": [1, 1, 1],
    # arccos(1 - t) ** 2 = 2 t + ...
    "angle_squared": [-2, -2 * np.arccos(0.5) / np.sqrt(0.75), -2 * np.arccos(-0.25) / np.sqrt(0.9375)],
    "cosine_of_root": [-0.5, -np.sin(0.5), -np.sin(np.sqrt(2)) / np.sqrt(8)],
    "through_polar_coordinates": [1, 2]}


def called(name, order=1):
    """The program, its arguments anew, by which it is differentiated,
    and may what is not a number be the answer of this order?"""
    entry, table = ENTRIES[name]
    return (entry.program, tuple(np.copy(a) if np.ndim(a) else a for a in entry.args), entry.wrt,
            table == "computed" or entry.once and order == 2)


@functools.cache
def limits_of(name):
    entry, _ = ENTRIES[name]
    sizes = [np.size(entry.args[a]) for a in entry.wrt]

    def program(flat):
        args = list(map(limits.exact, entry.args))
        for a, values in zip(entry.wrt, np.split(np.array(flat, object), np.cumsum(sizes)[:-1])):
            args[a] = values.reshape(np.shape(entry.args[a]))[()]
        return getattr(EXACT, entry.name)(*args)

    return limits.Limits(program, flat(entry.args[a] for a in entry.wrt))


def flat(parts):
    return np.concatenate([np.ravel(part) for part in parts])


def quiet(function, *args):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*args)


def block(hessian, args, wrt):
    return np.block([[np.reshape(part, (np.size(args[i]), np.size(args[j]))) for j, part in zip(wrt, row)]
                     for i, row in zip(wrt, hessian)])


def wrong(got, limit, order, nan_is_right):
    """Is it not what there is in the limit?"""
    if not np.isfinite(got):
        return limit.exists and not (nan_is_right and np.isnan(got)) and not (limit.kink and order == 2)
    if not limit.exists:
        return True
    tolerance = (1e-9 if order == 1 else 1e-7) * max(1.0, abs(limit.low), abs(limit.high))
    if limit.kink and order == 1 and not nan_is_right:
        return abs(got - (limit.low + limit.high) / 2) > tolerance
    return not limit.low - tolerance <= got <= limit.high + tolerance


def right(got, found, order, nan_is_right, kinked=False):
    assert np.shape(got) == found.shape
    got = np.where([[kinked and i != j and not found[i, j].exists for j in range(len(found))]
                    for i in range(len(found))], np.nan, got) if order == 2 else got
    bad = [f"{k}: {got[k]} for {found[k]}"
           for k in np.ndindex(found.shape) if wrong(got[k], found[k], order, nan_is_right)]
    assert not bad, "; ".join(bad)


# ---- the limits themselves

@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("name", ENTRIES)
def test_the_limits_are_of_this_program(name):
    program, args, _, _ = called(name)
    found = limits_of(name)
    np.testing.assert_allclose(quiet(program, *args), found.value, rtol=1e-12, atol=1e-14)
    assert any(e.kink for e in found.gradient) == ENTRIES[name][0].kink


@pytest.mark.parametrize("name", BY_HAND)
def test_some_are_written_down(name):
    np.testing.assert_allclose([(e.low + e.high) / 2 for e in limits_of(name).gradient], BY_HAND[name], rtol=1e-14,
                               atol=1e-40)


def test_what_a_limit_is():
    found = limits.Limits(lambda x: abs(x[0]) + x[0] + abs(x[1]) ** 3 + abs(x[2]) * x[2] + x[3] ** 2 * x[4]
                                    + x[5].sqrt(), [0.0, 0.0, 0.0, 0.0, 2.0, 0.0])
    assert (found.gradient[0].low, found.gradient[0].high) == (0.0, 2.0)
    assert [e.exists for e in found.gradient] == [True] * 5 + [False] and not any(e.kink for e in found.gradient[1:])
    assert [e.exists for e in np.diag(found.hessian)] == [False, True, True, True, True, False]
    assert found.hessian[2, 2].kink and found.hessian[3, 3].high == 4.0 and not found.hessian[3, 4].kink
    assert found.hessian[3, 5].high == 0.0  # of two terms


def test_there_are_enough():
    assert len({e.name for e in poles.GUARDED}) >= 40 and len({e.name for e in poles.COMPUTED}) >= 20


# ---- derivatives

@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("name", ENTRIES)
def test_backwards(name):
    program, args, wrt, nan_is_right = called(name)
    right(flat(quiet(gs.grad(program, argnums=wrt), *args)), limits_of(name).gradient, 1, nan_is_right)


@pytest.mark.heavy(one_in=12)
@pytest.mark.parametrize("name", ENTRIES)
def test_forwards(name):
    program, args, wrt, nan_is_right = called(name)
    right(flat(quiet(gs.jacfwd(program, argnums=wrt), *args)), limits_of(name).gradient, 1, nan_is_right)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("name", [name for name in CHOSEN if len(ENTRIES[name][0].wrt) == len(ENTRIES[name][0].args)])
def test_along_a_direction(name):
    program, args, _, _ = called(name)
    tangents = tuple(np.full(np.shape(a), 0.5)[()] if np.ndim(a) else 0.5 for a in args)
    value, slope = quiet(gs.jvp, program, args, tangents)
    np.testing.assert_allclose(value, limits_of(name).value, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(slope, sum(0.25 * (e.low + e.high) for e in limits_of(name).gradient),
                               rtol=1e-9, atol=1e-9)


@pytest.mark.heavy(one_in=14)
@pytest.mark.parametrize("name", ENTRIES)
def test_to_second_order(name):
    program, args, wrt, nan_is_right = called(name, order=2)
    right(block(quiet(gs.hessian(program, argnums=wrt), *args), args, wrt), limits_of(name).hessian, 2, nan_is_right,
          ENTRIES[name][0].kinked)


@pytest.mark.heavy(one_in=16)
@pytest.mark.parametrize("name", ENTRIES)
def test_backwards_over_backwards(name):
    program, args, wrt, nan_is_right = called(name, order=2)
    right(block(quiet(gs.jacrev(gs.grad(program, argnums=wrt), argnums=wrt), *args), args, wrt),
          limits_of(name).hessian, 2, nan_is_right, ENTRIES[name][0].kinked)


@pytest.mark.heavy(one_in=32)
@pytest.mark.parametrize("name", ENTRIES)
def test_forwards_over_forwards(name):
    program, args, wrt, nan_is_right = called(name, order=2)
    right(block(quiet(gs.jacfwd(gs.jacfwd(program, argnums=wrt), argnums=wrt), *args), args, wrt),
          limits_of(name).hessian, 2, nan_is_right, ENTRIES[name][0].kinked)


@pytest.mark.heavy(one_in=73)
@pytest.mark.parametrize("name", list(ENTRIES)[::4])
def test_compiled(name):
    program, args, wrt, nan_is_right = called(name)
    right(flat(quiet(gs.jit(gs.grad(program, argnums=wrt)), *args)), limits_of(name).gradient, 1, nan_is_right)


@pytest.mark.heavy(one_in=50)
@pytest.mark.parametrize("name", list(ENTRIES)[2::8])
def test_compiled_forwards_and_to_second_order(name):
    program, args, wrt, nan_is_right = called(name)
    right(flat(quiet(gs.jit(gs.jacfwd(program, argnums=wrt)), *args)), limits_of(name).gradient, 1, nan_is_right)
    right(block(quiet(gs.jit(gs.hessian(program, argnums=wrt)), *args), args, wrt), limits_of(name).hessian, 2,
          called(name, order=2)[3], ENTRIES[name][0].kinked)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("name", CHOSEN[1::3])
def test_for_many_examples(name):
    """At the pole, beside it, and at the pole again."""
    program, args, wrt, nan_is_right = called(name)
    batch = tuple(np.stack([a, a + 0.0078125, a]) if k in wrt else a for k, a in enumerate(args))
    gradient = gs.grad(program, argnums=wrt)
    got = quiet(gs.vmap(gradient, in_axes=tuple(0 if k in wrt else None for k in range(len(args)))), *batch)
    for example in (0, 2):
        right(flat(part[example] for part in got), limits_of(name).gradient, 1, nan_is_right)
    beside = quiet(gradient, *(a[1] if k in wrt else a for k, a in enumerate(batch)))
    np.testing.assert_allclose(flat(part[1] for part in got), flat(beside), rtol=1e-12, atol=1e-14)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("name", CHOSEN)
def test_a_gradient_warns_of_nothing_that_its_program_does_not(name):
    program, args, wrt, _ = called(name)
    with warnings.catch_warnings(record=True) as said, np.errstate(all="warn"):
        warnings.simplefilter("always")
        program(*args)
    if any(issubclass(w.category, RuntimeWarning) for w in said):
        return
    with warnings.catch_warnings(), np.errstate(all="warn", under="ignore"):
        warnings.simplefilter("error", RuntimeWarning)
        gs.grad(program, argnums=wrt)(*args)


@pytest.mark.parametrize("name", list(ENTRIES)[:len(poles.NAMED)])
def test_in_single_precision(name):
    program, args, wrt, _ = called(name)
    gradient = quiet(gs.grad(program, argnums=wrt), *(np.float32(a) if np.ndim(a) else a for a in args))
    assert all(part.dtype == np.float32 for part, a in zip(gradient, (args[k] for k in wrt)) if np.ndim(a))
    np.testing.assert_allclose(flat(gradient), [e.high for e in limits_of(name).gradient], rtol=1e-4, atol=1e-5)


# ---- complex arguments

def magnitudes(z):
    a = np.abs(z)
    return np.sum(np.exp(-a ** 2)) + np.sum(a[a > 0.25])


def phases(z):
    a = np.abs(z)
    return np.sum(np.abs(np.where(a > 0, z / np.where(a > 0, a, 1.0), 1.0) - 0.5) ** 2)


def complex_roots(z):
    return np.sum(np.abs(np.where(np.abs(z) > 0, np.sqrt(z), 0.0)) ** 2)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("program", [magnitudes, phases, complex_roots], ids=lambda f: f.__name__)
def test_complex_arguments(program):
    """The gradient by z is that by its real part, less i times that by its imaginary part."""
    z = np.array([0.0, 1.5 - 0.5j, -0.25 + 1j])
    exact, before = {}, program.__globals__
    exact.update(before, np=limits.NUMPY)
    same = type(program)(program.__code__, exact)
    found = limits.Limits(lambda x: same(np.array(x[:3], object) + np.array(x[3:], object) * 1j),
                          flat([z.real, z.imag]))
    for gradient in (gs.grad(program), gs.jit(gs.grad(program))):
        got = quiet(gradient, z)
        right(flat([got.real, -got.imag]), found.gradient, 1, False)
