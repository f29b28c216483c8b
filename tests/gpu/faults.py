"""What goes wrong on a GPU, in the simulator: what would fail there raises here what numba-cuda and CuPy raise there.

Each function returns what a user sees, as text; a call after the fault must work."""

import contextlib
import os
import select
import signal
import warnings

import numpy as np

import gradscribe as gs
from gradscribe.runtime.cuda import backend, host

from . import arrays

arrays.use()
X = np.array([1.0, 2.0, 4.0])


def of(module: str, name: str, base: type = RuntimeError) -> type:
    """An exception class of this name, as a library has it."""
    return type(name, (base,), {"__module__": module})


ERRORS = {
    "launch": of("numba.cuda.cudadrv.driver",
                 "CudaAPIError")("[719] Call to cuLaunchKernel results in CUDA_ERROR_LAUNCH_FAILED"),
    "address": of("cupy_backends.cuda.api.runtime",
                  "CUDARuntimeError")("cudaErrorIllegalAddress: an illegal memory access was encountered"),
    "bindings": of("cuda.core._utils.cuda_utils", "CUDAError", Exception)("CUDA_ERROR_ILLEGAL_INSTRUCTION"),
    "product": of("cupy_backends.cuda.libs.cublas", "CUBLASError")("CUBLAS_STATUS_EXECUTION_FAILED"),
    "pool": of("cupy.cuda.memory", "OutOfMemoryError",
               MemoryError)("Out of memory allocating 8,000,000,000 bytes (allocated so far: 512 bytes)."),
    "driver's memory": of("numba.cuda.cudadrv.driver",
                          "CudaAPIError")("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"),
    "lost": of("cupy_backends.cuda.api.runtime",
               "CUDARuntimeError")("cudaErrorDevicesUnavailable: all CUDA-capable devices are busy or unavailable"),
    "ours": ZeroDivisionError("a defect of the host's own code"),
}


def said(call) -> str:
    """What it raised, or that it did not."""
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"


def raises(error):
    def function(*args, **kwargs):
        raise error

    return function


@contextlib.contextmanager
def broken(owner, name: str, error: Exception):
    before = getattr(owner, name)
    setattr(owner, name, raises(error))
    try:
        yield
    finally:
        setattr(owner, name, before)


def scaled(x):
    return np.sum(np.sin(x) * 2.0)


def chosen(x, i):
    return np.sum(x[i] * 2.0)


def works(made, *args) -> None:
    """A call that follows is right."""
    np.testing.assert_allclose(float(made(*args)), made.__wrapped__(*args), rtol=1e-14)


def launch(kind: str, differentiated: bool) -> str:
    """A launch raises this."""
    made = gs.jit(gs.grad(scaled) if differentiated else scaled, target="cuda")
    made(X)
    with broken(host, "start", ERRORS[kind]):
        out = said(lambda: made(X))
    if not differentiated:
        works(made, X)
    return out


def memory(kind: str) -> str:
    """There is no memory for what a program allocates."""
    made = gs.jit(scaled, target="cuda")
    made(X)
    with broken(arrays.Module, "empty", ERRORS[kind]), broken(arrays.Module, "zeros", ERRORS[kind]):
        out = said(lambda: made(X))
    works(made, X)
    return out


def lost_while_it_ran() -> str:
    """The launch fails and the device does not answer after that: the first failure is what is told."""
    made = gs.jit(chosen, target="cuda")
    made(X, np.array([1]))
    with broken(host, "start", ERRORS["address"]), broken(host, "stopped", ERRORS["lost"]):
        return said(lambda: made(X, np.array([1])))


def lost_before_it_is_read(name: str) -> str:
    """A kernel fails after the call is back: whoever waits is told."""
    y = gs.jit(scaled, target="cuda")(X)
    if name == "block_until_ready":
        with broken(backend, "synchronise", ERRORS["address"]):
            return said(lambda: gs.block_until_ready(y))
    with broken(arrays.Array, "get", ERRORS["address"]):
        return said(lambda: gs.device_get(y))


def lost_before_it_is_there() -> str:
    with broken(backend, "put_array", ERRORS["lost"]):
        return said(lambda: gs.device_put(X, gs.devices("cuda")[0]))


def stores_nothing() -> str:
    """What a failed call had stored into an argument is not there."""
    def stored(x, y):
        x[:] = 7.0
        y[:] = np.sort(x)
        return np.sum(x)

    made = gs.jit(stored, target="cuda")
    x, y = backend.put_array(X), backend.put_array(X)
    made(x, y)
    x, y = backend.put_array(X), backend.put_array(X)
    start, calls = host.start, []

    def second(*args):
        calls.append(args)
        if len(calls) == 2:
            raise ERRORS["launch"]
        start(*args)

    host.start = second
    try:
        out = said(lambda: made(x, y))
    finally:
        host.start = start
    assert backend.get(x).tolist() == backend.get(y).tolist() == X.tolist()
    return out


def exception_in_a_kernel(batched: bool) -> str:
    """One example of many reads past the end."""
    made = gs.jit(gs.vmap(chosen, in_axes=(None, 0)) if batched else chosen, target="cuda")
    good, bad = np.array([[0], [1], [2]]), np.array([[0], [7], [2]])
    out = said(lambda: made(X, bad if batched else bad[1]))
    if batched:
        assert backend.get(made(X, good)).tolist() == (2.0 * X).tolist()
    else:
        works(made, X, good[0])
    return out


def forked() -> str:
    """What a process that was forked after the GPU was used says; and that its CPU works."""
    made = gs.jit(scaled, target="cuda")
    made(X)
    ours, theirs = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of forks beside threads
        child = os.fork()
    if child == 0:
        signal.alarm(30)
        out = "\n".join([said(lambda: made(X)), said(lambda: gs.jit(gs.grad(scaled), target="cuda")(X)),
                         said(lambda: gs.device_put(X, gs.Device("cuda"))), repr(gs.devices()[:1]),
                         f"{gs.grad(scaled)(X)[0]:.3f}"])
        os.write(theirs, out.encode())
        os._exit(0)
    os.close(theirs)
    assert select.select([ours], [], [], 40)[0], "it hangs"
    out = os.read(ours, 10_000).decode()
    assert os.waitpid(child, 0)[1] == 0, "it died"
    works(made, X)
    return out


def kept(d, x):
    d["y"] = x * 2.0
    return x


def changed_container() -> str:
    """A dict that the caller passed, of which a call for a GPU may have made another."""
    return said(lambda: gs.jit(kept, target="cuda")({}, np.ones(3))).splitlines()[0]
