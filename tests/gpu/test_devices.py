"""A pmap of GPUs computes what a vmap does, keeps results where they are, and ends in one error on all of them."""

import pytest

from tests.corpus import pmap_programs

from .calls import Calls


@pytest.fixture(scope="module")
def simulator():
    with Calls(simulator=True) as made:
        yield made


WAYS = "value", "tangent", "grad inside", "vjp inside"
NAMES = ([f"{name}, {what}" for name in pmap_programs.collectives(None, None, 3) for what in WAYS]
         + [*pmap_programs.extremes(None, 3)])


@pytest.mark.heavy(one_in=1023)
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_collectives_tangents_and_transposes(simulator, name, n):
    simulator("tests.gpu.devices", "collective", name, n)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("name", ["stays_there", "of_a_mesh", "tapes"])
def test_values(simulator, name):
    assert simulator("tests.gpu.devices", name) == "fine"


@pytest.mark.heavy(one_in=8)
@pytest.mark.parametrize("where", ["before", "after"])
def test_a_kernel_of_one_device_stops(simulator, where):
    said = simulator("tests.gpu.devices", "stops", where)
    assert said.startswith("ValueError: too large: 4.0")


def test_devices_that_do_not_meet(simulator):
    assert "OutOfStep" in simulator("tests.gpu.devices", "step_apart")


def test_refused(simulator):
    for said, part in zip(simulator("tests.gpu.devices", "refused").split("\n---\n"), [
            "a store into x, of which a GPU has a copy",
            'Name the GPUs: gs.pmap(f, devices=gs.devices("cuda"))', "Give it a mesh of GPUs",
            "pmap of 2 devices, and a list of 3", "there is no device cuda:7", "pmap on the devices [cuda:0, cpu:0]",
            'gs.device_get(x)', "an argument that is sharded over Mesh(i=2) of GPUs"], strict=True):
        assert part in said, said


def test_what_is_printed(simulator):
    assert sorted(simulator("tests.gpu.devices", "printed").splitlines()) == ["device 0: sum 3.0", "device 1: sum 3.0"]
