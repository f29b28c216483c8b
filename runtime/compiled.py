"""Lowered text -> a function that numba has compiled.

    run = compile_module(lowered)
    run(*flat arguments)            a tuple of flat results, of exactly the kinds that NumPy gives

Compiled code stops with `Failure(site, ...)`; here it becomes the exception that plain Python raises, with a
note of the user's line.
"""
from __future__ import annotations

import threading

import numpy as np

from . import cache
from .arrays import exception
from .scalars import Failure

_lock = threading.RLock()


class SizeAssumption(Exception):
    """The arguments have sizes for which this specialisation was not made."""


def compile_module(lowered):
    """A callable: flat arguments -> tuple of flat results."""
    with _lock:
        module = cache.load(lowered.entry, lowered.text)
        return trampoline(lowered, decorate(module, getattr(module, lowered.entry)), compile_module)


def plain_module(lowered):
    """The same as plain Python: slow, for tests and for looking at it in a debugger."""
    return trampoline(lowered, getattr(cache.load(lowered.entry, lowered.text), lowered.entry), plain_module)


def decorate(module, entry):
    """The module's functions under numba; they are compiled when they are first called with new types."""
    import numba

    from . import native  # noqa: F401  registers the compiled forms

    options = dict(nogil=True, error_model="numpy", fastmath={"contract"}, no_cfunc_wrapper=True, no_rewrites=True)
    for name, value in list(vars(module).items()):
        if getattr(value, "__module__", None) == module.__name__ and callable(value) and value is not entry:
            setattr(module, name, numba.njit(**options, no_cpython_wrapper=True)(value))
    return numba.njit(**options, cache=True)(entry)


def trampoline(lowered, entry, make):
    """The thinnest function that allocates outputs, gives results their kinds and turns failures into exceptions."""
    params = [f"a{k}" for k in range(len(lowered.param_types))]
    outs = [f"out{k}" for k in range(len(lowered.outputs))]
    spelled = [f"{'out' if where == 'out' else 'r'}{k}" for where, k in lowered.results]
    returned = [name for name in spelled if name not in outs]
    kinds = [wrapped(r, t, make is plain_module) if r in returned else r for r, t in zip(spelled, lowered.result_types)]
    call = f"entry({', '.join([*params, *outs])})"
    dtypes = {f"D{k}": output.dtype for k, output in enumerate(lowered.outputs)}
    lines = [f"def run({', '.join(params)}):", "    try:"]
    lines += [f"        {out} = empty({shape_text(output, lowered.param_types)}{f', D{k}' * (output.dtype != np.float64)})"
              for k, (out, output) in enumerate(zip(outs, lowered.outputs))]
    if kinds == returned:
        lines += [f"        return {call}"]
    else:
        lines += [f"        {', '.join(returned)}, = {call}" if returned else f"        {call}"]
    lines += ["    except Failure as failure:", f"        return recover(failure, ({', '.join(params)}{',' if params else ''}))"]
    if kinds != returned:
        lines += [f"    return ({', '.join(kinds)},)"]
    namespace = {"entry": entry, "Failure": Failure, "recover": Recovery(lowered, make), "np": np, "empty": np.empty, **dtypes}
    exec("\n".join(lines), namespace)
    run = namespace["run"]
    run.entry = entry
    return run


def shape_text(output, params) -> str:
    """The shape of an output, in terms of the arguments."""
    for k, t in enumerate(params):
        if t.kind == "array" and output.lengths == tuple((k, axis) for axis in range(t.rank)):
            return f"a{k}.shape"
    return f"({''.join(str(n) + ', ' if isinstance(n, int) else f'a{n[0]}.shape[{n[1]}], ' for n in output.lengths)})"


class Recovery:
    """What is done when compiled code has stopped."""

    def __init__(self, lowered, make):
        self.lowered, self.make, self.safe = lowered, make, None

    def __call__(self, failure: Failure, args: tuple):
        number, *values = failure.args
        site = self.lowered.sites[number]
        if site.kind == "Unproved":
            if self.safe is None:
                self.safe = self.make(self.lowered.safe())
            return self.safe(*args)
        if site.kind == "Sizes":
            raise SizeAssumption(site.message) from None
        error = exception(site.kind)(site.message.format(*values))
        if site.origin is not None:
            error.gradscribe_origin = site.origin
        raise error from None


def wrapped(name: str, t, plain: bool) -> str:
    """A result as its kind has it; numba gives Python numbers for all scalars."""
    if t.kind == "np":
        return f"np.{t.dtype.type.__name__}({name})"
    return f"{t.python_type.__name__}({name})" if plain and t.kind == "py" else name
