"""Calls that somebody watches: which look for NaN, compare compiled code with the readable source, or hear NumPy's
error state where the code is compiled."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors.messages import GradscribeError
from ..programs.backward_program import Halved
from ..programs.numpy_errors import KINDS, raised_kinds
from ..programs.program import Program
from ..programs.runtime_notes import tell
from ..programs.unseen import unseen
from ..readable import Source
from .nans import NanFinder, is_bad
from .watches import Watch, watched_here

if TYPE_CHECKING:
    from ..programs.cache import Cache

TOLERANCE = {2: 1e-2, 4: 1e-4, 8: 1e-9}  # of rounding, by the bytes of a real number
CANCELLED = 1e4  # times the last digit of the largest number there is: what may be left of a difference


class WatchedProgram(Program):
    """A program as a watched call runs it: it has all that the program has, and what is looked for beside it."""

    __slots__ = ("watch",)  # not among what it shares

    def __init__(self, program: Program, watch: Watch):
        self.__dict__ = program.__dict__
        self.watch = watch

    def results(self, flat: list) -> tuple:
        if not self.owner.compiled:
            return self.line_by_line(flat) if self.watch.lines else super().results(flat)
        before = self.kept(flat)
        results = super().results(flat)
        if self.watch.same:
            self.compare(results, self.plainly(self.kept(before)), before)
        if self.watch.lines and is_bad(results, self.watch.infs):
            self.look_for_nans(before, results)
        elif raised_kinds() and is_bad(results, infs=True):
            self.plainly(before)
        return results

    def kept(self, flat: list) -> list:
        """The arguments, with copies of those that the program stores into."""
        writes = self.spec.fun.writes
        return [x.copy(order="K") if name in writes else x for name, x in zip(self.core.params, flat)]

    @functools.cached_property
    def plain_source(self) -> Source:
        return self.readable or self.source()

    def line_by_line(self, flat: list) -> tuple:
        """What the readable source gives, where no line of it makes NaN."""
        source = self.plain_source
        finder = NanFinder(source, self.watch.infs)
        try:
            result = finder.run(*flat)
        except Exception as error:
            if error is not finder.raised:
                tell(error, source)
            raise
        return (result,) if source.results == 1 else result

    def plainly(self, flat: list, line_by_line: bool = False) -> tuple:
        """What the readable source gives after compiled code has run: NumPy raises what it is set to raise, and says
        nothing else again."""
        kinds = raised_kinds()
        source = self.plain_source
        with unseen(), np.errstate(**{k: "raise" if k in kinds else "ignore" for k in KINDS}):
            if line_by_line:
                return self.line_by_line(flat)
            try:
                return source.function()(*flat)
            except Exception as error:
                tell(error, source)
                raise

    def look_for_nans(self, flat: list, results: tuple) -> None:
        """Find the line of what compiled code has made."""
        plain = self.plainly(self.kept(flat), line_by_line=True)
        infs = self.watch.infs
        for k, (ours, other) in enumerate(zip(results, plain)):
            if is_bad(ours, infs) and not (is_bad(other, infs) or any([is_bad(x, infs) for x in flat])):
                raise FloatingPointError(
                    f"{self.called(k)} of compiled {self.core.name} is {'not finite' if infs else 'NaN'}, for finite "
                    f"arguments, and no line of the readable source makes it so\nCompare {self.core.name} with and "
                    f"without gs.jit: where rounding decides both are right, else this is a mistake of ours to report.")

    def called(self, k: int) -> str:
        """The words for the flat result k."""
        stored = [name for name, place in self.spec.fun.writes.items() if place == k]
        if stored:
            return f"what is stored into {stored[0]}"
        return "the result" if len(self.core.body.results) == 1 else f"result {k + 1}"

    def compare(self, results: tuple, plain: tuple, flat: list) -> None:
        """Refuse results of compiled code that are not those of the readable source."""
        scale = max([largest_float(x) for x in (*flat, *plain)], default=0.0)
        for k, (ours, other) in enumerate(zip(results, plain, strict=True)):
            difference = difference_of(np.asarray(ours), np.asarray(other), scale)
            if difference:
                raise GradscribeError(
                    self.core.origin,
                    f"{self.called(k)} of compiled {self.core.name} is not that of the readable source: {difference}",
                    "Call it without gs.jit, and report this; where a test or an index depends on rounding, or a host "
                    "function gives something else each time, there may be no mistake.")


def largest_float(x) -> float:
    """The largest of the finite floats in a value."""
    array = np.asarray(x)
    finite = np.abs(array[np.isfinite(array)]) if array.dtype.kind in "fc" else ()
    return float(np.max(finite)) if len(finite) else 0.0


def difference_of(ours: np.ndarray, other: np.ndarray, scale: float) -> str:
    """In which way compiled code has another value than the readable source; "" where it has not.

    scale: the largest number of the arguments and results, of which all may be computed
    """
    if ours.dtype != other.dtype:
        return f"dtype {ours.dtype} instead of {other.dtype}"
    if ours.shape != other.shape:
        return f"shape {ours.shape} instead of {other.shape}"
    if ours.dtype.kind not in "fc":
        apart = ours != other
    else:
        left = CANCELLED * float(np.finfo(ours.dtype).eps) * scale
        apart = ~np.isclose(ours, other, rtol=TOLERANCE[ours.real.itemsize], atol=left, equal_nan=True)
    if not np.any(apart):
        return ""
    first = tuple([int(k) for k in np.argwhere(apart)[0]])
    return f"{ours[first]} instead of {other[first]}{f' at index {first}' if first else ''}"


def watched_call(cache: Cache, args: tuple, kwargs: dict) -> Any:
    """As `cache.call`, with what is looked for in this thread."""
    watch, owner = watched_here(), cache.owner
    if owner.target == "cuda" or watch == Watch() and not (owner.compiled and raised_kinds()):
        return cache.call(args, kwargs)
    ready = cache.ready(args, kwargs)
    if ready is None:
        return owner.as_written(args, kwargs)
    program, given = WatchedProgram(ready[0], watch), ready[1]
    containers = cache.fixed(args, kwargs) if program.spec.changed else ()
    if owner.title in ("jit", "primal") and program.may_leave_less:
        return program.leaving_all(given, containers, lambda: owner.as_written(args, kwargs))
    return program(given, containers)


def watched_half(half: Halved) -> Halved:
    """The second half of `gs.vjp`, with what is looked for in this thread."""
    if half.program.owner.target == "cuda":
        return half
    return Halved(WatchedProgram(half.program, watched_here()), half.backward)
