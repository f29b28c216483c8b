"""Tests import what stands beside them by its bare name, `from programs import PROGRAMS`, and `benchmarks`."""
import sys
from pathlib import Path

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)
sys.path.append(str(Path(__file__).parents[1]))  # last, so that nothing installed is hidden


def pytest_terminal_summary(terminalreporter):
    import cases
    terminalreporter.write_line(cases.announcement())
