"""Compiling in a process of its own, for who does not wait: it has another core, and Python's lock to itself, and
leaves what it has compiled on disk, where this process finds it.

    python -m gradscribe.runtime.loading.compile_process < what is to be compiled
"""
from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
from pathlib import Path

from ..compiler import cache

LONG = 250  # lines of a module, from which on it pays: the process takes a second to begin
running: set[subprocess.Popen] = set()


def compile_apart(entry: str, text: str, types: tuple) -> bool:
    """Wait until the module's entry, for these types, lies on disk; False where it does not, for whatever reason."""
    if text.count("\n") < LONG or cache.folder() is None or not Path(sys.executable or "").name.startswith("python"):
        return False
    paths = os.pathsep.join([path or os.getcwd() for path in sys.path])
    try:
        # -P: what lies in the current folder, and has the name of a module of Python's, is not run;
        # of its own session: a keyboard interrupt is not for it
        process = subprocess.Popen([sys.executable, "-P", "-m", __name__], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                   env={**os.environ, "PYTHONPATH": paths})
    except OSError:
        return False
    running.add(process)
    try:
        process.communicate(pickle.dumps((entry, text, types)))
    except OSError:  # it has ended before it has read
        return False
    finally:
        running.discard(process)
    return process.returncode == 0


@atexit.register
def stop_processes() -> None:
    """Nobody waits for what they compile."""
    for process in [*running]:
        process.kill()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=running.clear)  # they are the parent's


if __name__ == "__main__":
    from .targets import compiled_module
    entry, text, types = pickle.load(sys.stdin.buffer)
    compiled_module(entry, text).compile(types)
