"""Random programs through every stage and derivative: all that ever failed, and fresh ones from a printed seed.

    FUZZ_SEED       the first seed (default: chosen by the commit, printed)
    FUZZ_COUNT      programs through the uncompiled stages (default 200; .ci/run takes 2000)
    FUZZ_COMPILED   programs through the compiler (default 10; .ci/run takes 100)
    FUZZ_DEVICE     programs through kernels for a GPU, in the simulator (default 10)"""

import os
import sys
import zlib

import pytest

from tests.support.cases import COMMIT, rotating

from . import loading
from .__main__ import MOST_REFUSED
from .oracle import BATCHED, examine
from .runner import DEVICE, campaign, flag, fresh_seed

COUNT, COMPILED = int(os.environ.get("FUZZ_COUNT", 200)), int(os.environ.get("FUZZ_COMPILED", 10))
ON_DEVICE = int(os.environ.get("FUZZ_DEVICE", 10))
PARTS = 4  # so that two test processes, or four, share the work; each part starts a process of its own


def first_seed() -> int:
    """One seed for all processes of a test run (pytest-xdist wants equal tests in each): fresh with each commit, so
    that what a run of a commit has found another run of it finds too."""
    if "FUZZ_SEED" in os.environ:
        return int(os.environ["FUZZ_SEED"])
    run = COMMIT or os.environ.get("PYTEST_XDIST_TESTRUNUID")
    return zlib.crc32(run.encode()) if run else fresh_seed()


SEED = first_seed()


def parts(count):
    """The seeds in PARTS ranges."""
    bounds = [SEED + count * k // PARTS for k in range(PARTS + 1)]
    return [pytest.param(range(a, b), id=f"seeds {a}-{b - 1}") for a, b in zip(bounds, bounds[1:]) if a < b]


def campaign_of(seeds, compiled, capfd):
    report = campaign(seeds, compiled, stop_after=5)
    with capfd.disabled():
        print(f"\nfuzz --seed {seeds[0]} --count {len(seeds)}{flag(compiled)}: {report.line()}", file=sys.stderr)
    return report


def judge(report, seeds, compiled):
    texts = []
    for failure in report.failures:
        path = loading.save(failure.case, str(failure))
        texts.append(f"{failure}\nsaved as {path}; python -m tests.fuzz --replay {path}{flag(compiled)} --shrink\n"
                     f"{failure.case.source}")
    assert not report.failures, "\n\n".join([f"{len(texts)} of the programs {seeds} failed", *texts])
    # A part is a sample: its fraction scatters about the whole's.
    assert report.refused <= MOST_REFUSED + 1.0 / len(seeds) ** 0.5, report.full()


def each(paths):
    return pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in paths])


@pytest.mark.heavy(one_in=45)
@each(loading.saved())
def test_programs_that_once_failed(path):
    again(path, False)


@pytest.mark.heavy(one_in=126)
@each(rotating(loading.saved()))
def test_programs_that_once_failed_compiled(path):
    again(path, True)


def again(path, compiled):
    case = loading.from_text(path.read_text())
    failure = examine(case, compiled, batched=case.seed % BATCHED[False] == 0).failure
    assert failure is None, f"{failure}\n{path.read_text()}"


@pytest.mark.heavy(one_in=25)
@pytest.mark.parametrize("seeds", parts(COUNT))
def test_fresh_programs(seeds, capfd):
    judge(campaign_of(seeds, False, capfd), seeds, False)


@pytest.mark.heavy(one_in=12)
@pytest.mark.parametrize("seeds", parts(COMPILED))
def test_fresh_programs_compiled(seeds, capfd):
    judge(campaign_of(seeds, True, capfd), seeds, True)


@pytest.mark.heavy(one_in=12)
@pytest.mark.parametrize("seeds", parts(ON_DEVICE))
def test_fresh_programs_on_a_device(seeds, capfd):
    judge(campaign_of(seeds, DEVICE, capfd), seeds, DEVICE)
