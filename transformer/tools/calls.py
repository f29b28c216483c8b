"""A call of a transformed function by its source as it is shown, which has what it sees outside as parameters.

    def f(x): return np.sum(W * x)      ->      def grad_f(x, W): ...
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

from ..errors.messages import UnsupportedError
from ..frontend.capture import Captured, capture
from ..inputs.future_array import awaited_values
from ..inputs.guards import Path
from ..programs.cache import copied_argument
from ..programs.program import Program
from ..programs.runtime_notes import tell
from ..readable import Source
from ..readable.signature import root


@dataclass
class ShownCall:
    """The source, and arguments for it that nobody else has: what it stores into them is not seen."""

    program: Program
    source: Source
    args: tuple
    kwargs: dict[str, Any]

    def run(self, function: Callable) -> Any:
        """What the user's call returns, by `function`, which stands for the source."""
        try:
            result = function(*self.args, **self.kwargs)
        except Exception as error:
            # the class of a result: other names are checked
            if type(error) is NameError and error.name is not None or type(error) is ImportError:
                raise UnsupportedError(None, f"a trace of source with a class that it cannot import ({error})",
                                       instead="Define that class at the top of a module.") from None
            tell(error, self.source)
            raise
        # behind it the source returns what its caller assigns: variables outside, and what is in changed containers
        return result[0] if self.program.spec.assigned or self.program.spec.changed else result


def shown_call(owner, args: tuple, kwargs: dict[str, Any]) -> ShownCall:
    """The call owner(*args, **kwargs) by the source as it is shown."""
    refuse_devices(owner)
    args, kwargs = awaited_values((args, kwargs))
    ready = owner._cache.ready(args, kwargs)
    if ready is None:
        raise UnsupportedError(None, "an argument that is read-only, which the function may store into",
                               instead="Pass a copy of it: x.copy()")
    program = ready[0]
    signature = program.signature()
    outside = {root(signature.access[name]): path.get() for name, path in zip(program.core.params, program.spec.params)
               if isinstance(path, Path)}
    args, kwargs = copied_argument((args, kwargs | outside))
    return ShownCall(program, program.source(signature), args, kwargs)


def users_function(owner, program: Program) -> Captured:
    """The function that a transformed function is made from, with its text."""
    inner = owner
    while hasattr(inner, "title"):
        inner = inner.__wrapped__
    return program.spec.main or capture(inner)  # which says what has no text


def refuse_devices(owner) -> None:
    """Its source is for one device, and NumPy runs it."""
    if owner.target != "cpu":
        raise UnsupportedError(None, "a trace of a function that runs on a GPU",
                               instead="Trace it without target=, with arrays of NumPy: gs.device_get(x).")
    if owner.title in ("pmap", "shard_map"):
        raise UnsupportedError(None, f"a trace of gs.{owner.title}, which several devices run",
                               instead="Trace gs.vmap of the function.")
