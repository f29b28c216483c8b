"""One program, run plainly and transformed, call by call."""
import ast
import contextlib
import copy
import gc
import importlib.util
import itertools
import linecache
import pickle
import re
import sys
import traceback
import types
import warnings
import weakref
import zlib
from pathlib import Path

import numpy as np

import gradscribe as gs
from gradscribe.transformer.api import Primal

from . import oracle
from .expressions import limited
from .guarded import held, is_guarded
from .plainly import plainly

COUNT = itertools.count()
EPS = 1e-5


class Failure(Exception):
    """A program on which Gradscribe is wrong: (kind, where or what, details). Two with one kind and place are one finding."""

    def __init__(self, kind, place, details):
        super().__init__(kind, place, details)
        self.kind, self.place, self.details = kind, place, details


def load(text, folder):
    """The text as a module of its own, from a file: Gradscribe reads sources."""
    name = f"program_{next(COUNT)}"
    path = Path(folder, name + ".py")
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def unload(module):
    sys.modules.pop(module.__name__, None)
    linecache.cache.pop(module.__file__, None)
    Path(module.__file__).unlink(missing_ok=True)


def check(text, folder, compiled=False):
    """{"calls", "raised", "refused": [messages]}; raises Failure."""
    report = {"calls": 0, "raised": 0, "refused": [], "derivatives": 0}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        plain, ours = load(plainly(text), folder), load(text, folder)
        try:
            made = {}
            for step in plain.SCRIPT:
                run_step(step, plain, ours, made, report, compiled)
                if report["refused"]:
                    break
        finally:
            unload(plain), unload(ours)
    return report


def run_step(step, plain, ours, made, report, compiled):
    called = entry(step)
    if called is None:
        for module in (plain, ours):
            with contextlib.suppress(Exception):         # a store into a frozen object, and the like
                exec(step, module.__dict__)
        return
    name, arguments = called
    report["calls"] += 1
    if name == "loss":
        return compare_derivatives(plain, ours, arguments, made, report, compiled)
    with limited(2):
        want = outcome(plain.f, plain, arguments)
    if isinstance(want.error, (TimeoutError, MemoryError)):
        return
    report["raised"] += want.error is not None
    report["last"] = want
    with kept(ours) if compiled else contextlib.nullcontext():
        compare(want, plain, ours, arguments, made, report, "plain", Primal)
    if compiled and not report["refused"]:
        compare(want, plain, ours, arguments, made, report, "compiled", gs.jit)


def entry(step):
    """("f" or "loss", its arguments as text) if the step is a call of it."""
    tree = ast.parse(step).body[0]
    if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call) and isinstance(tree.value.func, ast.Name) and tree.value.func.id in ("f", "loss"):
        return tree.value.func.id, step[step.index("(") + 1:step.rindex(")")]
    return None


class Outcome:
    def __init__(self, value, error, args):
        self.value, self.error, self.args = value, error, args


def arguments_of(module, text):
    return eval(f"(lambda *a, **k: (a, k))({text})", module.__dict__)


def outcome(function, module, text):
    args, kwargs = arguments_of(module, text)
    try:
        return Outcome(function(*args, **kwargs), None, (args, kwargs))
    except Exception as error:
        return Outcome(None, error, (args, kwargs))


def data(module):
    """What its globals hold: a call may not change them otherwise than Python does."""
    return {k: v for k, v in vars(module).items() if not k.startswith("__") and k != "SCRIPT" and not isinstance(
        v, (type, types.ModuleType, np.ufunc)) and not hasattr(v, "__wrapped__") and not (callable(v) and hasattr(v, "__name__"))}


@contextlib.contextmanager
def kept(module):
    """Afterwards its globals are what they were, and so are arrays in them."""
    before = data(module)
    arrays = [(x, x.copy()) for x in arrays_in(before) if x.flags.writeable]
    try:
        yield
    finally:
        vars(module).update(before)
        for x, old in arrays:
            x[...] = old


def arrays_in(x):
    """In containers and objects, too."""
    found, seen, todo = [], set(), [x]
    for part in todo:
        if id(part) in seen:
            continue
        seen.add(id(part))
        found += [part] if isinstance(part, np.ndarray) else []
        todo += dict.values(part) if isinstance(part, dict) else tuple.__iter__(part) if isinstance(part, tuple) else list.__iter__(part) if isinstance(part, list) else ()
        todo += vars(part).values() if hasattr(part, "__dict__") and type(part).__module__.startswith("program") else ()
    return found


def twin(function, text):
    """The function; of some programs a copy of it, which is to do the same."""
    ways = {0: copy.deepcopy, 1: lambda f: pickle.loads(pickle.dumps(f))}
    try:
        return ways.get(zlib.crc32(text.encode()) % 8, lambda f: f)(function)
    except Exception as error:
        raise Failure("exception", f"copy {place(error)}", f"a copy of {function}: raised {error!r}") from error


def compare(want, plain, ours, arguments, made, report, stage, transform):
    if stage not in made or made[stage].__wrapped__ is not ours.f:
        made[stage] = twin(transform(ours.f), arguments)
    got = outcome(made[stage], ours, arguments)
    if isinstance(got.error, gs.GradscribeError):
        report["refused"].append(str(got.error))
        return
    call = f"f({arguments})"
    judge_error(got.error, want.error, stage, call)
    if want.error is not None:
        del got
        with kept(ours):
            return judge_leaks(made[stage], ours, arguments) if stage == "compiled" else None
    loose = is_single(plain, stage) or sums_products(plain) and oracle.ZEROS
    wrong = oracle.difference(got.value, want.value, loose)
    if wrong:
        raise Failure("wrong value", f"{stage}, {oracle.kind_of(wrong)}", f"{call}: {wrong}")
    wrong = oracle.difference(got.args, want.args, loose, "arguments")
    if wrong:
        raise Failure("wrong mutation", stage, f"{call}: {wrong}")
    wrong = oracle.difference(data(ours), data(plain), loose, "globals")
    if wrong:
        raise Failure("wrong mutation of globals", stage, f"{call}: {wrong}")


def judge_leaks(function, module, text, calls=3):
    """Calls that raise keep neither their arguments nor memory of their own."""
    if re.search(r"SHARED|\bG\d|OBJECT", text):
        return                                   # somebody else has them
    before = allocated()
    for _ in range(calls):
        args, kwargs = arguments_of(module, text)
        arrays = [weakref.ref(x) for x in (*args, *kwargs.values()) if isinstance(x, np.ndarray)]
        with contextlib.suppress(Exception):
            function(*args, **kwargs)
        del args, kwargs
        if any(array() is not None for array in arrays) and (gc.collect(), any(array() is not None for array in arrays))[1]:
            raise Failure("leak", "an argument", f"f({text}) keeps an array when it raises")
    if allocated() - before >= calls:
        raise Failure("leak", "memory", f"f({text}) keeps {allocated() - before} pieces of memory of {calls} calls that raise")


def allocated():
    """How many pieces of memory compiled code has in use."""
    from numba.core.runtime import _nrt_python, rtsys
    _nrt_python.memsys_enable_stats()
    stats = rtsys.get_allocation_stats()
    return stats.alloc - stats.free


def is_single(module, stage="compiled"):
    """May a rounding of single precision be in any of its numbers? Uncompiled, NumPy itself rounds."""
    return "compiled" in stage and re.search(r"float(32|16)|int8|bool", Path(module.__file__).read_text()) is not None  # small ints make half floats


def sums_products(module):
    """May the sign of a zero be that of an order of summation, which is the library's, or that of the equal number in a cache?"""
    return re.search(r"@|\b(dot|inner|vdot|matmul|tensordot|einsum|lru_cache)\b", Path(module.__file__).read_text()) is not None


def is_singular(module):
    """May it stand at a place where a function has a value and no derivative, though only what is multiplied by 0 comes from there?"""
    return re.search(r"\b(atan2|arctan2|hypot|dist|cbrt|sqrt|std)\b|\*\*", Path(module.__file__).read_text()) is not None


def judge_error(got, want, stage, call):
    if got is None and want is None:
        return
    if got is None:
        raise Failure("missing exception", f"{stage} {type(want).__name__}", f"{call}: Python raises {type(want).__name__}: {want}")
    if want is None:
        raise Failure("exception", f"{stage} {place(got)}", f"{call}: raised {type(got).__name__}: {str(got)[:600]}")
    if str(want) == "output array is read-only" and str(got).startswith("Cannot cast ufunc"):
        return                                   # one statement with two mistakes
    wrong = oracle.same_error(got, want)
    if wrong:
        raise Failure("other exception", f"{stage} {place(got)}", f"{call}: {wrong}")


def place(error):
    """The exception's class, the product's function that raised it, and the beginning of what it says."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/transformer/" in f.filename or "/runtime/" in f.filename]
    inner = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "?"
    said = re.sub(r"'[^']*'|\d+|\b[a-zA-Z]\w?\d*\b", "_", str(error).split("\n")[0])[:60]
    return f"{type(error).__name__} {inner}: {said}"


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
        value = want.value.__class__(value) if isinstance(want.value, float) and isinstance(value, np.float64) else value  # of a derivative NumPy's number will do
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
            raise Failure("exception", f"jvp {place(error)}", f"{call}: raised {type(error).__name__}: {str(error)[:600]}") from error
        if tangent is not None and np.isfinite(tangent) and np.isfinite(slope) and abs(tangent - slope) > 1e-6 * (1 + abs(slope)) and not is_single(plain):
            raise Failure("wrong derivative", "jvp against vjp", f"{call}: jvp {tangent}, vjp {slope}")
    guarded = is_guarded(plain.loss)
    if guarded:                                  # zeros of `_zeta` have no part in the result: differences leave them, derivatives may move them
        directions = held(plain.loss, numbers, args, directions)
    expected = differences(plain, arguments, numbers, directions)
    if expected is None:
        return
    report["derivatives"] += 1
    if not guarded and np.isnan(slope) and tangent is not None and (np.isfinite(tangent) or is_singular(plain)):
        return                                   # documented: 0 * inf of a value that nothing uses, in reverse; no derivative at a corner
    if not abs(slope - expected) <= (2e-2 if is_single(plain) else 2e-4) * (1 + abs(expected)) and not isolated(plain, ours, arguments, numbers, directions):
        known = guarded and tangent is not None and abs(tangent - expected) <= 2e-4 * (1 + abs(expected))  # made smaller, it stays guarded
        raise Failure("wrong derivative", stage + ", where jvp is right" * known, f"{call}: {slope} along {directions}, differences say {expected}, jvp {tangent}")


def isolated(plain, ours, arguments, numbers, directions) -> bool:
    """Is it one point where a formula has no derivative, or a test another answer than around it: are those beside it right?"""
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
    return type(x)(shifted(a, b, t) for a, b in zip(x, d)) if type(x) in (list, tuple) else np.asarray(x + t * d) if isinstance(x, np.ndarray) else type(x)(x + t * d)


def differences(plain, arguments, numbers, directions):
    """The slope along the directions, or None where differences of two sizes and from both sides do not agree."""
    def at(t):
        args = list(arguments_of(plain, arguments)[0])
        for k, d in zip(numbers, directions):
            args[k] = shifted(args[k], d, t)
        with kept(plain):
            y = plain.loss(*args)
        return np.nan if isinstance(y, (np.float32, np.float16)) else float(y)  # differences of so few digits say nothing
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
