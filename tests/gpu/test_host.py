"""What the host of a program for a GPU does, where it needs neither a GPU nor the simulator."""
from importlib.util import module_from_spec, spec_from_file_location
from types import SimpleNamespace

import numpy as np
import pytest

from gradscribe import runtime as rt
from gradscribe.runtime.cuda import backend, device, host
from gradscribe.runtime.plain import scalars
from gradscribe.transformer.inputs.gpu_placeholders import shaped_like

# The module once more, as Python: where another test has compiled its functions they cannot be called here any longer.
spec = spec_from_file_location("gradscribe.runtime.cuda.device_once_more", device.__file__)
device = module_from_spec(spec)
spec.loader.exec_module(device)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.bool_, np.complex64])
def test_what_the_host_reads_keeps_its_dtype(dtype):
    """float32 becomes no float64, and ints wrap around as NumPy's do."""
    x = np.ones(3, dtype)
    assert type(host.element(x, (1,), None)) is dtype and type(host.read(x[:1], None)) is dtype


def test_one_over_zero_is_infinite_on_the_host():
    with np.errstate(divide="ignore"):
        assert 1.0 / host.read(np.zeros(1), None) == np.inf


def test_few_long_columns_are_summed_in_stages():
    """A group has 1024 threads at most, so that a few leave most of a GPU idle; many columns keep it busy."""
    assert host.in_stages(5000, 64) and host.in_stages(10**6, 1)
    assert not host.in_stages(4096, 64) and not host.in_stages(10**6, 4096)


def test_a_kernel_that_has_stopped_stops_the_host():
    with pytest.raises(host.KernelStopped):
        host.read(np.zeros(1), np.ones(1, np.int32))


@pytest.mark.parametrize("a", [0, 1, -1, 2, -3, 3 << 31, -(3 << 31), 1 << 62, -(1 << 62), (1 << 63) - 1, -(1 << 63),
                               3037000500])
@pytest.mark.parametrize("b", [0, 1, -1, 2, -2, 1 << 32, -(1 << 32), 3, -(1 << 63), 3037000500, -3037000500])
def test_which_products_have_64_bits(a, b):
    with np.errstate(over="ignore"):  # of 64 bits, as a thread computes
        assert bool(device.gpu_fits(np.int64(a), np.int64(b))) == (-(1 << 63) <= a * b < 1 << 63)


@pytest.mark.parametrize("threefry", [device.gpu_threefry, scalars.threefry])
def test_random_words_of_a_thread_and_of_the_host(threefry):
    """Of 64 bits each, where their sums have to wrap around at 32."""
    words = np.random.default_rng(5).integers(0, 1 << 32, (4, 200), np.uint64)
    words[:, :3] = [[0], [(1 << 32) - 1], [0], [(1 << 32) - 1]]
    got = [threefry(*column) for column in words.T]
    np.testing.assert_array_equal(np.array(got, np.uint64), rt.threefry(*words.astype(np.uint32)))


class There:
    """An array that says that it lies on a GPU."""

    __cuda_array_interface__ = None  # the class says it, too

    def __init__(self, x):
        self.__cuda_array_interface__ = {**x.__array_interface__,
                                         "strides": x.strides if not x.flags.c_contiguous else None}


def test_stand_ins_share_memory_where_the_arrays_do():
    x, memory = np.zeros((6, 4)), []
    first, second, both, back = [shaped_like(There(part), memory) for part in (x[:3], x[3:], x[2:4], x[::-1, 1])]
    assert not np.shares_memory(first, second) and np.shares_memory(first, both)
    assert np.shares_memory(first, back) and back.shape == (6,)


class OnGpu:
    """What numba-cuda and CuPy are to a launch: which blocks, threads, stream and arguments it has had."""

    def __init__(self, number):
        self.cuda = SimpleNamespace(get_current_stream=lambda: SimpleNamespace(ptr=number))
        self.launches = []

    def as_cuda_array(self, x, sync):
        return "numba's", x, sync

    def external_stream(self, number):
        return f"stream {number}"

    def __getitem__(self, configuration):
        return lambda *args: self.launches.append((*configuration, *args))


@pytest.mark.parametrize("number, stream", [(0, 0), (77, "stream 77")])
def test_a_launch_queues_after_what_cupy_has_queued_and_does_not_wait(monkeypatch, number, stream):
    there, x = OnGpu(number), There(np.ones(3))
    monkeypatch.setattr(backend, "SIMULATED", False)
    monkeypatch.setattr(backend, "BLOCK", 128)
    monkeypatch.setattr(backend, "BLOCKS", 4)
    monkeypatch.setattr(backend, "compiler", lambda: there)
    monkeypatch.setattr(backend, "arrays", lambda: there)
    for threads in (0, 1, 2, 300, 10_000):
        host.launch(there, threads, (threads, x))
    array = ("numba's", x, False)
    assert there.launches == [(1, 1, stream, 1, array), (1, 128, stream, 2, array), (3, 128, stream, 300, array),
                              (4, 128, stream, 10_000, array)]
