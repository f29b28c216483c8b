"""Tests import what stands beside them by its bare name, `from programs import PROGRAMS`, and `benchmarks`."""
import gc
import sys
from pathlib import Path

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)
sys.path.append(str(Path(__file__).parents[1]))  # last, so that nothing installed is hidden
gc.set_threshold(50_000, 20, 50)  # tests leave little garbage and many objects: collecting as often as usual takes a twentieth of the time


def pytest_terminal_summary(terminalreporter):
    import cases
    terminalreporter.write_line(cases.announcement())
