"""What programs say beside their results: in Python's order, uncompiled, compiled, in derivatives, for each example."""
import contextlib
import io
import logging
import sys
import time
import warnings

import numpy as np
import pytest

import gradscribe as gs

WAYS = {"plain": lambda f: f, "grad": gs.grad, "jit": gs.jit, "jit of grad": lambda f: gs.jit(gs.grad(f)),
        "grad of jit": lambda f: gs.grad(gs.jit(f))}
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
log = logging.getLogger("gradscribe.tests.telling")


class RoughWarning(UserWarning):
    pass


def rough(x):
    y = np.sin(x)
    if np.sum(y) > 0.5:
        warnings.warn(f"rough: {np.sum(y):.3f} of {len(x)}", RoughWarning)
    for k in range(2):
        warnings.warn(DeprecationWarning(f"round {k}"))
    return np.sum(y)


def said(f, *args):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        f(*args)
    return [(str(w.message), w.category, w.filename, w.lineno) for w in caught if w.filename == __file__]


@each_way
def test_warnings_are_python_s(way):
    x = np.array([0.2, 0.5])
    assert len(said(rough, x)) == 3 and said(way(rough), x) == said(rough, x)
    assert len(said(way(rough), 0.1 * x)) == 2


@each_way
def test_a_warning_that_is_an_error_is_raised(way):
    transformed = way(rough)
    for _ in range(2):
        with warnings.catch_warnings(), pytest.raises(RoughWarning, match="rough: 0.678 of 2"):
            warnings.simplefilter("error")
            transformed(np.array([0.2, 0.5]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            transformed(np.array([0.2, 0.5]))


def test_a_warning_for_each_example():
    batch = np.array([[0.2, 0.5], [0.0, 0.1]])
    assert [m for m, *_ in said(gs.vmap(rough), batch) if "rough" in m] == ["rough: 0.678 of 2"]


def test_of_the_caller_s_line():
    def inner(x):
        warnings.warn("here", stacklevel=2)
        return x * x

    def outer(x):
        return inner(x) + 1.0

    assert said(gs.grad(outer), 2.0) == said(outer, 2.0)


def test_what_is_no_warning():
    def f(x):
        warnings.warn("here", ValueError)
        return x

    with pytest.raises(TypeError, match="category must be a Warning subclass"):
        gs.grad(f)(1.0)


def traced(x):
    log.info("sum %.3f of %s in %s", np.sum(x), x, "all")
    for k in range(2):
        x = x * x
        log.debug("round %d", k)
        log.log(logging.WARNING, f"largest {np.max(x):.3f}")
    print("between")
    log.error("end")
    return np.sum(x)


def records(f, level, *args):
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        handler = logging.StreamHandler(shown)
        form = "%(levelname)s %(name)s %(filename)s:%(lineno)d %(funcName)s %(message)s"
        handler.setFormatter(logging.Formatter(form))
        log.addHandler(handler)
        log.setLevel(level)
        try:
            f(*args)
        finally:
            log.removeHandler(handler)
    return shown.getvalue()


@each_way
def test_records_of_a_logger_are_python_s(way):
    x, transformed = np.array([0.5, 1.5]), way(traced)
    for level in (logging.DEBUG, logging.ERROR, logging.INFO):  # asked when it runs
        assert records(transformed, level, x) == records(traced, level, x) != ""


@each_way
def test_an_exception_is_a_value_of_a_record(way):
    def f(x):
        try:
            if x < 0.0:
                raise ValueError(f"negative: {x}")
            return x**2
        except ValueError as error:
            log.warning("%s: took the other side", error)
            return -3.0 * x

    transformed = way(f)
    for x in (0.5, -1.5):
        assert records(transformed, logging.INFO, x) == records(f, logging.INFO, x)


def test_records_for_each_example():
    text = records(gs.vmap(traced), logging.INFO, np.array([[0.5, 1.5], [1.0, 2.0]]))
    assert [line.rpartition(" ")[2] for line in text.splitlines() if "largest" in line] == ["2.250", "4.000", "5.062",
                                                                                            "16.000"]


def test_a_level_is_asked_when_it_runs():
    def f(x):
        return x * (2.0 if log.isEnabledFor(logging.INFO) else 3.0)

    slope = gs.jit(gs.grad(f))
    for level, want in ((logging.INFO, 2.0), (logging.ERROR, 3.0), (logging.DEBUG, 2.0)):
        log.setLevel(level)
        assert slope(1.0) == want


@each_way
def test_streams_are_looked_up_when_it_runs(way):
    def f(x):
        sys.stdout.write(f"out {x}\n")
        print("err", x, 2, sep="-", end="!\n", file=sys.stderr)
        return x * x

    transformed = way(f)
    for _ in range(2):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            transformed(1.5)
        assert (out.getvalue(), err.getvalue()) == ("out 1.5\n", "err-1.5-2!\n")


def test_a_stream_and_a_clock_for_each_example(capsys):
    def f(x):
        began = time.perf_counter()
        sys.stdout.write(f"x {x}\n")
        if x > 1.0:
            print("took", x, time.perf_counter() - began)
        return x * x

    for transformed, want in ((gs.vmap(f), [0.25, 4.0]), (gs.jit(gs.vmap(gs.grad(f))), [1.0, 4.0])):
        np.testing.assert_array_equal(transformed(np.array([0.5, 2.0])), want)
        *written, shown = capsys.readouterr().out.splitlines()
        assert written == ["x 0.5", "x 2.0"] and shown.startswith("took 2.0 ") and 0.0 <= float(shown[9:]) < 60.0


@each_way
def test_a_clock_goes_on(way, capsys):
    def f(x):
        began = time.perf_counter()
        for _ in range(200):
            x = np.sin(x)
        print("took", time.perf_counter() - began, time.time())
        return np.sum(x)

    before = time.time()
    way(f)(np.ones(10))
    _, took, now = capsys.readouterr().out.split()
    assert 0.0 < float(took) < 60.0 and before <= float(now) <= time.time()


def test_a_clock_that_nobody_reads_is_left_out():
    def f(x):
        began = time.time()
        y = np.sum(x * x)
        passed = time.time() - began
        return y

    assert "clock" not in gs.grad(f).source(np.ones(3)) and gs.grad(f)(np.ones(3)).tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("transform", [gs.grad, gs.jit, lambda f: gs.jit(gs.grad(f))])
def test_no_result_depends_on_a_clock(transform):
    def decided(x):
        began = time.time()
        if time.time() - began > 1.0:
            x = 2.0 * x
        return x

    def stored(x):
        seen = np.zeros(2)
        seen[0] = time.time()
        return x * np.sum(seen)

    def by_rounds(x):
        for _ in range(int(time.time()) % 3):
            x = x * x
        return x

    for f in (decided, stored, by_rounds):
        with pytest.raises(gs.errors.ImpurityError, match="depends on the clock that is read here"):
            transform(f)(1.5)


def test_a_derivative_that_does_not_depend_on_the_clock_is_right():
    def since(x):
        began = time.time()
        return x * x - began

    assert gs.grad(since)(1.5) == gs.jit(gs.grad(since))(1.5) == 3.0
    for transform in (gs.jit, gs.value_and_grad, lambda f: lambda x: gs.vjp(f, x)):
        with pytest.raises(gs.errors.ImpurityError, match="depends on the clock that is read here"):
            transform(since)(1.5)


# bars ----------------------------------------------------------------------------------------------
@pytest.fixture
def tqdm():
    return pytest.importorskip("tqdm")


def test_a_bar_is_left_out(tqdm, capsys):
    def f(x, n):
        bar = tqdm.tqdm(range(n), desc="fit", leave=False)
        for k in bar:
            x = np.sin(x)
            bar.set_description(f"loss {np.sum(x):.3f}")
            bar.set_postfix(loss=np.sum(x), k=k)
            if np.sum(x) < 0.1:
                break
        with tqdm.tqdm(total=3) as other:
            for k in tqdm.trange(3):
                x = x * 1.5
                other.update(1)
                tqdm.tqdm.write(f"round {k}")
        return np.sum(x) + sum(v * v for v in tqdm.tqdm(x))

    def without(x, n):
        for _ in range(n):
            x = np.sin(x)
            if np.sum(x) < 0.1:
                break
        for _ in range(3):
            x = x * 1.5
        return np.sum(x) + sum(v * v for v in x)

    x = np.array([0.1, 0.7])
    for way in (gs.grad, gs.jit, lambda f: gs.jit(gs.grad(f))):
        np.testing.assert_allclose(way(f)(x, 4), way(without)(x, 4), rtol=1e-12)
        out, err = capsys.readouterr()
        assert (out, err) == ("round 0\nround 1\nround 2\n", "")


# checks --------------------------------------------------------------------------------------------
@each_way
def test_checks_of_arrays(way):
    def close(x):
        np.testing.assert_allclose(x, np.array([1.0, 2.0]), rtol=1e-3, err_msg="not there")
        return np.sum(x * x)

    def of_one_shape(x):
        np.testing.assert_array_equal(x, np.ones((1, 2)))
        return np.sum(x)

    def smaller(x):
        np.testing.assert_array_less(x, 2.5)
        return np.sum(x)

    x = np.array([1.0, 2.0])
    way(close)(x * (1.0 + 1e-6))
    way(smaller)(x)
    for f, at, words in ((close, 2.0 * x, "Not equal to tolerance rtol=0.001, atol=0\nnot there"),
                         (of_one_shape, np.ones(2), r"shapes \(2,\), \(1, 2\) mismatch"),
                         (smaller, 2.0 * x, "strictly ordered"), (close, np.nan * x, "not there")):
        with pytest.raises(AssertionError, match=words):
            f(at)
        with pytest.raises(AssertionError, match=words):
            way(f)(at)


# recursions ----------------------------------------------------------------------------------------
def halved(x):
    return x * x if abs(x) <= 1.0 else 0.5 * halved(0.5 * x)


@each_way
def test_a_recursion_that_is_too_deep_is_refused_when_it_runs(way):
    transformed = way(halved)
    transformed(200.0)
    if transformed is not halved:
        for _ in range(2):
            with pytest.raises(gs.GradscribeError, match="halved calls itself more than 8 times in each other"):
                transformed(1e4)


def test_a_recursion_of_each_example():
    x = np.array([0.5, -7.0, 200.0])
    np.testing.assert_allclose(gs.vmap(halved)(x), [halved(v) for v in x])
    np.testing.assert_allclose(gs.vmap(gs.grad(gs.grad(halved)))(x), [2.0, 2.0 * 0.125**3, 2.0 * 0.125**8])


# what is left behind -------------------------------------------------------------------------------
class Model:
    pass


def test_what_the_message_on_stores_advises():
    model = Model()

    def f(x):
        model.last = x[0]
        return np.sum(x * x)

    def as_advised(x):
        result, last = np.sum(x * x), x[0]
        return result, last

    with pytest.raises(gs.errors.ImpurityError) as caught:
        gs.grad(f)(np.ones(2))
    assert "slope, last = gs.grad(f, has_aux=True)(x)" in caught.value.instead
    slope, last = gs.grad(as_advised, has_aux=True)(np.ones(2))
    assert slope.tolist() == [2.0, 2.0] and last == 1.0
