"""The command line: `cache`, `doctor` and `completion`."""
import os
import re
import subprocess
import sys
import time

import numpy as np
import pytest

import gradscribe as gs
from gradscribe import _doctor
from gradscribe._completion import words_after
from gradscribe._doctor import Checked, allows, checked_variable
from gradscribe.runtime.compiler import cache
from tests.support.command_line import COMMANDS, ESCAPE, command, model, terminal  # noqa: F401
from tests.support.imports import ROOT

# cache --------------------------------------------------------------------------------------------
DIGEST = "0123456789abcdef01234567"
KEPT = {f"f_{DIGEST}.py": b"x" * 100, f"gradscribe_f.f.{DIGEST}.nbc": b"x" * 1000}
NOT_OURS = ("notes.txt", "model.py", f"g_{DIGEST}.pyc", f"f_{DIGEST[1:]}.py", ".new-a.txt")


@pytest.fixture
def kept(tmp_path, monkeypatch):
    folder = tmp_path / "kept files"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(folder))
    for name, data in {**KEPT, **dict.fromkeys(NOT_OURS, b"mine")}.items():
        (folder / name).write_bytes(data)
    (folder / f"d_{DIGEST}.py").mkdir()
    (folder / f"l_{DIGEST}.py").symlink_to(folder / "notes.txt")
    return folder


def left(folder):
    return {path.name for path in folder.iterdir()}


def test_what_is_kept(command, kept):
    status, out, _ = command("cache", "info")
    assert status == 0 and str(kept) in out and "1 of compiled code, 1 of generated source" in out and "1,100" in out


def test_only_what_is_ours_is_removed(command, kept):
    for name, age in ((".new-old-file", 7200), (".new-abcd1234", 7200), (".new-abcd5678", 60)):
        (kept / name).write_bytes(b"x")
        os.utime(kept / name, (time.time() - age,) * 2)
    before = left(kept)
    status, out, _ = command("cache", "clear", "--yes")
    assert status == 0 and out == f"removed 3 files, 1.1 kB, from {kept}\n"
    assert before - left(kept) == {*KEPT, ".new-abcd1234"} and (kept / "notes.txt").read_bytes() == b"mine"


def test_a_real_cache_is_cleared(command, tmp_path, monkeypatch):
    folder = tmp_path / "real"
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(folder))
    cache.store(f"f.{DIGEST}.nbc", b"data")
    assert cache.load("f", "def f():\n    return 1\n").f() == 1 and len(left(folder)) == 2
    assert command("cache", "clear", "--yes")[0] == 0 and not left(folder)
    assert command("cache", "clear", "--yes")[1].startswith("removed 0 files")


def test_a_folder_that_is_not_there(command, tmp_path, monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(tmp_path / "none"))
    assert "not there yet" in command("cache", "info")[1]
    assert command("cache", "clear", "--yes")[:2] == (0, f"nothing to remove: there is no folder {tmp_path / 'none'}\n")
    assert not (tmp_path / "none").exists()


def test_folders_that_are_refused(command, kept, tmp_path, monkeypatch):
    before = left(kept)
    (tmp_path / "link").symlink_to(kept)
    for place, why in ((tmp_path / "link", "symbolic link"), (kept, "others can write to it")):
        monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(place))
        kept.chmod(0o777)
        status, out, err = command("cache", "clear", "--yes")
        assert status == 1 and not out and why in err and left(kept) == before
        assert why in command("cache", "info")[1]


def test_nobody_is_asked_without_a_terminal(command, kept, monkeypatch):
    monkeypatch.setattr(sys, "stdin", open(os.devnull))
    status, out, err = command("cache", "clear")
    assert status == 2 and "add --yes" in err and {*KEPT} <= left(kept)
    sys.stdin.close()


@pytest.mark.parametrize("typed, gone", [("y\n", True), ("n\n", False), ("\n", False), ("\x04", False)])
def test_on_a_terminal_one_is_asked(terminal, kept, typed, gone):
    status, seen = terminal("cache", "clear", typed=typed)
    assert status == 0 and f"Remove 2 files, 1.1 kB, from {kept}? [y/N]" in seen
    assert ({*KEPT} <= left(kept)) != gone and ("nothing is removed" in seen) != gone


# doctor -------------------------------------------------------------------------------------------
@pytest.fixture
def sound(monkeypatch):
    """A machine on which nothing is wrong, that is quickly looked at."""
    for name in [name for name in os.environ if _doctor.MATTER.fullmatch(name)]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(_doctor, "smoke_run", lambda: Checked("ok", "smoke run", "right"))


def test_all_is_well(command):
    status, out, _ = command("doctor")
    assert status == 0 and out.endswith("all is well\n")
    for what in ("python", "numpy", "numba", "scipy", "cupy", "BLAS", "threads", "GPU", "cache", "smoke run"):
        assert re.search(rf"^(ok|note) +{what} ", out, re.M), what


def test_a_folder_that_others_can_write_to(command, sound, tmp_path, monkeypatch):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(tmp_path / "open"))
    status, out, _ = command("doctor")
    assert status == 1 and "others can write to it" in out and "Set GRADSCRIBE_CACHE_DIR" in out
    assert out.endswith("wrong: cache\n")


def test_a_folder_that_cannot_be_made(command, sound, monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", os.path.abspath("model.py") + "/kept")
    status, out, _ = command("doctor")
    assert status == 1 and "cannot be made: " in out


def test_a_wrong_number_is_found(command, monkeypatch):
    monkeypatch.setattr(gs, "grad", lambda f: lambda x: np.ones(3))
    found = _doctor.smoke_run()
    assert found.mark == "WRONG" and "the gradient, plain, is [1. 1. 1.]" in found.text


def test_what_is_raised_is_found(monkeypatch):
    monkeypatch.setattr(gs, "jit", lambda f: 1 / 0)
    assert _doctor.smoke_run().text.startswith("ZeroDivisionError")


def test_packages_that_do_not_fit(monkeypatch):
    monkeypatch.setattr(_doctor, "required_packages", lambda: ["numpy<2.0,>=1.0", "no-such-package>=1"])
    marks = {checked.what: (checked.mark, checked.advice) for checked in _doctor.packages()}
    assert marks["numpy"] == ("WRONG", "pip install 'numpy<2.0,>=1.0'")
    assert marks["no-such-package"] == ("WRONG", "pip install 'no-such-package>=1'")


@pytest.mark.parametrize("requirement, version, fits", [
    ("numpy<2.5,>=2.0", "2.4.6", True), ("numpy<2.5,>=2.0", "2.5.0", False), ("numba<0.69,>=0.68", "0.68", True),
    ("numba<0.69,>=0.68", "0.67.1", False), ("astor", "0.1", True), ("astor<0.9,>=0.8.1", "0.10", False)])
def test_versions_are_compared(requirement, version, fits):
    assert allows(requirement, version) == fits


@pytest.mark.parametrize("name, value, mark, said", [
    ("OPENBLAS_CORETYPE", "Haswell", "note", "unset it"), ("OMP_NUM_THREADS", "1", "ok", ""),
    ("GRADSCRIBE_THREADS", "2", "ok", ""), ("GRADSCRIBE_THREADS", "two", "WRONG", "a number"),
    ("GRADSCRIBE_THREAD", "2", "note", "Did you mean GRADSCRIBE_THREADS?"), ("GRADSCRIBE_X", "", "note", "Nothing"),
    ("NUMBA_DISABLE_JIT", "1", "WRONG", "unset it"), ("NUMBA_DISABLE_JIT", "0", "ok", "")])
def test_variables(name, value, mark, said):
    checked = checked_variable(name, value)
    assert checked.mark == mark and said in checked.advice and bool(said) == bool(checked.advice)


def test_variables_that_are_read_are_known():
    text = "".join([path.read_text() for folder in ("gradscribe", "transformer", "runtime")
                    for path in (ROOT / folder).rglob("*.py") if path.name != "_doctor.py"])
    assert {*re.findall(r"environ(?:\.get\(|\[)[\"'](GRADSCRIBE_\w+)", text)} == {*_doctor.READ}


def test_colours_on_a_terminal_and_none_with_no_color(terminal, sound, monkeypatch):
    pytest.importorskip("rich")
    status, seen = terminal("doctor")
    assert status == 0 and ESCAPE in seen and "all is well" in seen
    monkeypatch.setenv("NO_COLOR", "1")
    status, seen = terminal("doctor")
    assert status == 0 and ESCAPE not in seen and "all is well" in seen


def test_rich_is_not_needed(terminal, sound, monkeypatch):
    find = _doctor.importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *of: None if name == "rich" else find(name, *of))
    status, seen = terminal("doctor")
    assert status == 0 and ESCAPE not in seen


# completion ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_all_commands_are_completed(command, shell):
    status, out, _ = command("completion", shell)
    assert status == 0
    for name, (parser, _) in COMMANDS.items():
        assert re.search(rf"\b{name}\b", out), name
        for word in words_after(parser):
            assert re.search(rf"(?<!\w){word.lstrip('-')}\b", out), word


@pytest.mark.parametrize("words, completed", [
    (["ca"], "cache"), (["cache", "cl"], "clear"), (["grad", "--arg"], "--argnums"), (["completion", "z"], "zsh"),
    (["grad", "model"], ""), (["--v"], "--version")])
def test_bash_completes(command, words, completed):
    script = command("completion", "bash")[1]
    line = f'COMP_WORDS=(gradscribe {" ".join(words)}); COMP_CWORD={len(words)}; _gradscribe; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", script + line], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == (completed, "")


@pytest.mark.parametrize("words, closed, want", [("cache clear", "<&-", 2), ("jit m.py:f --at 1.0", ">&-", 0)])
def test_closed_streams(kept, words, closed, want, tmp_path):
    (tmp_path / "m.py").write_text("def f(x): return x * 2.0\n")
    done = subprocess.run(["sh", "-c", f'cd "{tmp_path}" && "{sys.executable}" -m gradscribe {words} {closed}'],
                          stderr=subprocess.PIPE, text=True)
    assert done.returncode == want and "Error" not in done.stderr
    assert {*KEPT} <= left(kept)
