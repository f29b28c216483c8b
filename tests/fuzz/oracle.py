"""Is Gradscribe right about a program? `examine(case)` compares every stage and derivative with the function itself.

Nothing here trusts Gradscribe: values come from running the user's function under NumPy, derivatives from finite differences of it;
only reverse mode is held against forward mode, once that is confirmed. What disagrees is wrong unless rounding explains it: see conditioning."""

import ast
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from ..independent.expressions import limited
from . import conditioning, numeric, poles
from .generate import Case
from .loading import loaded
from .numeric import Result, differs, finite, flat, floating, leaves, overflows, run

REFUSALS = ("UnsupportedError", "RefusedValue")  # of gs.errors: what may be said instead of an answer, before the run or by it


@dataclass(frozen=True)
class Failure:
    """A wrong answer or an internal exception. `check` names what was compared: a shrunk case must fail the same kind."""

    case: Case
    check: str
    message: str

    @property
    def kind(self):
        """The check, at whichever arguments."""
        return self.check.replace(" at other arguments", "").replace(" at the first arguments again", "")

    def __str__(self):
        return f"seed {self.case.seed}, {self.check}: {self.message}"


@dataclass
class Outcome:
    failure: Failure | None = None
    refusal: str | None = None  # its message
    raised: str | None = None  # the function's own exception
    counts: Counter = field(default_factory=Counter)

    @property
    def kind(self):
        return "failed" if self.failure else "refused" if self.refusal else "raises" if self.raised else "ok"


class Wrong(Exception):
    def __init__(self, check, message):
        super().__init__(check, message)
        self.check, self.message = check, message


class Refused(Exception):
    pass


SINGLE_EPS = float(np.finfo(np.float32).eps)
INTERNAL = (AssertionError, AttributeError, KeyError, NameError, TypeError)  # what no program here raises of itself
BATCHED = {False: 4, True: 8, "device": 4}  # every how many programs also run under vmap: plain, compiled, on a device
DERIVATIVES = ("jvp", "vjp", "value_and_grad", "grad")


def check_case(case: Case, compiled: bool = False, order: int = 1, gs=None) -> Failure | None:
    return examine(case, compiled, order, gs).failure


def examine(case: Case, compiled: bool = False, order: int = 1, gs=None, batched: bool | None = None) -> Outcome:
    """The first thing that is wrong, or a refusal, or neither. `order` 2 also differentiates the gradient of float64 programs.
    `batched` says whether it runs under vmap, too; else its seed does."""
    if gs is None:
        import gradscribe as gs
    outcome = Outcome()
    try:
        with limited(5):
            source = with_loss(case)
        with loaded(source) as function:
            batched = case.seed % BATCHED[compiled] == 0 if batched is None else batched
            Examination(gs, case, source, function, compiled, order, batched, outcome).everything()
    except Refused as refusal:
        outcome.refusal = str(refusal)
    except Wrong as wrong:
        outcome.failure = Failure(case, wrong.check, wrong.message)
    return outcome


class Examination:
    """One program, loaded once: what is specialised for the first arguments must not spoil the answer for the next."""

    def __init__(self, gs, case, source, function, compiled, order, batches, outcome):
        self.gs, self.case, self.source, self.function = gs, case, source, function
        self.compiled, self.order, self.batches, self.outcome = compiled, order, batches, outcome
        self.refusals = tuple(getattr(gs.errors, name) for name in REFUSALS)
        self.loss = function.__globals__.get("loss")
        self.poles = "pole" in function.__code__.co_varnames
        self.made = {}  # transformed functions, kept from round to round
        # Differences are taken in float64: the program says float32 only where it makes arrays.
        names, self.wide_source = {}, source.replace("np.float32", "np.float64")
        exec(compile(self.wide_source, "<widened program>", "exec"), names)
        self.wide = names[case.name]

    def everything(self):
        rounds = [("", self.case.args)] + [(" at other arguments", args) for args in self.case.more]
        for label, args in rounds:
            with limited(5):
                expected = run(self.function, args)
            if isinstance(expected.error, TimeoutError):  # it has no end
                self.outcome.raised = self.outcome.raised or "TimeoutError"
                return
            if expected.error is not None and not label:
                self.outcome.raised = type(expected.error).__name__
            self.one_round(label, args, expected)
        if self.case.more:  # back to the first: caches must still tell the two apart
            self.one_round(" at the first arguments again", self.case.args, run(self.function, self.case.args))

    def one_round(self, label, args, expected):
        scale = self.scale(args, expected)
        if not self.compiled:
            self.stages(label, args, expected, scale)
        else:
            self.jitted(label, args, expected, scale)
        if self.batches and expected.error is None and not label.endswith("again"):
            self.batched(label, args, expected, scale)
        if not any(floating(a) for a in args) or expected.error is None and any(type(x) is int for x in self.floats_meant(expected.out)):
            return  # an int that a loop of no rounds leaves alone may come back as a float, and then has a tangent
        if expected.error is None and overflows(self.function, args, "ignore" if self.poles else "raise"):
            self.outcome.counts["overflows"] += 1
            return
        direction = numeric.tangents(args, np.random.default_rng(self.case.seed))
        if not self.compiled:  # what is not compiled is checked where nothing is
            self.forward(label, args, expected, direction, scale)
        if expected.error is None and finite(expected.out) and any(map(floating, leaves(expected.out))):
            self.reverse(label, args, expected, direction, scale)

    def floats_meant(self, out):
        """The results but for `extra` (poles.py), which is none."""
        return leaves(out[:-1] if "extra" in self.function.__code__.co_varnames else out)

    # -- calling what Gradscribe made

    def call(self, check, function, args, expected) -> Result | None:
        """Its result; None if it raised what the program raises. Any other exception is a refusal or a defect."""
        got = run(function, args)
        if isinstance(got.error, self.refusals):
            raise Refused(first_line(got.error))
        if of_a_value(expected.error) and check.startswith(DERIVATIVES) and not isinstance(got.error, INTERNAL):
            return None  # a derivative does not compute what it has no use for (docs/language.md): no error, or a later one
        if (expected.error is None) != (got.error is None) and isinstance(expected.error or got.error, np.linalg.LinAlgError) and self.undecided(args):
            return None
        if expected.error is not None and got.error is None:
            raise Wrong(check, f"no exception, but the function raises {told(expected.error)}")
        if got.error is not None and (expected.error is None or not alike(expected.error, got.error)):
            wanted = f"; the function raises {told(expected.error)}" if expected.error is not None else ""
            raise Wrong(f"{check}, {type(got.error).__name__}", f"raises {told(got.error)}{wanted}") from got.error
        return got if got.error is None else None

    def attempt(self, check, thunk):
        """A step of the public API that has no counterpart in the function."""
        return self.call(check, lambda: thunk(), (), Result()).out

    def once(self, check, thunk):
        """Made for the first arguments, used for all."""
        key = check.split(" at ")[0]
        if key not in self.made:
            self.made[key] = self.attempt(check, thunk)
        return self.made[key]

    def agree(self, check, args, expected, got, scale, part=lambda result: result.out):
        """`got` is the part `expected` of what the function does with the arguments."""
        rtol = 5e-4 if numeric.single(expected, self.case.args) or "float32" in self.case.source else 1e-9
        if self.compiled == "device":
            got = numeric.without_axes(expected, got)
        why = differs(expected, got, rtol, scale)
        if not why:
            return
        a, b = flat(expected), flat(got)
        if differs(expected, got, np.inf) or not self.rounding(numeric.apart(a, b), rtol * (scale + np.abs(a)), lambda f, *args: flat(part(run(f, args))), args):
            raise Wrong(check, why)

    def rounding(self, off, allowed, measure, numbers, name=None):
        """Is the difference of two answers `measure(function, *numbers)` no more than what rounding does to this program?"""
        eps = SINGLE_EPS if self.rough(numbers) else numeric.EPS
        found = conditioning.spreads(self.source, name or self.case.name, numbers, measure, eps)
        explained = any(s.shape == np.shape(off) and bool(np.all(np.abs(off) <= allowed + s)) for s in found)
        self.outcome.counts["ill-conditioned"] += explained
        return explained

    def undecided(self, numbers) -> bool:
        found = bool(numbers) and conditioning.undecided(self.source, self.case.name, numbers, SINGLE_EPS if self.rough(numbers) else numeric.EPS)
        self.outcome.counts["ill-conditioned"] += found
        return found

    def scale(self, args, expected):
        """The magnitude to which rounding is relative: the largest output's, for sums may cancel on the way to the others."""
        values = np.abs(flat(expected.out)) if expected.error is None else np.zeros(0)
        values = values[np.isfinite(values)]
        return 1.0 + (float(values.max()) if values.size else 0.0)

    # -- the checks

    def stages(self, label, args, expected, scale):
        """Every stage of the primal runs as plain Python and does what the function does, to its arguments too."""
        stages = self.attempt(f"stages{label}", lambda: list(self.gs.test_util.stages(self.function, args)))
        for name, stage in stages:
            self.primal(f"stage {name}{label}", stage, args, expected, scale)

    def jitted(self, label, args, expected, scale):
        jitted = self.once(f"jit{label}", lambda: self.gs.jit(self.function))
        self.primal(f"jit{label}", jitted, args, expected, scale)

    def primal(self, check, function, args, expected, scale):
        got = self.call(check, function, args, expected)
        if got is not None:
            self.agree(check, args, expected.out, got.out, scale)
            self.agree(f"{check}, arguments", args, expected.args, got.args, scale, lambda result: result.args)

    def batched(self, label, args, expected, scale):
        """vmap over the float arrays: two examples give what two calls give.  A result of another shape for each is refused."""
        mapped = [isinstance(a, np.ndarray) and floating(a) for a in args]
        if not any(mapped) or not leaves(expected.out):
            return
        near = tuple((a * a.dtype.type(1.001)).astype(a.dtype) if m else a for a, m in zip(args, mapped))
        other = run(self.function, near)
        if other.error is not None or [np.shape(x) for x in leaves(other.out)] != [np.shape(x) for x in leaves(expected.out)]:
            return
        batched, check = self.batch(self.function, mapped), f"{'jit of ' * bool(self.compiled)}vmap{label}"
        got = self.run_batch(check, batched, tuple(np.stack([a, b]) if m else a for a, b, m in zip(args, near, mapped)))
        if got is None:
            return
        for k, (x, y, z) in enumerate(zip(leaves(expected.out), leaves(other.out), leaves(got.out), strict=True)):
            late = type(x) is int and z.dtype == np.float64  # what a loop of no rounds leaves alone
            if z.dtype != np.asarray(x).dtype and not late or z.shape != (2, *np.shape(x)):
                raise Wrong(f"{check}, result {k}", f"{z.dtype}{z.shape} of two times {numeric.brief(x)}")
            for one, example, numbers in ((x, z[0], args), (y, z[1], near)):
                example = type(one)(example) if isinstance(one, (bool, int, float)) and not isinstance(one, np.generic) else example
                self.agree(f"{check}, result {k}", numbers, one, example, scale, lambda result, k=k: leaves(result.out)[k])

    def batch(self, function, mapped):
        """vmap of the function over these arguments, compiled where everything is."""
        in_axes = tuple(0 if m else None for m in mapped)
        vmap = lambda: self.gs.vmap(function, in_axes=in_axes)
        return self.once(f"vmap of {id(function)} {in_axes}", (lambda: self.gs.jit(vmap())) if self.compiled else vmap)

    def run_batch(self, check, batched, args):
        """What a batch gives; None where it is refused."""
        got = run(batched, args)
        if isinstance(got.error, (*self.refusals, self.gs.errors.SpecialisationError)):
            self.outcome.counts["batches refused"] += 1
            return None
        if got.error is not None:
            raise Wrong(f"{check}, {type(got.error).__name__}", f"raises {told(got.error)}") from got.error
        self.outcome.counts["batches"] += 1
        return got

    def batched_gradients(self, label, args, floats, found):
        """vmap of grad of the loss, over arguments that are twice the same: twice what grad finds."""
        check = f"{'jit of ' * bool(self.compiled)}vmap of grad{label}"
        grad = self.once(f"grad {floats}", lambda: self.gs.grad(self.loss, argnums=floats))
        mapped = [k in floats for k in range(len(args))]
        got = self.run_batch(check, self.batch(grad, mapped), tuple(np.stack([a, a]) if m else a for a, m in zip(args, mapped)))
        if got is None:
            return
        size, rtol = 1.0 + float(np.abs(found).max(initial=0.0)), 4e-3 if self.rough(args) else 1e-8
        gradient = lambda loss, *args: flat(self.gs.grad(loss, argnums=floats)(*args))
        for k in range(2):
            bars = flat([z[k] for z in leaves(got.out)])
            if not np.allclose(bars, found, rtol=rtol, atol=rtol * size, equal_nan=True) \
                    and not self.rounding(numeric.apart(found, bars), rtol * (size + np.abs(found)), gradient, args, "loss"):
                raise Wrong(check, f"expected {numeric.brief(found)}, got {numeric.brief(bars)}")

    def forward(self, label, args, expected, direction, scale):
        """jvp: its value is the function's, its tangent what differences find."""
        check = f"jvp{label}"
        got = self.call(check, lambda *primals: self.gs.jvp(self.function, primals, dots(args, direction)), args, expected)
        if got is None:
            return
        self.kept(check, args, expected, got)
        out, out_dot = got.out
        self.agree(f"{check}, value", args, expected.out, out, scale)
        self.typed_like(f"{check}, tangent", float_leaves(expected.out), float_leaves(out_dot))
        self.unshared(f"{check}, memory", got.args, float_leaves(out_dot))
        self.outcome.counts["derivatives"] += 1
        if finite(expected.out):
            self.slope(f"{check}, tangent", args, direction, flat(out_dot), scale)

    def slope(self, check, args, direction, found, scale):
        rtol = 4e-3 if self.rough(args) else 1e-6
        allowed = lambda slope: 5 * slope.error + rtol * (scale + np.abs(slope.value))
        value = lambda function, *args: flat(run(function, args).out)
        slope = self.differences(check, (self.wide, args, self.still(args, direction)), found, allowed, self.case.name, value, self.tangent)
        self.outcome.counts["unsure"] += slope is None or not slope.sure.all()

    def differences(self, check, of, found, allowed, name, value, tangent):
        """Compare a tangent with differences `of` (function, args, direction); None if that comes out in another shape. `value` and
        `tangent` compute anew, from the program's function of this name, what is differentiated and what was found."""
        for noise in (0.0, None):
            if noise is None:  # what rounding does to the values themselves
                noise = conditioning.spread(self.wide_source, name, numeric.widened(of[1]), value, numeric.EPS)
            slope = numeric.slope(*of, noise=noise)
            if slope.value.shape != found.shape:
                return None
            wrong = slope.sure & ~(np.abs(slope.value - found) <= allowed(slope))
            if not wrong.any():
                return slope
        if (not self.by_long_doubles(of, found, wrong)
                and not self.rounding(np.where(wrong, slope.value - found, 0.0), allowed(slope), tangent, of[1:], name)):
            at = int(np.argmax(wrong))
            raise Wrong(check, f"differences say {slope.value[at]!r}, got {found[at]!r} (output element {at} of {found.size})")
        return slope

    def by_long_doubles(self, of, found, wrong) -> bool:
        """Do differences of smaller steps agree, where those of doubles do not?"""
        slope = None if self.rough(of[1]) else numeric.long_slope(*of)
        if slope is None or slope.value.shape != found.shape:
            return False
        agree = np.abs(slope.value - found) <= 5 * slope.error + 1e-6 * (1 + np.abs(slope.value))
        known = bool(np.all(agree[wrong] & (slope.error[wrong] <= 1e-5 * (1 + np.abs(slope.value[wrong])))))
        self.outcome.counts["by long doubles"] += known
        return known

    def tangent(self, function, args, direction):
        return flat(self.gs.jvp(function, args, dots(args, direction))[1])

    def still(self, args, direction):
        """The direction of differences."""
        return poles.held(args, direction) if self.poles else direction

    def rough(self, args):
        return numeric.single(args) or "float32" in self.case.source

    def reverse(self, label, args, expected, direction, scale):
        """vjp: <pullback(u), t> = <u, jvp(t)>, twice the same, shaped like the arguments, sharing no memory."""
        check = f"vjp{label}"
        got = self.call(check, lambda *primals: self.gs.vjp(self.function, *primals), args, expected)
        self.kept(check, args, expected, got)
        out, pullback = got.out
        self.agree(f"{check}, value", args, expected.out, out, scale)
        seeds = cotangents(expected.out, np.random.default_rng(self.case.seed + 1))
        first = self.attempt(f"{check}, pullback", lambda: pullback(seeds))
        self.typed_like(f"{check}, cotangent", [a for a in args if floating(a)], float_parts(args, first))
        self.unshared(f"{check}, memory", got.args, float_parts(args, first))
        bars = flat(float_parts(args, first)).copy()
        second = self.attempt(f"{check}, second pullback", lambda: pullback(seeds))
        if not np.array_equal(bars, flat(float_parts(args, second)), equal_nan=True):
            raise Wrong(f"{check}, second pullback", "another answer than the first time")
        if not (np.isfinite(bars).all() if self.compiled else self.dot_product(check, args, direction, seeds, bars)):
            self.outcome.counts["overflows"] += 1
        elif self.loss is not None:
            self.gradient(label, args, seeds, bars, scale)

    def dot_product(self, check, args, direction, seeds, bars):
        """Says whether both sides are finite. Both are linear, so what overflows is compared for tiny u and t, where it does not."""
        out_dot = self.attempt(f"{check}, its jvp", lambda: self.tangent(self.function, fresh(args), direction))
        left, right = flat(seeds) * out_dot, bars * flat(direction)
        held = np.isfinite(left).all() and np.isfinite(right).all() or self.rough(args)
        unscaled = seeds, tuple(direction)
        for size in () if held else TINY:
            seeds, direction = tiny(unscaled[0], size), tiny(unscaled[1], size)
            left = flat(seeds) * self.tangent(self.function, fresh(args), direction)
            right = flat(float_parts(args, self.gs.vjp(self.function, *args)[1](seeds))) * flat(direction)
            if np.isfinite(left).all() and np.isfinite(right).all():
                break
        if not held and not np.isfinite(left).all() and not np.isfinite(right).all():
            return held  # both overflow on the way, whatever their size
        allowed = (2e-3 if self.rough(args) else 1e-9) * (float(held) + np.abs(left).sum() + np.abs(right).sum())
        off = left.sum() - right.sum()
        product = lambda function, args, direction, seeds: flat(seeds) @ self.tangent(function, args, direction)
        if not abs(off) <= allowed and not self.rounding(off, allowed, product, (args, direction, seeds)):
            raise Wrong(f"{check}, dot product", f"<u, J t> = {left.sum()!r}, <J' u, t> = {right.sum()!r}")
        return held

    def gradient(self, label, args, seeds, bars, scale):
        """value_and_grad of a weighted sum of all outputs (compiled: of its jit) is the pullback of the weights."""
        check = f"{'jit of ' if self.compiled else ''}value_and_grad{label}"
        floats = tuple(i for i, a in enumerate(args) if floating(a))
        weights = tuple(float_leaves(seeds))
        plain = lambda: self.gs.value_and_grad(self.loss, argnums=floats)
        made = self.once(check, (lambda: self.gs.jit(plain())) if self.compiled else plain)
        expected = run(self.loss, (*args, *weights))
        got = self.call(check, made, (*args, *weights), expected)
        if got is None:  # the loss raises: its sums are of what does not fit together
            return
        value, gradients = got.out
        self.unshared(f"{check}, memory", got.args, leaves(gradients))
        rtol = 4e-3 if self.rough(args) else 1e-8
        off, total = float(expected.out) - float(value), lambda function, args, seeds: flat(seeds) @ flat(run(function, args).out)
        allowed = rtol * (scale * (1 + len(weights)) + abs(float(expected.out)))
        if not abs(off) <= allowed and not self.rounding(off, allowed, total, (args, seeds)):
            raise Wrong(f"{check}, value", f"expected {expected.out!r}, got {value!r}")
        self.typed_like(f"{check}, gradient", [args[i] for i in floats], leaves(gradients))
        found, size = flat(gradients), 1.0 + float(np.abs(bars).max(initial=0.0))
        pullback = lambda function, args, seeds: flat(float_parts(args, self.gs.vjp(function, *args)[1](seeds)))
        if not np.allclose(found, bars, rtol=rtol, atol=rtol * size, equal_nan=True) \
                and not self.rounding(numeric.apart(bars, found), rtol * (size + np.abs(bars)), pullback, (args, seeds)):
            raise Wrong(f"{check}, gradient", f"expected {numeric.brief(bars)}, got {numeric.brief(found)}")

        if self.batches and not label.endswith("again"):
            self.batched_gradients(label, (*args, *weights), floats, found)
        if self.order > 1 and not self.rough(args):
            self.second(label, (*args, *weights), floats)

    def second(self, label, args, floats):
        """Forward over reverse: jvp of grad against differences of grad."""
        check = f"jvp of grad{label}"
        grad = self.once(check, lambda: self.gs.grad(self.loss, argnums=floats))
        direction = numeric.tangents(args, np.random.default_rng(self.case.seed + 2))
        tangent = lambda grad: lambda args, direction: flat(self.gs.jvp(grad, fresh(args), dots(args, direction))[1])
        found = flat(self.attempt(check, lambda: tangent(grad)(args, direction)))
        self.outcome.counts["second derivatives"] += 1
        allowed = lambda slope: 5 * slope.error + 1e-5 * (1.0 + np.abs(slope.value[slope.sure]).max(initial=0.0))
        again = lambda loss: self.gs.grad(loss, argnums=floats)
        slope = self.differences(check, (grad, args, self.still(args, direction)), found, allowed, "loss", lambda loss, *args: flat(again(loss)(*args)),
                                 lambda loss, *of: tangent(again(loss))(*of))
        if slope is None:
            raise Wrong(check, f"got {found.size} numbers")

    # -- what holds for every derivative

    def typed_like(self, check, wanted, found):
        """A tangent or cotangent has the type, dtype and shape of what it belongs to."""
        if len(wanted) != len(found):
            raise Wrong(check, f"expected {len(wanted)} of them, got {len(found)}")
        for i, (a, b) in enumerate(zip(wanted, found)):
            why = differs(zero(a), zero(numeric.without_axes(a, b) if self.compiled == "device" else b), 1.0)
            if why:
                raise Wrong(check, f"[{i}] {why}")

    def kept(self, check, args, expected, got):
        """A derivative leaves the arguments alone, or changes them just as the function does; nothing in between."""
        if differs(args, got.args, 0.0) and differs(expected.args, got.args, 1e-3 if self.rough(args) else 1e-8):
            raise Wrong(f"{check}, arguments", "neither as they were nor as the function leaves them")

    def unshared(self, check, args, found):
        """No tangent or cotangent shares memory with an argument of the call or with another one."""
        arrays = [a for a in found if isinstance(a, np.ndarray)]
        for i, a in enumerate(arrays):
            others = [x for x in args if isinstance(x, np.ndarray)] + arrays[:i]
            if any(np.shares_memory(a, b) for b in others):
                raise Wrong(check, f"array {i} shares memory with an argument or with another one")


# -- pieces


def dots(args, direction):
    """The direction as tangents: what cannot move has a zero of its own type."""
    return tuple(still(a) if t is None else t for a, t in zip(args, direction))


def fresh(args):
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)


def still(value):
    """The tangent of an integer or a bool, which cannot move: a zero of its own type."""
    return None if value is None else np.zeros_like(value) if isinstance(value, np.ndarray) else type(value)(0)


def zero(value):
    return value if value is None else still(value)


def float_leaves(value):
    return [v for v in leaves(value) if floating(v)]


def float_parts(args, cts):
    """The cotangents of the float arguments; those of the others, if given at all, are not looked at."""
    if not isinstance(cts, (tuple, list)) or len(cts) != len(args):
        raise Wrong("vjp, cotangent", f"expected a tuple of {len(args)}, got {numeric.brief(cts)}")
    return [c for a, c in zip(args, cts) if floating(a)]


def cotangents(out, rng):
    """A random cotangent for every float output, in the structure of the outputs."""
    if isinstance(out, tuple):
        return tuple(cotangents(v, rng) for v in out)
    return numeric.like(out, rng.normal(size=np.shape(out))) if floating(out) else still(out)


TINY = (2.0**-500, 2.0**-900)  # for derivatives up to 1e450, and 1e570


def tiny(value, size):
    """Tangents or cotangents, scaled by a power of two: their derivative is exactly as much smaller."""
    if isinstance(value, tuple):
        return tuple([tiny(v, size) for v in value])
    return numeric.like(value, value * size) if floating(value) else value


def alike(expected, got):
    """Is it the same exception, or the other one of a store with two reasons to raise (docs/reliability.md)?"""
    return isinstance(got, type(expected)) or isinstance(expected, IndexError) and str(got).startswith(NO_ROOM)


NO_ROOM = "could not broadcast input array from shape"


def told(error):
    return f"{type(error).__name__}: {first_line(error)}"


def first_line(error):
    return str(error).strip().split("\n")[0][:200]


POWER = "(34, "  # how the OverflowError of a power of Python floats begins


def of_a_value(error) -> bool:
    """Is it an exception of computing one value, and not the user's own or one about shapes?"""
    return isinstance(error, (IndexError, ZeroDivisionError, np.linalg.LinAlgError)) or str(error).startswith((POWER, "zero-size array to reduction operation"))


def with_loss(case: Case) -> str:
    """The program, and `loss(arguments..., weights...)`: the weighted sum of its outputs, where those are known."""
    names = {}
    exec(compile(case.source, "<program>", "exec"), names)
    result = run(names[case.name], case.args)
    outputs = result.out if isinstance(result.out, tuple) else (result.out,)
    floats = [i for i, v in enumerate(outputs) if floating(v)]
    if result.error is not None or not floats:
        return case.source
    (function,) = [n for n in ast.parse(case.source).body if isinstance(n, ast.FunctionDef) and n.name == case.name]
    params = [a.arg for a in function.args.args]
    weights = [f"weight{i}" for i in range(len(floats))]
    each = ["out"] if not isinstance(result.out, tuple) else [f"out[{i}]" for i in floats]
    total = " + ".join(f"np.sum({w} * {o})" for w, o in zip(weights, each))
    return f"{case.source}\n\ndef loss({', '.join(params + weights)}):\n    out = {case.name}({', '.join(params)})\n    return {total}\n"
