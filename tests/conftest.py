"""Tests stand in rooms by what a user would call the feature; what several share is in `support` and `corpus`.

They have two parts: what a newcomer waits for (`run.py test`), and the rest (`run.py test --more`). A test whose cases
take long says so, `@pytest.mark.heavy(one_in=30)`: one of its cases in 30 is in the first part, a tenth of all in the
rest, which ones the commit decides, so that no test has more than a second or so there. What is recorded to take longer
(`support/costs.py`) is in the rest, and what takes long is begun first. Where files are named all that
is in them runs (with `-m first`, what is in the first part). `.ci/run` runs both parts, and holds what has run in them
against all that there is after this commit; with --all all cases run.
"""
import gc
import os
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))  # benchmarks; last, so that nothing installed is hidden
# tests leave little garbage and many objects: collecting as often as usual takes a twentieth of the time
gc.set_threshold(50_000, 20, 50)


def pytest_configure(config):
    config.addinivalue_line("markers",
                            "heavy(one_in): one case in so many is in the first part, others after each commit")
    config.addinivalue_line("markers", "gpu: needs one; those that run in its simulator and on it have this there")
    config.addinivalue_line("markers", "first: in the first part; all get it that are not heavy")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    from tests.support import cases, costs
    cost = costs.recorded()
    met, left, chosen, firsts, files = Counter(), [], [], set(), defaultdict(list)
    for item in items:
        heavy, name = item.get_closest_marker("heavy"), item.nodeid.partition("[")[0]
        is_short = cost.get(name, 0.0) <= costs.LONG or name in costs.WORTH_IT
        if is_short and (heavy is None or cases.has_its_turn(name, met[name], **heavy.kwargs)):
            firsts.add(item)
        item.in_rest = heavy is None or cases.has_its_turn("the rest of " + name, met[name], 10)
        files[item.path].append(item)
        met[name] += 1
    for of_file in files.values():
        if firsts.isdisjoint(of_file):  # each file has a test there
            firsts.add(of_file[cases.TURN % len(of_file)])
    everything = cases.ALL or any([".py" in word for word in config.args])
    for item in items:
        if item in firsts:
            item.add_marker("first")
        (chosen if everything or item in firsts or item.in_rest else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = sorted(chosen, key=lambda item: -cost.get(item.nodeid.partition("[")[0], 0.0))


@pytest.fixture(autouse=True)
def transformed_anew():
    """A test looks at what it has transformed itself."""
    if again := sys.modules.get("gradscribe.transformer.programs.reuse"):
        again.entries.clear()


@pytest.fixture
def gathers(monkeypatch):
    """The shapes of what is gathered of arrays that are sharded over devices."""
    from gradscribe.transformer.sharding import sharded
    found, gathered = [], sharded.gathered
    monkeypatch.setattr(sharded, "gathered", lambda x: found.append(x.shape) or gathered(x))
    return found


def pytest_runtest_logreport(report):
    """Note what has run, where .ci/run asks for it, and what it took."""
    from tests.support import costs
    costs.note(report)
    record = os.environ.get("GRADSCRIBE_TESTS_RAN")
    if record and report.when == "setup" and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(record, "a") as file:
            print(report.nodeid, file=file)


def pytest_terminal_summary(terminalreporter):
    from tests.support import cases
    terminalreporter.write_line(cases.announcement())
