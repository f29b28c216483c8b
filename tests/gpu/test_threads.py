"""Loops under `vmap` as threads of a GPU: which are, and that small arrays are in registers there."""

import re

import pytest

import gradscribe as gs

from .steps import PAIRS, ROWS, THREADS, K, X, diffusion, layers, oscillator, rng, runge_kutta
from .test_forms import launches, text


def host(made: str) -> str:
    return made[made.rindex("\ndef "):]


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("f, args, most", [pytest.param(*rest, id=name) for name, *rest in THREADS])
def test_a_loop_of_numbers_is_one_thread_for_each_example(f, args, most):
    """Not a launch for each of its rounds."""
    made = text(f, *args)
    assert not re.search(r"\n +(for|while) ", host(made)) and "many" in launches(made), host(made)
    assert len(launches(made)) <= most, host(made)


@pytest.mark.parametrize("f, args", [
    (gs.vmap(layers, in_axes=(0, None)), (ROWS, rng.normal(size=(3, 6, 6)))),
    (gs.vmap(diffusion, in_axes=(0, None)), (ROWS, 9)),
], ids=["layers", "diffusion"])
def test_a_loop_of_long_arrays_is_done_for_all_examples_at_once(f, args):
    """Each round has more threads than there are examples, or a product that a library computes."""
    made = text(f, *args)
    assert re.search(r"\n    for ", host(made)) and "one" not in launches(made), host(made)


def test_small_arrays_are_numbers():
    made = text(gs.vmap(runge_kutta, in_axes=(0, 0, None)), PAIRS, K, 9)
    kernel, = re.findall(r"(?s)@gpu.kernel.*?\n\n\n", made)
    inside = kernel[kernel.index(" in range(steps)"):kernel.rindex("\n            ")]
    assert "[" not in inside and "_all" not in kernel, kernel


def test_the_source_says_why_examples_come_one_by_one():
    shown = gs.jit(gs.vmap(oscillator, in_axes=(0, 0, None)), target="cuda").source(X, K, 9)
    assert "one example at a time: each is a thread of the GPU" in shown
    assert "one example at a time" not in gs.jit(gs.vmap(oscillator, in_axes=(0, 0, None))).source(X, K, 9)
