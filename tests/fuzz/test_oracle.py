"""The oracle sees what it must: a stand-in for Gradscribe that is right passes, and each way to break it is named."""

import os
import time
from types import SimpleNamespace

import numpy as np
import pytest

import gradscribe

from . import conditioning, fake, numeric, oracle, pieces
from .__main__ import main
from .generate import Case, generate
from .loading import saved
from .oracle import Outcome, examine
from .runner import Report, Worker, campaign

CASE = Case(0, """import numpy as np

def f(x, c, k):
    x[0] = np.sin(x[1]) * c
    s = 0.0
    for i in range(k):
        s += x[i] * x[i]
    return (s, x * c)
""", (np.array([0.3, -0.7, 1.1]), 0.8, 2), more=((np.array([0.9, 0.2]), -0.4, 1),))


def broken(whole=fake, **changes):
    return SimpleNamespace(**{name: getattr(whole, name) for name in ("errors", "test_util", "jit", "vmap", "jvp",
                                                                      "vjp", "value_and_grad", "grad")} | changes)


def stages_of(change):
    return SimpleNamespace(stages=lambda function, args: [("bad", lambda *a: change(function, *a))],
                           primal=fake.test_util.primal)


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("compiled", [False, True])
def test_what_is_right_passes(compiled):
    """(At a pole differences are of elements that have no part in the result, which the stand-in moves.)"""
    assert examine(CASE, compiled, gs=fake).kind == "ok"
    cases = [case for case in map(generate, range(25))
             if "float32" not in case.source and "pole" not in case.source and not numeric.single(case.args)]
    outcomes = [examine(case, compiled, gs=fake) for case in cases]
    assert {o.kind for o in outcomes} <= {"ok", "raises"}, [str(o.failure) for o in outcomes if o.failure]
    assert sum(o.counts["unsure"] for o in outcomes) <= 0.05 * sum(o.counts["derivatives"] for o in outcomes)


def raising(error):
    def change(function, *args):
        raise error

    return change


def forgetful(function, x, c, k):
    return function(x.copy(), c, k)


def careless(function, x, c, k):
    out = function(x, c, k)
    x[2] += 1.0
    return out


@pytest.mark.parametrize("change, check", [
    (lambda f, *a: (f(*a)[0] * (1 + 1e-6), f(*a)[1]), "stage bad"),
    (lambda f, *a: (lambda out: (np.float32(out[0]), out[1]))(f(*a)), "stage bad"),
    (lambda f, *a: list(f(*a)), "stage bad"),
    (forgetful, "stage bad, arguments"),
    (careless, "stage bad, arguments"),
    (raising(KeyError("s_2")), "stage bad, KeyError"),
])
def test_wrong_stages_are_seen(change, check):
    assert examine(CASE, gs=broken(test_util=stages_of(change))).failure.check == check


@pytest.mark.parametrize("change, check", [
    (lambda out: tuple(x * (1 + 1e-6) for x in out), "vmap, result 0"),
    (lambda out: tuple(x.astype(np.float32) for x in out), "vmap, result 0"),
    (lambda out: (out[0], out[1][:, :-1]), "vmap, result 1"),
    (lambda out: (out[0], out[1][::-1]), "vmap, result 1"),
])
def test_wrong_batches_are_seen(change, check):
    def vmap(function, in_axes):
        return lambda *args: change(fake.vmap(function, in_axes)(*args))

    assert examine(CASE, gs=broken(vmap=vmap)).failure.check == check


def test_wrong_gradients_of_examples_are_seen():
    """Only those: the batched function itself is right."""
    def vmap(function, in_axes):
        wrong = 1.0 if function.__name__ == "f" else 1 + 1e-6
        return lambda *args: tuple(x * wrong for x in fake.vmap(function, in_axes)(*args))

    assert examine(CASE, gs=broken(vmap=vmap)).failure.check == "vmap of grad"


@pytest.mark.parametrize("compiled", [False, True])
def test_wrong_gradients_beside_the_value_are_seen(compiled):
    """Only those, of a function that stores into no argument."""
    def wrong(function):
        if function.__name__ != "both":
            return function
        return lambda *args: (lambda value, bars: (value, (bars[0] * (1 + 1e-6), *bars[1:])))(*function(*args))

    case = Case(0, CASE.source.replace("x[0] = ", "c = "), CASE.args)
    util = SimpleNamespace(stages=fake.stages, primal=wrong)
    failure = examine(case, compiled, gs=broken(test_util=util, jit=wrong)).failure
    assert failure.check == "jit of " * compiled + "the value, and grad"
    assert examine(case, compiled, gs=fake).kind == "ok"


def test_a_refusal_is_no_failure():
    outcome = examine(CASE,
                      gs=broken(test_util=stages_of(raising(fake.UnsupportedError("sets have no order\n  more")))))
    assert (outcome.kind, outcome.refusal) == ("refused", "sets have no order")


def test_exceptions_must_be_the_same():
    case = Case(0, "def f(x):\n    return x[3]\n", (np.zeros(2),))
    assert examine(case, gs=fake).kind == "raises"
    silent = examine(case, gs=broken(test_util=stages_of(lambda f, x: 0.0))).failure
    assert "no exception" in silent.message
    other = examine(case, gs=broken(test_util=stages_of(raising(ValueError("no"))))).failure
    assert other.check == "stage bad, ValueError" and "the function raises IndexError" in other.message


def test_whether_a_matrix_is_positive_definite_may_be_for_rounding_to_say():
    """One of rank 1 is not, or is by a unit in the last place; the identity always is, and its negative never."""
    def of(matrix, stage):
        return examine(Case(0, f"import numpy as np\n\ndef f(x):\n    return np.linalg.cholesky({matrix})\n",
                            (np.array([0.3, 0.7]),)), gs=broken(test_util=stages_of(stage))).failure

    refused = raising(np.linalg.LinAlgError("Matrix is not positive definite"))
    assert of("np.outer(np.cos(x), np.cos(x))", refused) is None
    assert "LinAlgError" in of("np.eye(2)", refused).check
    assert "no exception" in of("-np.eye(2) * np.cos(x[0])", lambda f, x: np.zeros((2, 2))).message


@pytest.mark.parametrize("error, seen", [(None, False), (ValueError("later"), False), (KeyError("t__3"), True),
                                         (AssertionError(), True)])
@pytest.mark.parametrize("dead", ["x[3]", "x[3 % len(x[:0])]", "np.max(x[:0])"])
def test_a_derivative_may_miss_an_exception_of_what_it_does_not_need_but_not_break(dead, error, seen):
    case = Case(0, f"import numpy as np\n\ndef f(x):\n    return {dead}\n", (np.zeros(2),))

    def jvp(f, primals, dots):
        if error is not None:
            raise error
        return 0.0, 0.0

    failure = examine(case, gs=broken(jvp=jvp)).failure
    assert (failure is not None) == seen and (not seen or failure.check.startswith("jvp, "))


def wrong_jvp(f, primals, dots):
    out, dot = fake.jvp(f, primals, dots)
    return out, (dot[0], -dot[1])


def wrong_pullback(change, whole=fake):
    def vjp(f, *primals):
        out, pullback = whole.vjp(f, *primals)
        return out, lambda seeds: change(pullback(seeds), primals)

    return vjp


def wrong_gradient(f, argnums):
    made = fake.value_and_grad(f, argnums)
    return lambda *args: (lambda value, bars: (value, (bars[0] * 1.01, *bars[1:])))(*made(*args))


@pytest.mark.parametrize("changes, check", [
    ({"jvp": wrong_jvp}, "jvp, tangent"),
    ({"jvp": lambda f, p, d: (lambda out, dot: (out, dot[:1]))(*fake.jvp(f, p, d))}, "jvp, tangent"),
    ({"vjp": wrong_pullback(lambda bars, primals: (bars[0] * 1.001, *bars[1:]))}, "vjp, dot product"),
    ({"vjp": wrong_pullback(lambda bars, primals: (bars[0][:1], *bars[1:]))}, "vjp, cotangent"),
    ({"vjp": wrong_pullback(lambda bars, primals: bars[:2])}, "vjp, cotangent"),
    ({"vjp": wrong_pullback(lambda bars, primals: (np.add(bars[0], 0.0, out=primals[0]), *bars[1:]))}, "vjp, memory"),
    ({"vjp": wrong_pullback(lambda bars, primals: tuple(b if b is None else b * np.random.normal() for b in bars))},
     "vjp, second pullback"),
    ({"value_and_grad": wrong_gradient}, "value_and_grad, gradient"),
])
def test_wrong_derivatives_are_seen(changes, check):
    assert examine(CASE, gs=broken(**changes)).failure.check == check


def test_second_derivatives():
    grad = lambda scale: lambda f, argnums: lambda *args: tuple(scale(b)
                                                                for b in fake.value_and_grad(f, argnums)(*args)[1])
    right = examine(CASE, order=2, gs=broken(grad=grad(lambda b: b)))
    assert right.kind == "ok" and right.counts["second derivatives"] == 3
    jvp = lambda f, primals, dots: (lambda out, dot: (out, tuple(1.1 * d for d in dot) if f.__name__ == "f_grad"
                                                           else dot))(*fake.jvp(f, primals, dots))

    def named(f, argnums):
        made = grad(lambda b: b)(f, argnums)
        made.__name__ = "f_grad"
        return made

    assert examine(CASE, order=2, gs=broken(grad=named, jvp=jvp)).failure.check == "jvp of grad"


# -- what rounding explains

CHAOTIC = Case(0, """import numpy as np

def f(x, c):
    for k in range(41):
        x[::-1] += np.sin(x)
    return c * x[0] + 0.2 * np.sum(x * x)
""", (np.array([0.8, 0.85, -0.67, 0.16, -0.83]), 0.7))


def test_a_program_that_magnifies_rounding_is_no_failure(monkeypatch):
    outcome = examine(CHAOTIC)
    assert outcome.kind == "ok" and outcome.counts["ill-conditioned"] == 1
    report = Report()
    report.add(outcome)
    assert "1 answers off by no more than rounding explains" in report.full()
    monkeypatch.setattr(conditioning, "spreads", lambda source, name, numbers, measure, eps: [np.zeros(())])
    assert examine(CHAOTIC).failure.check == "vjp, dot product"


@pytest.mark.parametrize("factor", [1.01, -1.0, np.nan])
def test_but_it_may_not_be_wrong_by_more(factor):
    vjp = wrong_pullback(lambda bars, primals: (bars[0] * factor, *bars[1:]), gradscribe)
    assert examine(CHAOTIC, gs=broken(gradscribe, vjp=vjp)).failure.check == "vjp, dot product"


@pytest.mark.parametrize("change", ["jvp", "vjp", "value"])
def test_where_nothing_is_magnified_a_ten_millionth_is_seen(change):
    off = 1.0 + 1e-7
    checks = {"jvp": "jvp, value", "vjp": "vjp, dot product", "value": "value_and_grad, gradient"}
    changes = {
        "jvp": lambda f, primals, tangents: (lambda out, dot: (tuple(v * off for v in out),
                                                               dot))(*gradscribe.jvp(f, primals, tangents)),
        "vjp": wrong_pullback(lambda bars, primals: (bars[0] * off, *bars[1:]), gradscribe),
        "value": lambda f, argnums: lambda *args: (lambda value, bars: (value, (bars[0] * off, *bars[1:])))(
            *gradscribe.value_and_grad(f, argnums)(*args)),
    }
    name = "value_and_grad" if change == "value" else change
    assert examine(CASE, gs=broken(gradscribe, **{name: changes[change]})).failure.check == checks[change]


def test_all_numbers_are_nudged():
    measured = lambda text: conditioning.spread(f"import numpy as np\n\ndef f(x):\n    return {text}\n", "f",
                                                (np.array([0.5, 0.7]),), lambda f, x: np.sum(f(x)), numeric.EPS)
    assert measured("np.sin(x)") < 1e-13
    assert 1e-9 < measured("1e7 * x - 1e7 * x") < 1e-5, "only its constants move"
    assert measured("1e7 * (np.sin(x) - np.sin(x))") > 1e-9, "only what functions give moves"
    assert 1e-9 < measured("np.sin(1e7 * x)") < 1e-5
    assert measured("(-x) ** 2.0") < 1e-13, "an exponent stays what it is"


def remembering(function):
    """A jit that bakes the first call's trip count in."""
    first = []

    def made(x, c, k):
        first.append(k)
        return function(x, c, first[0])

    return made


def test_a_compiler_that_remembers_too_much_is_seen():
    case = Case(0, CASE.source, (np.array([0.3, -0.7, 1.1]), 0.8, 1), more=((np.array([0.9, 0.2]), -0.4, 2),))
    jit = lambda function: remembering(function) if function.__name__ == "f" else function
    failure = examine(case, True, gs=broken(jit=jit)).failure
    assert failure.check == "jit at other arguments" and failure.kind == "jit"


def test_loss_weighs_all_outputs():
    names = {}
    exec(oracle.with_loss(CASE), names)
    out = names["f"](*pieces.fresh(CASE.args))
    assert names["loss"](*pieces.fresh(CASE.args), 2.0, np.ones(3)) == pytest.approx(2 * out[0] + out[1].sum())


# -- the child process


def dying(pipe, compiled, order):
    """A worker that dies of seed 1 and never ends at seed 2."""
    while (case := pipe.recv()) is not None:
        if case.seed == 1:
            os._exit(11)
        if case.seed == 2:
            time.sleep(60)
        pipe.send(Outcome())


@pytest.mark.heavy(one_in=39)
def test_crashes_and_endless_loops_cost_one_program():
    with Worker(limit=10.0, target=dying) as worker:
        worker.examine(generate(0))  # the start-up is not what the limit is for
        worker.limit = 1.0
        outcomes = [worker.examine(Case(seed, "", ())) for seed in (0, 1)]
        worker.limit = 10.0
        outcomes.append(worker.examine(Case(0, "", ())))
        worker.limit = 1.0
        outcomes.append(worker.examine(Case(2, "", ())))
        worker.limit = 10.0
        outcomes.append(worker.examine(Case(3, "", ())))
    assert [o.failure.check if o.failure else "" for o in outcomes] == ["", "crash", "", "time", ""]
    assert "exit code 11" in outcomes[1].failure.message


def test_reports_count():
    report = Report()
    for outcome in (Outcome(), Outcome(refusal="no sets"), Outcome(raised="IndexError")):
        report.add(outcome)
    assert report.line() == "3 programs: 1 ok, 1 raises, 1 refused, 0 failed (33.3% refused)"
    assert "no sets" in report.full()


def test_campaigns_end_after_enough_failures():
    def failing(case):
        return Outcome(oracle.Failure(case, "jvp", "wrong"))

    class Hands(SimpleNamespace):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

    report = campaign(range(100), worker=Hands(examine=failing), stop_after=3)
    assert report.total == 3 and [f.case.seed for f in report.failures] == [0, 1, 2]


def test_the_command_explains_itself(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "--shrink" in capsys.readouterr().out


def test_saved_failures_are_programs():
    for path in saved():
        compile(path.read_text(), str(path), "exec")


def test_what_is_told_of_a_pole_must_not_matter():
    """A program whose result takes the elements at the pole as they are breaks the promise of poles.py,
    and is found."""
    source = "import numpy as np\n\ndef f(pole):\n    return np.sum(np.where(pole > 0, np.sqrt(pole), {other}))\n"
    outcomes = [examine(Case(1, source.format(other=other), (np.array([0.5, 0.0, -0.3, 1.2]),)))
                for other in ("0.2", "pole")]
    assert outcomes[0].kind == "ok" and outcomes[0].counts["derivatives"] == 1
    assert outcomes[1].failure.check == "jvp, tangent"


def test_not_a_number_is_wrong_where_there_is_a_derivative():
    """Here is none to be found, for what is computed as 0 is no choice; the oracle says so all the same."""
    source = ("import numpy as np\n\ndef f(pole):\n"
              "    return np.sum((np.sqrt(pole) ** 2)[pole >= 0] * np.sqrt(pole)[pole >= 0])\n")
    assert examine(Case(1, source, (np.array([0.5, 0.0, 1.2]),))).kind == "failed"


def test_a_result_that_is_no_float_has_no_part_in_a_derivative():
    source = "import numpy as np\n\ndef f(x, pole):\n    extra = {extra}\n    return (np.sum(x * x), extra)\n"
    for extra in ("3", "None", "x > 0", "len(x)"):
        outcome = examine(Case(1, source.format(extra=extra), (np.array([0.5, 1.2]), np.ones(2))))
        assert outcome.kind == "ok" and outcome.counts["derivatives"] == 1, extra
