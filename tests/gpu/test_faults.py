"""What goes wrong on a GPU is said, and nothing hangs: as far as the simulator can show it.

What it cannot show: docs/gpu.md, "Not yet"."""

import pytest

from .calls import Calls


@pytest.fixture(scope="module")
def simulator():
    with Calls(simulator=True) as made:
        yield made


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("differentiated", [False, True])
@pytest.mark.parametrize("kind, text", [
    ("launch", "DeviceError: the GPU says: [719] Call to cuLaunchKernel results in CUDA_ERROR_LAUNCH_FAILED"),
    ("address", "DeviceError: the GPU says: cudaErrorIllegalAddress: an illegal memory access was encountered"),
    ("bindings", "DeviceError: the GPU says: CUDA_ERROR_ILLEGAL_INSTRUCTION"),
    ("product", "DeviceError: the GPU says: CUBLAS_STATUS_EXECUTION_FAILED"),
    ("driver's memory", "MemoryError: the GPU says: [2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"),
    ("lost",
     "DeviceError: the GPU says: cudaErrorDevicesUnavailable: all CUDA-capable devices are busy or unavailable"),
    ("ours", "ZeroDivisionError: a defect of the host's own code")])
def test_a_launch_that_fails(simulator, kind, text, differentiated):
    assert simulator("tests.gpu.faults", "launch", kind, differentiated) == text


@pytest.mark.parametrize("kind, text", [
    ("pool", "OutOfMemoryError: Out of memory allocating 8,000,000,000 bytes (allocated so far: 512 bytes)."),
    ("driver's memory", "MemoryError: the GPU says: [2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY")])
def test_too_little_memory(simulator, kind, text):
    """CuPy's OutOfMemoryError is a MemoryError."""
    assert simulator("tests.gpu.faults", "memory", kind) == text


def test_a_device_that_is_lost_while_a_program_runs(simulator):
    assert simulator("tests.gpu.faults",
                     "lost_while_it_ran").startswith("DeviceError: the GPU says: cudaErrorIllegalAddress")


@pytest.mark.parametrize("name", ["block_until_ready", "device_get"])
def test_a_device_that_is_lost_before_the_results_are_read(simulator, name):
    assert simulator("tests.gpu.faults", "lost_before_it_is_read",
                     name).startswith("DeviceError: the GPU says: cudaErrorIllegalAddress")


def test_a_device_that_is_lost_before_anything_is_there(simulator):
    assert simulator("tests.gpu.faults",
                     "lost_before_it_is_there").startswith("DeviceError: the GPU says: cudaErrorDevicesUnavailable")


def test_a_call_that_fails_stores_nothing(simulator):
    assert simulator("tests.gpu.faults", "stores_nothing").startswith("DeviceError: the GPU says: [719]")


@pytest.mark.parametrize("batched", [False, True])
def test_an_exception_in_a_kernel_is_the_programs(simulator, batched):
    said = simulator("tests.gpu.faults", "exception_in_a_kernel", batched)
    assert said.startswith("IndexError: index 7 is out of bounds for axis 0 with size 3")


def test_a_process_forked_after_use(simulator):
    first, second, third, devices, gradient = simulator("tests.gpu.faults", "forked").split("\n")
    for said in (first, second, third):
        assert (said.startswith("DeviceError: this process was forked from one that had used the GPU")
                and "spawn" in said)
    assert (devices, gradient) == ("[cpu:0]", "1.081")


def test_containers_among_the_arguments_are_not_changed(simulator):
    assert "a change of the caller's d, which others see as well" in simulator("tests.gpu.faults", "changed_container")
