"""NumPy's signatures: which argument of a call is which, and what is said of those that are not implemented."""
from __future__ import annotations

import functools
import inspect

import numpy as np

from ..frontend.module_names import module_of, package_of

# of what is written in C, which the older NumPys and methods do not tell; a method that is not here has the signature
# of the function
WRITTEN = {
    "scipy.spatial._ckdtree.cKDTree": "data, leafsize=16, compact_nodes=True, copy_data=False, balanced_tree=True, "
                                      "boxsize=None",
    "np.where": "condition, x=None, y=None, /", "np.dot": "a, b, out=None", "np.vdot": "a, b, /", "np.inner": "a, b, /",
    "np.concatenate": "arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind'", "np.generic": "cls, x=0, /",
    "np.zeros": "shape, dtype=None, order='C', *, device=None, like=None",
    "np.empty": "shape, dtype=None, order='C', *, device=None, like=None",
    "np.empty_like": "prototype, /, dtype=None, order='K', subok=True, shape=None, *, device=None",
    "np.arange": "start=None, stop=None, step=1, dtype=None, *, device=None, like=None",
    "np.at": "a, indices, b=None, /", "np.unique_all": "x, /", "np.unique_counts": "x, /", "np.unique_inverse": "x, /",
    "np.reduce": "array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True",
    "np.accumulate": "array, axis=0, dtype=None, out=None", "np.ufunc.outer": "A, B, /",
    "np.reduceat": "array, indices, axis=0, dtype=None, out=None",
    "np.array": "object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None",
    "np.asarray": "a, dtype=None, order=None, *, device=None, copy=None, like=None",
    "np.asanyarray": "a, dtype=None, order=None, *, device=None, copy=None, like=None",
    "np.ascontiguousarray": "a, dtype=None, *, like=None", "np.asfortranarray": "a, dtype=None, *, like=None",
    "np.clip": "a, a_min=None, a_max=None, out=None, *, min=None, max=None, where=True, casting='same_kind', "
               "order='K', dtype=None, subok=True",
    "np.ufunc": "out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None",
    "np.matmul": "out=None, *, casting='same_kind', order='K', dtype=None, subok=True, signature=None, axes=None, "
                 "axis=None",
    "clip": "a, /, a_min=None, a_max=None, out=None, *, min=None, max=None, where=True, casting='same_kind', "
            "order='K', dtype=None, subok=True",
    "dot": "a, b, /, out=None", "transpose": "a, /, *axes", "reshape": "a, /, *shape, order='C', copy=None",
    "flatten": "a, /, order='C'",
    "copy": "a, /, order='C'", "astype": "a, /, dtype, order='K', casting='unsafe', subok=True, copy=True",
    "item": "a, /, *args",
    "view": "a, /, dtype=None, type=None", "fill": "a, /, value", "swapaxes": "a, axis1, axis2, /",
    "sort": "a, /, axis=-1, kind=None, order=None, *, stable=None"}
AXES = ("axis", "axes", "axis1", "axis2", "source", "destination", "shape", "reps")  # where a tuple is no array
HARMLESS = {"subok": (True, False), "overwrite_a": (True, False), "overwrite_b": (True, False),
            "device": (None, "cpu"), "keepdims": (False,), "where": (True,)}
INSTEAD = {
    "out": "Store the result: out[...] = the call without out.", "casting": "Convert the argument: x.astype(dtype).",
    "where": "Write np.where(mask, x, what changes nothing) for x, or np.where(mask, result, other).",
    "dtype": "Convert the argument: x.astype(dtype).",
    "initial": "Write initial + np.sum(x), or np.maximum(initial, np.max(x)).",
    "order": "Leave it out; np.transpose gives the other order.",
    "like": "Leave it out: all arrays are NumPy's.", "args": "Index the array: x[i].item()."}


def is_numpy(f) -> bool:
    """Is it NumPy's, or SciPy's: a function, or a method by its name?"""
    return (isinstance(f, (str, np.ufunc))
            or package_of(f) in ("numpy", "scipy")
            or isinstance(getattr(f, "__self__", None), np.ufunc))


@functools.cache
def signature(f) -> inspect.Signature:
    """NumPy's signature of a function, or of a method of arrays given by its name."""
    text = (WRITTEN.get(f if isinstance(f, str) else f"np.{f.__name__}")
            if not module_of(f).startswith(("numpy.linalg", "scipy"))
            else WRITTEN.get(f"{module_of(f)}.{getattr(f, '__name__', '')}"))
    if isinstance(getattr(f, "__self__", None), np.ufunc) and f.__name__ == "outer":
        text = WRITTEN["np.ufunc.outer"]
    if isinstance(f, type) and issubclass(f, np.generic):
        text = WRITTEN["np.generic"]
    elif isinstance(f, np.ufunc):
        text = (", ".join([f"x{k + 1}" for k in range(f.nin)]) + ", /, "
                + WRITTEN["np.ufunc" if f.signature is None else "np.matmul"])
    return inspect.signature(eval(f"lambda {text}: 0") if text else getattr(np, f) if isinstance(f, str) else f)


@functools.lru_cache(maxsize=None)
def plan(f, handler, count: int, names: tuple):
    """How the arguments of a call go to the handler, as places and names: (by position, by name, those it has no
    parameter for: [(parameter, place, default)], those that choose axes); or what is wrong with the call."""
    own = inspect.signature(handler).parameters
    if any(p.kind is p.VAR_KEYWORD for p in own.values()):  # it is called by Python itself
        return list(range(count)), {n: n for n in names}, [], ()
    parameters = signature(f).parameters
    try:
        bound = signature(f).bind(*range(count), **{n: n for n in names})
    except TypeError as error:
        return str(error)
    by_position, by_name, others = [], {}, []
    many = any(p.kind is p.VAR_POSITIONAL and p.name in own for p in parameters.values())
    for name, where in bound.arguments.items():
        places, keywords, left = planned(parameters[name], where, own, many)
        by_position += places
        by_name |= keywords
        others += left
    return by_position, by_name, others, [bound.arguments[n] for n in AXES if n in bound.arguments]


def planned(parameter: inspect.Parameter, where, own, many: bool) -> tuple[list, dict, list]:
    """The same of what one parameter is given: by position, by name, and what the handler has no parameter for."""
    name, kind = parameter.name, parameter.kind
    if kind is parameter.VAR_POSITIONAL:
        return (list(where), {}, []) if name in own else ([], {}, [(name, k, None) for k in where])
    if kind is parameter.VAR_KEYWORD:
        return [], {n: n for n in where if n in own}, [(n, n, None) for n in where if n not in own]
    if kind is parameter.POSITIONAL_ONLY or many and isinstance(where, int) and name in own:
        return [where], {}, []
    return ([], {name: where}, []) if name in own else ([], {}, [(name, where, parameter.default)])
