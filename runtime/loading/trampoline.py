"""Lowered text -> a function that numba has compiled.

    run = compile_module(lowered)
    run(*flat arguments)            a tuple of flat results, of exactly the kinds that NumPy gives

Compiled code stops with `Failure(site, ...)`; here it becomes the exception that plain Python raises, with a
note of the user's line.
"""
from __future__ import annotations

import os
import threading
from dataclasses import replace

import numpy as np

from ..plain.arrays import exception_class, problem
from ..plain.scalars import HEARD, Failure, check_sizes, number
from .targets import NUMBA, PLAIN, Target, numba_types, plainly

# A thread that compiles holds it, and a fork waits for it: a child would have locks, such as numba's, that nobody gives
# back.
lock = threading.RLock()


class SizeAssumption(Exception):
    """The arguments have sizes for which this specialisation was not made."""


def compile_module(lowered, target: Target = NUMBA):
    """A callable: flat arguments -> tuple of flat results."""
    with lock:
        return trampoline(lowered, target)


def meant_for(lowered, flat: list):
    """A program, or the same with threads where there is much to do with such arguments: else it would be compiled
    when the first one has stopped."""
    if lowered.short is None or plainly(replace(lowered, functions=(lowered.short,)))(*flat)[0]:
        return lowered
    return lowered.threads()


def compile_ahead(lowered, types):
    """The same, compiled for flat arguments of these types before it is called."""
    run = compile_module(lowered)
    run.entry.compile((*types, *run.call.output_types()))
    return run


if hasattr(os, "register_at_fork"):
    import concurrent.futures.thread  # noqa: F401  it has such hooks, too, which numba would enter while a fork waits
    os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


def plain_module(lowered):
    """The same as plain Python: slow, for tests and for looking at it in a debugger."""
    return trampoline(lowered, PLAIN)


def trampoline(lowered, target: Target):
    """The thinnest function that allocates outputs, gives results their kinds and turns failures into exceptions."""
    params = [f"a{k}" for k in range(len(lowered.param_types))]
    entry = target.load(lowered)
    call = CallText(lowered, target, entry, Recovery(lowered, target))
    text = [f"def run({', '.join(params)}):", "    try:",
            *("        " + line for line in call.lines(params, lambda k, axis: f"a{k}.shape[{axis}]")),
            "    except Exception as error:", f"        return recover(error, {tuple_text(params)})",
            f"    return {tuple_text(call.results)}"]
    namespace = dict(call.namespace, recover=call.recover)
    exec("\n".join(text), namespace)
    run = namespace["run"]
    run.entry, run.call = entry, call
    return run


class CallText:
    """A call of compiled code, as lines of text that callers write out in place: a Python call less."""

    def __init__(self, lowered, target: Target, entry, recover):
        self.lowered, self.recover = lowered, recover
        self.outs = [f"out{k}" for k in range(len(lowered.outputs))]
        self.namespace = {"entry": entry, "empty": target.empty,
                          **{f"D{k}": o.dtype for k, o in enumerate(lowered.outputs)}}
        self.namespace |= {"wait": target.wait} if target.wait else {}
        self.namespace |= {f"np_{t.dtype.name}": t.dtype.type for t in lowered.result_types if t.kind == "np"}
        names = [f"{'out' if where == 'out' else 'r'}{k}" for where, k in lowered.results]
        self.returned = [name for name in names if name not in self.outs]
        self.results = [name if name in self.outs or target.keeps else wrapped_result(name, t, target.wraps)
                        for name, t in zip(names, lowered.result_types)]

    def output_types(self) -> tuple:
        """numba's types of the arrays that it allocates."""
        return numba_types([np.empty((0,) * len(o.lengths), o.dtype) for o in self.lowered.outputs])

    def lines(self, args: list[str], length) -> list[str]:
        """Lines that bind what `results` names; `length(k, axis)` is the text of a length of argument k."""
        lines = []
        for k, output in enumerate(self.lowered.outputs):
            lengths = [str(n) if isinstance(n, int) else length(*n) for n in output.lengths]
            shape = lengths[0] if len(lengths) == 1 else tuple_text(lengths)
            lines.append(f"out{k} = empty({shape}{f', D{k}' * (output.dtype != np.float64)})")
        call = f"entry({', '.join([*args, *self.outs])})"
        return [*lines, f"{', '.join(self.returned)}, = {call}" if self.returned else call,
                *["wait()"] * ("wait" in self.namespace)]


def tuple_text(parts) -> str:
    return f"({''.join(f'{p}, ' for p in parts)})"


class Recovery:
    """What is done when compiled code has stopped: the results of code that checks more,
    or the exception of plain Python."""

    def __init__(self, lowered, target: Target):
        self.lowered, self.target, self.others = lowered, target, {}

    def __call__(self, error: Exception, args: tuple):
        try:
            if isinstance(error, self.target.stopped):
                return self.after(error, args)
            # perhaps no output could be allocated, before the test of sizes
            if isinstance(error, (MemoryError, ValueError)):
                try:
                    check_sizes([x for x in args if isinstance(x, self.target.array)], 0)
                except Failure as failure:
                    return self.after(failure, args)
            raise error
        finally:
            del error  # an exception that a frame of its own traceback knows would keep the arguments

    def after(self, failure: Failure, args: tuple):
        number, *values = failure.args
        if number == HEARD:
            from ..native.signals import raise_heard
            raise_heard()
        site = self.lowered.sites[number]
        kind = "Unproved" if site.kind == "Sizes" and self.lowered.safe else site.kind
        if kind in ("Unproved", "Long"):
            if kind not in self.others:
                other = self.lowered.safe() if kind == "Unproved" else self.lowered.threads()
                self.others[kind] = trampoline(replace(other, plain=self.lowered.plain), self.target)
            return self.others[kind](*args)
        if site.kind == "Sizes":
            raise SizeAssumption(site.message) from None
        error = self.exception(site, values, args)
        try:
            raise error from error.__cause__
        finally:
            del error  # as above

    def exception(self, site, values, args) -> Exception:
        """What plain Python raises at this site."""
        error = (exception_class(site.kind)(site.message.format(*values)) if site.message is not None
                 else self.raised(site, iter(values), args))
        if site.origin is not None:
            error.gradscribe_origin = site.origin
        return error

    def raised(self, site, numbers, args) -> Exception:
        """The exception that the user raises, or what raises it as plain Python."""
        try:
            values = []
            for x in site.values:
                if hasattr(x, "value"):
                    values.append(x.value)
                elif x.kind == "array":
                    self.again(args)
                    values.append("...")  # rounded otherwise, plain Python has not come to it; or others would wait
                else:
                    values.append(number(next(numbers), x.dtype) if x.kind == "np"
                                  else x.python_type(number(next(numbers), x.dtype)))
            return problem(site.kind, site.error, values)
        except Exception as other:  # of the user's constructor
            return other

    def again(self, args) -> None:
        """Raise an exception with an array in it: plain Python runs up to it once more, unless it met devices there
        that are elsewhere now."""
        if self.lowered.calls_devices:
            return
        with np.errstate(all="ignore"):
            self.lowered.plain()(*args)


def wrapped_result(name: str, t, wraps: bool) -> str:
    """A result as its kind has it; `wraps`: a Python number may come as one of NumPy's."""
    if t.kind == "np":
        return f"np_{t.dtype.name}({name})"
    return f"{t.python_type.__name__}({name})" if wraps and t.kind == "py" else name
