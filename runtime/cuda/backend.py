"""What compiles kernels, and whose arrays they work on: numba-cuda and CuPy; in numba's simulator NumPy, not CuPy.

Nothing else names either of them, so that others can take their places.
"""
from __future__ import annotations

import contextlib
import functools
import importlib.util
import math
import os
import threading
from types import FunctionType, SimpleNamespace

import numpy as np

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # which numba-cuda asks for, and NumPy 2.5 has no more

from ..plain import cephes, segments, special as runtime_special
from . import complexes, device, lanes, special, ufuncs

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") == "1"
PARTS = {"numba_cuda": "numba-cuda", "cupy": "CuPy"}
default = threading.local()  # .device: the number of the GPU that is asked for where no argument says it
DLPACK_CUDA = 2, 13  # the numbers that DLPack has for memory of such a device, and for memory that it shares
INSTALL = "pip install gradscribe[cuda]"


def missing() -> str | None:
    """What keeps programs from a GPU; None where nothing does."""
    if owner and owner[0] != os.getpid():
        return ("this process was forked from one that had used the GPU, which cannot be used in both: start it by "
                'multiprocessing.get_context("spawn")')
    if SIMULATED:
        return None
    absent = [title for module, title in PARTS.items() if importlib.util.find_spec(module) is None]
    if absent:
        return f'target="cuda" needs {" and ".join(absent)}, which is not installed: {INSTALL}'
    from numba import cuda
    return None if cuda.is_available() else 'target="cuda" needs a GPU of NVIDIA and its driver, and finds none'


owner: list[int] = []  # the process that uses the device


@functools.cache
def compiler():
    """The module that compiles kernels, with the device's functions compiled for them."""
    from numba import cuda
    owner.append(os.getpid())
    for module in (device, complexes, ufuncs, special):
        if SIMULATED:
            module.math = numpy_math()
        for name, function in device_functions(cuda, module).items():
            setattr(module, name, function)
    for module, name, function in SHARED:
        function = FunctionType(function.__code__, {**function.__globals__, **by_name(module)})
        setattr(module, name, function if SIMULATED else cuda.jit(device=True)(function))
    lanes.cuda = Simulated() if SIMULATED else cuda
    for name, function in lanes.lane_functions((lambda f: f) if SIMULATED else cuda.jit(device=True),
                                               by_name(device)).items():
        setattr(device, name, function)
    return cuda


@functools.cache
def arrays():
    """The module of arrays on the device."""
    if SIMULATED:
        return np
    import cupy
    return cupy


@functools.cache
def systems():
    """The module of systems of equations and exponentials of matrices, as SciPy has them."""
    if SIMULATED:
        from scipy import linalg
        return linalg
    from cupyx.scipy import linalg
    return linalg


def raising():
    """Within it CuPy's linear algebra raises where it fails, as NumPy's does."""
    if SIMULATED:
        return contextlib.nullcontext()
    import cupyx
    return cupyx.errstate(linalg="raise")


# how many threads a block has, and how many blocks a launch at most: the simulator takes half a millisecond a thread
BLOCK, BLOCKS = (2, 2) if SIMULATED else (128, 8192)
LANES, SHARE = (4, 1) if SIMULATED else (1024, 8)  # threads of a group at most, and elements that each takes at least
LIBDEVICE = ("floor ceil trunc rint cbrt exp2 exp10 nextafter erfinv erfcinv erfcx normcdf normcdfinv "
             "j0 j1 y0 y1").split()
# what the CPU computes by a function of Python's that the device can have as it stands: (module, name, function)
SHARED = ((device, "gpu_digamma_of", runtime_special.digamma_of), (device, "gpu_digamma", runtime_special.digamma_of),
          (device, "gpu_gamma_slope", runtime_special.gamma_slope_of),
          (special, "gpu_digamma_of", runtime_special.digamma_of),
          (special, "gpu_zeta", cephes.zeta), (special, "gpu_erfc_integral", cephes.erfc_integral),
          *[(device, f"gpu_{f.__name__}", f) for f in segments.FUNCTIONS])


def by_name(module) -> dict:
    """What a module of the device has, by the names of the CPU's functions in whose place it stands."""
    return {name.removeprefix("gpu_"): value for name, value in vars(module).items()}


def device_functions(cuda, module) -> dict:
    """The functions of `device` or another such module, as kernels call them."""
    named = {name: f for name, f in vars(module).items() if isinstance(f, FunctionType)}
    library = {name: like_of_the_device() if plain == "like" else of_libdevice(plain) for name, f in named.items()
               if f is device.of_the_device and (plain := name.removeprefix("gpu_")) in (*LIBDEVICE, "like")}
    if SIMULATED:
        return library
    own = {name: f for name, f in named.items() if f.__module__ == module.__name__ and f is not device.of_the_device}
    made = {id(f): cuda.jit(device=True)(f) for f in own.values()}
    return {name: made[id(f)] for name, f in own.items()} | library


def in_simulator(name: str):
    """A function of the device's library, by what the CPU has for it."""
    from scipy import special as sp

    from ..plain import scalars
    others = {"normcdf": sp.ndtr, "normcdfinv": sp.ndtri, "erfcx": sp.erfcx, "erfinv": runtime_special.erfinv,
              "erfcinv": sp.erfcinv, "exp10": sp.exp10, "j0": sp.j0, "j1": sp.j1, "y0": sp.y0, "y1": sp.y1}
    return others[name] if name in others else getattr(scalars, name)


def of_libdevice(name: str):
    """A function of the device's library, of which it has one for each width."""
    if SIMULATED:
        return in_simulator(name)
    from numba.cuda import libdevice, types
    from numba.cuda.extending import overload

    def function(*args):
        raise NotImplementedError

    double, single = getattr(libdevice, name), getattr(libdevice, f"{name}f")

    def of_one(x):
        chosen = single if x == types.float32 else double
        return lambda x: chosen(x)

    def of_two(x, y):
        chosen = single if x == y == types.float32 else double
        return lambda x, y: chosen(x, y)

    overload(function)(of_two if name == "nextafter" else of_one)
    function.__name__ = function.__qualname__ = name
    return function


def like_of_the_device():
    """A number as a float of the width that another has."""
    if SIMULATED:
        return lambda number, x: type(x)(number)
    from numba.cuda import types
    from numba.cuda.extending import overload

    def like(number, x):
        raise NotImplementedError

    def of_width(number, x):
        if x == types.float32:
            return lambda number, x: np.float32(number)
        return lambda number, x: np.float64(number)

    overload(like)(of_width)
    return like


def numpy_math() -> SimpleNamespace:
    """`math` as the device has it, for the simulator: of float32 float32, and never an exception."""
    from scipy import special as sp
    same = "sqrt fabs tan sinh cosh tanh sin cos ldexp exp expm1 log log1p log2 log10 copysign fmod hypot"
    names = {**{n: n for n in same.split()}, "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2",
             "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "pow": "power"}

    def of(ufunc):
        def function(*args):
            return ufunc(*[np.float64(a) if isinstance(a, (int, float)) else a for a in args])
        return function

    return SimpleNamespace(inf=math.inf, nan=math.nan, pi=math.pi, floor=math.floor,
                           **{name: of(getattr(np, n)) for name, n in names.items()},
                           erf=of(sp.erf), erfc=of(sp.erfc), lgamma=of(sp.gammaln), gamma=of(sp.gamma))


class Simulated:
    """What the simulator has in the place of numba's module while a kernel runs."""

    def __getattr__(self, name):
        from numba.cuda.simulator import kernel
        return getattr(kernel._get_kernel_context(), name)


def simulated(x):
    """An argument of a kernel as the simulator is to have it: arrays in their memory, numbers of 64 bits."""
    from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray
    if isinstance(x, np.ndarray):
        return FakeCUDAArray(x)
    return np.float64(x) if type(x) is float else np.int64(x) if type(x) is int else x


def argument(x):
    """An argument of a kernel.  As an array of CuPy's it says its stream, and numba would wait there at each launch."""
    return compiler().as_cuda_array(x, sync=False) if is_device_array(x) else x


def stream():
    """Where launches queue: CuPy's stream, because the arrays are made and freed there."""
    number = arrays().cuda.get_current_stream().ptr
    return compiler().external_stream(number) if number else 0


def is_of_the_device(error: Exception) -> bool:
    """Is an exception one of the device or its driver, which says nothing of the program?"""
    return type(error).__module__.partition(".")[0] in ("cupy", "cupy_backends", "cuda") and not isinstance(
        error, MemoryError) or "cudadrv" in type(error).__module__


def lacks_memory(error: Exception) -> bool:
    """Does the driver say that the device has too little memory?  CuPy's own allocator raises a MemoryError."""
    names = ("OUT_OF_MEMORY", "cudaErrorMemoryAllocation")
    return is_of_the_device(error) and any(name in str(error) for name in names)


def device_count() -> int:
    """How many GPUs there are."""
    if missing() is not None:
        return 0
    return 1 if SIMULATED else arrays().cuda.runtime.getDeviceCount()


@contextlib.contextmanager
def asked_for(number: int | None):
    """Within it, the GPU of this number is used where no argument lies on one; None: none is."""
    before = getattr(default, "device", None)
    default.device = number
    try:
        yield
    finally:
        default.device = before


@contextlib.contextmanager
def using(number: int):
    """Within it, memory and launches are those of the GPU of this number."""
    if SIMULATED:
        yield
        return
    from numba import cuda
    with arrays().cuda.Device(number), cuda.gpus[number]:
        yield


def synchronise() -> None:
    """Wait until the device has done what was asked of it."""
    if not SIMULATED:
        arrays().cuda.get_current_stream().synchronize()


def is_device_array(x) -> bool:
    """Does an object say that its elements lie on a device?  Classes of JAX and PyTorch have the interface of CUDA for
    arrays that lie elsewhere, too; DLPack says where."""
    if hasattr(type(x), "__dlpack_device__") and not isinstance(x, np.ndarray):
        return x.__dlpack_device__()[0] in DLPACK_CUDA
    return hasattr(type(x), "__cuda_array_interface__")


def device_of(args) -> int:
    """The number of the GPU on which the first array lies that lies on one; else of that which is asked for."""
    if not SIMULATED:
        for x in args:
            if hasattr(x, "device") and is_device_array(x):
                return int(getattr(x.device, "id", getattr(x.device, "index", 0)))
    return getattr(default, "device", None) or 0


def put_array(x):
    """An array on the device with these elements; that which is there stays what it is."""
    if isinstance(x, np.ndarray):
        return x if SIMULATED else arrays().asarray(x)
    if hasattr(type(x), "__cuda_array_interface__"):
        return arrays().asarray(x)
    return arrays().from_dlpack(x) if is_device_array(x) else x


def get(x):
    """The same elements as a NumPy array; what is no array stays what it is."""
    return x.get() if hasattr(type(x), "__cuda_array_interface__") and hasattr(x, "get") else x
