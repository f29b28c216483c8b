"""`gradscribe doctor`: what Gradscribe stands on here, whether it works, and what to do where it does not."""
from __future__ import annotations

import difflib
import importlib.metadata
import importlib.util
import linecache
import os
import platform
import re
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

import numpy as np

import gradscribe as gs
from gradscribe.runtime.compiler import cache
from gradscribe.runtime.cuda import backend
from gradscribe.runtime.devices import crew
from gradscribe.runtime.plain.parallel import threads

from ._terminal import print_marked

COLOURS = {"ok": "green", "note": "yellow", "WRONG": "bold red"}
OPTIONAL = {"rich": ("rich",), "mpi4py": ("mpi4py",), "numba-cuda": ("numba-cuda",),
            "cupy": ("cupy-cuda13x", "cupy-cuda12x", "cupy")}
READ = ("GRADSCRIBE_CACHE_DIR", "GRADSCRIBE_DEVICES", "GRADSCRIBE_THREADS", "GRADSCRIBE_KEEP_MEMORY",
        "GRADSCRIBE_PROGRESS", "GRADSCRIBE_PIPELINE", "GRADSCRIBE_TRACEBACK")
MATTER = re.compile(r"(GRADSCRIBE|OPENBLAS|OMP|MKL|BLIS|VECLIB|NUMBA)_\w+|CUDA_VISIBLE_DEVICES")
COMPUTE = {"OPENBLAS_CORETYPE": "OpenBLAS takes kernels for this processor, not for the one that is there",
           "OPENBLAS_L2_SIZE": "OpenBLAS cuts matrices for a cache of this size, not for the one that is there"}
TEXT = """\
import numpy as np

def energy(x):
    total = 0.0
    for v in x:
        if v > 0.0:
            total += np.sin(v) * v
    return total
"""


@dataclass(frozen=True)
class Checked:
    """One line of what was looked at."""

    mark: str  # "ok", "note", "WRONG"
    what: str
    text: str
    advice: str = ""


def doctor() -> int:
    """Print what was found; the exit status: 1 where something is wrong."""
    print(f"gradscribe {gs.__version__}, in {os.path.dirname(gs.__file__)}")
    wrong = []
    for checked in (*packages(), *blas(), *cores_and_threads(), *environment_variables(), gpu(), cache_folder(),
                    smoke_run()):
        print_marked(f"{checked.mark:5} ", COLOURS[checked.mark], f" {checked.what:14} {checked.text}")
        if checked.advice:
            print(f"{'':22}{checked.advice}")
        wrong += [checked] * (checked.mark == "WRONG")
    if not wrong:
        print_marked("all is well", COLOURS["ok"], "")
        return 0
    print_marked("wrong: ", COLOURS["WRONG"], ", ".join([checked.what for checked in wrong]))
    return 1


# packages -----------------------------------------------------------------------------------------
def packages() -> Iterator[Checked]:
    """Python, and the versions of what is installed, held against what this version of ours asks for."""
    yield Checked("ok", "python", f"{platform.python_version()}, {platform.system()} {platform.machine()}")
    for requirement in required_packages():
        name = re.match(r"[\w.-]+", requirement)[0]
        version = installed_version(name)
        if version is None:
            yield Checked("WRONG", name, "not installed", f"pip install '{requirement}'")
        elif not allows(requirement, version):
            yield Checked("WRONG", name, f"{version}, and {requirement} is needed", f"pip install '{requirement}'")
        else:
            yield Checked("ok", name, version)
    for title, names in OPTIONAL.items():
        found = [version for name in names if (version := installed_version(name))]
        yield Checked("ok", title, found[0] if found else "not installed, which is no problem")


def required_packages() -> list[str]:
    """What our package needs, without its extras; where it is not installed itself, names alone."""
    try:
        return sorted([r for r in importlib.metadata.requires("gradscribe") or [] if "extra ==" not in r])
    except importlib.metadata.PackageNotFoundError:
        return ["astor", "gast", "numba", "numpy", "optree", "scipy"]


def installed_version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def allows(requirement: str, version: str) -> bool:
    """Does `numpy>=2.0,<2.5` allow 2.4.6?  Letters of release candidates are not looked at."""
    def numbers(text):
        return tuple([int(n) for n in re.findall(r"\d+", text)])

    bounds = re.findall(r"(>=|<)\s*([\d.]+)", requirement)
    return all([numbers(version) >= numbers(to) if sign == ">=" else numbers(version) < numbers(to)
                for sign, to in bounds])


# the machine --------------------------------------------------------------------------------------
def blas() -> Iterator[Checked]:
    """What NumPy was built with; of what is loaded threadpoolctl knows more, where it is installed."""
    built = np.show_config(mode="dicts").get("Build Dependencies", {}).get("blas", {})
    yield Checked("ok", "BLAS", f"{built.get('name', 'unknown')} {built.get('version', '')}".rstrip())
    if importlib.util.find_spec("threadpoolctl") is not None:
        import threadpoolctl
        for pool in threadpoolctl.threadpool_info():
            yield Checked("ok", f"  {pool['internal_api']}", ", ".join([
                f"{pool.get('version')}", f"threads: {pool['num_threads']}",
                *([pool["architecture"]] if "architecture" in pool else [])]))


def cores_and_threads() -> Iterator[Checked]:
    yield Checked("ok", "cores", f"{crew.cores()}")
    yield Checked("ok", "threads", f"{threads()} for loops that threads share, once they are compiled")


def environment_variables() -> Iterator[Checked]:
    """Variables of the environment that change what is computed, or where."""
    for name, value in sorted(os.environ.items()):
        if MATTER.fullmatch(name) and not name.startswith("GRADSCRIBE_TEST"):
            yield checked_variable(name, value)


def checked_variable(name: str, value: str) -> Checked:
    if name in COMPUTE:
        return Checked("note", name, f"= {value}", f"{COMPUTE[name]}: unset it, unless you mean that.")
    if name.startswith("GRADSCRIBE_") and name not in READ:
        near = [f"Did you mean {known}?" for known in difflib.get_close_matches(name, READ, 1, cutoff=0.8)]
        return Checked("note", name, f"= {value}", " ".join(["Nothing reads it.", *near]))
    if name in ("GRADSCRIBE_DEVICES", "GRADSCRIBE_THREADS") and value and not (value.isdecimal() and int(value)):
        return Checked("WRONG", name, f"= {value}", "It is a number, from 1 on.")
    if name == "NUMBA_DISABLE_JIT" and value not in ("", "0"):
        return Checked("WRONG", name, f"= {value}", "numba compiles nothing with it: unset it.")
    return Checked("ok", name, f"= {value}")


def gpu() -> Checked:
    """A GPU is no must; CuPy is imported only where it is installed."""
    if (problem := backend.missing()) is None:
        return Checked("ok", "GPU", ", ".join([repr(d) for d in gs.devices("cuda")]) or "numba's simulator")
    seen = os.path.exists("/dev/nvidia0")
    return Checked("note" if seen else "ok", "GPU", "one is there, but not used" if seen else "none", problem * seen)


def cache_folder() -> Checked:
    """Is the folder private, and can it be written to?"""
    advice = "Set GRADSCRIBE_CACHE_DIR to a folder of your own; without one all is compiled anew in each process."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is said here
        folder = cache.folder()
    if folder is None:
        return Checked("WRONG", "cache", f"{cache.default_folder()} {why_unused(cache.default_folder())}", advice)
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".new-"):
            pass
    except OSError as error:
        return Checked("WRONG", "cache", f"{folder} cannot be written to: {error.strerror}", advice)
    return Checked("ok", "cache", f"{folder}, private and writable")


def why_unused(folder: Path) -> str:
    try:
        return f"is not used: {cache.unsafe(folder)}"
    except OSError as error:
        return f"cannot be made: {error.strerror}"


# a run --------------------------------------------------------------------------------------------
def smoke_run() -> Checked:
    """The gradient of a small function, plain and compiled, against what it is by hand."""
    try:
        energy, x = example_function(), np.array([0.5, -1.0, 2.0])
        right = np.where(x > 0.0, np.sin(x) + x * np.cos(x), 0.0)
        for title, gradient in (("plain", gs.grad(energy)), ("compiled", gs.jit(gs.grad(energy)))):
            result = gradient(x)
            if not np.allclose(result, right, rtol=1e-12, atol=1e-12):
                return Checked("WRONG", "smoke run", f"the gradient, {title}, is {result}, and should be {right}",
                               "Please report it, with all that stands above.")
    except Exception as error:
        return Checked("WRONG", "smoke run", f"{type(error).__name__}: {error}",
                       "Mend what is wrong above, if anything is; else please report it, with all of this.")
    return Checked("ok", "smoke run", "grad and jit of a small function: the right numbers")


def example_function():
    """A function as a user has it: not of this package, whose functions are read otherwise."""
    file, namespace = "<doctor's example>", {"__name__": "example"}
    linecache.cache[file] = len(TEXT), None, TEXT.splitlines(True), file
    exec(compile(TEXT, file, "exec", dont_inherit=True), namespace)
    return namespace["energy"]
