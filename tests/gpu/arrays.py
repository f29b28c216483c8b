"""Arrays that are as strict as a GPU's: NumPy takes none of them, and they take no array of NumPy's.  What a program
does with them is what CuPy has."""

import functools
import operator
import sys
import threading
import types

import numpy as np

from gradscribe.runtime.cuda import backend, library, rows

simulated, get = backend.simulated, backend.get


class Array:
    """An array whose elements the host reaches by `get` and `asarray` alone."""

    __slots__ = ("x",)
    __array_ufunc__ = None
    __hash__ = None

    def __init__(self, x: np.ndarray):
        self.x = x

    shape, dtype, ndim, size, strides = [property(lambda self, name=name: getattr(self.x, name))
                                         for name in "shape dtype ndim size strides".split()]
    real, imag = [property(lambda self, name=name: Array(getattr(self.x, name))) for name in ("real", "imag")]
    T = property(lambda self: Array(self.x.T))
    __cuda_array_interface__ = property(lambda self: {**self.x.__array_interface__, "strides": self.x.strides})

    def __array__(self, *_, **__):
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return Array(np.asarray(self.x[index]) if np.isscalar(self.x[index]) else self.x[index])

    def __setitem__(self, index, value):
        assert isinstance(value, Array) or np.isscalar(value), f"{type(value)} is on the host"
        self.x[index] = value.x if isinstance(value, Array) else value

    def get(self):
        return self.x.copy()

    def item(self):
        return self.x.item()

    def __int__(self):
        return int(self.x)

    def __float__(self):
        return float(self.x)

    def __bool__(self):
        return bool(self.x)

    def copy(self, order="C"):
        return Array(self.x.copy(order))

    def astype(self, dtype):
        return Array(self.x.astype(dtype))

    def reshape(self, *shape):
        return Array(self.x.reshape(*shape))

    def argsort(self, kind):
        return Array(self.x.argsort(kind=kind))

    def transpose(self, *axes):
        return Array(self.x.transpose(*axes))


def wrapped(x):
    """What a function of arrays gives: arrays of the device, also in the place of NumPy's numbers."""
    if isinstance(x, tuple):
        return tuple(map(wrapped, x))
    return Array(np.asarray(x)) if isinstance(x, (np.ndarray, np.generic)) else x


def strict(function):
    """A function of NumPy's or SciPy's as CuPy has it, which takes arrays of the device and nothing else for one."""
    @functools.wraps(function)
    def call(*args, **options):
        assert not any(isinstance(x, np.ndarray) and x.ndim for x in args), "an array is on the host"
        return wrapped(function(*[x.x if isinstance(x, Array) else x for x in args], **options))
    return call


class Strict:
    """A module of such functions."""

    def __init__(self, module, *names):
        for name in names:
            setattr(self, name, strict(getattr(module, name)))


for _name in "__add__ __sub__ __mul__ __truediv__ __rtruediv__ __pow__ __and__ __lt__ __gt__ __abs__".split():
    _function = (lambda x, y: y / x) if _name == "__rtruediv__" else getattr(operator, _name)
    setattr(Array, _name, (lambda function: lambda *args: strict(function)(*args))(_function))
for _name in "all sum max conj swapaxes astype".split():
    setattr(Array, _name,
            (lambda name: lambda self, *args, **options: wrapped(getattr(self.x, name)(*args, **options)))(_name))


class Module:
    """What programs ask of CuPy."""

    @staticmethod
    def empty(shape, dtype):
        out = np.empty(shape, dtype)
        out.fill(out.dtype.type(77))  # nobody may count on zeros
        return Array(out)

    @staticmethod
    def zeros(shape, dtype):
        return Array(np.zeros(shape, dtype))

    @staticmethod
    def asarray(x):
        return x if isinstance(x, Array) else Array(np.array(x))

    @staticmethod
    def flatnonzero(x):
        return Array(np.flatnonzero(x.x))

    @staticmethod
    def matmul(x, y, out):
        np.matmul(x.x, y.x, out=out.x)

    isfinite, broadcast_to, where, tril, eye = map(
        staticmethod, map(strict, (np.isfinite, np.broadcast_to, np.where, np.tril, np.eye)))
    fft = Strict(np.fft, "fft", "ifft")
    linalg = Strict(np.linalg, *"solve inv lstsq pinv det slogdet cholesky eigh eigvalsh svd qr".split())


@functools.cache
def systems():
    from scipy import linalg
    lu_solve = strict(lambda both, pivots, *args, **options: linalg.lu_solve((both, pivots), *args, **options))
    return types.SimpleNamespace(lu_solve=lambda pair, *args, **options: lu_solve(*pair, *args, **options),
                                 **vars(Strict(linalg, "lu_factor", "solve_triangular", "expm")))


def shared_array(self, shape, dtype, lock=threading.Lock()):
    """The simulator's own looks for the array of a line, then makes it: another thread may have made one in between."""
    caller = sys._getframe(1)
    with lock:
        return self._allocations.setdefault((caller.f_code, caller.f_lineno), np.empty(shape, dtype))


def put(x):
    return Module.asarray(x) if isinstance(x, (np.ndarray, Array)) else x


def use() -> None:
    """In the place of NumPy's arrays, which stand there for CuPy's in the simulator; on a GPU, CuPy's stay."""
    if not backend.SIMULATED:
        return
    from numba.cuda.simulator.kernelapi import FakeCUDAShared

    # the simulator asks its threads in a loop whether they have ended: 5 ms of waiting each time
    sys.setswitchinterval(1e-4)
    FakeCUDAShared.array = shared_array
    backend.arrays, backend.put_array = lambda: Module, put
    rows.arrays = library.arrays = backend.arrays
    library.systems = systems
    backend.simulated = lambda x: simulated(x.x if isinstance(x, Array) else x)
