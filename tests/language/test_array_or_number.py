"""What is an array on one path and a number on another: what is done with it is done with each, and
Python says what that gives: values and dtypes, shapes that are asked for, stores, derivatives, examples that go
different ways."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import Together

POINTS = np.array([[0.7, 1.3, 2.1, 0.4], [0.65, 1.5, 0.9, 2.2], [0.3, 1.2, 1.9, 0.8], [1.4, 2.6, 4.2, 0.8]])
ABOVE = 0.68  # the first and the last point are above


def missing_observation(x):
    return np.sum((x + (x * 2.0 if x[0] > ABOVE else 0.0)) ** 2)


def kalman_gain(x):
    level, total = np.zeros(4), 0.0
    for k in range(4):
        level = level + (x * 0.5 * k if x[k] >= 1.0 else 0.0)
        total += np.sum(level * x)
    return total


def dose(x):
    """It stays what it is over some rounds, as an array or as a number."""
    rate, amount = 0.0, 0.0
    for k in range(4):
        if x[k] > 1.0:
            rate = x**2 * k
        amount = amount + np.sum(x * rate)
    return amount


def grows_on_some_rounds(x):
    total = 0.0
    for k in range(4):
        if x[k] > 1.0:
            total = total + x * k
    return np.sum(total * x)


def until_it_is_full(x):
    stored, t = 0.0, 0.0
    while t < 4.1 * x[0]:
        stored = stored + x if t > 1.05 else stored * 2
        t += 1.0
    return np.sum(stored * x)


def found_first(x):
    c = 0.0
    for k in range(4):
        if x[k] > 2.0:
            c = x * k
            break
    return np.sum(c * x)


def asks_what_it_is(x):
    c = x**2 if x[0] > ABOVE else np.float64(0.5)
    asked = np.ndim(c) + np.size(c) + c.size + c.ndim
    if isinstance(c, np.ndarray):
        return c[0] * x[1] + asked
    return c * asked


def index_behind_a_test(x):
    c = x**2 if x[0] > ABOVE else 0.5
    return c[0] * x[1] if np.ndim(c) > 0 else x[2] * c


def methods(x):
    c = x**2 if x[0] > ABOVE else x[1]
    return c.sum() + c.mean() * np.max(c) + x.dot(x * c)


def functions(x):
    c = x**2 if x[0] > ABOVE else 0.5
    return np.sum(np.where(x > 1.0, c, 0.0)) + np.sum(np.maximum(c, 0.7) * (c > 0.6)) + np.sum(a=c * x, axis=-1)


def stores_in_place(x):
    c = x**2 if x[0] > ABOVE else 0.5
    d = c
    c += x[1]
    c *= 2.0
    return np.sum(c * x) + np.sum(d)


def stores_into_the_argument(x):
    c = x if x[0] > ABOVE else 0.5
    c += 1.0
    return np.sum(c * x)


def stored_somewhere(x):
    c = x**2 if x[0] > ABOVE else 0.5
    y = np.zeros(4)
    y[:] = c
    y[1:] += c[1:] if np.ndim(c) else c
    return np.sum(y * x)


def store_into_what_it_is_of(x):
    y = x * 1.0
    c = y if x[0] > ABOVE else 0.0
    y[0] = 5.0 * x[1]
    return np.sum(c * x)


def of_no_axes(x):
    def clipped(s):
        if np.all(s > ABOVE):
            return s
        return np.where(s > 0.5, s, 0.25)
    return clipped(x[0]) ** 2 + clipped(x[2])


def two_results(x):
    def rates(x):
        if x[0] > ABOVE:
            return x**2, 1.0
        return 0.0, x[1]
    a, b = rates(x)
    return np.sum(a * x) * b


def in_a_dict(x):
    d = {"drift": 0.0, "level": x}
    if x[0] > ABOVE:
        d["drift"] = x * x
    return np.sum(d["drift"] + d["level"] ** 2)


def in_a_list(x):
    parts = [x * k if x[k] > 1.0 else 0.0 for k in range(4)]
    return sum([np.sum(part * x) for part in parts])


def or_none(x):
    c = None
    if x[0] > ABOVE:
        c = x**2
    elif x[1] > 1.35:
        c = 2.0
    return np.sum(x) if c is None else np.sum(x * c)


def seen_by_a_function(x):
    c = x**2 if x[0] > ABOVE else 0.5
    slope = gs.grad(lambda v: np.sum(v**2 * c))(x)
    return np.sum(slope * x)


PROGRAMS = [missing_observation, kalman_gain, dose, grows_on_some_rounds, until_it_is_full, found_first,
            asks_what_it_is,
            index_behind_a_test, methods, functions, stores_in_place, stores_into_the_argument, stored_somewhere,
            store_into_what_it_is_of, of_no_axes,
            two_results, in_a_dict, in_a_list, or_none]


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("f", [*PROGRAMS, seen_by_a_function])
def test_does_what_python_does(f):
    same = Together(f)
    for x in POINTS:
        same(x)


def differences(f, x):
    return np.array([(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(len(x))])


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("f", PROGRAMS)
def test_derivatives(f):
    slope, compiled, curvature = gs.grad(f), gs.jit(gs.grad(f)), gs.jit(gs.hessian(f))
    for x in POINTS:
        np.testing.assert_allclose(slope(x.copy()), differences(f, x), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(compiled(x.copy()), slope(x.copy()), rtol=1e-12)
        np.testing.assert_allclose(curvature(x.copy()), differences(slope, x), rtol=1e-5, atol=1e-5)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("f", [f for f in PROGRAMS if f is not stores_into_the_argument])
def test_examples_that_go_different_ways(f):
    values, slopes = gs.jit(gs.vmap(f))(POINTS), gs.vmap(gs.grad(f))(POINTS)
    np.testing.assert_allclose(values, [f(x) for x in POINTS], rtol=1e-12)
    np.testing.assert_allclose(slopes, [gs.grad(f)(x) for x in POINTS], rtol=1e-10)


def returned(x):
    return x if x[0] > ABOVE else 0.5


def handed_to_a_derivative(x):
    c = x if x[0] > ABOVE else 0.5
    return gs.grad(lambda v: np.sum(v * v))(c)


def shape_of_it(x):
    c = x if x[0] > ABOVE else np.float64(0.5)
    return len(c.shape)


def numbers_of_two_widths(x):
    c = x.astype(np.float32) if x[0] > ABOVE else x
    return np.sum(c)


def numbers_of_two_dtypes(x):
    best = 0
    for k in range(4):
        if x[k] > 1.0:
            best = max(best, x[k])
    few = np.arange(3) if x[1] > 1.4 else np.linspace(0.0, 1.0, 3)
    few = few * 2
    third = few[2] // 2
    return np.sum(x) * third * best, few, third, few.dtype == np.int64, str(few.dtype)


def a_bool_or_a_number(x):
    found = x[0] > ABOVE or 2.5
    limit = True if x[1] > 1.4 else 3
    return found, limit, limit * 2, -limit, limit + x[0], isinstance(limit, bool), [limit, found]


def two_widths(x):
    low = np.float32(x[0])
    c = x[1] if x[0] > ABOVE else low
    return c, c * low, c * 0.1, c + 1e-9, max(10.1, low), np.float32(0.1) if x[1] > 1.4 else 0.1


def changes_its_dtype_in_a_loop(x):
    y = np.arange(4)
    for k in range(4):
        if x[k] > 1.0:
            y = y.astype(float)
            y[k] = 2.5
        else:
            y[k] = 3
    return y, y.sum(), str(y.dtype)


def in_lists_and_dicts(x):
    kept = [np.arange(2) if value > 1.0 else np.ones(2) for value in x]
    state = {"k": np.arange(3)}
    if x[0] > ABOVE:
        state["k"] = state["k"] * 0.5
    state["k"][1] += 1
    return kept, state, sum([k.sum() for k in kept])


def another_number_of_axes(x):
    y = x[None] * 1.0 if x[0] > ABOVE else x * 1.0
    y[0] = 5.0
    return y, y.ndim, y.size, np.sum(y, axis=0)


def makes_what_it_is(x):
    n = 2 if x[0] > ABOVE else 0.5
    return (np.full(2, n), np.abs(n), np.arange(3) * n, 2**n, np.arange(n), np.result_type(n) == float, round(n),
            7 // n, str(n), np.float32(1.5) * n)


def an_index_or_no_index(x):
    return np.arange(4.0)[2 if x[0] > ABOVE else 0.5]


def part_of_an_index(x):
    start = 1 if x[0] > ABOVE else 1.5
    y = np.zeros((3, 3))
    y[0, start:] = x[1]
    return y


def bounds_of_a_range(x):
    return list(range(4)[2.5 if x[0] > ABOVE else 0:10:2])


def made_arrays_of(x):
    c = x if x[0] > ABOVE else 0.5
    n = 2 if x[1] > 1.4 else 0.25
    return np.array([c, c]), np.stack([c, x * 0 + c]) if np.ndim(c) else c, np.concatenate([[n], [n]]), np.array([n, 1])


def largest_of_a_generator(x):
    few = np.arange(2) if x[0] > ABOVE else np.ones(2)
    return (max(v for v in (few[1], x[1], True)), min((v for v in (True, x[2])), default=0),
            sum(v for v in (True, few[1])))


RETURNED = [returned, numbers_of_two_widths, numbers_of_two_dtypes, a_bool_or_a_number, two_widths,
            changes_its_dtype_in_a_loop, in_lists_and_dicts, another_number_of_axes, makes_what_it_is,
            an_index_or_no_index, part_of_an_index, largest_of_a_generator, bounds_of_a_range, made_arrays_of]


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("f", RETURNED)
def test_is_returned_as_it_is(f):
    same = Together(f)
    for x in POINTS:
        same(x)


def test_a_derivative_or_a_batch_has_one_dtype():
    def kept(x):
        return x * x if x[0] > ABOVE else np.ones(4, np.float32)

    for x in POINTS[[0, 3]]:
        np.testing.assert_allclose(gs.grad(lambda x: np.sum(kept(x)))(x), 2 * x)
    np.testing.assert_allclose(gs.jit(gs.vmap(kept))(POINTS[[0, 3]]), POINTS[[0, 3]] ** 2)
    for run in (lambda: gs.vmap(kept)(POINTS), lambda: gs.jit(gs.vmap(kept))(POINTS)):
        with pytest.raises(gs.GradscribeError, match=r"not of float64 here.*write x.astype\(np.float64\)"):
            run()


def array_or_text(x):
    c = x if x[0] > ABOVE else "none"
    return np.sum(c)


@pytest.mark.parametrize("f, says", [(handed_to_a_derivative, "derivative"),
                                     (shape_of_it, "a tuple of 1 on one path"),
                                     (array_or_text, "on one path and the str 'none' on another")])
def test_refused(f, says):
    with pytest.raises(gs.UnsupportedError, match=says):
        gs.jit(f)(POINTS[0])


def test_a_test_of_a_flag_that_is_passed_is_known_before_the_run():
    def f(x, missing):
        return np.sum(x + (0.0 if missing else x * 2.0))
    assert "if" not in gs.jit(f).source(POINTS[0], True)


def where_not_all(s):
    """A number, or NumPy's array without axes of it."""
    if np.all(s > 0):
        return s * s
    return np.where(s > 0, s * s, np.nan)


def test_a_number_or_an_array_without_axes():
    f = Together(where_not_all)
    for s in (2.0, -2.0, np.float64(2.0), np.float32(-2.0), np.array(-2.0), POINTS[0], -POINTS[0]):
        f(s)


@pytest.mark.parametrize("way", [gs.test_util.primal, gs.jit])
def test_in_a_gradient_or_a_batch_a_number_is_an_array_without_axes(way):
    for s, slope in ((2.0, 4.0), (-2.0, 0.0)):
        assert way(gs.grad(where_not_all))(s) == slope
        assert way(gs.grad(lambda s: np.sum(where_not_all(s))))(s) == slope
    each = np.array([2.0, -2.0, 0.5])
    np.testing.assert_array_equal(way(gs.vmap(where_not_all))(each), where_not_all(each))
    np.testing.assert_array_equal(way(gs.vmap(gs.grad(where_not_all)))(each), [4.0, 0.0, 1.0])
    with pytest.raises(gs.UnsupportedError, match=r"float64\[\] or float, which the run time chooses"):
        way(gs.value_and_grad(where_not_all))(2.0)  # it would give either
    with pytest.raises(gs.UnsupportedError, match="which the run time chooses"):
        way(gs.grad(lambda x: x if x[0] > 0.0 else x[0]))(POINTS[0])
