"""Fresh random programs, those that once failed, and the documentations' own: right or refused."""
import collections
import importlib.util
import os
import types
import warnings
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.api import Primal
from tests.support.cases import ALL, COMMIT, TURN

from . import documentation, oracle
from .check import check
from .hunt import FOLDER, hunt
from .outcomes import Failure, outcome
from .program import generate
from .shrink import shrink

COUNT = int(os.environ.get("INDEPENDENT_COUNT", 100))
COMPILED = int(os.environ.get("INDEPENDENT_COMPILED", 4))
SEED = int(os.environ.get("INDEPENDENT_SEED", TURN // 7 % 10**9))
# the share that may be wrong, above what docs/reliability.md measured: it goes down as that does, to none
WRONG = 0.001


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("compiled, count", [(False, COUNT), (True, COMPILED)], ids=["plain", "compiled"])
def test_fresh_programs_are_right_or_refused(compiled, count, capsys):
    """Nearly all of them: what is wrong is printed by `python -m tests.independent --seed ...`,
    and known to be a few in a thousand."""
    with capsys.disabled():
        print(f"\nindependent programs: seed {SEED} of commit {COMMIT[:12] or '(none)'}")
    said = []
    report = hunt(SEED, count, compiled, say=said.append, save=False)
    with capsys.disabled():
        print(report.summary())
    assert report.failed <= WRONG * count + 3, "\n".join(said)  # 3 for what a small sample scatters
    assert report.accepted >= 0.5 * count or count < 50, "\n".join(said)


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda p: p.stem)
def test_what_once_failed(path, tmp_path):
    text = path.read_text()
    check(text, tmp_path, compiled="# compiled: True" in text)


# ---- the machine itself

def test_a_seed_gives_one_program():
    assert generate(5) == generate(5) != generate(6)


def test_programs_are_python():
    for seed in range(20):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")      # "is" with a literal
            compile(generate(seed), "program", "exec")


PROGRAM = "def f(x):\n    y = x\n    z = 3.0\n    return y + 1\nSCRIPT = ['f(1.5)']\n"


def test_a_wrong_answer_is_a_failure(tmp_path, monkeypatch):
    assert check(PROGRAM, tmp_path)["refused"] == []
    monkeypatch.setattr("tests.independent.check.Primal", lambda f: _wrapped(f, lambda x: np.array(f(x))))
    with pytest.raises(Failure, match="wrong value.*ndarray"):
        check(PROGRAM, tmp_path)


def _wrapped(f, other):
    other.__wrapped__ = f
    return other


def test_shrinking_keeps_what_fails():
    text, _ = shrink(PROGRAM, lambda candidate: {"details": ""} if "y + 1" in candidate or "x + 1" in candidate
                                                else None, 200, "")
    assert "z = 3.0" not in text and "+ 1" in text


@pytest.mark.parametrize("got, want", [
    (1, 1.0), (1.0, np.float64(1)), (np.array(1.0), np.float64(1)), ([1], (1,)), (False, 1), (-0.0, 0.0),
    (np.array([-0.0]), np.array([0.0])), (float("nan"), 1.0), (np.float32(1), np.float64(1)), ({"a": 1}, {"b": 1}),
    ({1: 0}, {True: 0}), ([[1]], [[2]]), ([True], [np.True_]), ((False,), (np.False_,)), (1.0 + 1e-9, 1.0),
    (np.zeros((1, 2)), np.zeros((2, 1))), ("a", "b"), (None, 0)])
def test_what_differs(got, want):
    assert oracle.difference(got, want) and not oracle.difference(want, want) and not oracle.difference(got, got)


# ---- the documentations

MODULE = documentation.__name__


@pytest.fixture(scope="module")
def refusals(request):
    """Counted, and said at the end."""
    found = collections.Counter()
    yield found
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print(f"\nprograms of the documentations: {found['accepted']} accepted, {found['refused']} refused")


def again():
    """The module once more, so that each side has classes of its own."""
    again = types.ModuleType("documentation_again")
    for part in documentation.PARTS:
        spec = importlib.util.spec_from_file_location("documentation_again", Path(part.__file__))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        vars(again).update({name: x for name, x in vars(module).items() if not name.startswith("__")})
    return again


OURS = again()
CASES = [pytest.param(f.__name__, text, id=f"{f.__name__}-{k}") for k, (f, text) in enumerate(documentation.PROGRAMS)]


def judge(name, text, transform, refusals):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = outcome(getattr(documentation, name), documentation, text)
        got = outcome(transform(getattr(OURS, name)), OURS, text)
    if isinstance(got.error, gs.GradscribeError):
        refusals["refused"] += 1
        return
    refusals["accepted"] += 1
    if want.error is not None:
        assert got.error is not None and oracle.same_error(got.error, want.error) is None, repr(got.error)
    elif got.error is not None:
        raise got.error
    else:
        assert oracle.difference(got.value, want.value) is None
        assert oracle.difference(got.args, want.args) is None


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("name, text", CASES)
def test_documentation(name, text, refusals):
    judge(name, text, Primal, refusals)


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("name, text", CASES if ALL else CASES[TURN % 8::8])
def test_documentation_compiled(name, text, refusals):
    judge(name, text, gs.jit, refusals)
