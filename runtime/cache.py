"""Modules of generated text on disk, so that tracebacks show their lines and numba's cache finds them again.

The folder is the user's own: one that somebody else owns or can write to is not used, because what lies
there is executed.  A module is named by the hash of everything it is made from; a file is rewritten when its
content is not exactly the text.
"""
from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import stat
import sys
import tempfile
import warnings
from pathlib import Path
from types import ModuleType

from . import stock

PACKAGES = ("numba", "llvmlite", "numpy", "scipy")


def default_folder() -> Path:
    """$GRADSCRIBE_CACHE_DIR, else the user's cache folder."""
    if "GRADSCRIBE_CACHE_DIR" in os.environ:
        return Path(os.environ["GRADSCRIBE_CACHE_DIR"])
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "gradscribe"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gradscribe"


def folder() -> Path:
    """The folder that modules go to: private and ours, else a temporary one for this process."""
    return _folder(str(default_folder()))


@functools.lru_cache(maxsize=None)
def _folder(wanted: str) -> Path:
    path = Path(wanted)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        problem = unsafe(path)
    except OSError as error:
        problem = str(error)
    if problem is None:
        return path
    warnings.warn(f"gradscribe: the cache folder {path} is not used: {problem}. Compiled code is not kept. "
                  "(Set GRADSCRIBE_CACHE_DIR to a folder of your own.)", stacklevel=4)
    return _temporary()


@functools.lru_cache(maxsize=None)
def _temporary() -> Path:
    """A folder that goes away with the process."""
    holder = tempfile.TemporaryDirectory(prefix="gradscribe-")
    _temporary.holder = holder
    return Path(holder.name)


def unsafe(path: Path) -> str | None:
    """Why what lies in this folder cannot be trusted; None if it can."""
    if not hasattr(os, "getuid"):
        return None
    status = path.stat()
    if status.st_uid != os.getuid():
        return "another user owns it"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others can write to it"
    if not os.access(path, os.W_OK):
        return "it is read-only"
    return None


@functools.lru_cache(maxsize=None)
def fingerprint() -> str:
    """The hash of what compiled code depends on besides its own text."""
    parts = [sys.version, sys.platform, "stock" if stock.chosen() else ""]
    parts += [f"{p} {importlib.metadata.version(p)}" for p in PACKAGES]
    here = Path(__file__).parent
    parts += [f"{p.name}\n{p.read_text()}" for p in sorted(here.glob("*.py"))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def load(name: str, text: str) -> ModuleType:
    """The module with this text, from a file of its own."""
    digest = hashlib.sha256(f"{fingerprint()}\0{text}".encode()).hexdigest()[:24]
    place = folder() / f"{name}_{digest}.py"
    data = text.encode()
    try:
        same = place.read_bytes() == data
    except OSError:
        same = False
    if not same:
        write(place, data)
    title = f"gradscribe_{name}_{digest}"
    module = ModuleType(title)
    module.__file__ = str(place)
    sys.modules[title] = module  # numba's cache finds the module of a function by its name
    exec(compile(text, str(place), "exec"), module.__dict__)
    return module


def write(place: Path, data: bytes) -> None:
    """Write a file so that readers see all of it or nothing."""
    handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, place)
    except BaseException:
        os.unlink(temporary)
        raise
