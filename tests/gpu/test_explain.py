"""What `explain()` says of a program for a GPU: it needs neither a GPU nor the simulator."""

import os
import re

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.cuda import offline

from .calls import Calls
from .trapped import CASES


def loss(w, x, y):
    e = np.tanh(x @ w) - y
    if e[0] > 0:
        e = np.sort(e)
    return np.mean(e ** 2)


def in_steps(a, n):
    s = np.linalg.inv(a)
    for _ in range(n):
        s = s @ a + 1.0
    return s


def said(f, *args) -> list[str]:
    text = gs.jit(f, target="cuda").explain(*args).split("what the host does for it")[1].split("\n\n")[0]
    return re.sub(r", \d+ registers", "", text).splitlines()[1:]


@pytest.mark.skipif(os.environ.get("NUMBA_ENABLE_CUDASIM") == "1", reason="blocks are small there")
def test_kernels_libraries_and_waiting_are_named():
    head, *lines = said(gs.grad(loss), np.ones(3), np.ones((5, 3)), np.ones(5))
    assert (head == "# a kernel of many threads has blocks of 128, and no more than 8192 blocks: "
            "a thread takes one index after another")
    assert lines[0] == "# rl.matmul(x, w, t__9_): CuPy"
    assert (lines[1].startswith("# loss_kernel: one thread for each of x_len")
            and lines[2].startswith("# loss_kernel1_: one thread"))
    cell = lines[2].removeprefix("# loss_kernel1_: one thread; makes ")
    assert lines[3:6] == [f"# the host waits for {cell}", "# where it is so:", "#     rm.argsort(e__3_): CuPy"]


def test_loops_of_the_host():
    lines = said(in_steps, np.ones((3, 3)), 5)
    assert "# _inv_kernel: CuPy" in lines
    inside = lines[lines.index("# in a loop of the host:") + 1:]
    assert (inside[0].startswith("#     rl.matmul(") and inside[0].endswith(": CuPy")
            and "one thread for each of" in inside[1])


def test_what_a_kernel_makes():
    made = [line.split("; makes ")[1]
            for line in said(loss, np.ones(3), np.ones((5, 3)), np.ones(5)) if "; makes " in line]
    assert made[0].startswith("e") and made[1].endswith("_cell") and all(made)


@pytest.mark.skipif(not offline.installed(), reason="the compilers are not installed")
def test_registers():
    text = gs.jit(gs.grad(loss), target="cuda").explain(np.ones(3), np.ones((5, 3)), np.ones(5))
    assert text.count(" registers; makes ") == text.count("@gpu.kernel") > 3


@pytest.fixture(scope="module")
def simulator():
    with Calls(simulator=True) as made:
        yield made


@pytest.mark.heavy(one_in=119)
@pytest.mark.parametrize("number", range(len(CASES)), ids=[f.__name__ for f, _ in CASES])
def test_kernels_are_launched_with_the_types_that_registers_are_for(simulator, number):
    simulator("tests.gpu.explained", "types", number)
