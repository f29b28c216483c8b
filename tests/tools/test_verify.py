"""`gs.verify` passes what is right, and finds each planted fault at its line."""
import inspect

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.rules import OPS
from tests.corpus.programs import PROGRAMS
from tests.corpus.textbook_examples import examples


# planted faults: each function has one, in the line that says so ------------------------------------
@gs.custom_vjp
def wave(x):
    return np.sin(x)


wave.defvjp(lambda x: (np.sin(x), x), lambda x, g: (-np.cos(x) * g,))


def wrong_sign(x):
    y = np.exp(x)
    z = wave(y)  # fault
    return np.sum(z * z)


@gs.custom_jvp
def cube(x):
    return x ** 3


@cube.defjvp
def _(primals, tangents):
    return cube(*primals), primals[0] ** 2 * tangents[0]


def missing_factor(x):
    y = cube(x) + 1.0  # fault
    return np.sum(y)


@gs.custom_vjp
def scaled(x, k):
    return k * x


scaled.defvjp(lambda x, k: (k * x, k), lambda k, g: (k * g, None))


def forgotten_argument(x):
    k = np.sum(x)
    return np.sum(scaled(x, k) ** 2)  # fault


@gs.custom_vjp
def applied(A, x):
    return A @ x


applied.defvjp(lambda A, x: (A @ x, (A, x)), lambda r, g: (np.outer(g, r[1]), r[0] @ g))


def forgotten_transposition(x):
    A = np.outer(x, np.cos(x)) + np.eye(len(x))
    y = applied(A, x)  # fault
    return np.sum(y ** 2)


@gs.custom_vjp
def bent(x):
    return np.tanh(x)


bent.defvjp(lambda x: (np.tanh(x), None), lambda _, g: (g,))  # right at 0 alone


def right_at_zero_only(x):
    total = 0.0
    for k in range(len(x)):
        total += bent(0.5 * k * x[k])  # fault
    return total


def helper(x):
    y = 2.0 * x
    return wave(y) + y  # fault


def called_twice(x):
    return np.sum(helper(x) * helper(x + 1.0))


def slope_at_zero(x):
    y = x - 0.5
    return np.sum(1.0 / y)  # fault


def vertical(x):
    y = np.sqrt(x - 0.5)  # fault
    return np.sum(y)


def too_large(x):
    y = 1e3 * x
    z = np.exp(y)  # fault
    return np.sum(z / (1.0 + z))


def outside(x):
    y = x - 10.0
    return np.sum(np.log(y))  # fault


@gs.custom_jvp
def softer(x, k):
    return np.log(1.0 + np.exp(k * x))


@softer.defjvp
def _(primals, tangents):
    x, k = primals
    return softer(x, k), tangents[0] * k / (1.0 + np.exp(-k * x))


def in_a_branch(x):
    if x[0] > 0.0:
        k = 2.0 + x[1]
        return np.sum(softer(x, k))  # fault
    return np.sum(x)


def in_a_while_loop(x):
    y, count = x, 0
    while np.sum(y) > 0.5:
        y = 0.5 * wave(0.3 * y)  # fault
        count += 1
    return np.sum(y) + count


AT = np.array([0.5, 0.7, 1.1])
FAULTS = {wrong_sign: "wrong", missing_factor: "wrong", forgotten_argument: "wrong", forgotten_transposition: "wrong",
          right_at_zero_only: "wrong", called_twice: "wrong", slope_at_zero: "pole", vertical: "pole",
          too_large: "overflow", outside: "undefined", in_a_branch: "wrong", in_a_while_loop: "wrong"}


def place_of_fault(f) -> int:
    f = helper if f is called_twice else f
    lines, first = inspect.getsourcelines(f)
    (k,) = [k for k, line in enumerate(lines) if "# fault" in line]
    return first + k


@pytest.mark.parametrize("f", FAULTS, ids=lambda f: f.__name__)
def test_a_planted_fault_is_found_at_its_line(f):
    found = gs.verify(f, AT)
    assert not found
    assert [(line.line, line.verdict) for line in found.failures if line is not found.whole] == [
        (place_of_fault(f), FAULTS[f])], str(found)
    marked = [text for text in str(found).splitlines() if text.startswith(">")]
    assert str(place_of_fault(f)) in marked[0] and FAULTS[f] in marked[0]
    assert found.whole in found.failures


def test_what_to_do_is_said():
    found = gs.verify(wrong_sign, AT)
    assert "the rule of wave" in found.failures[0].instead and "wave.defvjp" in found.failures[0].instead
    assert "where k moves" in gs.verify(forgotten_argument, AT).failures[0].instead
    assert "np.where" in gs.verify(vertical, AT).failures[0].instead
    assert "np.logaddexp" in gs.verify(too_large, AT).failures[0].instead


# rules of ours -------------------------------------------------------------------------------------
def uses_arctan(x):
    y = x * x
    z = np.arctan(y)  # fault
    return np.sum(z)


@pytest.mark.parametrize("mode", ["vjp", "jvp"])
def test_a_wrong_rule_of_ours_is_found(monkeypatch, mode):
    op = OPS["np.arctan"]
    right = getattr(op, mode)

    def doubled(b, let, given, *more):
        bars = right(b, let, given, *more)
        return type(bars)([None if a is None else b.emit(OPS["multiply"], a, a) for a in bars])
    monkeypatch.setattr(op, mode, doubled)
    found = gs.verify(uses_arctan, AT)
    assert [line.line for line in found.failures if line is not found.whole] == [place_of_fault(uses_arctan)]
    assert "np.arctan" in found.failures[0].instead and "report" in found.failures[0].instead


# what is right -------------------------------------------------------------------------------------
NAMES = ("leaky_integral", "cumulative", "escape", "pivot_rows", "mixed_precision", "spectrum", "where_of_a_sum",
         "without_nans", "gelu_float32")
RIGHT = [p for p in PROGRAMS if p.name in NAMES] + [p for p in PROGRAMS if p.smooth and not p.raises
                                                    and not p.static_argnums][::40]


@pytest.mark.parametrize("program", RIGHT, ids=lambda p: p.name)
def test_right_programs_pass(program):
    found = gs.verify(program.fun, *program.make_args())
    assert found and not found.failures, str(found)


@pytest.mark.parametrize("f", [*examples()][::4], ids=lambda f: f.__name__)
def test_textbook_functions_pass(f):
    found = gs.verify(f, *examples()[f])
    assert found, str(found)
    assert found.lines and found.whole.verdict == "right"
    assert all(line.difference is None or line.difference < 1e-6 for line in found.lines)
    assert all(line.dot is None or line.dot < 1e-10 for line in found.lines)


def test_what_is_not_chosen_may_be_infinite():
    def f(x):
        return np.sum(np.where(x > 0.0, np.log(x), 0.0) + np.sinc(x))
    found = gs.verify(f, np.array([0.0, 2.0]))
    assert found and found.lines[0].verdict == "pole"


def test_a_kink_is_no_mistake():
    found = gs.verify(lambda x: np.sum(np.maximum(x, 0.0) + np.floor(x) + np.sort(x)), np.array([0.0, 0.0, 1.5]))
    assert found and found.lines[0].verdict == "kink"


@gs.custom_jvp
def ramp(x):
    return np.maximum(x, 0.0)


ramp.defjvps(lambda t, value, x: np.where(x > 0.0, t, 0.0))
steep = gs.custom_jvp(ramp.fun)
steep.defjvps(lambda t, value, x: np.where(x > 0.0, t, 5.0 * t))


def test_between_the_slopes_of_a_kink_a_rule_may_be_anything():
    assert gs.verify(lambda x: np.sum(ramp(x)), np.array([0.0, 1.0]))
    assert not gs.verify(lambda x: np.sum(steep(x)), np.array([0.0, 1.0]))
    assert gs.verify(lambda x: np.sum(steep(x)), np.array([1e-6, 1.0]))


def test_values_that_are_not_finite_where_they_are_given_are_no_fault():
    assert gs.verify(lambda x: np.nansum(x ** 2), np.array([1.0, np.nan]))


def test_derivatives_that_differ_on_purpose():
    def held(x):
        return np.sum(gs.stop_gradient(np.sin(x)) * x)

    def clipped(x):
        y = x * x
        with gs.insert_grad_of(y) as dy:
            dy = np.clip(dy, -0.1, 0.1)
        return np.sum(y)
    for f in held, clipped:
        found = gs.verify(f, AT)
        assert found and found.whole.verdict == "fixed on purpose"


def test_differences_that_no_statement_explains_fail_as_a_whole(monkeypatch):
    from gradscribe.transformer.rules.kept_calls import CheckpointCall
    monkeypatch.setattr(CheckpointCall, "vjp", lambda self, b, let, cotangents, wanted: [
        b.emit(OPS["multiply"], cotangents[0], cotangents[0]) if w else None for w in wanted])
    monkeypatch.setattr(CheckpointCall, "jvp", lambda self, b, let, tangents: (
        b.emit(OPS["multiply"], tangents[0], tangents[0]),))
    found = gs.verify(lambda x: np.sum(gs.checkpoint(lambda y: 3.0 * y)(x)), AT)
    assert found.failures == [found.whole] and "No statement is wrong" in found.whole.instead


# what is called -------------------------------------------------------------------------------------
def test_arguments_of_all_kinds_are_left_as_they_are(capsys):
    def f(params, n, *, power=2):
        print("loss")
        y = params["x"] * 1.0
        for i in range(1, n):
            y[i] += params["k"] * y[i - 1]
        params["x"][0] = 0.0
        return np.sum(y ** power), y
    params = {"x": np.array([1.0, 2.0, 3.0]), "k": 0.5}
    found = gs.verify(f, params, 3, power=3)
    assert found and params["x"][0] == 1.0 and not capsys.readouterr().out
    assert [line.verdict for line in found.lines] == ["right", "right"]
    assert gs.verify(gs.jit(f), params, 3)


def test_second_derivatives_and_complex_numbers():
    assert gs.verify(gs.grad(lambda x: np.sum(np.sin(x) * x)), AT)
    assert gs.verify(lambda z: np.sum(np.abs(np.exp(z)) + (z * np.conj(z)).real), AT + 0.5j)


def test_what_has_no_derivative_is_refused():
    with pytest.raises(gs.SpecialisationError):
        gs.verify(lambda n: n * 2, 3)


def test_the_same_table_each_time_and_checks_grow_with_lines_not_rounds():
    def f(x, n):
        y = x
        for _ in range(n):
            y = np.sin(y)
        return np.sum(y)
    few, many = gs.verify(f, AT, 10), gs.verify(f, AT, 5000)
    assert [line.checks for line in few.lines] == [line.checks for line in many.lines]
    assert str(gs.verify(f, AT, 10)) == str(few)
