"""Functions of one element, in the simulator: threads compute them, and as NumPy and SciPy do."""

import numpy as np
import pytest
from scipy import special

from gradscribe.runtime.plain.cephes import zeta
from gradscribe.runtime.plain.special import digamma_of

from .calls import Calls, why_no_gpu

PARTS = 6


@pytest.fixture(scope="module", params=["simulator"] if why_no_gpu() else ["simulator", "gpu"])
def device(request):
    with Calls(simulator=request.param == "simulator") as made:
        yield made


@pytest.mark.heavy(one_in=14)
@pytest.mark.parametrize("part", range(PARTS))
def test_values(device, part):
    device("tests.gpu.elementwise", "all_values", part, PARTS)


@pytest.mark.parametrize("q", [-0.5, -1.5, -3.25, 0.5])
def test_zeta_of_terms_that_cancel(q):
    """What is added up is not done where the first term is negative."""
    for s in (2.0, 3.0, 7.0):
        assert np.isclose(zeta(s, q), special.zeta(s, q), rtol=1e-12)


def test_digamma_by_reflection():
    x = np.array([-0.5, -1.25, -7.9, 0.3, 12.0])
    assert np.allclose([digamma_of(v) for v in x], special.digamma(x), rtol=1e-13)
    assert np.isnan(digamma_of(0.0)) and np.isnan(digamma_of(-3.0))
