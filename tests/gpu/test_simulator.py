"""Programs for a GPU: the corpus, programs that are easy to get wrong there, random ones;
in numba's simulator, and on a GPU where there is one.

What is computed is what NumPy, or the readable source, gives: values, dtypes, shapes, what is stored into arguments,
what is raised and printed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpus.programs import PROGRAMS
from tests.support.cases import rotating
from tests.support.child import simulated

from ..fuzz.runner import GPU
from ..fuzz.test_fuzz import SEED, campaign_of, judge
from . import many_threads  # noqa: F401  it adds to the cases
from .calls import Calls, sanitizer, why_no_gpu
from .many import run
from .steps import THREADS
from .trapped import CASES

ROOT = Path(__file__).parents[2]
WHY_NO_GPU = why_no_gpu()
PLACES = ["simulator"] if WHY_NO_GPU else ["simulator", pytest.param("gpu", marks=pytest.mark.gpu)]


@pytest.fixture(scope="module", params=PLACES)
def simulator(request):
    with Calls(simulator=request.param == "simulator") as made:
        yield made


def on_gpu(test):
    return pytest.mark.gpu(pytest.mark.skipif(WHY_NO_GPU is not None, reason=str(WHY_NO_GPU))(test))


def numbered(cases, names):
    return pytest.mark.parametrize("number",
                                   [pytest.param(k, id=f"{k} {name}") for k, name in zip(cases, names, strict=True)])


corpus = numbered(range(len(PROGRAMS)), [p.construct for p in PROGRAMS])
trapped = numbered(range(len(CASES)), [f.__name__ for f, _ in CASES])


@pytest.mark.heavy(one_in=269)
@corpus
def test_corpus(simulator, number):
    simulator("tests.gpu.corpus", "stage", "primal", number)


@pytest.mark.heavy(one_in=44)
@pytest.mark.parametrize("way", ("jvp", "vjp"))
@numbered(*zip(*rotating(enumerate(p.construct for p in PROGRAMS))))
def test_derivatives_of_the_corpus(simulator, number, way):
    """A third of them after each commit, as of the compiled ones."""
    simulator("tests.gpu.corpus", "stage", way, number)


@pytest.mark.heavy(one_in=25)
@numbered(range(0, len(PROGRAMS), 3), [p.construct for p in PROGRAMS[::3]])
def test_batches(simulator, number):
    simulator("tests.gpu.corpus", "batch", number)


@pytest.mark.heavy(one_in=39)
@trapped
def test_calls(simulator, number):
    simulator("tests.gpu.corpus", "call", number)


@pytest.mark.heavy(one_in=57)
@trapped
def test_gradients(simulator, number):
    simulator("tests.gpu.corpus", "gradients", number)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("number", [pytest.param(k, id=name) for k, (name, *_) in enumerate(THREADS)])
def test_steps_of_each_example(simulator, number):
    simulator("tests.gpu.steps", "values", number)


@pytest.mark.heavy(one_in=21)
@pytest.mark.parametrize("number", range(32))
def test_random_programs_of_small_arrays(simulator, number):
    simulator("tests.gpu.small_states", "check", SEED + number)


@pytest.mark.heavy(one_in=26)
@pytest.mark.parametrize("seed", [1245, 2091, 3197])
def test_programs_of_small_arrays_that_once_failed(simulator, seed):
    simulator("tests.gpu.small_states", "check", seed)


def test_a_read_only_argument_beside_the_device(simulator):
    simulator("tests.gpu.corpus", "read_only")


@pytest.mark.parametrize("name", ["memory_is_shared", "memory_is_shared_by_three"])
def test_arguments_that_overlap(simulator, name):
    simulator("tests.gpu.overlap", name)


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("name", ["each", "where_it_runs", "what_is_static", "pull_back", "stores", "raises"])
def test_what_is_made_of_a_function_for_a_gpu(simulator, name):
    simulator("tests.gpu.derived", name)


@pytest.mark.heavy(one_in=45)
@corpus
def test_pull_backs(simulator, number):
    simulator("tests.gpu.derived", "corpus", number)


# ---- threads in another order

@pytest.fixture(scope="module")
def simulated_only():
    with Calls(simulator=True) as made:
        yield made


@pytest.mark.heavy(one_in=3)
def test_another_order_shows_what_depends_on_it(simulated_only):
    forwards, backwards = simulated_only("tests.gpu.order", "shows")
    assert forwards == [0, 1, 2, 3, 4, 5] and backwards == [0, 1, 1, 1, 1, 1]


@pytest.mark.heavy(one_in=49)
@pytest.mark.parametrize("way", ("primal", "vjp"))
@numbered(*zip(*rotating(enumerate(p.construct for p in PROGRAMS))))
def test_corpus_in_another_order(simulated_only, number, way):
    simulated_only("tests.gpu.order", "stage", way, number)


@pytest.mark.heavy(one_in=28)
@trapped
def test_calls_in_another_order(simulated_only, number):
    simulated_only("tests.gpu.order", "call", number)


# ---- what needs a GPU, and what it is that it needs one for

@on_gpu
def test_random_programs(capfd):
    seeds = range(SEED, SEED + 300)
    judge(campaign_of(seeds, GPU, capfd), seeds, GPU)


def many(*before, **options):
    """`python -m tests.gpu.many`, as it is started and what it has said."""
    words = [f"--{name}={value}" for name, value in options.items()]
    return subprocess.run([*before, sys.executable, "-m", "tests.gpu.many", *words], cwd=ROOT,
                          capture_output=True, text=True)


@on_gpu
@pytest.mark.parametrize("tool", ["memcheck", "racecheck"])
def test_nothing_is_read_or_written_where_it_must_not_be(tool):
    assert sanitizer() is not None, "compute-sanitizer is neither in PATH nor in CUDA's folder nor among the wheels"
    done = many(sanitizer(), "--tool", tool, "--error-exitcode", "86", "--report-api-errors", "no", count=50, seed=SEED)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-8000:]
    assert "50 programs, 0 failed" in done.stdout


@pytest.mark.heavy(one_in=15)
def test_many_programs_in_one_process():
    """What the GPU's tools are given, in the simulator."""
    with simulated():
        done = many(count=6, seed=3)
    assert (done.stdout.splitlines()[-1:] == ["6 programs, 0 failed"]
            and done.returncode == 0), done.stdout[-4000:] + done.stderr[-4000:]


def test_a_program_that_fails_is_told_and_counted(capsys):
    assert run([("good", lambda: None), ("bad", lambda: 1 // 0)]) == 1
    said = capsys.readouterr().out
    assert (said.startswith("bad:\nTraceback")
            and said.endswith("ZeroDivisionError: integer division or modulo by zero\n\n2 programs, 1 failed\n"))


@pytest.mark.heavy(one_in=10)
def test_random_programs_as_the_gpu_has_them(capfd):
    """The way that `test_random_programs` goes, with the simulator in the GPU's place."""
    with simulated():
        judge(campaign_of(range(SEED, SEED + 2), GPU, capfd), range(SEED, SEED + 2), GPU)
