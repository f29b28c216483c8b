"""What a program gives, keeps and raises, run plainly and transformed; is it the same?"""
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
import weakref
import zlib
from pathlib import Path

import numpy as np

import gradscribe as gs

from . import oracle

COUNT = itertools.count()
EPS = 1e-5


class Failure(Exception):
    """A program on which Gradscribe is wrong: (kind, where or what, details).
    Two with one kind and place are one finding."""

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


def entry(step):
    """("f" or "loss", its arguments as text) if the step is a call of it."""
    tree = ast.parse(step).body[0]
    if (isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call) and isinstance(tree.value.func, ast.Name)
            and tree.value.func.id in ("f", "loss")):
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
        v, (type, types.ModuleType, np.ufunc))
               and not hasattr(v, "__wrapped__") and not (callable(v) and hasattr(v, "__name__"))}


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
        todo += (dict.values(part) if isinstance(part, dict) else tuple.__iter__(part) if isinstance(part, tuple)
                 else list.__iter__(part) if isinstance(part, list) else ())
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
        if (any(array() is not None for array in arrays)
                and (gc.collect(), any(array() is not None for array in arrays))[1]):
            raise Failure("leak", "an argument", f"f({text}) keeps an array when it raises")
    if allocated() - before >= calls:
        raise Failure("leak", "memory",
                      f"f({text}) keeps {allocated() - before} pieces of memory of {calls} calls that raise")


def allocated():
    """How many pieces of memory compiled code has in use."""
    from numba.core.runtime import _nrt_python, rtsys
    _nrt_python.memsys_enable_stats()
    stats = rtsys.get_allocation_stats()
    return stats.alloc - stats.free


def is_single(module, stage="compiled"):
    """May a rounding of single precision be in any of its numbers? Uncompiled, NumPy itself rounds."""
    # small ints make half floats
    return "compiled" in stage and re.search(r"float(32|16)|int8|bool", Path(module.__file__).read_text()) is not None


def sums_products(module):
    """May the sign of a zero be that of an order of summation, which is the library's,
    or that of the equal number in a cache?"""
    return re.search(r"@|\b(dot|inner|vdot|matmul|tensordot|einsum|lru_cache)\b",
                     Path(module.__file__).read_text()) is not None


def is_singular(module):
    """May it stand at a place where a function has a value and no derivative,
    though only what is multiplied by 0 comes from there?"""
    return re.search(r"\b(atan2|arctan2|hypot|dist|cbrt|sqrt|std)\b|\*\*",
                     Path(module.__file__).read_text()) is not None


def judge_error(got, want, stage, call):
    if got is None and want is None:
        return
    if got is None:
        raise Failure("missing exception", f"{stage} {type(want).__name__}",
                      f"{call}: Python raises {type(want).__name__}: {want}")
    if want is None:
        raise Failure("exception", f"{stage} {place(got)}", f"{call}: raised {type(got).__name__}: {str(got)[:600]}")
    if str(want) == "output array is read-only" and str(got).startswith("Cannot cast ufunc"):
        return                                   # one statement with two mistakes
    wrong = oracle.same_error(got, want)
    if wrong:
        raise Failure("other exception", f"{stage} {place(got)}", f"{call}: {wrong}")


def place(error):
    """The exception's class, the product's function that raised it, and the beginning of what it says."""
    frames = [f for f in traceback.extract_tb(error.__traceback__)
              if "/transformer/" in f.filename or "/runtime/" in f.filename]
    inner = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "?"
    said = re.sub(r"'[^']*'|\d+|\b[a-zA-Z]\w?\d*\b", "_", str(error).split("\n")[0])[:60]
    return f"{type(error).__name__} {inner}: {said}"
