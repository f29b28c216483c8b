"""Derivatives of a program, against differences and each other."""
import copy
import zlib

import numpy as np

import gradscribe as gs

from . import oracle
from .expressions import limited
from .guarded import counts_zeros, held, is_guarded
from .outcomes import (EPS, Failure, arguments_of, data, is_single, is_singular, judge_error, kept, outcome, place,
                       sums_products)

LARGE = 1e9  # a small step leaves what is larger as it is: differences say nothing

# ---- derivatives

def compare_derivatives(plain, ours, arguments, made, report, compiled):
    """The value beside the gradient; the gradient against differences; the tangent against both."""
    args = arguments_of(plain, arguments)[0]
    numbers = tuple(k for k, a in enumerate(args) if is_smooth(a))
    with limited(2), kept(plain):
        want = outcome(plain.loss, plain, arguments)
    if not numbers or want.error is not None:
        return
    call = f"loss({arguments})"
    for stage in ("derivative", "compiled derivative") if compiled else ("derivative",):
        function = gs.value_and_grad(ours.loss, argnums=numbers)
        got = outcome(gs.jit(function) if stage.startswith("compiled") else function, ours, arguments)
        if isinstance(got.error, gs.GradscribeError):
            report["refused"].append("derivative: " + str(got.error))
            return
        judge_error(got.error, None, stage, call)
        wrong = oracle.difference(data(ours), data(plain), True, "globals")
        if wrong:
            raise Failure("wrong mutation of globals", stage, f"{call}: {wrong}")
        value, gradients = got.value
        # of a derivative NumPy's number will do
        value = (want.value.__class__(value) if isinstance(want.value, float) and isinstance(value, np.float64)
                 else value)
        if zlib.crc32(arguments.encode()) % 8 == 2 and compiled:
            compare_pull_back(ours, arguments, numbers, gradients, call, report)
        wrong = oracle.difference(value, want.value, is_single(plain, stage) or sums_products(plain) and oracle.ZEROS)
        if wrong:
            raise Failure("wrong value", f"{stage}, {oracle.kind_of(wrong)}", f"{call}: {wrong}")
        compare_slopes(plain, ours, arguments, numbers, gradients, call, stage, report)


def compare_pull_back(ours, arguments, numbers, gradients, call, report):
    """What gs.vjp gives, compiled, is the gradient as well."""
    args = arguments_of(ours, arguments)[0]
    try:
        _, pull_back = gs.vjp(ours.loss, *args)
        found = gs.jit(pull_back)(1.0)
    except gs.GradscribeError as error:
        report["refused"].append("pull-back: " + str(error))
        return
    wrong = oracle.first(oracle.difference(found[k], g, True) for k, g in zip(numbers, gradients))
    if wrong:
        raise Failure("wrong derivative", "pull-back, compiled", f"{call}: {wrong}")


def compare_slopes(plain, ours, arguments, numbers, gradients, call, stage, report):
    args = arguments_of(plain, arguments)[0]
    rng = np.random.default_rng(len(arguments))
    directions = [direction(rng, args[k]) for k in numbers]
    slope = sum(inner(d, g) for d, g in zip(directions, gradients))
    tangent = None
    if stage == "derivative":
        theirs = arguments_of(ours, arguments)[0]
        tangents = tuple(directions[numbers.index(k)] if k in numbers else nothing(a) for k, a in enumerate(args))
        try:
            tangent = float(gs.jvp(ours.loss, theirs, tangents)[1])
        except gs.GradscribeError:
            pass                                 # what it says of tangents for what is no number
        except Exception as error:
            raise Failure("exception", f"jvp {place(error)}",
                          f"{call}: raised {type(error).__name__}: {str(error)[:600]}") from error
        if (tangent is not None and np.isfinite(tangent) and np.isfinite(slope)
                and abs(tangent - slope) > 1e-6 * (1 + abs(slope)) and not is_single(plain)):
            raise Failure("wrong derivative", "jvp against vjp", f"{call}: jvp {tangent}, vjp {slope}")
    guarded = is_guarded(plain.loss)
    if guarded:
        # zeros of `_zeta` have no part in the result: differences leave them, derivatives may move them
        directions = held(plain.loss, numbers, args, directions)
        if counts_zeros(plain.f):
            slope = sum(inner(d, g) for d, g in zip(directions, gradients))
    expected = differences(plain, arguments, numbers, directions)
    if expected is None or largest([args[k] for k in numbers]) > LARGE:
        return
    report["derivatives"] += 1
    if not guarded and np.isnan(slope) and tangent is not None and (np.isfinite(tangent) or is_singular(plain)):
        # documented: 0 * inf of a value that nothing uses, in reverse; no derivative at a corner
        return
    if (not abs(slope - expected) <= (2e-2 if is_single(plain) else 2e-4) * (1 + abs(expected))
            and not isolated(plain, ours, arguments, numbers, directions)):
        # made smaller, it stays guarded
        known = guarded and tangent is not None and abs(tangent - expected) <= 2e-4 * (1 + abs(expected))
        raise Failure("wrong derivative", stage + ", where jvp is right" * known,
                      f"{call}: {slope} along {directions}, differences say {expected}, jvp {tangent}")


def isolated(plain, ours, arguments, numbers, directions) -> bool:
    """Is it one point where a formula has no derivative, or a test another answer than around it:
    are those beside it right?"""
    for t in (1e-3, -1e-3):
        args, kwargs = arguments_of(plain, arguments)
        beside = [shifted(a, directions[numbers.index(k)], t) if k in numbers else a for k, a in enumerate(args)]
        plain.BESIDE = ours.BESIDE = beside, kwargs
        text = "*BESIDE[0], **BESIDE[1]"
        got = outcome(gs.grad(ours.loss, argnums=numbers), ours, text)
        expected = differences(plain, text, numbers, directions)
        if got.error is not None or expected is None:
            return False
        if not abs(sum(inner(d, g) for d, g in zip(directions, got.value)) - expected) <= 2e-4 * (1 + abs(expected)):
            return False
    return True


def is_smooth(x):
    if isinstance(x, (float, np.float64)):
        return bool(np.isfinite(x))
    if isinstance(x, np.ndarray):
        return x.dtype == np.float64 and bool(np.all(np.isfinite(x)))
    return type(x) in (list, tuple) and len(x) > 0 and all(map(is_smooth, x))


def largest(x) -> float:
    return max(map(largest, x), default=0.0) if type(x) in (list, tuple) else float(np.max(np.abs(x), initial=0.0))


def direction(rng, x):
    if isinstance(x, np.ndarray):
        return np.asarray(rng.uniform(0.5, 1.0, x.shape))
    if type(x) in (list, tuple):
        return type(x)(direction(rng, i) for i in x)
    return type(x)(rng.uniform(0.5, 1.0))


def nothing(x):
    """A tangent for what is held fixed."""
    if isinstance(x, (list, tuple)):
        items = map(nothing, tuple.__iter__(x) if isinstance(x, tuple) else x)
        return tuple.__new__(type(x), items) if isinstance(x, tuple) else list(items)
    if isinstance(x, dict):
        return {k: nothing(i) for k, i in x.items()}
    if isinstance(x, (int, float, np.generic, np.ndarray)):
        return np.zeros(np.shape(x)) if isinstance(x, np.ndarray) else 0.0
    if hasattr(x, "__dict__"):
        made = copy.copy(x)
        for k, i in vars(x).items():
            object.__setattr__(made, k, nothing(i))
        return made
    return None


def inner(d, g):
    if type(d) in (list, tuple):
        return sum(inner(a, b) for a, b in zip(d, g))
    return float(np.sum(d * g))


def shifted(x, d, t):
    return (type(x)(shifted(a, b, t) for a, b in zip(x, d)) if type(x) in (list, tuple)
            else np.asarray(x + t * d) if isinstance(x, np.ndarray) else type(x)(x + t * d))


def differences(plain, arguments, numbers, directions):
    """The slope along the directions, or None where differences of two sizes and from both sides do not agree."""
    def at(t):
        args = list(arguments_of(plain, arguments)[0])
        for k, d in zip(numbers, directions):
            args[k] = shifted(args[k], d, t)
        with kept(plain):
            y = plain.loss(*args)
        # differences of so few digits say nothing
        return np.nan if isinstance(y, (np.float32, np.float16)) else float(y)
    try:
        values = {t: at(t) for t in (0.0, EPS, -EPS, 3 * EPS, -3 * EPS, 50 * EPS, -50 * EPS)}
    except Exception:
        return None
    if not all(np.isfinite(list(values.values()))) or max(map(abs, values.values())) > 1e7:
        return None
    central = (values[EPS] - values[-EPS]) / (2 * EPS)
    others = [(values[3 * EPS] - values[-3 * EPS]) / (6 * EPS), (values[50 * EPS] - values[-50 * EPS]) / (100 * EPS),
              (values[EPS] - values[0.0]) / EPS, (values[0.0] - values[-EPS]) / EPS]
    return central if all(abs(o - central) <= 2e-3 * (1 + abs(central)) for o in others) else None
