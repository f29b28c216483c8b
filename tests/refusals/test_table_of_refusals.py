"""The table of docs/language.md, both columns: what stands on the left is refused, what stands on the right works."""
import contextlib
import pathlib
import time

import numpy as np
import pytest
import scipy.optimize
import scipy.special

import gradscribe as gs

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "language.md"
X = np.array([0.5, 1.5, 0.25])
HISTORY: list = []
NOW = time.time()


def a_set(x):
    return x[0] * len({x[1], 2.0})


def a_tuple(x):
    return x[0] * len((x[1], 2.0))


def caught(x):
    try:
        total = sum(v / np.sum(x) for v in x)
    except* ZeroDivisionError:
        total = 0.0
    return total


def divided(x):
    total = np.sum(x)
    return sum(v / total for v in x) if total != 0.0 else 0.0


def within_errstate(x):
    with np.errstate(all="raise"):
        return np.sum(np.log(x))


def result_tested(x):
    y = np.log(x)
    if not np.all(np.isfinite(y)):
        raise FloatingPointError("invalid value encountered in log")
    return np.sum(y)


def redirected(x):
    with contextlib.redirect_stdout(None):
        return np.sum(x * x)


def squares(x):
    return np.sum(x * x)


def class_inside(x):
    class Point:
        scale = 2.0
    return Point.scale * np.sum(x)


class Point:
    scale = 2.0


def class_outside(x):
    return Point.scale * np.sum(x)


def awaited_inside(x):
    async def given():
        return 2.0
    return np.sum(x) * 2.0


def awaited_outside(x, given=2.0):
    return np.sum(x) * given


def noisy(x):
    return np.sum(x + np.random.normal(size=3))


def keyed(x, key=gs.random.key(0)):
    return np.sum(x + gs.random.normal(key, x.shape, np.float64))


def timed(x):
    return np.sum(x) * time.time()


def timed_outside(x):
    return np.sum(x) * NOW


def remembers(x):
    HISTORY.append(np.sum(x))
    return np.sum(x * x)


def hands_on(x):
    return gs.grad(lambda x: (np.sum(x * x), np.sum(x)), has_aux=True)(x)[0] @ x


def ordered(x):
    z = x + 1j * x
    return np.sum(np.where(z < 1.0, x, 0.0))


def parts_ordered(x):
    z = x + 1j * x
    return np.sum(np.where(z.real < 1.0, x, 0.0))


def erf_of_complex(x):
    return np.sum(scipy.special.erf(x + 1j * x).real)


def erf_of_real(x):
    return np.sum(scipy.special.erf((x + 1j * x).real))


def without_rule(x):
    return np.sum(np.asarray_chkfinite(x) ** 2)


def own_function(x):
    if not np.all(np.isfinite(x)):
        raise ValueError("array must not contain infs or NaNs")
    return np.sum(x ** 2)


def solved(x):
    return scipy.optimize.brentq(lambda t: t * t - x[0], 0.0, 5.0)


def iterated(x):
    t = 1.0
    for _ in range(30):
        t = t - (t * t - x[0]) / (2.0 * t)
    return t


ROWS = {  # the beginning of a row -> [(what is refused, what the message says, what works)]
    "a set of values": [(a_set, "it is an item of a set", a_tuple)],
    "an `except`": [(caught, "try / except*", divided)],
    "`with` of": [(within_errstate, "np.errstate(all='raise')", result_tested), (redirected, "", squares)],
    "a class inside": [(class_inside, "a class inside a function", class_outside)],
    "an async function": [(awaited_inside, "an async function", awaited_outside)],
    "`np.random`": [(noisy, "hidden random state", keyed), (timed, "the clock", timed_outside)],
    "a change of": [(remembers, "a change of HISTORY", hands_on)],
    "complex numbers": [(ordered, "complex", parts_ordered), (erf_of_complex, "complex", erf_of_real)],
    "a NumPy function": [(without_rule, "np.asarray_chkfinite has no rule", own_function)],
    "what SciPy solves": [(solved, "scipy.optimize.brentq has no rule", iterated)],  # the others: test_advice.py
    "a masked array": [(lambda x: gs.grad(squares)(np.ma.masked_array(X, X > 1.0)), "a masked array",
                        lambda x: np.sum(np.where(X > 1.0, 0.0, x) ** 2))],
    "`gs.grad` of": [(lambda x: x * x, "one float", squares),
                     (gs.grad(squares), "one float", lambda x: np.sum(gs.hessian(squares)(x) * x))],
    "an int or bool": [(lambda x: gs.grad(squares)(np.array([1, 2])), "only floats have derivatives",
                        lambda x: gs.grad(squares)(np.array([1, 2]).astype(float)) @ x[:2])],
}


def rows() -> list[str]:
    lines = PAGE.read_text(encoding="utf-8").split("| refused | write instead |\n")[1].splitlines()[1:]
    return [line[2:] for line in lines[:next(k for k, line in enumerate(lines) if not line.startswith("|"))]]


def test_each_row_has_its_programs():
    begins = [[key for key in ROWS if row.startswith(key)] for row in rows()]
    assert begins == [[key] for key in ROWS]


@pytest.mark.heavy(one_in=3)
@pytest.mark.parametrize("refused, says, works", [row for rows in ROWS.values() for row in rows])
def test_both_columns(refused, says, works):
    with pytest.raises(gs.GradscribeError) as caught:
        gs.grad(refused)(X)
    assert says in f"{caught.value}" and caught.value.instead
    value, slope = gs.value_and_grad(works)(X)
    direction, h = np.array([0.5, -1.0, 0.25]), 1e-5
    np.testing.assert_allclose(value, works(X))
    np.testing.assert_allclose(slope @ direction, (works(X + h * direction) - works(X - h * direction)) / (2.0 * h),
                               rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(gs.jit(gs.grad(works))(X), slope, rtol=1e-12)
    both = np.stack([X, X[::-1]])
    np.testing.assert_allclose(gs.vmap(gs.grad(works))(both), [gs.grad(works)(x) for x in both], rtol=1e-10)
