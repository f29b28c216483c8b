"""Who takes part on a GPU: each puts the arguments there before the clock runs, and is waited for after each call.

The CPU's programs are used again: a library's own functions take the place of NumPy's in them (`harness.ported`).
"""
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from benchmarks.harness import JAX, OURS, Absent, Peer, gradscribe, jax_module, jax_waiter

TORCH, TORCH_COMPILED, CUPY = "PyTorch", "torch.compile", "CuPy by hand"
COLUMNS = (OURS, JAX, TORCH, TORCH_COMPILED, CUPY)


def mapped(f, tree):
    """f of each leaf of dicts, tuples and lists."""
    match tree:
        case dict():
            return {key: mapped(f, part) for key, part in tree.items()}
        case tuple() | list():
            return type(tree)(mapped(f, part) for part in tree)
        case _:
            return f(tree)


def ours(transformed):
    """`transformed(gs)` is the function."""
    def make():
        gs = gradscribe()
        return Peer(gs.jit(transformed(gs), target="cuda"), None, gs.device_put, lambda _: gs.block_until_ready, gs.device_get)
    return make


# ---- JAX

def jax_on_gpu():
    jax = jax_module()
    if jax.default_backend() != "gpu":
        raise Absent("JAX finds no GPU")
    return jax


def jax_peer(make_gradient, static=()):
    """`make_gradient(jax)` is the function, before it is compiled."""
    def make():
        jax = jax_on_gpu()
        return of_jax(jax, jax.jit(make_gradient(jax), static_argnums=static))
    return make


def jax_row(make_peer):
    """The peer of a row of the CPU."""
    def make():
        return of_jax(jax_on_gpu(), make_peer().gradient)
    return make


def of_jax(jax, gradient):
    def put(args):
        return mapped(lambda leaf: jax.numpy.asarray(leaf) if isinstance(leaf, np.ndarray) else leaf, args)

    return Peer(gradient, None, put, jax_waiter)


# ---- PyTorch

def torch_and_device():
    try:
        import torch
    except ImportError as error:
        raise Absent(str(error)) from error
    if not torch.cuda.is_available():
        raise Absent("PyTorch finds no GPU")
    return torch, "cuda"


def torch_peer(make_gradient, prepare=lambda args: args):
    """`make_gradient(torch, like)` is the function; `like` has PyTorch's functions under NumPy's names."""
    def make():
        torch, device = torch_and_device()

        def put(args):
            return mapped(lambda leaf: torch.tensor(leaf, device=device) if isinstance(leaf, np.ndarray) else leaf, prepare(args))

        def wait(result):
            if device == "cuda":
                torch.cuda.synchronize()

        def fetch(result):
            return mapped(lambda leaf: leaf.detach().cpu().numpy(), result)

        return Peer(make_gradient(torch, like_numpy(torch)), None, put, lambda _: wait, fetch)
    return make


def compiled(make_peer):
    """The same by torch.compile."""
    def make():
        peer = make_peer()
        import torch
        return replace(peer, gradient=torch.compile(peer.gradient))
    return make


def like_numpy(torch):
    names = "sum tanh exp log sin cos sqrt abs where any zeros_like ones_like stack".split()
    return SimpleNamespace(**{name: getattr(torch, name) for name in names}, max=torch.amax)


# ---- CuPy

def cupy_module():
    try:
        import cupy
    except ImportError as error:
        raise Absent(str(error)) from error
    return cupy


def cupy_peer(make_gradient, prepare=lambda args: args):
    """`make_gradient(cupy)` is the gradient, written by hand with arrays."""
    def make():
        cupy = cupy_module()

        def put(args):
            return mapped(lambda leaf: cupy.asarray(leaf) if isinstance(leaf, np.ndarray) else leaf, prepare(args))

        def wait(result):
            if cupy is not np:
                cupy.cuda.get_current_stream().synchronize()

        def fetch(result):
            return mapped(lambda leaf: leaf.get() if hasattr(leaf, "get") else leaf, result)

        return Peer(make_gradient(cupy), None, put, lambda _: wait, fetch)
    return make


def release():
    """Give back the memory that the libraries keep, so that the next case has all of it."""
    if "cupy" in sys.modules:
        sys.modules["cupy"].get_default_memory_pool().free_all_blocks()
    if "torch" in sys.modules:
        sys.modules["torch"].cuda.empty_cache()
