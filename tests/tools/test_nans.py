"""gs.debug.nans finds the line where NaN or an infinity arises, plain and compiled, and reports nothing else;
gs.debug.checks compares both; compiled calls hear NumPy's error state."""
import threading
import warnings

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.programs import numpy_errors
from gradscribe.transformer.tools import watches

primal = gs.test_util.primal
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def ratio(x):
    total = np.sum(x)
    return total / np.sum(x * x)  # fault


def logarithm(x):
    y = x - 2.0
    z = np.log(y)  # fault
    return np.sum(z * z)


def computed_zero(x):
    r = np.sqrt(np.sum(x))  # fault
    return r * r


def overflow(x):
    e = np.exp(x)  # fault
    return np.sum(e)


def in_a_loop(x):
    total = 1.0
    for i in range(len(x)):
        v = x[i]
        if i == 7:
            v = np.float64(1e300) * v * 1e300
        total = v + total - v  # fault
    return total


def stored(x):
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] = x[i]
    for i in range(1, len(x)):
        y[i] += np.sqrt(y[i - 1] - 1.5)  # fault
    return np.sum(y)


def softmax(x):
    e = np.exp(x)
    return np.sum(e / np.sum(e) * np.arange(len(x)))  # fault


def pole(x):
    shifted = x - 1.0
    return shifted / np.abs(shifted)  # fault


@gs.custom_vjp
def ruled(x):
    return x * x


def backward(x, ct):
    n = np.sqrt(x - x)
    return (ct * n / n,)  # fault


ruled.defvjp(lambda x: (x * x, x), backward)


def by_rule(x):
    return np.sum(ruled(x) * 2.0)


def helper(x):
    shifted = x - 5.0
    return np.arccos(shifted)  # fault


def calls(x):
    y = 2.0 * x
    return np.sum(helper(y))


def cube_of_root(x):
    return np.sum(np.sqrt(x) ** 2)  # fault


def part_of_masked(x):
    y = np.full(len(x), np.nan)
    y[0] = 1.0
    y[1] = np.log(y[0] - x[1])  # fault
    return y[1]


def own_line(f):
    """The line of a function, or of what it calls, that is marked."""
    code = {by_rule: backward, calls: helper}.get(f, f).__code__
    with open(__file__) as file:
        lines = file.read().split("\n")
    return next(k for k in range(code.co_firstlineno, len(lines)) if lines[k - 1].endswith("# fault"))


THREE = np.array([1.0, 1.5, 3.0])
FAULTS = [  # function, what is made of it, the arguments, are infinities meant, is it the adjoint
    (ratio, primal, np.zeros(3), False, False), (logarithm, primal, THREE, False, False),
    (logarithm, gs.grad, THREE, False, False), (computed_zero, gs.grad, np.zeros(3), False, True),
    (overflow, primal, 800.0 * THREE, True, False), (in_a_loop, primal, np.full(9, 1e10), False, False),
    (stored, primal, np.ones(4), False, False), (softmax, primal, 800.0 * THREE, False, False),
    (pole, lambda f: gs.vmap(f), THREE, False, False), (by_rule, gs.grad, THREE, False, False),
    (calls, primal, THREE, False, False), (calls, gs.grad, THREE, False, True),
    (cube_of_root, gs.hessian, np.zeros(2), False, True), (pole, lambda f: gs.vmap(gs.grad(f)), THREE, False, True),
    (cube_of_root, gs.jacfwd, np.zeros(2), False, True), (part_of_masked, primal, THREE, False, False)]


def caught(call, *args, infs=False):
    with gs.debug.nans(infs=infs), pytest.raises(FloatingPointError) as found:
        call(*args)
    return str(found.value)


@pytest.mark.parametrize("wrap", [lambda g: g, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("f, made, x, infs, derivative", FAULTS)
def test_a_fault_is_found_at_its_line(wrap, f, made, x, infs, derivative):
    said = caught(wrap(made(f)), x, infs=infs)
    assert f"test_nans.py:{own_line(f)}: {'inf' if infs else 'NaN'} arises in" in said
    if derivative:
        assert "of this line" in said and "docs/kinks.md" in said
    else:
        assert "arises in this line" in said and "docs/kinks.md" not in said


def test_the_message_has_the_values_and_the_place():
    said = caught(primal(logarithm), THREE)
    assert "in generated line" in said and "y = [-1, -0.5, 1]" in said
    assert "becomes nan at index (0,)" in said
    assert "y = " in caught(gs.grad(logarithm), THREE)


def first_smallest(x):
    best = np.inf
    for v in x:
        if v < best:
            best = v
    return best


def masked(x):
    y = np.where(x > 0.0, x, np.nan)
    filled = np.full(len(x), np.nan)
    filled[0] = x[0]
    return np.nansum(y) + np.sum(filled[:1]), y + 1.0


def mean_without_nan(x):
    return np.nanmean(x) + np.nanmax(x)


def limits(x):
    low, high = -np.inf, float("inf")
    return np.clip(x, low, high), low, high - 1.0


def chosen_root(x):
    return np.sum(np.sqrt(np.maximum(x, 0.0))) + np.linalg.norm(x)


WITH_NAN = np.array([1.0, np.nan, 3.0])


@pytest.mark.parametrize("wrap", [lambda g: g, gs.jit], ids=["plain", "compiled"])
@pytest.mark.parametrize("f, x, infs", [
    (first_smallest, THREE, True), (masked, -THREE, True), (masked, THREE, True), (mean_without_nan, WITH_NAN, True),
    (limits, THREE, True), (chosen_root, -THREE, False), (ratio, WITH_NAN, True), (logarithm, WITH_NAN + 3, True)])
def test_what_is_no_fault_is_not_reported(wrap, f, x, infs):
    g = wrap(primal(f))
    want = g(x)
    with gs.debug.nans(infs=infs):
        got = g(x)
    np.testing.assert_equal(got, want)
    if f is chosen_root:
        with gs.debug.nans():
            assert np.all(np.isfinite(wrap(gs.grad(f))(x)))


def doubled(x, y, n=2):
    y[:] = x * n
    return {"sum": np.sum(y), "parts": [x + 1.0, n]}


@pytest.mark.parametrize("wrap", [lambda g: g, gs.jit], ids=["plain", "compiled"])
def test_results_are_those_of_other_calls(wrap):
    """Stores, keywords and containers are as ever, and each argument is stored into once."""
    g, y, z = wrap(primal(doubled)), np.zeros(3), np.zeros(3)
    want = g(THREE, y, n=3)
    for context in (gs.debug.nans(infs=True), gs.debug.checks()):
        z[:] = 0.0
        with context:
            got = g(THREE, y=z, n=3)
        np.testing.assert_equal(got, want)
        assert type(got["parts"][1]) is type(want["parts"][1]) and np.array_equal(y, z)


def accumulated(y):
    y += 1.0
    y[1] = np.log(y[0] - 5.0)  # fault
    return y[0]


def test_what_is_stored_is_looked_at_with_the_arguments_as_they_were():
    said = caught(gs.jit(accumulated), np.zeros(2))
    assert f"test_nans.py:{own_line(accumulated)}:" in said and "[0] = 1\n" in said


def test_the_first_half_and_the_second_of_a_pull_back():
    for wrap in (lambda g: g, gs.jit):
        _, pull = gs.vjp(wrap(computed_zero), np.zeros(2))
        said = caught(pull, 1.0)
        assert f"test_nans.py:{own_line(computed_zero)}: NaN arises in the adjoint" in said
    assert "NaN arises in this line" in caught(gs.vjp, logarithm, THREE)


def test_exceptions_are_those_of_the_function():
    def picks(x):
        return x[5]
    with gs.debug.nans(), pytest.raises(IndexError) as found:
        primal(picks)(THREE)
    assert "picks" in found.value.__notes__[0]


def test_it_is_off_outside_of_its_block_and_in_other_threads():
    g, results = gs.grad(logarithm), []
    with gs.debug.nans():
        with gs.debug.nans(infs=True):
            pass
        thread = threading.Thread(target=lambda: results.append(g(THREE)))
        thread.start()
        thread.join()
        with pytest.raises(FloatingPointError):
            g(THREE)
    assert np.isnan(results[0][0]) and np.isnan(g(THREE)[0])
    assert watches.active == 0 and watches.watched_here() == watches.Watch()


def test_the_options_of_jax_are_for_the_whole_process():
    g, found = gs.jit(overflow), []

    def run():
        try:
            g(800.0 * THREE)
        except FloatingPointError as error:
            found.append(str(error))
    try:
        gs.config.update("jax_debug_nans", True)
        assert gs.config.jax_debug_nans and not gs.config.jax_debug_infs
        assert np.isinf(g(800.0 * THREE))
        gs.config.update("jax_debug_infs", True)
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        assert "inf arises in this line" in found[0]
    finally:
        gs.config.update("jax_debug_nans", False)
        gs.config.update("jax_debug_infs", False)
    assert watches.active == 0 and np.isinf(g(800.0 * THREE))


# checks -----------------------------------------------------------------------------------------------------------
def spoilt(g, args, spoil):
    """Have the compiled program of a call give something else."""
    g(*args)
    program = g._cache.lookup(args, {})
    run = program.run
    program.run = lambda *flat: spoil(run(*flat))


def test_a_compiled_result_that_differs_is_refused():
    def f(x):
        return np.sum(x), x * 2.0
    g = gs.jit(f)
    with gs.debug.checks():
        g(THREE)
    spoilt(g, (THREE,), lambda r: (r[0], r[1] + [0.0, 1e-5, 0.0]))
    with gs.debug.checks(), pytest.raises(gs.GradscribeError, match=r"result 2 of compiled f .* at index \(1,\)"):
        g(THREE)


@pytest.mark.parametrize("spoil, said", [
    (lambda r: (np.float32(r[0]),), "dtype float32 instead of float64"), (lambda r: (np.ones(1) * r[0],), "shape"),
    (lambda r: (np.nan,), "nan instead of")])
def test_types_and_nan_are_compared(spoil, said):
    g = gs.jit(overflow)
    spoilt(g, (THREE,), spoil)
    with gs.debug.checks(), pytest.raises(gs.GradscribeError, match=said):
        g(THREE)


def test_what_is_stored_is_compared():
    def f(x, y):
        y[:] = x + y
    def spoil(results):
        results[0][0] += 1.0
        return results
    g = gs.jit(f)
    spoilt(g, (THREE, np.zeros(3)), spoil)
    with gs.debug.checks(), pytest.raises(gs.GradscribeError, match="what is stored into y of compiled f"):
        g(THREE, np.ones(3))


def test_nothing_is_printed_twice(capsys):
    def f(x):
        print("now")
        return x * 2.0
    with gs.debug.checks():
        gs.jit(f)(2.0)
    assert capsys.readouterr().out == "now\n"


def test_nan_of_compiled_code_alone_is_named():
    g = gs.jit(overflow)
    spoilt(g, (THREE,), lambda r: (np.float64(np.nan),))
    assert "the result of compiled overflow is NaN" in caught(g, THREE)


# NumPy's error state ------------------------------------------------------------------------------------------------
def test_compiled_calls_hear_an_error_state_around_them():
    g, h = gs.jit(ratio), gs.jit(gs.grad(logarithm))
    for call, x in ((g, np.zeros(3)), (h, THREE)):
        call(x)
        with np.errstate(all="raise"), pytest.raises(FloatingPointError):
            call(x)
        with np.errstate(all="raise", invalid="ignore", divide="ignore"):
            call(x)
    with np.errstate(invalid="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isinf(gs.jit(overflow)(800.0 * THREE))  # by "over" alone
    assert np.isnan(g(np.zeros(3)))


def test_the_fast_path_hears_it():
    g = gs.jit(ratio)
    for _ in range(3):
        assert g(THREE) == ratio(THREE)
    with np.errstate(invalid="raise"):
        assert g._cache.fast((THREE,)) is not ratio and g(THREE) == ratio(THREE)
        with pytest.raises(FloatingPointError, match="invalid value"):
            g(np.zeros(3))
    with np.errstate(invalid="ignore"):
        assert numpy_errors.raised_kinds() == () and np.isnan(g(np.zeros(3)))


def test_an_error_state_that_raises_is_refused_inside():
    def f(x):
        with np.errstate(divide="raise"):
            return 1.0 / x
    for made in (gs.jit(f), gs.grad(f)):
        with pytest.raises(gs.UnsupportedError, match="np.errstate.*raise"):
            made(np.ones(2)[0])
