"""`gradscribe cache`: what compiled code takes on disk, and how to be rid of it.

Only files that `runtime/compiler/cache.py` has named are counted and removed, and only in its folder itself: the folder
may be one in which somebody keeps other things.
"""
from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

from gradscribe.runtime.compiler import cache

from ._named_functions import BadUsage
from ._terminal import bytes_in_words, confirmed

OURS = re.compile(r".+_[0-9a-f]{24}\.py|.+\.[0-9a-f]{24}\.nbc")
UNFINISHED = re.compile(r"\.new-\w{8}")  # what is being written, or what a crash has left
AN_HOUR = 3600


@dataclass(frozen=True)
class KeptFile:
    name: str
    size: int


def print_cache_info(folder: Path) -> None:
    print(f"folder   {folder}")
    if (problem := unusable(folder)) is not None:
        print(f"state    {problem}")
        return
    with opened_folder(folder) as handle:
        files = kept_files(handle)
    compiled = [file for file in files if file.name.endswith(".nbc")]
    print(f"files    {len(files)}: {len(compiled)} of compiled code, {len(files) - len(compiled)} of generated source\n"
          f"bytes    {sum(file.size for file in files):,}")


def clear_cache(folder: Path, sure: bool) -> int:
    """Remove our files; the exit status."""
    if not folder.exists() and not folder.is_symlink():
        print(f"nothing to remove: there is no folder {folder}")
        return 0
    if (problem := unusable(folder)) is not None:
        print(f"gradscribe: nothing is removed from {folder}: {problem}", file=sys.stderr)
        return 1
    with opened_folder(folder) as handle:
        files = kept_files(handle)
        what = f"{len(files)} files, {bytes_in_words(sum(file.size for file in files))}"
        if files and not sure:
            if sys.stdin is None or not sys.stdin.isatty():  # None: it is closed
                raise BadUsage("nobody is there to be asked: add --yes")
            if not confirmed(f"Remove {what}, from {folder}?"):
                print("nothing is removed")
                return 0
        for file in files:
            with contextlib.suppress(FileNotFoundError):  # another process removes as well
                os.unlink(file.name, dir_fd=handle)
    print(f"removed {what}, from {folder}")
    return 0


def unusable(folder: Path) -> str | None:
    """What keeps us from a folder; None where nothing does."""
    if folder.is_symlink():
        return "it is a symbolic link"
    if not folder.exists():
        return "not there yet: the first compilation makes it"
    return cache.unsafe(folder) if folder.is_dir() else "it is no folder"


@contextlib.contextmanager
def opened_folder(folder: Path) -> Iterator[int]:
    """A handle of the folder, so that files are removed in the one that was looked at, whatever its name is by then."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield handle
    finally:
        os.close(handle)


def kept_files(handle: int) -> list[KeptFile]:
    """Our files, and what writing them has left behind, in the order of their names."""
    found = []
    with os.scandir(handle) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                status = entry.stat(follow_symlinks=False)
                late = UNFINISHED.fullmatch(entry.name) and time.time() - status.st_mtime > AN_HOUR
                if stat.S_ISREG(status.st_mode) and (late or OURS.fullmatch(entry.name)):
                    found.append(KeptFile(entry.name, status.st_size))
    return sorted(found, key=lambda file: file.name)
