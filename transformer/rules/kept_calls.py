"""Functions that stay calls until no derivative is left to take: those with derivatives of their own, and checkpoints.

A call has a core function, `fun`: its parameters are the arguments, its results first the lengths that the others name,
then those of the user.  Where a program is finished, `transform/opening.py` puts the body in place of the call.
"""
from __future__ import annotations

from typing import Callable

from ..core import OWN, Atom, Builder, Fun, Let, Op, inline, runnable
from ..core.types import PY_INT
from ..errors.messages import UnsupportedError
from .kinds import bar_name, conform, dot_name, zeros_of
from .registry import OPS

# what is made of the function that is called: its "jvp" and "vjp", and whether it "is_linear"; `transform`, which
# stands above the rules, enters them
OF_FUNCTIONS: dict[str, Callable] = {}


class CheckpointCall(Op):
    """A checkpoint: its derivative is the function's own, and its mirror computes the function again.

    count    how many arguments are the user's; the others are what the function reads from outside
    lengths  how many results are lengths
    """

    complex = True

    def __init__(self, name: str, fun: Fun, count: int, lengths: int):
        # what users call theirs is not the name of an operation
        super().__init__(f"call.{name}", lambda *args: runnable(fun)(*args))
        self.title, self.fun, self.count, self.lengths = name, fun, count, lengths

    def call(self, b: Builder, args: tuple[Atom, ...]) -> tuple[str, ...]:
        """Append a call; the names of its results."""
        dims = {p: b.dim(a) for p, a in zip(self.fun.params, args) if self.fun.types[p] == PY_INT}
        names = []
        for k, result in enumerate(self.fun.body.results):
            t = b.type(result) if not isinstance(result, str) else self.fun.types[result]
            names.append(b.fresh(result if isinstance(result, str) else "t",
                                 t.with_dims(d.substitute(dims) for d in t.dims)))
            if k < self.lengths:
                dims[result] = b.dim(names[k])
        b.append(Let(tuple(names), self, tuple(args), (), b.origin))
        return tuple(names)

    def like(self, fun: Fun) -> "CheckpointCall":
        """The same call of another function, without rules yet."""
        return type(self)(self.title, fun, self.count, self.lengths)

    def take_rules(self, other: "CheckpointCall", change) -> None:
        """The rules of another call, each changed."""

    def floats(self, b, let) -> list[int]:
        """The positions of the results that have derivatives."""
        return [k for k, n in enumerate(let.names) if b.type(n).is_float]

    def jvp(self, b, let, tangents):
        active = tuple(t is not None for t in tangents)
        results = inline(b, OF_FUNCTIONS["jvp"](self.fun, active), (*let.args, *(t for t in tangents if t is not None)))
        return self.spread(b, let, results[len(let.names):])

    def spread(self, b, let, dots):
        """Tangents of the float results, at the places of all results, under the lengths that the call has computed."""
        dots = {k: b.emit(OPS["retype"], dot, hint=dot_name(let.names[k]), dims=b.type(let.names[k]).dims)
                if b.type(dot).dims != b.type(let.names[k]).dims else dot for k, dot in zip(self.floats(b, let), dots)}
        return tuple(dots.get(k) for k in range(len(let.names)))

    def filled(self, b, let, cotangents) -> list[Atom]:
        """Cotangents of all float results."""
        return [zeros_of(b, b.type(let.names[k]), bar_name(let.names[k])) if cotangents[k] is None else cotangents[k]
                for k in self.floats(b, let)]

    def vjp(self, b, let, cotangents, wanted):
        args = tuple(b.emit(OPS["rt.again"], a, hint=a) if isinstance(a, str) and b.type(a).is_float else a
                     for a in let.args)
        adjoint = OF_FUNCTIONS["vjp"](self.fun, tuple(wanted))
        bars = iter(inline(b, adjoint, (*args, *self.filled(b, let, cotangents)))[len(let.names):])
        return [next(bars) if w else None for w in wanted]

    def refuse_without_rules(self, let):
        raise UnsupportedError(let.origin,
            f"a derivative of {self.title} of so high an order, whose rules call it with ever other arguments",
                               instead="Write that derivative out in the rule.")

    def refuse_outside(self, let, differs) -> None:
        """A rule gives nothing for what the function reads from outside: no derivative must be needed there."""
        if any(differs[self.count:]):
            raise UnsupportedError(let.origin,
                                   f"the derivative of {self.title} with respect to a value that it reads from outside",
                                   instead="Pass it as an argument, so that the rule can give its derivative; or "
                                           "gs.stop_gradient it.")


class LibraryCall(CheckpointCall):
    """A call of a function of ours without floats of the run time, which stays one where people read; a compiler gets
    the body.

    template  how it is written: gs.random.normal({0}, ({1}, 3))
    written   the numbers of the arguments that stand in it; the others are their lengths, and the like
    """

    memory = OWN
    module = "gradscribe as gs"

    def __init__(self, name: str, fun: Fun, template: str, written: tuple[int, ...]):
        super().__init__(name, fun, 0, 0)
        self.template, self.written = template, written

    def may_raise(self, let, types, known):
        return True

    def like(self, fun: Fun) -> CheckpointCall:
        return CheckpointCall(self.title, fun, self.count, self.lengths)

    def read_by_people(self, args):
        return tuple([args[k] for k in self.written])

    def show(self, args, params):
        return self.template.format(*(args if len(args) == len(self.written) else self.read_by_people(args)))


class CustomJvp(CheckpointCall):
    """`rule`: (arguments, tangents of the user's, what is read from outside) -> tangents of the float results.

    It is set behind the making, because it may call the operation itself; None deep in rules that call the function.
    """

    rule: Fun | None = None

    def take_rules(self, other, change):
        self.rule = other.rule and change(other.rule)

    def jvp(self, b, let, tangents):
        if self.rule is None:
            self.refuse_without_rules(let)
        self.refuse_outside(let, [t is not None for t in tangents])
        dots = self.all_dots(b, let, tangents)
        return self.spread(b, let, inline(b, self.rule, (*let.args[:self.count], *dots, *let.args[self.count:])))

    def all_dots(self, b, let, tangents):
        return [zeros_of(b, b.type(a), "dot") if t is None else t for a, t in zip(let.args[:self.count], tangents)]

    def vjp(self, b, let, cotangents, wanted):
        if self.rule is None:
            self.refuse_without_rules(let)
        self.refuse_outside(let, wanted)
        count = self.count
        active = tuple(count <= k < 2 * count and wanted[k - count] for k in range(len(self.rule.params)))
        joint, n = OF_FUNCTIONS["vjp"](self.rule, active), len(self.rule.body.results)
        if not OF_FUNCTIONS["is_linear"](self.rule, joint, self.rule.params[count:2 * count]):
            raise UnsupportedError(let.origin,
                                   f"reverse mode through {self.title}, whose jvp rule is not linear in the tangents",
                                   instead="Write tangents as sums of products of a tangent and what does not depend "
                                           "on tangents; or give it a gs.custom_vjp.")
        dots = self.all_dots(b, let, [None] * count)  # the rule is linear in them, so that any do
        bars = iter(inline(b, joint, (*let.args[:count], *dots, *let.args[count:],
                                      *self.filled(b, let, cotangents)))[n:])
        return [next(bars) if w else None for w in wanted]


class CustomVjp(CheckpointCall):
    """`forward`: arguments -> (results, residuals); `backward`: (residuals, cotangents, what is read from outside) ->
    cotangents.

    They are set behind the making, because they may call the operation itself; None deep in rules that call the
    function.
    """

    forward: Fun | None = None
    backward: Fun | None = None

    def take_rules(self, other, change):
        if other.forward is not None:
            self.forward, self.backward = change(other.forward), change(other.backward)

    def vjp(self, b, let, cotangents, wanted):
        self.refuse_without_rules(let)  # where it has rules it was opened

    def jvp(self, b, let, tangents):
        raise UnsupportedError(let.origin, f"forward mode through {self.title}, which has a custom_vjp",
                               instead="Give it a gs.custom_jvp, which serves both modes.")


class Inserted(CheckpointCall):
    """The identity, whose cotangent goes through a user's code: `backward`:
    (cotangents, what it reads from outside) -> cotangents."""

    backward: Fun

    def take_rules(self, other, change):
        self.backward = change(other.backward)

    def vjp(self, b, let, cotangents, wanted):
        bars = inline(b, self.backward, (*self.filled(b, let, cotangents), *let.args[self.count:]))
        return [*bars, *[None] * (len(let.args) - self.count)]


class MovingAs(CheckpointCall):
    """The first argument, found as a constant, with the derivative of the second, which nobody else reads."""

    def jvp(self, b, let, tangents):
        return self.spread(b, let, tangents[1:])

    def vjp(self, b, let, cotangents, wanted):
        return [None, cotangents[0]]


class Bridge(Op):
    """The results of a custom_vjp that is being differentiated: identities, whose cotangents go to its backward rule.

    Its arguments are the results, the residuals and the arguments of the call.
    """

    def __init__(self, op: CustomVjp, first: int):
        super().__init__(f"results.{op.title}", None)
        self.op, self.first = op, first  # the position of the first argument of the call

    def vjp(self, b, let, cotangents, wanted):
        op, n = self.op, len(let.names)
        residuals, args, wanted = let.args[n:self.first], let.args[self.first:], wanted[self.first:]
        op.refuse_outside(let, wanted)
        seeds = op.filled(b, let, cotangents)
        bars = inline(b, op.backward, (*residuals, *seeds, *args[op.count:]))
        bars = [conform(b, g, b.type(a), bar_name(a)) for g, a in zip(bars, args)]
        return [None] * self.first + [g if w else None for g, w in zip(bars, wanted)] + [None] * (len(args) - op.count)
