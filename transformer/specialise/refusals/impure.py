"""Functions that do more than compute their result: refused, each with a way forward.

What such a function gives or leaves behind is not a function of the arguments.  Written into generated source it would
happen once where it should happen at each call, or twice, or never.
"""
from __future__ import annotations

import builtins
import io
import logging
import random
import sys
import types

import numpy as np

from ...errors.messages import ImpurityError
from ...frontend.module_names import module_of

RANDOM = ("hidden random state",
          "Draw the numbers before the call and pass them, or pass a key: gs.random.normal(key, x.shape). A generator "
          "of a known seed may be made inside: np.random.RandomState(3).randn(2).")
IO = "input or output", "Read before the call and pass what was read; write what the function returns."
CLOCK = "the clock", "Read the clock outside, around the call."
TODAY = ("now", "utcnow", "today", "fromtimestamp")
DEVICES = ("the devices of this process",
           "Call it before, outside of the function, and use what it gives; within gs.pmap, gs.lax.axis_size(name) and "
           "gs.lax.axis_index(name) say how many devices meet, and which one this is.")
STATE = "the state of the interpreter", "Compute the value outside, and pass it as an argument."
# of a change of what is outside of the function
BUILTINS = {"open": IO, "input": IO, "exec": STATE, "eval": STATE, "compile": STATE, "globals": STATE,
            "locals": STATE, "vars": STATE,
            "__import__": STATE, "setattr": STATE, "delattr": STATE, "id": STATE}
NUMPY = {name: IO for name in ("save", "savez", "savez_compressed", "savetxt", "load", "loadtxt", "genfromtxt",
                               "fromfile", "memmap")}
MODULES = {"random": RANDOM, "numpy.random": RANDOM, "secrets": RANDOM, "uuid": RANDOM, "time": CLOCK,
           "datetime": CLOCK, "pandas": CLOCK, "io": IO, "os": IO,
           "pathlib": IO, "shutil": IO, "subprocess": IO, "socket": IO, "logging": IO, "pickle": IO, "sys": STATE,
           "gc": STATE, "warnings": IO, "gradscribe._devices": DEVICES,
           "gradscribe.transformer.sharding.mesh": DEVICES, "gradscribe.transformer.sharding.sharded": DEVICES}
PUBLIC = {"posix": "os", "nt": "os"}  # a module in C -> that which users know
OWNERS = {np.random.Generator: RANDOM, np.random.RandomState: RANDOM, random.Random: RANDOM, io.IOBase: IO,
          logging.Logger: IO}


def reason(f) -> tuple[str, str] | None:
    """(what it touches, what to do instead) of a function that is not pure, as far as we know it."""
    name = getattr(f, "__name__", "")
    if is_builtin(f, name):
        return BUILTINS.get(name)
    if getattr(np, name, None) is f:
        return NUMPY.get(name)
    owner = getattr(f, "__self__", None)
    if owner is not None and not isinstance(owner, (types.ModuleType, type)):
        return next((why for cls, why in OWNERS.items() if isinstance(owner, cls)), None)
    module = module_of(f) or module_of(getattr(f, "__objclass__", owner))
    module = module if module in MODULES else module.partition("._")[0]
    return None if module in ("datetime", "pandas") and name not in TODAY else MODULES.get(module)


def is_builtin(f, name: str) -> bool:
    """Is it Python's function of this name?  By identity: what an object of a user's class is equal to, that says."""
    found = getattr(builtins, name, None)
    return found is not None and any([found is x for x in (f, getattr(f, "__wrapped__", f))])  # IPython wraps `open`


def refuse_impure(s, f) -> None:
    why = reason(f)
    if why is not None:
        s.fail(*worded(f, why), error=ImpurityError)


def worded(f, why) -> tuple[str, str]:
    """The message, and what to do instead."""
    return f"{title_of(f)} depends on {why[0]}" if why is not IO else f"{title_of(f)} does {why[0]}", why[1]


def title_of(f) -> str:
    """What a user calls a function: np.random.rand, open, np.add.reduceat, bisect.bisect_right."""
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None) or type(f).__name__
    if is_builtin(f, name):
        return name
    if f is getattr(np.random, getattr(f, "__name__", ""), None):  # a method of the hidden generator
        return f"np.random.{f.__name__}"
    owner = getattr(f, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"{title_of(owner)}.{f.__name__}"
    module, name = public_place(f, owner, name)
    if module.startswith("scipy."):
        return scipys(f, module, name)
    if (short := {"gradscribe": "gs", "pandas": "pd"}.get(module.split(".")[0])) is not None:
        return f"{short}.{name}"
    short = "np" + module[5:] if module.split(".")[0] == "numpy" and "._" not in module else module
    return f"{short}.{name}" if short and "._" not in short else name


def public_place(f, owner, name: str) -> tuple[str, str]:
    """(the module, the name) that users know: of _bisect.bisect_right, which is written in C, those of bisect."""
    if isinstance(f, np.ufunc):
        return "numpy" if getattr(np, name, None) is f else "scipy.special", name
    module = module_of(f) or (owner.__name__ if isinstance(owner, types.ModuleType) else "")
    public = next((m for m in (PUBLIC.get(module, module.lstrip("_")), module_of(type(owner)))
                   if m != "builtins" and getattr(sys.modules.get(m), getattr(f, "__name__", ""), None) is f), None)
    return (public, f.__name__) if public else (module, name)


def scipys(f, module: str, name: str) -> str:
    """What a user calls a function of SciPy: scipy.linalg.expm, scipy.stats.norm.logpdf, scipy.fft.fft."""
    public = module.partition("._")[0]
    if not hasattr(sys.modules[public], name.partition(".")[0]):
        public = next((m for m, x in sorted(sys.modules.items())
                       if m.startswith("scipy.") and "._" not in m and getattr(x, name, None) is f), public)
    owner = getattr(f, "__self__", None)
    if isinstance(f, types.MethodType) and not isinstance(owner, type):
        public, name = f"{public}.{getattr(owner, 'name', type(owner).__name__.removesuffix('_gen'))}", f.__name__
    return f"{public}.{name}"
