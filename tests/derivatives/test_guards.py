"""A test that keeps a function from a place without a derivative keeps its gradient from there, too."""
import math

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree


def unit(v):
    n = np.sqrt(v @ v)
    if n > 1e-12:
        return np.sum(v / n * np.arange(1.0, len(v) + 1.0))
    return 0.0 * np.sum(v)


def great_circle(x):
    h = np.sin((x[0] - 0.5) / 2) ** 2 + np.sin((x[1] - 0.25) / 2) ** 2
    d = 2 * np.arcsin(np.sqrt(h))
    if h == 0.0:
        return x[0] * 2.0
    return d


def spread(x):
    s = 0.0
    for k in range(len(x)):
        d = x[k] - 0.5
        r = math.sqrt(d * d)
        log = np.log(np.abs(d))
        if k % 2 == 0:
            s = s + d * d
        elif r > 0.0:
            s = s + r * log
    return s


def safe_log(x):
    logs = np.log(x)
    return np.sum(logs * x) if np.all(x > 0.0) else np.sum(x * x)


def only_in_an_inner_branch(x):
    a = np.sqrt(x[0])
    b = 3.0 * a
    if x[1] > 0.0:
        y = x[1] * b if x[0] > 0.0 else x[1]
    else:
        y = x[0] * 2.0
    return y


def used_elsewhere_as_well(x):
    a = np.sqrt(x[0])
    y = a * 2.0 if x[1] > 0.0 else x[1]
    return y + a


# what that side alone gives
ISOLATED = {"unit": (unit, np.zeros(3), np.zeros(3)), "great circle": (great_circle, np.array([0.5, 0.25]), [2.0, 0.0])}
CASES = {"unit, elsewhere": (unit, np.ones(3)), "great circle, elsewhere": (great_circle, np.array([0.75, 1.25])),
         "spread": (spread, np.array([0.5, 1.25, 0.5, 2.0])),
         "nested": (only_in_an_inner_branch, np.array([0.0, -1.0])),
         "nested, elsewhere": (only_in_an_inner_branch, np.array([0.5, 1.0])),
         "both": (used_elsewhere_as_well, np.array([0.5, 1.0])),
         "both, other side": (used_elsewhere_as_well, np.array([0.5, -1.0]))}


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("name", CASES)
def test_the_gradient_is_that_of_the_side_taken(name):
    f, x = CASES[name]
    agree(f, x, gradient=0)
    np.testing.assert_allclose(gs.vmap(gs.grad(f))(np.stack([x, x + 0.125])), [gs.grad(f)(x), gs.grad(f)(x + 0.125)],
                               rtol=1e-12)


@pytest.mark.parametrize("name", ISOLATED)
def test_at_one_point(name):
    f, x, want = ISOLATED[name]
    for gradient in (gs.grad(f), gs.jit(gs.grad(f)), lambda x: gs.vmap(gs.grad(f))(x[None])[0],
                     lambda x: gs.jacfwd(f)(x)):
        np.testing.assert_array_equal(gradient(x), want)


def test_nothing_is_divided_by_zero_on_the_other_side():
    with np.errstate(all="raise"):
        assert not np.any(gs.grad(unit)(np.zeros(2)))


def test_it_reads_as_the_program_does():
    text = gs.grad(unit).source(np.ones(2))
    assert text.rindex("    if ") < text.index("rt.norm_slope(0.5 * ") < text.rindex("    else:"), text
