"""What a program frees of large arrays of its own is kept for the next call."""
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.runtime.native import large_blocks
from tests.support.imports import ROOT

pytestmark = pytest.mark.skipif(not large_blocks.AVAILABLE, reason="only Linux has what it needs")
N = large_blocks.LARGE // 8 + 1000


def turned(x, k):
    """A table that only this function has; it is read in another order than it is written in."""
    y = np.zeros(len(x))
    for i in range(0, len(x), k):
        y[i] = np.sqrt(x[i]) + 1.0
    s = 0.0
    for i in range(len(x)):
        s += y[len(x) - 1 - i] * x[i]
    return s


def turned_in_numpy(x, k):
    y = np.zeros(len(x))
    y[::k] = np.sqrt(x[::k]) + 1.0
    return y[::-1] @ x


def blocks():
    return {address for address in large_blocks.words[large_blocks.BLOCKS::2] if address}


@pytest.fixture
def limit():
    """Sets how much may be kept."""
    before = large_blocks.words[large_blocks.MOST]

    def set_limit(size):
        large_blocks.words[large_blocks.MOST] = size
    yield set_limit
    set_limit(before)


def test_a_block_is_used_again_and_cleared(limit):
    limit(10 * large_blocks.LARGE)
    run, x = gs.jit(turned), np.linspace(0.0, 1.0, N)
    run(x, 1)
    kept = blocks()
    assert kept
    for k in (2, 3, 1):  # zeros are where the call before had something else
        assert run(x, k) == pytest.approx(turned_in_numpy(x, k), rel=1e-12)
        assert blocks() == kept


def test_no_more_is_kept_than_may_be(limit):
    run = gs.jit(turned)
    for most in (0, large_blocks.LARGE // 2, 3 * large_blocks.LARGE):
        limit(most)
        before = large_blocks.words[large_blocks.KEPT]
        for size in (N, 2 * N, N + N // 2, N):
            x = np.linspace(0.0, 1.0, size)
            assert run(x, 1) == pytest.approx(turned_in_numpy(x, 1), rel=1e-12)
            assert large_blocks.words[large_blocks.KEPT] <= max(before, most)
    assert large_blocks.words[large_blocks.KEPT] > 0


def test_threads_that_run_at_once_have_blocks_of_their_own():
    run, wrong = gs.jit(turned, parallel=False), []
    run(np.ones(3), 1)

    def work(scale):
        x = np.linspace(0.0, scale, N)
        want = turned_in_numpy(x, 2)
        for _ in range(6):
            got = run(x, 2)
            if abs(got - want) > 1e-9 * want:
                wrong.append((got, want))

    threads = [threading.Thread(target=work, args=(1.0 + k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_nothing_is_kept_where_that_is_not_wanted():
    text = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
import gradscribe as gs
from gradscribe.runtime.native import large_blocks
from tests.runtime.test_large_blocks import N, turned
print(gs.jit(turned)(np.ones(N), 1) == 2.0 * N, large_blocks.words[large_blocks.KEPT])
"""
    for wanted, kept in (("0", False), ("1", True)):
        ran = subprocess.run([sys.executable, "-c", text, ROOT], capture_output=True, text=True, check=True,
                             env=os.environ | {"GRADSCRIBE_KEEP_MEMORY": wanted})
        right, size = ran.stdout.split()
        assert right == "True" and (int(size) > 0) == kept
