"""The order of a vector's elements in compiled code, beside NumPy's: of each dtype, short and long."""
import numpy as np
import pytest

import gradscribe as gs

RNG = np.random.default_rng(1)
DTYPES = ("f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?")


def numbers(dtype, n):
    """Some of them equal, of all sizes that the dtype has."""
    t = np.dtype(dtype)
    if t.kind != "f":
        few = RNG.integers(-100, 100, n)
        return np.where(few % 3 == 0, few, few * 2 ** (8 * t.itemsize - 8)).astype(t)
    x = (np.round(RNG.normal(size=n), 1) * 10.0 ** RNG.integers(-30, 30, n)).astype(t)
    for k, special in enumerate((np.nan, -np.nan, 0.0, -0.0, np.inf, -np.inf, np.finfo(t).tiny / 8)):
        x[k::13] = special
    return x


@pytest.mark.heavy(one_in=458)
@pytest.mark.parametrize("n", [0, 7, 99, 100, 3000])
def test_argsort(n):
    f = gs.jit(lambda *arrays: [np.argsort(x) for x in arrays])
    arrays = [numbers(dtype, n) for dtype in DTYPES]
    for given in (arrays, [x[::-1] for x in arrays], [np.repeat(x, 2)[::2] for x in arrays]):
        for got, x in zip(f(*given), given, strict=True):
            np.testing.assert_array_equal(got, np.argsort(x, kind="stable"))
