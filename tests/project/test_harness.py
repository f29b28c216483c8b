"""The benchmarks' harness, with toy peers; and every row's gradient by hand against finite differences."""
import functools
import importlib
import json
import math
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import gradscribe as gs
from benchmarks import harness, peers as natural, tables
from benchmarks.__main__ import arguments, row_modules, save
from benchmarks.harness import CPP, HAND, JAX, NUMPY, OURS, READABLE, Absent, Case, Peer, Row
from gradscribe.test_util import check_grads
from tests.support.imports import ROOT


def square(x):
    return np.sum(x * x)


def double(x):
    return 2 * x


def toy(peers, name="n = 3"):
    return harness.measure_case(Case(name, (np.arange(3.0),)), peers, budget=0)


# ---- the process

def test_the_measuring_process_has_one_thread_and_no_forced_processor():
    inside = harness.environment({"OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_L2_SIZE": "512",
                                  "XLA_FLAGS": "--a", "B": "c"})
    assert not {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"} & set(inside)
    assert inside["OPENBLAS_NUM_THREADS"] == inside["JAX_ENABLE_X64"] == "1" and inside["B"] == "c"
    assert inside["XLA_FLAGS"].startswith("--a ")


def test_arguments(capsys):
    assert arguments(["--rows", "4,3", "--quick"]).rows == [4, 3]
    assert arguments([]).rows == [3, 4, 8, 9, 10, 11, 12, 14, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]
    with pytest.raises(SystemExit):
        arguments(["--rows", "99"])
    assert "no rows [99]" in capsys.readouterr().err


# ---- agreement

def test_leaves_come_in_one_order_whatever_the_order_of_keys():
    a = harness.leaves((1.0, {"b": np.ones(2), "a": 3.0}))
    assert [leaf.tolist() for leaf in a] == [1.0, 3.0, [1.0, 1.0]]


@pytest.mark.parametrize("a, b, expected", [
    (np.array([1.0, 0.0]), np.array([1.0, 1e-9]), 1e-9),
    (np.zeros(3), np.zeros(3), 0),
    (np.zeros(0), np.zeros(0), 0),
    (np.zeros(3), np.zeros((3, 1)), math.inf),
    (np.zeros(3), np.zeros(3, np.float32), math.inf),
    (np.array([np.nan]), np.array([np.nan]), math.inf),
    ((1.0, 2.0), (1.0,), math.inf)])
def test_difference(a, b, expected):
    assert harness.difference(a, b) == pytest.approx(expected)


def test_the_pairs_that_disagree_are_named():
    assert harness.disagreements({"a": 1.0, "b": 1.0 + 1e-9, "c": 2.0}) == [
        "a and c differ by 5.0e-01", "b and c differ by 5.0e-01"]


# ---- measuring

@pytest.mark.heavy(one_in=3)
def test_peers_that_agree_are_timed():
    case = toy({OURS: lambda: Peer(double, square), NUMPY: lambda: Peer(lambda x: x + x, square),
                HAND: lambda: Peer(double)})
    assert not case["problems"] and not case["missing"] and case["best"] == NUMPY
    assert all(case[name] > 0 for name in ("r", "q", "limit"))
    assert set(case["peers"][HAND]) == {"gradient", "first_gradient"}
    json.dumps(case)


def test_nothing_is_timed_when_a_result_is_wrong():
    case = toy({OURS: lambda: Peer(lambda x: 3 * x, square), NUMPY: lambda: Peer(double, square)})
    assert case["problems"] == ["gradient: ours and NumPy differ by 3.3e-01"]
    assert case["q"] is None and "gradient" not in case["peers"][OURS]
    assert tables.cell(case, OURS, "gradient") == "wrong"


@pytest.mark.heavy(one_in=2)
def test_a_peer_that_fails_or_is_absent_does_not_cost_the_others():
    def absent():
        raise Absent("not installed")
    def broken():
        raise OSError("library lost")
    case = toy({OURS: absent, JAX: broken, NUMPY: lambda: Peer(double, square), HAND: lambda: Peer(lambda x: x[7])})
    assert case["peers"][NUMPY]["gradient"] > 0 and case["best"] == NUMPY and case["q"] is None
    assert [tables.cell(case, name, "gradient") for name in (OURS, JAX, HAND)] == ["absent", "failed", "failed"]
    wrong = list(harness.failures({"row": 1, "cases": [case], "at_most": {}}))
    assert len(wrong) == 3 and "by hand failed: IndexError" in wrong[0] and "library lost" in wrong[2]
    assert wrong[1] == "row 1, n = 3: ours took no part: not installed"


def test_a_row_without_ours_compares_nothing_and_is_wrong():
    """Whether it is not among the peers, too slow at this size, or refused."""
    def lines(peers, without=()):
        case = harness.measure_case(Case("n = 3", (np.ones(3),), without), peers, budget=0)
        return list(harness.failures({"row": 1, "cases": [case], "at_most": {}}))

    def refused(x):
        raise gs.errors.GradscribeError(None, "a set is not handled")
    theirs = {NUMPY: lambda: Peer(double, square)}
    assert lines(theirs) == ["row 1, n = 3: ours took no part"]
    assert lines(theirs | {OURS: lambda: 1 / 0}, (OURS,)) == ["row 1, n = 3: ours took no part: too slow at this size"]
    assert lines(theirs | {OURS: lambda: Peer(refused, square)}) == [
        "row 1, n = 3: ours failed: GradscribeError: a set is not handled"]


def test_a_run_without_ours_ends_with_status_1(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['gradscribe'] = None\n")
    done = subprocess.run([sys.executable, "-m", "benchmarks", "--quick", "--rows", "14"], cwd=ROOT, text=True,
                          capture_output=True, env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1 and "All results agree" not in done.stdout
    assert "row 14, a 3-vector: ours took no part: import of gradscribe halted" in done.stdout


def test_cpp_is_left_out_with_one_line_where_there_is_no_compiler(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(natural, "cpp_library", functools.cache(natural.cpp_library.__wrapped__))
    for name in ("kmeans", "orbit"):
        with pytest.raises(Absent, match="no C.. compiler"):
            natural.cpp_peer(name)()
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.heavy(one_in=2)
def test_a_peer_too_slow_for_a_case_is_not_made():
    case = harness.measure_case(Case("big", (), without=(JAX,)), {JAX: lambda: 1 / 0}, budget=0)
    assert tables.cell(case, JAX, "gradient") == "slow"


def test_limits_that_do_not_hold_are_told():
    case = {"case": "n = 1", "problems": [], "missing": {},
            "peers": {OURS: {"gradient": 3.0}, NUMPY: {"gradient": 2.0}}}
    measured = {"row": 3, "cases": [case], "at_most": {NUMPY: 1.0, JAX: 0.1}}
    assert list(harness.failures(measured)) == ["row 3, n = 1: 1.50 times NumPy, wanted at most 1.00"]
    assert not list(harness.failures(measured | {"at_most": {NUMPY: 2.0}}))


def test_a_block_waits_for_each_call():
    waited = []
    clock = harness.Clock(lambda x: x, (5,), waited.append, number=3)
    assert clock.block() > 0 and waited == [5, 5, 5]


def test_ported_text_uses_the_other_module():
    class Other:
        sum = staticmethod(lambda x: "other")
    assert harness.ported(square, Other)(np.ones(2)) == "other" and square(np.ones(2)) == 2


# ---- the tables

@pytest.mark.parametrize("value, text", [
    (None, ""), (8.12e-7, "0.81 us"), (1.234e-5, "12.3 us"), (9.996e-4, "1.00 ms"), (0.0123, "12.3 ms"),
    (5.26, "5.26 s"), (123.4, "123 s")])
def test_seconds(value, text):
    assert tables.seconds(value) == text


def rows(number, gradient):
    row = Row(number, "toy", "fast", {OURS: lambda: Peer(gradient, square), NUMPY: lambda: Peer(gradient, square)},
              lambda quick: [Case("n = 3", (np.ones(3),))])
    return [harness.measure_row(row, quick=True)]


@pytest.mark.heavy(one_in=9)
def test_results_are_saved_and_rows_not_measured_again_are_kept(tmp_path):
    save(rows(3, double), tmp_path)
    save(rows(14, double), tmp_path)
    assert [row["row"] for row in json.loads((tmp_path / "results.json").read_text())["rows"]] == [3, 14]
    text = (tmp_path / "results.md").read_text()
    assert "| 3 | n = 3 |" in text and "| 14 | n = 3 |" in text and "Rows 3, 14:" in text
    assert "- 3. toy: fast" in text


def test_plain_tables_line_up():
    assert tables.plain_table(("#", "case", "us"), [("3", "n", "1.0"), ("14", "long", "22.0")]) == (
        "#   case    us\n3   n      1.0\n14  long  22.0")


# ---- the rows

OF_EXAMPLES = (11, 12, 17)                       # rows of what is no gradient of one value
NOT_BY_HAND = (18, 19, 23)                         # of first calls: held against JAX when measured, differences below
NATURAL = (24, 25, 26, 27, 28)                     # by hand for some of their cases, in several ways: below


@pytest.mark.parametrize("module",
                         [m for n, m in row_modules().items() if n not in OF_EXAMPLES + NOT_BY_HAND + NATURAL])
def test_the_gradient_by_hand_is_the_derivative_of_the_value(module):
    """Along a random direction, against central differences. What is not an array of floats is not moved."""
    row = importlib.import_module(f"benchmarks.{module}").ROW
    for case in row.cases(True):
        peer = (case.peers or row.peers)[NUMPY]()
        gradient = peer.gradient(*case.args)
        if isinstance(gradient, tuple) and np.ndim(gradient[0]) == 0:
            gradient = gradient[1]               # after the value
        moved, along = directions(case.args, gradient)
        eps = 1e-6
        expected = (peer.value(*moved(eps)) - peer.value(*moved(-eps))) / (2 * eps)
        assert along == pytest.approx(expected, rel=1e-5)


def natural_cases():
    for number in NATURAL:
        yield from importlib.import_module(f"benchmarks.{row_modules()[number]}").ROW.cases(True)


@pytest.mark.heavy(one_in=12)
@pytest.mark.parametrize("case", list(natural_cases()), ids=lambda case: case.name)
def test_the_gradients_of_programs_in_the_natural_form_are_derivatives(case):
    """Of the readable source, and of what is written by hand with arrays, for numba and in C++, along one direction."""
    values = {}
    for name in (READABLE, NUMPY, HAND, CPP):
        try:
            peer = case.peers[name]() if name in case.peers else Peer(None)
        except Absent:                           # no C++ compiler
            continue
        args = peer.prepare(case.args)
        if peer.value:
            values[name] = np.sum(peer.value(*args))
        if peer.gradient:
            gradient = peer.gradient(*args)
            gradient = tuple(map(np.asarray, gradient if isinstance(gradient, tuple) else (gradient,)))
            moved, along = directions(case.args, gradient)
            value = case.peers[READABLE]().value
            ends = [np.sum(value(*moved(t))) for t in (1e-6, -1e-6)]
            assert along == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5), name
    assert values == pytest.approx(dict.fromkeys(values, values[READABLE]), rel=1e-10)


def test_the_gradient_of_layers_is_the_derivative():
    from benchmarks.row18_layers import cases, loss
    params, x, y = next(iter(cases(True))).args
    check_grads(lambda p: loss(p, x, y), (params,), order=1)


@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("number", range(5))
def test_the_gradients_of_programs_are_derivatives(number):
    from benchmarks.row19_programs import cases
    case = list(cases(True))[number]
    f, count = case.peers[harness.READABLE]().value, 5 if case.name == "stencils" else 1
    rest = case.args[count:]
    check_grads(lambda *xs: f(*xs, *rest), case.args[:count], order=1,
                rtol=1e-2 if case.name == "residual network" else None)  # it has kinks


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("number", [0, 1, 2, 3, 6, 7, 8])  # not of the longer lists of layers
def test_the_gradients_of_first_calls_are_derivatives(number):
    """Along one direction, away from the kinks that even data have."""
    from benchmarks.row23_first_calls import programs
    rng = np.random.default_rng(23)
    name, f, args, options, _ = list(programs(rng))[number]
    where = options.get("argnums", (0,))
    args = [gs.tree.map(lambda a: a + 0.01 * rng.normal(size=np.shape(a)), a) if k in where else a
            for k, a in enumerate(args)]
    gradients = gs.grad(f, argnums=where)(*args)
    along = [gs.tree.map(lambda a: rng.normal(size=np.shape(a)), args[k]) for k in where]
    moved = lambda eps: [gs.tree.map(lambda a, d: a + eps * d, a, along[where.index(k)]) if k in where else a
                         for k, a in enumerate(args)]
    slope = sum(np.sum(g * d) for g, d in zip(gs.tree.leaves(gradients), gs.tree.leaves(along), strict=True))
    assert slope == pytest.approx((f(*moved(1e-6)) - f(*moved(-1e-6))) / 2e-6, rel=1e-4), name


@pytest.mark.heavy(one_in=64)
@pytest.mark.parametrize("number", OF_EXAMPLES)
def test_what_is_no_gradient_of_one_value_is_the_same_as_a_loop_over_single_ones(number):
    row = importlib.import_module(f"benchmarks.{row_modules()[number]}").ROW
    for case in row.cases(True):
        peers = case.peers or row.peers
        got = list(harness.leaves(peers[OURS]().gradient(*case.args)))
        for want in [LOOPS[number](case)] + [peers[name]().gradient(*case.args)
                                             for name in (NUMPY, HAND) if name in peers]:
            for g, w in zip(got, harness.leaves(want), strict=True):
                np.testing.assert_allclose(g, w, rtol=1e-7, atol=1e-7 * np.abs(w).max())


def differences(f, x, eps=1e-6):
    """The derivative of f with respect to an array or number, by central differences, the axes of x last."""
    def part(k):
        step = np.zeros(np.size(x))
        step[k] = eps
        step = step.reshape(np.shape(x))
        return (f(x + step) - f(x - step)) / (2 * eps)

    return np.stack([part(k) for k in range(np.size(x))], axis=-1).reshape(np.shape(f(x)) + np.shape(x))


def each_example(case):
    from benchmarks.row11_per_example import loss
    p, X, Y = case.args
    return {k: np.stack([differences(lambda w: loss(p | {k: w}, x, y), p[k]) for x, y in zip(X, Y)]) for k in p}


def second_derivatives(case):
    import gradscribe as gs
    from benchmarks.row12_gmm import likelihood
    args = case.args
    direction = args[1] if len(args) == 5 else None
    means, rest = args[0], args[-3:]
    hessian = differences(lambda m: gs.grad(likelihood)(m, *rest), means)
    return hessian if direction is None else np.einsum("ijkl,kl->ij", hessian, direction)


def branches(case):
    from benchmarks.row17_branches import anomaly, energy, reach, root
    derivative = {
        "Newton's method": lambda a, x0: differences(lambda a: root(a, x0), a, 1e-5),
        "Kepler's equation": lambda M, e: 1.0 / (1.0 - e * np.cos(anomaly(M, e))),       # of the implicit function
        "a branch that one in ten takes": lambda x: differences(energy, x),
        "a ball in the air until it lands": lambda v: differences(reach, v, 1e-5)}[case.name.split(",")[0]]
    return np.array([derivative(*one) for one in zip(*case.args)])


LOOPS = {11: each_example, 12: second_derivatives, 17: branches}


def directions(args, gradient):
    """(t -> arguments moved by t, derivative that the gradient predicts); lower triangles stay mirrored for row 10."""
    rng = np.random.default_rng(0)
    if isinstance(gradient, dict):
        step = {name: rng.normal(size=np.shape(args[0][name])) for name in gradient}
        return (lambda t: ({name: args[0][name] + t * step[name] for name in step}, *args[1:]),
                sum(np.sum(gradient[name] * step[name]) for name in step))
    gradients = gradient if isinstance(gradient, tuple) else (gradient,)
    steps = [rng.normal(size=g.shape) for g in gradients]
    return (lambda t: (*(x + t * step for x, step in zip(args, steps)), *args[len(steps):]),
            sum(np.sum(g * step) for g, step in zip(gradients, steps)))


def test_what_threads_gain_is_measured_of_results_that_agree(capsys, monkeypatch):
    from benchmarks import threads
    few = [case for case in threads.cases(True) if case[0].startswith(("tanh", "Jacobi, 64"))]
    monkeypatch.setattr(threads, "cases", lambda quick: few)
    assert threads.main(True) == [] and capsys.readouterr().out.count(" us |") == 4 * len(few)
    monkeypatch.setattr(threads, "difference", lambda a, b: 1.0)
    assert len(threads.main(True)) == 2 * len(few)
