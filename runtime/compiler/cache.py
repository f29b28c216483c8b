"""What is made once and kept on disk: generated modules, so that tracebacks show their lines, and what numba has
compiled of them.

The folder is the user's own: one that somebody else owns or can write to is not used, because what lies there is
executed.  A file is named by the hash of everything that it is made from.  The text of a module is compared with what
is wanted of it; all else begins with a digest of its name and of what follows, and is read only if that is right: what
a crash or a failing disk has left is removed and made again.  What cannot be written is not kept.
"""
from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import linecache
import os
import stat
import sys
import tempfile
import time
import warnings
from pathlib import Path
from types import FunctionType, ModuleType

PACKAGES = ("numba", "llvmlite", "numpy", "scipy")
STARTED = time.time()  # what is newer on disk may not be what this process has loaded
SIZE = 16  # bytes of a digest


def default_folder() -> Path:
    """$GRADSCRIBE_CACHE_DIR, else the user's cache folder."""
    if wanted := os.environ.get("GRADSCRIBE_CACHE_DIR"):
        return Path(wanted)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "gradscribe"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gradscribe"


def folder() -> Path | None:
    """The folder that files go to: private and ours, else none."""
    try:
        return _folder(str(default_folder()))
    except RuntimeError as error:  # the user has no folder
        not_kept(str(error))
        return None


@functools.lru_cache(maxsize=None)
def _folder(wanted: str) -> Path | None:
    path = Path(wanted)
    try:
        make(path)
        problem = unsafe(path)
    except OSError as error:
        problem = str(error)
    if problem is None:
        return path
    not_kept(f"the cache folder {path} is not used: {problem}")
    return None


@functools.lru_cache(maxsize=None)
def not_kept(problem: str) -> None:
    """Warn, once."""
    warnings.warn(f"gradscribe: {problem}. Compiled code is not kept. "
                  "(Set GRADSCRIBE_CACHE_DIR to a folder of your own.)", stacklevel=2)


def make(path: Path) -> None:
    """Make a folder for the user alone, whatever the umask, and those above it that are not there."""
    if not path.is_dir():
        make(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)
        path.chmod(0o700)


def unsafe(path: Path) -> str | None:
    """Why what lies in this folder cannot be trusted; None if it can."""
    if not hasattr(os, "getuid"):
        return None
    status = path.stat()
    if status.st_uid != os.getuid():
        return "another user owns it"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others can write to it"
    return None


@functools.lru_cache(maxsize=None)
def fingerprint() -> str:
    """The hash of what compiled code depends on besides its own text."""
    parts = [sys.version, sys.platform]
    parts += [f"{p} {importlib.metadata.version(p)}" for p in PACKAGES]
    here = Path(__file__).parents[1]  # all of runtime
    files = sorted(here.rglob("*.py"))
    parts += [part for p in files for part in (p.relative_to(here).as_posix(), p.read_text("utf-8"))]
    if any(changed_at(p) > STARTED for p in files):  # an update while this process runs: what it compiles is its own
        parts.append(os.urandom(SIZE).hex())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def changed_at(path: Path) -> float:
    status = path.stat()
    return max(status.st_mtime, status.st_ctime)


def origin(function: FunctionType) -> str:
    """The hash of the file that a function stands in; nothing where it has none."""
    try:
        return hashlib.sha256(Path(function.__code__.co_filename).read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def load(name: str, text: str) -> ModuleType:
    """The module with this text, from a file of its own."""
    digest = hashlib.sha256(f"{fingerprint()}\0{text}".encode()).hexdigest()[:24]
    title = f"gradscribe_{name}_{digest}"
    file = written_path(f"{name}_{digest}.py", text.encode())
    if file is None:
        file = f"<{title}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    module = ModuleType(title)
    module.__file__ = file
    sys.modules[title] = module  # what is compiled finds the module of a function by its name
    exec(compile(text, file, "exec"), module.__dict__)
    return module


def written_path(name: str, data: bytes) -> str | None:
    """The path of the file of this name, with exactly this in it; None if it cannot be written."""
    if (place := folder()) is None:
        return None
    try:
        same = (place / name).read_bytes() == data
    except OSError:
        same = False
    return str(place / name) if same or write_file(place / name, data) else None


def write_file(place: Path, data: bytes) -> bool:
    """Write a file so that readers see all of it or nothing.  Could it be written?"""
    try:
        make(place.parent)
        handle, temporary = tempfile.mkstemp(dir=place.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(temporary, 0o600)
            os.replace(temporary, place)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        not_kept(f"nothing can be written to {place.parent}: {error.strerror}")
        return False
    return True


def store(name: str, data: bytes) -> None:
    """Keep bytes under a name."""
    if (place := folder()) is not None:
        write_file(place / name, digest_of(name, data) + data)


def fetch(name: str) -> bytes | None:
    """What is kept under a name, if it is whole."""
    if (place := folder()) is None:
        return None
    try:
        data = (place / name).read_bytes()
        if data[:SIZE] == digest_of(name, data[SIZE:]):
            return data[SIZE:]
        (place / name).unlink()
    except OSError:
        pass
    return None


def digest_of(name: str, data: bytes) -> bytes:
    """It is of the name, too: no file can take the place of another."""
    return hashlib.blake2b(f"{name}\0".encode() + data, digest_size=SIZE).digest()
