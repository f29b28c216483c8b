"""Checks, failures and tapes."""
import numpy as np

from gradscribe import runtime as rt
from gradscribe.runtime.plain.arrays import brief_message
from gradscribe.runtime.plain.telling import SAYS, filled

from ..core import PASSED, SAME, STORED, VIEW
from ..core.types import PY_BOOL, PY_FLOAT, PY_INT, Type
from .kinds import Inactive, Linear, Op, bar_name, conform, dim_atoms, dot_name, zeros_of
from .registry import OPS, register


class EffectOp(Inactive):
    """Runs for what it does: kept in order, never dropped."""

    effect = True

    def __init__(self, name, fn):
        super().__init__(name, fn, lambda b, args, **params: ())


# raise an exception (static class name and message) when the condition, a bool, is false
register(EffectOp("rt.require", rt.require))


class Shown(EffectOp):
    """An effect that the user sees: in the order of the program, and in none but the thread that calls."""

    shown = complex = True


class Print(Shown):
    """print("a = {!s}".format(x)): the text, with the values filled in."""

    def show(self, args, params):
        text, end = params["text"], params["end"]
        if not args:
            shown = repr(text.format())
        elif text == " ".join(["{!s}"] * len(args)):
            shown = ", ".join(args)
        else:
            shown = f"{text!r}.format({', '.join(args)})"
        return f"print({shown})" if end == "\n" else f"print({shown}, end={end!r})"


register(Print("print", lambda *args, text, end: print(text.format(*args), end=end)))


class SaidOtherwise(Shown):
    """rt.warn("UserWarning", "model.py", 14, "model", "rough: {}".format(x)): what is said in another way than by
    print.  `to` is what the function is given before the texts, of which None stands for a value itself."""

    def __init__(self, name):
        super().__init__(name, lambda *args, texts, to: SAYS[name](*to, *filled(texts, args)))

    def show(self, args, params):
        values, said = iter(args), []
        for text, count in params["texts"]:
            given = ", ".join([next(values) for _ in range(count)])
            said.append(given if text is None else f"{text!r}.format({given})" if count else repr(text.format()))
        return f"{self.name}({', '.join([*map(repr, params['to']), *said])})"


for _name in SAYS:
    register(SaidOtherwise(_name))


class Asked(Shown):
    """y = rt.clock("perf_counter"), y = rt.log_enabled("model", 10): a number that each look may find another.
    `asked`: what the function is given."""

    dispensable = True

    def __init__(self, name, fn, of: Type):
        Inactive.__init__(self, name, lambda asked: fn(*asked), lambda b, args, asked: of)

    def show(self, args, params):
        return f"{self.name}({', '.join(map(repr, params['asked']))})"


register(Asked("rt.clock", rt.clock, PY_FLOAT))
register(Asked("rt.log_enabled", rt.log_enabled, PY_BOOL))


class Stop(Shown):
    """breakpoint(): Python's debugger, in the readable source."""

    def show(self, args, params):
        return "breakpoint()"


register(Stop("breakpoint", lambda: breakpoint()))  # what sys.breakpointhook is by then


class Match(Linear):
    """y = rt.match(y, *numbers, axes=(...), how="... {} ...", kind=...): y, after a check that its axes have the
    lengths needed.

    The first len(axes) numbers (ints) are the lengths that those axes of y must have; the others only fill
    the `{}` of `how`, which is NumPy's own message for the exception that is raised.  `dims` are all dims of
    the result: what the check has proved.
    """

    effect = True
    memory, elements, cheap = SAME, PASSED, True

    def jvp(self, b, let, tangents):
        if tangents[0] is None:
            return (None,)
        return (b.emit(self, tangents[0], *let.args[1:], hint=dot_name(let.name), **dict(let.params)),)

    def show(self, args, params):
        kind = "" if params.get("kind", "ValueError") == "ValueError" else f", kind={params['kind']!r}"
        return f"rt.match({', '.join(args)}, axes={params['axes']}, how={brief_message(params['how'])!r}{kind})"


def matched_type(b, args, dims, axes, how, kind="ValueError"):
    return b.type(args[0]).with_dims(dims)


def _unmatched(b, let, g):
    return [b.emit(OPS["retype"], g, hint=bar_name(let.args[0]), dims=b.type(let.args[0]).dims)]


register(Match("rt.match", rt.match, matched_type, _unmatched, active=1))


class SameSizes(EffectOp):
    """What is left of `rt.match` where nobody reads the array."""

    def show(self, args, params):
        kind = "" if params["kind"] == "ValueError" else f", kind={params['kind']!r}"
        return f"rt.same_sizes({', '.join(args)}, count={params['count']}, how={brief_message(params['how'])!r}{kind})"


register(SameSizes("rt.same_sizes", rt.same_sizes))


class Retype(Linear):
    """The same value under dims that a check elsewhere has proved equal."""

    memory, elements, cheap, renames = SAME, PASSED, True, True

    def show(self, args, params):
        return args[0]


class ComputedAgain(Linear):
    """The same value, in a computation that is meant to be done again and not merged with the first."""

    memory, elements, renames = SAME, PASSED, True

    def show(self, args, params):
        return args[0]


register(Retype("retype", lambda x, dims: x, lambda b, args, dims: b.type(args[0]).with_dims(dims),
                _unmatched))

register(ComputedAgain("rt.again", lambda x: x, lambda b, args: b.type(args[0]), lambda b, let, g: [g]))

# lengths: of range(start, stop, step) and of a slice of an axis of n elements
register(Inactive("rt.trip_count", rt.trip_count, lambda b, args: PY_INT), length=True, cheap=True, divisor=2)
# of a loop in segments, from ints: how long they are, how many states are kept, and where the next one is
class SegmentLength(Inactive):
    """It raises where a budget of memory cannot be met."""

    def may_raise(self, let, types, known):
        return True


register(SegmentLength("rt.segment_length", rt.segment_length, lambda b, args: PY_INT), length=True)
for _function in (rt.segment_starts, rt.starts_ahead, rt.next_start):
    register(Inactive(f"rt.{_function.__name__}", _function, lambda b, args: PY_INT), length=True)
register(Inactive("rt.slice_length", rt.slice_length, lambda b, args, given: PY_INT), length=True,
         cheap=True, divisor=-1)


# tapes: flat buffers that grow, for values whose number or shape is not known before a loop runs.
# `p` is a position that the program carries; a value occupies [p, p + its size).  A tape has kind "tape"
# and no dims; places are written once, so that its cotangent passes through a push unchanged.
class NewTape(Inactive):
    to_fill = complex = True

    def show(self, args, params):
        return f"rt.tape(np.{np.dtype(params['dtype']).name})"


register(NewTape("rt.tape", rt.tape, lambda b, args, dtype: Type("tape", np.dtype(dtype))))
register(Inactive("rt.tape_zeros", rt.tape_zeros, lambda b, args: b.type(args[0])), to_fill=True, complex=True)


def _value_type(b, tape, shape) -> Type:
    dims = tuple(b.dim(a) for a in shape)
    return Type("array" if dims else "np", b.type(tape).dtype, dims)


class InPlace(Op):
    """rt.push_(tape, p, value): into the tape itself; after `inplace` only."""

    memory = STORED
    complex = True

    def __init__(self, name, fn, any_number=False):
        super().__init__(name, fn)
        self.any_number = any_number


class Push(Op):
    """rt.push(tape, p, value) or rt.push_add(tape, p, value): the tape with the value at p; `in_place`:
    the same, into the tape itself."""

    memory = STORED
    complex = True

    def __init__(self, name, fn, in_place: InPlace):
        super().__init__(name, fn)
        self.in_place = in_place

    def infer(self, b, args, params):
        return (b.type(args[0]),)

    def jvp(self, b, let, tangents):
        tape_dot, _, value_dot = tangents
        if tape_dot is None and value_dot is None:
            return (None,)
        tape, p, value = let.args
        hint = dot_name(let.name)
        tape_dot = b.emit(OPS["rt.tape"], hint=hint, dtype=b.type(tape).dtype) if tape_dot is None else tape_dot
        value_dot = zeros_of(b, b.type(value), hint) if value_dot is None else value_dot
        return (b.emit(self, tape_dot, p, value_dot, hint=hint),)

    def vjp(self, b, let, cotangents, wanted):
        (g,), (_, p, value) = cotangents, let.args
        t = b.type(value)
        bar = None
        if wanted[2]:
            bar = conform(b, b.emit(OPS["rt.pop"], g, p, *dim_atoms(b, t.dims), hint=bar_name(value)), t)
        return [g, None, bar]


class Pop(Op):
    """rt.pop(tape, p, *shape): the value of this shape at p."""

    memory = VIEW
    complex = True

    def infer(self, b, args, params):
        return (_value_type(b, args[0], args[2:]),)

    def show(self, args, params):
        shape = f"({', '.join(args[2:])}{',' if len(args) == 3 else ''})"
        return f"rt.pop({args[0]}, {args[1]}, {shape})"

    def jvp(self, b, let, tangents):
        return (None if tangents[0] is None else b.emit(self, tangents[0], *let.args[1:], hint=dot_name(let.name)),)

    def vjp(self, b, let, cotangents, wanted):
        tape, p, *shape = let.args
        zeros = b.emit(OPS["rt.tape"], hint=bar_name(tape), dtype=b.type(tape).dtype)
        return [b.emit(OPS["rt.push"], zeros, p, cotangents[0], hint=bar_name(tape))] + [None] * (1 + len(shape))


register(Push("rt.push", rt.push, InPlace("rt.push_", rt.push_, any_number=True)), any_number=True)
register(Push("rt.push_add", rt.push_add, InPlace("rt.push_add_", rt.push_add_)))
register(Pop("rt.pop", rt.pop))
