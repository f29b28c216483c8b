"""Peers of the rows in the natural form: PyTorch, what numba compiles as it stands, and C++ of natural.cc."""
import ctypes
import functools
import shutil
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.harness import (AUTOGRAD, BY_INDEX, JAX, JAX_REWRITTEN, OURS, PYTORCH, READABLE, Absent, Peer,
                                autograd_peer, jax_peer, numba_compiled, ours, ported, readable)


def peers(f, argnums=0, *, same=(), **others):
    """Ours, and by each name of `same` the same text; `others` are by name what the system needs instead of it:
    the text of JAX, JAX rewritten, or by index, else a peer."""
    static = others.pop("static", ())
    made = {"jax": (JAX, lambda g: jax_peer(g, static=static, argnums=argnums)),
            "rewritten": (JAX_REWRITTEN, lambda g: jax_peer(g, static=static, argnums=argnums)),
            "by_index": (BY_INDEX, lambda g: ours(g, argnums=argnums)),
            "autograd": (AUTOGRAD, lambda g: autograd_peer(g, argnum=argnums)),
            "torch": (PYTORCH, lambda g: torch_peer(g, argnums))}
    found = {OURS: ours(f, argnums=argnums), READABLE: readable(f, argnums=argnums)}
    for name in same:
        column, make = made[name]
        found[column] = make(f)
    for name, other in others.items():
        column, make = made.get(name, (name, lambda peer: peer))
        found[column] = make(other)
    return found


def by_numba(value, gradient=None):
    """Written by hand, compiled by numba; without a gradient only the value is measured."""
    return lambda: Peer(gradient and numba_compiled(gradient), numba_compiled(value))


# ---- PyTorch --------------------------------------------------------------------------------------------------------------

def torch_module():
    try:
        import torch
    except ImportError as error:
        raise Absent(str(error)) from error
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    return torch


def like_numpy(torch):
    """PyTorch's functions under NumPy's names."""
    names = "sum tanh exp log sin cos sqrt abs where real zeros mean outer linalg fft stack arange diagonal einsum eye".split()
    return types.SimpleNamespace(**{name: getattr(torch, name) for name in names}, min=torch.amin, max=torch.amax)


def torch_peer(f, argnums=0):
    def make():
        torch = torch_module()
        port = ported(f, like_numpy(torch))
        return torch_of(torch, lambda *args: first(torch.autograd.grad(port(*args), chosen(args, argnums)), argnums),
                        torch.no_grad()(port), argnums)
    return make


def torch_examples(f, argnums):
    """The gradient of each example."""
    def make():
        torch = torch_module()
        port = ported(f, like_numpy(torch))
        return torch_of(torch, torch.vmap(torch.func.grad(port, argnums)), torch.vmap(port))
    return make


def torch_of(torch, gradient, value, argnums=()):
    """`argnums` are the arguments that PyTorch's tape is to begin at."""
    def prepare(args):
        tensors = [torch.tensor(a) if isinstance(a, np.ndarray) else a for a in args]
        for a in chosen(tensors, argnums):
            a.requires_grad_()
        return tuple(tensors)

    def fetch(result):
        return tuple(map(fetch, result)) if isinstance(result, tuple) else result.detach().numpy()
    return Peer(gradient, value, prepare, fetch=fetch)


def chosen(args, argnums):
    return [args[k] for k in ((argnums,) if isinstance(argnums, int) else argnums)]


def first(gradients, argnums):
    return gradients[0] if isinstance(argnums, int) else gradients


# ---- C++ ------------------------------------------------------------------------------------------------------------------

@functools.cache                                 # the folder lives as long as the process, and is removed with it
def cpp_library():
    compiler = shutil.which("c++")
    if compiler is None:
        print("no C++ compiler (c++): the column C++ is left out", file=sys.stderr, flush=True)
        return None
    folder = tempfile.TemporaryDirectory()
    built = Path(folder.name) / "natural.so"
    subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", built, Path(__file__).with_name("natural.cc")],
                   check=True)
    library = ctypes.CDLL(str(built))
    library.folder = folder
    return library


def cpp_peer(name, changed: tuple[int, ...] = ()) -> Callable[[], Peer]:
    """`name`_value and `name`_gradient of natural.cc: both take the address and the shape of each array, and numbers as they are.
    The gradient is by the arguments `changed`, and stored in what follows; the value is returned, as is a gradient by a number."""
    def make():
        library = cpp_library()
        if library is None:
            raise Absent("no C++ compiler")
        value, gradient = getattr(library, f"{name}_value"), getattr(library, f"{name}_gradient")
        value.restype = gradient.restype = ctypes.c_double

        def prepare(args):
            return args, tuple(part for a in args for part in passed(a))

        def derivative(args, words):
            found = tuple(np.empty(args[k].shape) for k in changed)
            result = gradient(*words, *(ctypes.c_void_p(a.ctypes.data) for a in found))
            return result if not found else found[0] if len(found) == 1 else found
        return Peer(derivative, lambda args, words: value(*words), prepare)
    return make


def passed(argument):
    match argument:
        case np.ndarray():
            return ctypes.c_void_p(argument.ctypes.data), *map(ctypes.c_long, argument.shape)
        case int():
            return (ctypes.c_long(argument),)
        case _:
            return (ctypes.c_double(argument),)
