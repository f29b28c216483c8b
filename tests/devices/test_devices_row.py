"""Row 21 of the scoreboard, several devices: the model's fit, what is written from recorded results,
and that its programs run."""
import json

import pytest

from benchmarks import harness
from benchmarks.devices import model, pages, run
from benchmarks.devices.workloads import WORKLOADS

STORE, PAGE = run.HERE / "results-devices.json", run.ROOT / "docs" / "scaling.md"
KNOWN = model.Collective(alpha=2e-6, beta=3e-10)


def found(threads=2.1e-3, call=40e-6, copy=(10e9, 18e9), memory_bound=False):
    """Results as they are recorded, of one program, whose collectives are KNOWN's."""
    return {"workloads": {"p": {"one": 4e-3, "threads": threads, "processes": 2.2e-3, "title": "program: a toy",
                                "goal": 1.8, "memory_bound": memory_bound, "collectives": [8, 80]}},
            "bandwidth": dict(zip(("one", "threads"), copy)), "arithmetic": {"one": 20e9, "threads": 32e9},
            "overhead": {"one device": 2e-5, "threads": call, "processes": 5e-5},
            "overlap": {"loading": 1e-3, "training": 2e-3, "in turn": 3e-3, "at once": 2.1e-3},
            "allreduce": {name: {"threads": 1e-6, "processes": KNOWN.seconds(2, 8 * size)}
                          for name, size in pages.SIZES.items()},
            "problems": [], "machine": {"processor": "a processor", "cores": 2, "numpy": "2"}}


@pytest.mark.parametrize("count", [2, 4])
def test_a_fit_finds_what_made_the_times(count):
    fit = model.fitted({size: KNOWN.seconds(count, size) for size in (8, 65536, 1 << 23)}, count)
    assert fit.alpha == pytest.approx(KNOWN.alpha) and fit.beta == pytest.approx(KNOWN.beta)


def test_a_fit_takes_times_that_are_off_by_as_much_as_each_other():
    off = {8: 1.1, 1 << 10: 0.9, 1 << 20: 1.1, 1 << 23: 0.9}
    fit = model.fitted({size: by * KNOWN.seconds(2, size) for size, by in off.items()})
    assert fit.alpha == pytest.approx(KNOWN.alpha, rel=0.15) and fit.beta == pytest.approx(KNOWN.beta, rel=0.15)


def test_the_model_gives_what_two_processes_take_and_nothing_for_one():
    program = model.of_workload(found()["workloads"]["p"], KNOWN, call=2e-5, step=3e-5)
    assert program.seconds(2, 1 / 2) == pytest.approx(2.2e-3) and program.kappa > 1
    assert program.strong(1) == program.weak(1) == 1.0
    by_hand = program.kappa * 4e-3 / 64 + 2e-5 + 6 * 3e-5 + 2 * 6 * KNOWN.alpha + 63 * 88 * KNOWN.beta
    assert program.seconds(64, 1 / 64) == pytest.approx(by_hand) and program.strong(64) == pytest.approx(4e-3 / by_hand)


def test_pages_show_what_was_found():
    text = pages.results(found())
    assert ("| program: a toy | >= 1.8 | 4.00 ms | 2.10 ms | 1.90 | 2.20 ms | 1.82 |" in text
            and "1.80 times as much" in text)
    assert "A step of both takes 3.00 ms where each call is waited for, and 2.10 ms where it is not." in text
    text = pages.scaling(found())
    assert "alpha = 2.00 us, beta = 0.300 ns a byte (3.3 GB/s), o = 20.0 us, h = 30.0 us." in text
    assert "| psum of 8 MB |  | 2.52 ms | 2.52 ms | +0% |" in text


def test_what_is_below_an_aim_is_told():
    assert not list(pages.missed(found()))
    assert list(pages.missed(found(threads=4e-3))) == ["p: two threads gain 1.00, wanted at least 1.80"]
    assert list(pages.missed(found(call=1e-4))) == ["a call of two devices takes 100 us, wanted at most 60.0 us"]
    assert not list(pages.missed(found(threads=4e-3, copy=(10e9, 10e9), memory_bound=True)))       # memory says why not


def test_nothing_is_said_of_processes_that_were_not_measured():
    without, failed = (found(),
                       found() | {"overhead": {"processes": 5e-5}, "bandwidth": {}, "arithmetic": {}, "overlap": {}})
    for times in without["allreduce"].values():
        del times["processes"]
    assert all("Nothing was measured by several processes" in pages.scaling(each) for each in (without, failed))
    assert "bandwidth of memory was not measured" in pages.results(failed) and not list(pages.missed(failed))


def test_what_is_saved_is_what_was_measured(tmp_path):
    run.save(found(), tmp_path / "results.json", tmp_path / "page.md")
    assert json.loads((tmp_path / "results.json").read_text()) == found()
    assert (tmp_path / "results.md").read_text() == pages.results(found())
    assert (tmp_path / "page.md").read_text() == pages.scaling(found())


@pytest.mark.skipif(not STORE.exists(), reason="nothing was recorded yet")
def test_the_pages_are_what_the_recorded_results_give():
    recorded = json.loads(STORE.read_text())
    assert STORE.with_suffix(".md").read_text() == pages.results(recorded)
    assert PAGE.read_text() == pages.scaling(recorded)


def test_a_measuring_process_has_none_of_what_is_set_outside():
    inside = run.environment({"OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_L2_SIZE": "512", "PMI_RANK": "1", "NPROC": "1",
                              "XLA_FLAGS": "--a", "MALLOC_TRIM_THRESHOLD_": "1", "B": "c"}, GRADSCRIBE_DEVICES="2")
    assert inside == {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "B": "c",
                      "GRADSCRIBE_DEVICES": "2", **harness.STEADY_MEMORY}


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_model_counts_the_collectives_that_programs_have(name, monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", "2")
    w = WORKLOADS[name]
    args = w.data(True)
    text = w.many().source(*w.parts(args, 2))
    assert len(w.collectives(args)) == text.count("rt.p") * (args[1] if "stencil" in name else 1)
    assert name in run.WORKLOADS


@pytest.mark.heavy(one_in=8)
def test_programs_are_measured_by_threads_and_by_processes():
    times = run.child(("workload", "gmm"), True, run.OURS_ALONE)
    assert times["one"] > 0 and times["threads"] > 0, times
    times = run.child(("overlap",), True, run.OURS_ALONE)
    assert 0 < times["at once"] and 0 < times["in turn"], times
    times = run.child(("workload_in_job", "stencil"), True, run.OURS_IN_JOB, processes=2)
    assert times["processes"] > 0, times
    assert run.child(("workload", "none"), True, run.OURS_ALONE) == {"failed": "KeyError: 'none'"}
