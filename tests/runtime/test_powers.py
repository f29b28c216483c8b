"""Constant powers by products, roots and divisions: as NumPy's where a base is 0, infinite or negative, to 4 ulp."""
import mpmath as mp
import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.lower.scalar import BY_PRODUCTS
from tests.runtime.lowering import Stages, emit, function

SPECIAL = [0.0, -0.0, 1.0, -1.0, 4.0, -4.0, np.inf, -np.inf, np.nan, 2.3, 0.3]
FAR = [1e155, 3e-155, 1e-160, 1e123, 1e-123, 1e103, 1e-103, 1e160, 5e-324, 1e-310, 1.7e308, 1e205, 1e206]
TYPES = {"array": "f8[n]", "float32 array": "f4[n]", "NumPy number": "f8", "float32 number": "f4", "float": "float"}
powers = pytest.mark.parametrize("power", BY_PRODUCTS)


@powers
@pytest.mark.parametrize("kind", TYPES)
def test_special_bases(kind, power):
    run = Stages(function([TYPES[kind]], lambda b, x: emit(b, "power", x, power)))
    assert "**" not in run.text and "fpow" not in run.text
    make = float if kind == "float" else np.float32 if "f4" in TYPES[kind] else np.float64
    with np.errstate(over="ignore"):
        values = [make(x) for x in SPECIAL + FAR]
    for x in [np.array(values)] if kind.endswith("array") else values:
        if kind == "float" and -np.inf < x < 0 and power % 1.0:
            for stage in (run.plain, run.compiled):
                with pytest.raises(ValueError, match="complex"):
                    stage(x)
        else:
            run(x, rtol=4 * np.finfo(make).eps)


@powers
def test_digits_of_powers(power):
    x = np.exp2(np.random.default_rng(5).uniform(-100, 100, 300))
    got = gs.jit(lambda x: x ** power)(x)
    with mp.workdps(40):
        wrong = [abs(mp.mpf(y) - mp.mpf(v) ** power) / mp.mpf(float(np.spacing(y))) for v, y in zip(x.tolist(), got)]
    assert max(wrong) < 3.5


@powers
@pytest.mark.parametrize("way", [gs.grad, lambda f: gs.jit(gs.grad(f))], ids=["plain", "compiled"])
def test_slopes_of_powers(power, way):
    x, h = np.array([0.7, 1.3, 2.5]), 1e-6
    want = ((x + h) ** power - (x - h) ** power) / (2 * h)
    np.testing.assert_allclose(way(lambda x: np.sum(x ** power))(x), want, rtol=1e-7)
    assert way(lambda x: x ** power)(2.5) == pytest.approx(want[2], rel=1e-7)
