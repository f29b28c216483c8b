"""`g.profile`: which line has the time, how often each runs, what it binds; nothing else changes for it."""
import inspect
import sys

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.loading.trampoline import compile_module, plain_module
from gradscribe.transformer.loop_core.marks import with_marks
from gradscribe.transformer.tools.compiled_clock import CompiledClock, CompiledOtherwise
from gradscribe.transformer.tools.line_clock import LineClock
from gradscribe.transformer.tools.profile import LineTime, Profile

RNG = np.random.default_rng(0)
SLOW = 0.8  # of the time: what is planted takes more than ten times as long as the rest


def decomposed(x):
    y = np.tanh(x)
    u, s, v = np.linalg.svd(y)  # slow
    return np.sum(s * s)


def triple(x, w):
    y = np.sin(x)
    total = 0.0
    for i in range(len(x)):
        for j in range(len(w)):
            for k in range(len(w)):
                total += y[i] * w[j] * w[k]  # slow
    return total + np.sum(y)


def rounds(x):
    y = np.cos(x)
    for i in range(7):
        z = np.linalg.solve(y, x)
        y = 0.5 * y + 0.01 * z @ z
    return np.sum(y)


def stores(x):
    x[0] = x[1] * 2.0
    x += 1.0
    return np.sum(x * x)


def guarded(x):
    total = 0.0
    for i in range(1, len(x)):
        total += x[i] * x[i - 1]
    return total


def line_of(f, text: str) -> int:
    """The number in this file of the line with the text."""
    lines, first = inspect.getsourcelines(f)
    return first + next(k for k, line in enumerate(lines) if text in line)


def at(profile, line: int):
    return [x for x in profile.lines if line in x.lines]


def share_of(profile, line: int) -> float:
    return sum([profile.share(x) for x in at(profile, line)])


SQUARE = RNG.standard_normal((64, 64))
EASY = RNG.standard_normal((30, 30)) + 30 * np.eye(30)
VECTORS = RNG.standard_normal(12), RNG.standard_normal(40)
LONG = RNG.standard_normal(100), RNG.standard_normal(300)


@pytest.mark.parametrize("made", [gs.grad, lambda f: gs.jit(f), lambda f: gs.jit(gs.grad(f))],
                         ids=["grad", "jit", "jit(grad)"])
@pytest.mark.parametrize("f, args, text", [
    (decomposed, (SQUARE,), "svd"), (triple, VECTORS, "total +=")], ids=["svd", "loops"])
def test_a_slow_line_has_the_time(made, f, args, text):
    g = made(f)
    if f is triple and isinstance(g, type(gs.jit(f))):
        args = LONG
    profile = g.profile(*args)
    line = line_of(f, text)
    around = range(line_of(f, "for i"), line + 1) if f is triple else [line]
    slow = [x for x in profile.lines if set(x.lines) & set(around)]
    assert sum(map(profile.share, slow)) > SLOW, str(profile)
    assert profile.compiled == isinstance(g, type(gs.jit(f)))


@pytest.mark.parametrize("made", [lambda f: gs.jit(f), lambda f: gs.jit(gs.grad(f)), gs.grad])
def test_counts(made):
    profile = made(rounds).profile(EASY, repeat=1)
    solve, = [x for x in at(profile, line_of(rounds, "solve")) if len(x.lines) == 1]
    assert solve.runs == 7
    assert max([x.runs for x in at(profile, line_of(rounds, "np.cos"))]) == 1
    assert max([x.runs for x in at(profile, line_of(rounds, "0.5 * y"))]) == 7


def test_bytes_are_those_of_the_largest_array():
    for made in (gs.grad, gs.jit):
        profile = made(rounds).profile(EASY, repeat=1)
        assert max([x.bytes for x in at(profile, line_of(rounds, "solve"))]) == 30 * 30 * 8
        assert max([x.bytes for x in at(profile, line_of(rounds, "np.cos"))]) == 30 * 30 * 8


def test_tapes_are_those_of_memory():
    for g in (gs.grad(rounds), gs.jit(gs.grad(rounds))):
        profile = g.profile(EASY, repeat=1)
        assert sum([line.kept for line in profile.lines]) == g.memory(EASY).total > 7 * 30 * 30 * 8
        assert "on tapes" in str(profile)
    assert "on tapes" not in str(gs.jit(rounds).profile(EASY, repeat=1))


def test_forward_and_adjoint_stand_side_by_side():
    for g in (gs.grad(decomposed), gs.jit(gs.grad(decomposed))):
        (line,) = at(g.profile(SQUARE, repeat=1), line_of(decomposed, "svd"))
        assert line.forward > 0.0 and line.adjoint > 0.0 and line.both == 0.0
    profile = gs.jit(decomposed).profile(SQUARE, repeat=1)
    assert all([x.adjoint == x.both == 0.0 for x in profile.lines])
    assert "adjoint" not in str(profile)


@pytest.mark.parametrize("made", [gs.jit, lambda f: gs.jit(gs.grad(f), parallel=False)])
@pytest.mark.parametrize("f, args", [(rounds, (EASY,)), (triple, VECTORS), (guarded, VECTORS[:1])])
def test_marks_change_no_bit(f, args, made):
    program, flat = made(f)._cache.find(args, {}, [])
    lowered = program.lowered()
    for depth in (0, 3):
        marked = with_marks(lowered.functions, lowered.imports.values(), len(flat), depth)
        clocked = CompiledClock(lowered, lambda: flat).with_clock(marked)
        assert clocked.text.count("rs.lap(") > 1
        for load in (compile_module, plain_module) if f is guarded else (compile_module,):
            ticks = np.zeros((len(marked.rows) + 1, 3), np.int64)
            results = load(clocked)(*flat, ticks)
            assert ticks[1:, 1].any()
            for a, b in zip(results, load(lowered)(*flat), strict=True):
                np.testing.assert_array_equal(a, b)


def test_code_that_checks_more_is_measured_where_it_runs():
    def shifted(x, k):
        total = 0.0
        for i in range(3):
            total += x[i + k] * x[i + k]
        return total

    x = RNG.standard_normal(8)
    g = gs.jit(shifted)
    assert g(x, -5) == shifted(x, -5)
    program, flat = g._cache.find((x, -5), {}, [])
    lowered = program.lowered()
    assert lowered.safe is not None
    clock = CompiledClock(lowered, lambda: flat)
    marked = with_marks(lowered.functions, lowered.imports.values(), len(flat), 0)
    with pytest.raises(CompiledOtherwise):
        compile_module(clock.with_clock(marked))(*flat, np.zeros((len(marked.rows) + 1, 3), np.int64))
    assert g.profile(x, -5, repeat=1).lines


@pytest.mark.parametrize("made", [gs.grad, gs.jit, lambda f: gs.jit(gs.grad(f))])
def test_arguments_stay_as_they_are(made):
    x = RNG.standard_normal(6)
    before, g = x.copy(), made(stores)
    profile = g.profile(x)
    np.testing.assert_array_equal(x, before)
    assert at(profile, line_of(stores, "return")) and profile.total > 0.0


def test_a_call_after_it_gives_what_it_gave_before():
    g = gs.jit(gs.grad(triple))
    before = g(*VECTORS)
    g.profile(*VECTORS, repeat=1)
    np.testing.assert_array_equal(g(*VECTORS), before)


def test_what_has_no_line_goes_with_what_is_before_it():
    def rolled(x):
        for k in range(3):
            x = np.tanh(x) + np.roll(x, 1)
        return np.sum(x)

    profile = gs.jit(gs.grad(rolled)).profile(np.ones(50), repeat=1)  # the copy of its result has no line
    assert any([x.adjoint > 0.0 for x in at(profile, line_of(rolled, "np.roll"))])


def test_lines_of_functions_that_are_called_have_rows():
    def inner(z):
        return np.exp(-z * z)

    def outer(x):
        return np.sum(inner(x))

    lines = {x.lines for x in gs.grad(outer).profile(np.ones(3), repeat=1).lines}
    assert (line_of(inner, "np.exp"),) in lines


def test_the_tracing_function_of_others_comes_back():
    before = sys.gettrace()

    def fails():
        raise KeyError

    with pytest.raises(KeyError):
        LineClock(__file__).run(fails, ())
    assert sys.gettrace() is before


def test_what_tracing_takes_is_taken_off():
    clock = LineClock("f")
    clock.times.update({1: 1000, 2: 50})
    clock.events.update({1: 3, 2: 1})
    clock.foreign.update({1: 2})
    assert clock.without(100, 10) == {1: 680, 2: 0}


def made_profile():
    lines = (LineTime("m.py", (3,), "y = np.sin(x)", 1, 0.002, 0.001, 0.0, 80, 0),
             LineTime("m.py", (5, 6, 7, 9), f"for i in range(n):  {'#' * 100}", 1000, 0.0, 0.0, 0.006, 0, 4000),
             LineTime("/other/of.py", (2,), "return x", 1, 0.0005, 0.0, 0.0, 0, 0))
    return Profile("jit(f)", True, 0.0097, 0.01, lines)


def test_the_table():
    profile = made_profile()
    assert str(profile).splitlines()[:5] == [
        "jit(f): 9.7 ms",
        "with a clock between its parts, less what the clock takes: 10 ms, of which 500 µs in no line",
        "   line   runs  forward, ms  adjoint, ms  both, ms  share             bytes  on tapes  text",
        "      3      1        2.000        1.000            ███         30 %     80            y = np.sin(x)",
        " 5-7, 9  1,000                               6.000  ██████      60 %            4,000  for i in range(n):  "
        + 13 * "#"]
    assert all([len(line) <= 120 for line in str(profile).splitlines()])
    assert profile.elsewhere == pytest.approx(0.0005)
    assert str(profile).splitlines()[5].split()[0] == "of.py:2"


def test_notebooks_show_it():
    page = made_profile()._repr_html_()
    assert page.count("<tr>") == 4 and "<code>y = np.sin(x)</code>" in page


def test_what_is_refused():
    with pytest.raises(gs.errors.GradscribeError, match="repeat=0"):
        gs.grad(decomposed).profile(SQUARE, repeat=0)
