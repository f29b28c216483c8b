"""What lies in the cache is right, or made again: whatever has happened to its files."""
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

from gradscribe.runtime.compiler import cache, stock

ROOT = Path(__file__).parents[2]
TEXT = "def f():\n    return 1\n"
NAME, DATA = "f.nbc", bytes(range(256)) * 2
# a gradient with an exponential and a kernel of the library: each of these is kept in a file of its own
PROGRAM = """
import resource
import sys
import warnings
if len(sys.argv) > 1:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
import numpy as np
import gradscribe as gs
from numba.core import event

def f(x):
    return np.sum(np.exp(np.cumprod(x[0])))

print("ready", flush=True)
input()
with event.install_recorder("numba:compile") as recorder, warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    got = gs.jit(gs.grad(f))(np.array([[2.0, 0.5], [0.1, 1.5]]))
ours = [str(w.message) for w in warned if "gradscribe" in str(w.message)]
print(*got.ravel().tolist(), len(recorder.buffer), len(ours), *ours)
"""
VALUES = [8.748197013160173, 5.436563656918091, 0.0, 0.0]


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(tmp_path / "cache"))
    cache.not_kept.cache_clear()
    return tmp_path / "cache"


def child(folder, *args):
    program = folder.parent / "program.py"
    program.write_text(PROGRAM)
    return subprocess.Popen([sys.executable, program, *map(str, args)], cwd=ROOT, text=True, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, env=os.environ | {"GRADSCRIBE_CACHE_DIR": str(folder)})


def said(*processes) -> list[tuple[list[float], int, int, str]]:
    """Of processes that start at once: the gradient, how many functions were compiled, how many warnings, and which."""
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        print(file=process.stdin, flush=True)
    told = []
    for process in processes:
        out = process.communicate()[0].split()
        assert process.returncode == 0
        told.append((list(map(float, out[:4])), int(out[4]), int(out[5]), " ".join(out[6:])))
    return told


def files(folder) -> dict:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


# damage -----------------------------------------------------------------------------------------------
def damaged(data: bytes):
    """Each bit of some bytes the other way, cut at many lengths, and longer."""
    for k in (*range(40), 255, len(data) // 2, len(data) - 1):
        for bit in range(8):
            yield data[:k] + bytes([data[k] ^ 1 << bit]) + data[k + 1:]
    yield from (data[:n] for n in (*range(40), 100, len(data) - 1))
    yield from (data + b"\0", b"\0" * len(data), data + data)


def test_what_is_not_whole_is_removed(own_folder):
    cache.store(NAME, DATA)
    whole = (own_folder / NAME).read_bytes()
    assert cache.fetch(NAME) == DATA
    for data in damaged(whole):
        (own_folder / NAME).write_bytes(data)
        assert cache.fetch(NAME) is None and not (own_folder / NAME).exists()
    cache.store(NAME, DATA)
    assert cache.fetch(NAME) == DATA


def test_no_file_takes_the_place_of_another(own_folder):
    cache.store(NAME, DATA)
    shutil.copy(own_folder / NAME, own_folder / "g.nbc")
    assert cache.fetch("g.nbc") is None and cache.fetch(NAME) == DATA


def test_a_damaged_text_is_written_again(own_folder):
    module = cache.load("f", TEXT)
    for data in (*damaged(TEXT.encode() * 30), TEXT.replace("1", "2").encode()):
        Path(module.__file__).write_bytes(data)
        again = cache.load("f", TEXT)
        assert again.__file__ == module.__file__ and again.f() == 1 and Path(module.__file__).read_text() == TEXT


def test_what_numba_cannot_read_is_compiled_again(own_folder):
    """A right digest, and what no version of numba has written."""
    from gradscribe.runtime.compiler.kept import kept
    assert kept(twice)(3.0) == 6.0
    (name,) = files(own_folder)
    right = cache.fetch(name)
    for data in (b"", b"no pickle", pickle.dumps((1, 2)), pickle.dumps([None] * 9)):
        cache.store(name, data)
        assert kept(twice)(3.0) == 6.0 and abs(len(cache.fetch(name)) - len(right)) < 100  # names in it are counted


def twice(x):
    return 2.0 * x


def a_bit(data):
    return data[:len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1:]


@pytest.mark.heavy(one_in=44)
@pytest.mark.parametrize("change", [a_bit, lambda data: data[:len(data) // 3], lambda data: b""],
                         ids=["a bit", "cut", "empty"])
def test_each_kind_of_file_is_made_again(compiled_once, tmp_path, change):
    """The folder after a crash: the next process compiles, and the one after it finds all as it was."""
    folder, want = tmp_path / "cache", files(compiled_once)
    shutil.copytree(compiled_once, folder)
    for path in folder.iterdir():
        path.write_bytes(change(path.read_bytes()))
    ((values, compiled, warned, _),) = said(child(folder))
    np.testing.assert_allclose(values, VALUES, rtol=1e-12)
    assert compiled > 0 and warned == 0 and files(folder).keys() == want.keys()
    assert all(len(data) == len(want[name]) for name, data in files(folder).items())


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory):
    """A folder in which three processes have compiled at once, and from which a fourth has loaded."""
    folder = tmp_path_factory.mktemp("cache") / "cache"
    told = said(*[child(folder) for _ in range(3)]) + said(child(folder))
    for values, *_ in told:
        np.testing.assert_allclose(values, VALUES, rtol=1e-12)
    compiled = [compiled > 0 for _, compiled, *_ in told]
    assert any(compiled[:3]) and not compiled[3]  # one of the three may have waited for a core until all was there
    names = files(folder)
    assert all(any(part in name for name in names)
               for part in ("vectormath.exp", "running._before_kernel", ".f.", ".py"))
    return folder


# what cannot be written -------------------------------------------------------------------------------
@pytest.mark.heavy(one_in=10)
@pytest.mark.parametrize("size", [0, 3000])
def test_a_full_disk(tmp_path, size):
    """Not a byte more, or not all of a file: nothing is kept, which is said once."""
    ((values, compiled, warned, message),) = said(child(tmp_path / "cache", size))
    np.testing.assert_allclose(values, VALUES, rtol=1e-12)
    assert compiled > 0 and warned == 1 and "Compiled code is not kept" in message
    assert all(name.endswith(".py") and size for name in files(tmp_path / "cache"))


def test_a_disk_that_cannot_be_written_to_is_read(own_folder, monkeypatch):
    cache.store(NAME, DATA)
    first = cache.load("f", TEXT)

    def mkstemp(**_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(tempfile, "mkstemp", mkstemp)
    assert cache.fetch(NAME) == DATA and cache.load("f", TEXT).__file__ == first.__file__
    with pytest.warns(UserWarning, match="Read-only file system. Compiled code is not kept"):
        module = cache.load("g", "def g():\n    raise ValueError\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # one warning is enough
        cache.store("g.nbc", DATA)
    assert cache.fetch("g.nbc") is None and not list(own_folder.glob("*g*"))
    import traceback
    with pytest.raises(ValueError) as caught:
        module.g()
    assert traceback.extract_tb(caught.tb)[-1].line == "raise ValueError"


def test_a_folder_that_is_removed_meanwhile(own_folder):
    cache.load("f", TEXT)
    shutil.rmtree(own_folder)
    cache.store(NAME, DATA)
    assert cache.fetch(NAME) == DATA and own_folder.stat().st_mode & 0o777 == 0o700


def test_a_user_without_a_folder(monkeypatch):
    def home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)
    for name in ("GRADSCRIBE_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    cache.not_kept.cache_clear()
    with pytest.warns(UserWarning, match="home directory"):
        assert cache.load("f", TEXT).f() == 1


# who may write ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("umask", [0, 0o777])
def test_the_folder_is_private_whatever_the_umask(tmp_path, monkeypatch, umask):
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", str(tmp_path / "above" / "cache"))
    before = os.umask(umask)
    try:
        cache.load("f", TEXT)
        cache.store(NAME, DATA)
    finally:
        os.umask(before)
    modes = {str(path.relative_to(tmp_path)): path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    assert modes.pop("above") == modes.pop("above/cache") == 0o700
    assert len(modes) == 2 and set(modes.values()) == {0o600}


def test_a_folder_that_others_can_write_to_is_not_used(own_folder):
    own_folder.mkdir()
    own_folder.chmod(0o777)
    with pytest.warns(UserWarning, match="others can write to it"):
        module = cache.load("f", TEXT)
    assert not module.__file__.startswith(str(own_folder)) and not list(own_folder.iterdir())
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # one warning is enough
        cache.store(NAME, DATA)
    assert cache.fetch(NAME) is None and not list(own_folder.iterdir())


@pytest.mark.heavy(one_in=7)
def test_what_numba_has_of_its_own_is_not_asked(compiled_once):
    """No folder in the folder, which would have to be looked at as well; no index, which might be believed."""
    assert {path.suffix for path in compiled_once.iterdir()} == {".py", ".nbc"}
    assert all(path.is_file() and path.stat().st_mode & 0o777 == 0o600 for path in compiled_once.iterdir())


def test_an_empty_variable_is_no_folder(monkeypatch):
    monkeypatch.delenv("GRADSCRIBE_CACHE_DIR", raising=False)
    want = cache.default_folder()
    monkeypatch.setenv("GRADSCRIBE_CACHE_DIR", "")
    assert cache.default_folder() == want and want.is_absolute()


# what compiled code is made of ------------------------------------------------------------------------
def test_other_runtime_sources_make_other_files(own_folder, monkeypatch):
    first = cache.load("f", TEXT).__file__
    monkeypatch.setattr(cache, "fingerprint", lambda: "another")
    assert cache.load("f", TEXT).__file__ != first


def test_the_fingerprint_is_of_all_files(tmp_path, monkeypatch):
    here = tmp_path / "runtime"
    shutil.copytree(Path(cache.__file__).parents[1], here, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "__file__", str(here / "compiler" / "cache.py"))
    monkeypatch.setattr(cache, "STARTED", float("inf"))
    found = {cache.fingerprint.__wrapped__()}
    for name in ("plain/scalars.py", "cuda/device.py", "cuda/host.py"):
        (here / name).write_text((here / name).read_text() + "\n")
        found.add(cache.fingerprint.__wrapped__())
    (here / "cuda" / "special.py").rename(here / "cuda" / "other.py")
    assert len(found | {cache.fingerprint.__wrapped__()}) == 5
    assert cache.fingerprint.__wrapped__() == cache.fingerprint.__wrapped__()


def test_an_update_while_a_process_runs_is_not_what_it_compiles(monkeypatch):
    """The files are newer than what it has loaded of them: nobody else may take what it makes."""
    monkeypatch.setattr(cache, "STARTED", 0.0)
    assert cache.fingerprint.__wrapped__() != cache.fingerprint.__wrapped__()


def test_other_settings_and_types_and_cpus_make_other_files(own_folder, tmp_path, monkeypatch):
    from numba import config, float64, int64
    from numba.core.registry import cpu_target
    from numba.core.types import Array

    from gradscribe.runtime.compiler.kept import SETTINGS, kept
    file = tmp_path / "own.py"
    file.write_text("def f(x):\n    return x\n")
    namespace = {"__name__": "own"}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    target, place = cpu_target.target_context, kept(namespace["f"])._cache
    layouts = [(Array(float64, 1, layout, readonly=readonly, aligned=aligned),)
               for layout in "CFA" for readonly in (False, True) for aligned in (False, True)]
    names = [place.name(types, target) for types in [(), (float64,), (int64,), (float64, float64), *layouts]]
    for name in SETTINGS:
        with monkeypatch.context() as patch:
            assert hasattr(config, name)
            patch.setattr(config, name, "another")
            names.append(place.name((), target))
    with monkeypatch.context() as patch:
        patch.setattr(type(target.codegen()), "magic_tuple", lambda self: ("x86_64", "another", "+avx512f"))
        names.append(place.name((), target))
    with monkeypatch.context() as patch:
        patch.setattr(cache, "fingerprint", lambda: "another")
        names.append(place.name((), target))
    with monkeypatch.context() as patch:
        patch.setattr(stock, "uses_stock", lambda: "another")
        names.append(place.name((), target))
    file.write_text("ONE = 1\n\ndef f(x):\n    return x\n")
    names.append(place.name((), target))
    assert len(set(names)) == len(names)


def test_many_writers(own_folder):
    """Threads that write the same file at once leave it whole."""
    text = TEXT + "# padding\n" * 10_000
    threads = [threading.Thread(target=cache.load, args=("f", text)) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert cache.load("f", text).f() == 1 and len(list(own_folder.iterdir())) == 1
