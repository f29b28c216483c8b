"""Twelve programs that were written for JAX: with our import lines they give what tests/data/from_jax.json says that
JAX gave with its own."""
import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer import api
from tests.support.cases import rotating

ROOT = Path(__file__).parents[2]
RECORDED = json.loads((Path(__file__).parents[1] / "data" / "from_jax.json").read_text(encoding="utf-8"))
PROGRAMS = sorted(path.stem for path in (ROOT / "examples" / "from_jax").glob("*.py"))


def results(name):
    """What the program's `main` gives, of a module of its own: nothing of it is compiled yet."""
    spec = importlib.util.spec_from_file_location(f"from_jax_{name}", ROOT / "examples" / "from_jax" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main()


@pytest.fixture(autouse=True)
def as_at_first():
    yield
    gs.config.update("jax_enable_x64", False)


def agree(got, want, x64):
    """To rounding: JAX computes in single precision unless the program says otherwise, and training makes it more."""
    if isinstance(want, dict):
        assert sorted(got) == sorted(want)
        for key in want:
            agree(got[key], want[key], x64)
    else:
        np.testing.assert_allclose(got, want, rtol=1e-7 if x64 else 1e-3, atol=1e-9 if x64 else 1e-4)


def test_all_programs_are_recorded():
    assert len(PROGRAMS) == 12 and set(RECORDED) - {"jax"} == set(PROGRAMS)


@pytest.mark.heavy(one_in=14)
@pytest.mark.parametrize("name", PROGRAMS)
def test_plain(name, monkeypatch):
    """What is jitted is transformed, and runs as Python."""
    monkeypatch.setattr(api.Jit, "compiled", False)
    agree(results(name), RECORDED[name]["results"], RECORDED[name]["x64"])


@pytest.mark.heavy(one_in=18)
@pytest.mark.parametrize("name", rotating(PROGRAMS))
def test_compiled(name):
    agree(results(name), RECORDED[name]["results"], RECORDED[name]["x64"])
