"""Is Gradscribe right about a program? `examine(case)` compares every stage and derivative with the function itself.

Nothing here trusts Gradscribe: values come from running the user's function under NumPy, derivatives from finite
differences of it; only reverse mode is held against forward mode, once that is confirmed. What disagrees is wrong
unless rounding explains it: see conditioning."""

import ast
import contextlib
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from gradscribe.transformer.loop_core import long_nests, strips

from ..independent.expressions import limited
from . import conditioning, numeric
from .derivatives import Derivatives
from .generate import Case
from .loading import loaded
from .numeric import Result, differs, finite, flat, floating, leaves, overflows, run
from .pieces import SINGLE_EPS, Wrong, alike, first_line, of_a_value, told

# of gs.errors: what may be said instead of an answer, before the run or by it
REFUSALS = ("UnsupportedError", "RefusedValue")


@dataclass(frozen=True)
class Failure:
    """A wrong answer or an internal exception. `check` names what was compared:
    a shrunk case must fail the same kind."""

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


class Refused(Exception):
    pass


UNKNOWN = "a value of the run time must be known before it"  # a SpecialisationError that is a refusal


INTERNAL = (AssertionError, AttributeError, KeyError, NameError, TypeError)  # what no program here raises of itself
BATCHED = {False: 4, True: 8, "device": 4}  # every how many programs also run under vmap: plain, compiled, on a device
DERIVATIVES = ("jvp", "vjp", "value_and_grad", "grad")


def check_case(case: Case, compiled: bool = False, order: int = 1, gs=None) -> Failure | None:
    return examine(case, compiled, order, gs).failure


def examine(case: Case, compiled: bool = False, order: int = 1, gs=None, batched: bool | None = None) -> Outcome:
    """The first thing that is wrong, or a refusal, or neither. `order` 2 also differentiates the gradient of float64
    programs. `batched` says whether it runs under vmap, too; else its seed does."""
    if gs is None:
        import gradscribe as gs
    outcome = Outcome()
    try:
        with limited(5):
            source = with_loss(case)
        with loaded(source) as function, sharing(compiled is True and case.seed % 2 == 1):
            batched = case.seed % BATCHED[compiled] == 0 if batched is None else batched
            Examination(gs, case, source, function, compiled, order, batched, outcome).everything()
    except Refused as refusal:
        outcome.refusal = str(refusal)
    except Wrong as wrong:
        outcome.failure = Failure(case, wrong.check, wrong.message)
    return outcome


@contextlib.contextmanager
def sharing(all_loops: bool):
    """With it threads share each loop that they can, however little it has to do, and a loop goes in strips of 3."""
    kept = long_nests.LONG, strips.STRIP
    long_nests.LONG, strips.STRIP = (0, 3) if all_loops else kept
    try:
        yield
    finally:
        long_nests.LONG, strips.STRIP = kept


class Examination(Derivatives):
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
        if (not any(floating(a) for a in args)
                or expected.error is None and any(type(x) is int for x in self.floats_meant(expected.out))):
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
        if isinstance(got.error, self.refusals) or UNKNOWN in str(got.error):
            raise Refused(first_line(got.error))
        if of_a_value(expected.error) and check.startswith(DERIVATIVES) and not isinstance(got.error, INTERNAL):
            # a derivative does not compute what it has no use for (docs/language.md): no error, or a later one
            return None
        if ((expected.error is None) != (got.error is None)
                and isinstance(expected.error or got.error, np.linalg.LinAlgError) and self.undecided(args)):
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
        if differs(expected, got, np.inf) or not self.rounding(numeric.apart(a, b), rtol * (scale + np.abs(a)),
                                                               lambda f, *args: flat(part(run(f, args))), args):
            raise Wrong(check, why)

    def rounding(self, off, allowed, measure, numbers, name=None):
        """Is the difference of two answers `measure(function, *numbers)` no more
        than what rounding does to this program?"""
        eps = SINGLE_EPS if self.rough(numbers) else numeric.EPS
        found = conditioning.spreads(self.source, name or self.case.name, numbers, measure, eps)
        explained = any(s.shape == np.shape(off) and bool(np.all(np.abs(off) <= allowed + s)) for s in found)
        self.outcome.counts["ill-conditioned"] += explained
        return explained

    def undecided(self, numbers) -> bool:
        found = bool(numbers) and conditioning.undecided(self.source, self.case.name, numbers,
                                                         SINGLE_EPS if self.rough(numbers) else numeric.EPS)
        self.outcome.counts["ill-conditioned"] += found
        return found

    def scale(self, args, expected):
        """The magnitude to which rounding is relative: the largest output's,
        for sums may cancel on the way to the others."""
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
        """vmap over the float arrays: two examples give what two calls give.
        A result of another shape for each is refused."""
        mapped = [isinstance(a, np.ndarray) and floating(a) for a in args]
        if not any(mapped) or not leaves(expected.out):
            return
        near = tuple((a * a.dtype.type(1.001)).astype(a.dtype) if m else a for a, m in zip(args, mapped))
        other = run(self.function, near)
        if (other.error is not None
                or [np.shape(x) for x in leaves(other.out)] != [np.shape(x) for x in leaves(expected.out)]):
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
                example = (type(one)(example) if isinstance(one, (bool, int, float)) and not isinstance(one, np.generic)
                           else example)
                self.agree(f"{check}, result {k}", numbers, one, example, scale,
                           lambda result, k=k: leaves(result.out)[k])

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
        got = self.run_batch(check, self.batch(grad, mapped),
                             tuple(np.stack([a, a]) if m else a for a, m in zip(args, mapped)))
        if got is None:
            return
        size, rtol = 1.0 + float(np.abs(found).max(initial=0.0)), 4e-3 if self.rough(args) else 1e-8
        gradient = lambda loss, *args: flat(self.gs.grad(loss, argnums=floats)(*args))
        for k in range(2):
            bars = flat([z[k] for z in leaves(got.out)])
            if (not np.allclose(bars, found, rtol=rtol, atol=rtol * size, equal_nan=True) and not self.rounding(
                    numeric.apart(found, bars), rtol * (size + np.abs(found)), gradient, args, "loss")):
                raise Wrong(check, f"expected {numeric.brief(found)}, got {numeric.brief(bars)}")


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
    return (f"{case.source}\n\ndef loss({', '.join(params + weights)}):\n"
            f"    out = {case.name}({', '.join(params)})\n    return {total}\n")
