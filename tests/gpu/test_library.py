"""What a library computes as a whole, in the simulator with NumPy and SciPy in the place of CuPy,
against NumPy; and what `explain` says of it."""

import numpy as np
import pytest

import gradscribe as gs

from .calls import Calls, why_no_gpu


@pytest.fixture(scope="module", params=["simulator"] if why_no_gpu() else ["simulator", "gpu"])
def device(request):
    with Calls(simulator=request.param == "simulator") as made:
        yield made


@pytest.mark.heavy(one_in=5)
def test_results(device):
    device("tests.gpu.library_calls", "results")


@pytest.mark.heavy(one_in=56)
@pytest.mark.parametrize("part", range(6))
def test_gradients(device, part):
    device("tests.gpu.library_calls", "gradients", part, 6)


@pytest.mark.heavy(one_in=2)
def test_stores_before_what_is_in_doubt(device):
    device("tests.gpu.library_calls", "stores")


def test_forms_stand_for_kernels(device):
    device("tests.gpu.library_calls", "names")


@pytest.mark.heavy(one_in=33)
def test_what_has_no_form_runs_on_the_host(device):
    device("tests.gpu.library_calls", "on_host")


def test_explain_says_where():
    a = np.eye(3) + np.ones((2, 3, 3))
    said = gs.jit(lambda a, b: np.linalg.solve(a, b), target="cuda").explain(a, np.ones(3))
    assert "_solve_kernel: CuPy" in said
    said = gs.jit(lambda a: np.linalg.eigvals(a), target="cuda").explain(a + 0j)
    assert "_eigvals_kernel: on the host, with copies there and back" in said


def test_a_stack_is_one_call():
    text = gs.jit(lambda a, b: np.linalg.solve(a, b), target="cuda").source(
        np.ones((2, 4, 3, 3)), np.ones((4, 3, 1)), stage="compiled")
    assert "_solve_kernel((2, 2, 2), a[:a_len, :a_len1_, :, :], b[:a_len1_, :, :], t[:a_len, :a_len1_, :, :])" in text
    assert "for " not in text[text.index("def "):]
