"""The whole text is as ruff and isort want it (pyproject.toml); `ruff check --fix` and `isort .` do most of it."""
import subprocess
import sys

import pytest

from tests.support.imports import ROOT

FOLDERS = ["gradscribe", "transformer", "runtime", "tests", "benchmarks", "examples", "docs", "run.py"]


@pytest.mark.parametrize("tool", [["ruff", "check", "--no-cache"], ["isort", "--check-only", "--diff"]],
                         ids=lambda tool: tool[0])
def test_the_text_is_as_wanted(tool):
    done = subprocess.run([sys.executable, "-m", *tool, *FOLDERS], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
