"""Linear maps that belong to a function at a point: what `gs.vjp` and `gs.linearize` give."""
from __future__ import annotations

import ast
import functools

from ..errors.tracebacks import short
from ..frontend.travelling import Travelling
from ..inputs.gpu_placeholders import copied_tree, tree_on_host
from ..inputs.guards import Path
from ..programs.backward_program import Outside
from ..specialise.domain import values as v
from ..specialise.evaluator.names.lifting import lift
from ..specialise.staged_calls.derivatives import apply_pullback, pull, push_forward
from ..tools import watches
from .gpu_jit import made_for_gpu, sweep_of
from .transformed import Jvp, Vjp


class AtPoint(Travelling):
    """A linear map that belongs to a function at a point.  Pickled, it is made again there."""

    def __init__(self, fun, primals, has_aux=False, memory=None):
        fun, sweep = sweep_of(fun, primals, has_aux, memory)
        self.fun, self.has_aux, self.memory, self.kept = fun, has_aux, memory, copied_tree(primals)
        self.program = sweep.program(self.kept, primals)
        self.out, self.residuals = sweep(*copied_tree(primals))
        self.outside = None

    def _made_of(self):
        return type(self), self.fun, self.kept, self.has_aux, *([self.memory] if self.memory is not None else [])

    def values(self, s):
        """The point, inside transformed code that calls this."""
        self.outside.refuse_changed(self.name)
        if self.outside.paths:
            s.fail(f"{self.name} of a function that reads {self.outside.paths[0].text} from outside, which is "
                   f"evaluated again here",
                   "Pass what the function reads as an argument.")
        return s.items(lift(s, self.point, Path("primals", self.point, None, "default"), (id(self.point),)))

    @functools.cached_property
    def point(self):
        """The arguments, for transformed code that calls this, which may run on the CPU."""
        return tree_on_host(self.kept)


class Pulled(AtPoint):
    """The pull-back that gs.vjp gives."""

    name = "the pull-back"

    def __init__(self, fun, primals, has_aux=False, memory=None):
        super().__init__(fun, primals, has_aux, memory)
        self.pull = made_for_gpu(Vjp(fun, has_aux=has_aux, memory=memory))
        self.backward = self.program.backward()
        self.outside = None if self.backward else Outside(self.program)
        self.shape = copied_tree(self.out[0] if has_aux else self.out)  # what users do to `out` is theirs

    @short
    def __call__(self, cotangent):
        backward = self.backward
        if backward and watches.is_wanted(backward.program.owner.compiled):
            from ..tools.watched_calls import watched_half
            backward = watched_half(backward)
        found = backward(self.residuals, cotangent, self.shape, self.kept) if backward else None
        if found is not None:
            return found
        if self.outside is not None:
            self.outside.refuse_changed(self.name)
        # where there is another half, this says what is wrong with the cotangent
        return self.pull(self.kept, cotangent)

    @functools.cached_property
    def found(self):
        """(what the other half needs, the value), as `point`"""
        return self.backward.on_host(self.residuals, self.shape)

    def source(self, *cotangent, **options) -> str:
        """The generated source, for a cotangent like this; without one, for one of the value's own kinds and shapes."""
        return self.pull.source(self.kept, *(cotangent or (self.shape,)), **options)

    def tree(self, *cotangent) -> ast.Module:
        """The same as Python's syntax tree."""
        return self.pull.tree(self.kept, *(cotangent or (self.shape,)))

    def __gradscribe_call__(self, s, args, kwargs):
        if len(args) != 1 or kwargs:
            s.fail(f"a pull-back is called with {len(args) + len(kwargs)} arguments",
                   "Give it one, a cotangent of the value.")
        if self.backward:
            return self.backward.inlined(s, args[0], *self.found, self.point)
        pulled = pull(s, v.Static(self.fun), self.values(s), self.has_aux, self.memory)
        return apply_pullback(s, pulled.items[1], args[0])


class Pushed(AtPoint):
    """The linear map that gs.linearize gives."""

    name = "the linear map"

    def __init__(self, fun, primals, has_aux=False):
        super().__init__(fun, primals, has_aux)
        self.tangents_of, self.outside = made_for_gpu(Jvp(fun)), Outside(self.program)

    @short
    def __call__(self, *tangents):
        self.outside.refuse_changed(self.name)
        return self.tangents_of(self.kept, tangents)[1]

    def __gradscribe_call__(self, s, args, kwargs):
        return push_forward(s, v.Static(self.fun), v.Tuple(tuple(self.values(s))), v.Tuple(tuple(args))).items[1]
