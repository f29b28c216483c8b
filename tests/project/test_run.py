"""run.py, the packaging and what the README promises about them."""
import ast
import configparser
import importlib.util
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import cases

ROOT = Path(__file__).parents[2]


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


run = load(ROOT / "run.py")
README = (ROOT / "README.md").read_text()


# ---- the command line

def test_an_old_python_can_read_run_py():
    assert ast.parse((ROOT / "run.py").read_text(), feature_version=(3, 8)).body


@pytest.mark.parametrize("argv, status", [((), 2), (("--help",), 0), (("dance",), 2)])
def test_usage(argv, status):
    done = subprocess.run([sys.executable, ROOT / "run.py", *argv], capture_output=True, text=True)
    assert done.returncode == status
    assert all(f"run.py {command}" in done.stdout + done.stderr for command in run.COMMANDS)


def test_what_is_taken_from_the_arguments_of_pytest():
    assert run.pytest_command("py", ["--all", "-x"], 4) == (
        ["py", "-m", "pytest", "-n", "4", "--dist", "worksteal", "-x"], {"GRADSCRIBE_TEST_ALL": "1"})
    assert run.pytest_command("py", ["-n0"], 1) == (["py", "-m", "pytest", "-m", "first", "-n0"], {})
    assert run.pytest_command("py", [], 1)[0] == ["py", "-m", "pytest", "-m", "first", "-n", "2", "--dist", "worksteal"]
    assert run.pytest_command("py", ["--more", "-n0"], 2)[0] == ["py", "-m", "pytest", "-m", "not first", "-n0"]


@pytest.mark.parametrize("words", [["-k", "x"], ["-m", "heavy"], ["tests/project/test_run.py"],
                                   ["tests/project/test_run.py::test_usage", "-x"], ["tests"]])
def test_whoever_names_tests_gets_all_of_them(words):
    assert run.pytest_command("py", [*words, "-n0"], 2)[0] == ["py", "-m", "pytest", *words, "-n0"]


def collected(*words):
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--collect-only", *words,
                           "tests/library/test_at.py"], capture_output=True, text=True, cwd=ROOT, check=True)
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.heavy(one_in=10)
def test_the_two_parts_are_all_tests():
    first, more = collected("-m", "first"), collected("-m", "not first")
    assert first and more and sorted(first + more) == sorted(collected())


def test_each_case_of_a_heavy_test_has_its_turn(monkeypatch):
    for turn in range(6):
        monkeypatch.setattr(cases, "TURN", turn)
        assert [cases.has_its_turn("a test", place, 3) for place in range(9)].count(True) == 3
    taken = set()
    for turn in range(3):
        monkeypatch.setattr(cases, "TURN", turn)
        taken |= {place for place in range(9) if cases.has_its_turn("a test", place, 3)}
    assert taken == set(range(9))


def test_children_are_not_forced_to_code_for_another_processor(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("KEPT", "1")
    variables = run.child_variables(MORE="2")
    assert "OPENBLAS_CORETYPE" not in variables and variables["KEPT"] == "1" and variables["MORE"] == "2"


# ---- a GPU

class Driver:
    """NVIDIA's library of this version, which finds so many GPUs, or cannot start."""

    def __init__(self, version=13000, count=1, status=0):
        self.version, self.count, self.status = version, count, status

    def cuInit(self, flags):
        return self.status

    def cuDriverGetVersion(self, out):
        out._obj.value = self.version
        return 0

    def cuDeviceGetCount(self, out):
        out._obj.value = self.count
        return 0


@pytest.mark.parametrize("driver, said", [
    (Driver(), None), (Driver(version=13020, count=8), None), (Driver(count=0), "NVIDIA's driver finds no GPU"),
    (Driver(status=100), "NVIDIA's driver finds no GPU"),
    (Driver(status=999), "NVIDIA's driver fails with its error 999"),
    (Driver(version=12080), "NVIDIA's driver has CUDA 12.8, and CUDA 13 is needed")])
def test_what_the_driver_says_of_a_gpu(monkeypatch, driver, said):
    monkeypatch.setattr(run.ctypes, "CDLL", lambda name: driver)
    assert run.why_no_gpu() == said


@pytest.fixture
def gpu(monkeypatch):
    """(is there one, what was installed, what was called) in name only."""
    def choose(missing):
        installed, called = [], []
        monkeypatch.setattr(run, "why_no_gpu", lambda: missing)
        monkeypatch.setattr(run, "environment", lambda extras, venv: installed.append((extras, venv.name)) or "python")
        monkeypatch.setattr(run, "call", lambda command, **variables: called.append(command) or 0)
        return installed, called
    return choose


def test_without_a_gpu_nothing_is_measured_and_nothing_installed(gpu, capsys):
    installed, called = gpu("NVIDIA's driver is not installed (there is no libcuda.so.1)")
    assert run.main(["bench", "--cuda", "--quick"]) == 1 and not installed and not called
    said = capsys.readouterr()
    assert said.out == "" and said.err == (
        "run.py: bench --cuda measures on a GPU: NVIDIA's driver is not installed (there is no libcuda.so.1)\n")
    assert run.main(["test", "--cuda"]) == 0 and installed == [(["cuda-compiler", "test"], ".venv-cuda")]


def test_with_a_gpu(gpu):
    installed, called = gpu(None)
    assert run.main(["bench", "--cuda", "--rows", "3"]) == 0 and run.main(["test", "--cuda", "-x"]) == 0
    assert installed == [(["bench-cuda"], ".venv-cuda"), (["test-cuda", "test"], ".venv-cuda")]
    assert called == [["python", "-m", "benchmarks.gpu", "--rows", "3"],
                      ["python", "-m", "pytest", str(Path("tests", "gpu")), "-x"]]


# ---- the virtual environment

@pytest.fixture
def installed(monkeypatch):
    """Environments are made and filled in name only; the list of what would have been installed."""
    extras = []
    def pretend_to_make(venv, base):
        if venv.exists():
            shutil.rmtree(venv)
        venv.mkdir()
    monkeypatch.setattr(run, "make", pretend_to_make)
    monkeypatch.setattr(run, "install", lambda venv, wanted: extras.append(wanted))
    return extras


def test_an_environment_is_used_again_until_something_changes(tmp_path, installed, monkeypatch):
    venv = tmp_path / ".venv"
    run.environment(["demo"], venv)
    run.environment(["demo"], venv)
    assert installed == [["demo"]]
    run.environment(["test"], venv)              # more is needed: what was there stays
    run.environment(["demo"], venv)
    assert installed == [["demo"], ["demo", "test"]]
    monkeypatch.setattr(run, "fingerprint", lambda base: "setup.cfg changed")
    run.environment(["demo"], venv)
    assert installed[2:] == [["demo", "test"]]


def test_an_installation_cut_short_is_done_again(tmp_path, installed, monkeypatch):
    venv = tmp_path / ".venv"
    with monkeypatch.context() as patch:
        patch.setattr(run, "install", lambda venv, wanted: sys.exit("no network"))
        with pytest.raises(SystemExit, match="no network"):
            run.environment(["demo"], venv)
    run.environment(["demo"], venv)
    assert installed == [["demo"]]


def test_another_python_makes_another_environment(tmp_path, installed, monkeypatch):
    venv = tmp_path / ".venv"
    run.environment(["demo"], venv)
    (venv / "old").touch()
    monkeypatch.setattr(run, "supported_python", lambda: ("elsewhere", (3, 99)))
    run.environment(["test"], venv)
    assert not (venv / "old").exists() and installed == [["demo"], ["test"]]


def test_a_folder_of_someone_else_is_left_alone(tmp_path):
    (tmp_path / ".venv").mkdir()
    with pytest.raises(SystemExit, match="did not make it"):
        run.environment(["demo"], tmp_path / ".venv")


def test_the_fingerprint_is_of_the_files_and_the_python(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "ROOT", tmp_path)
    for name in ("setup.cfg", "pyproject.toml"):
        (tmp_path / name).write_text("a")
    before = run.fingerprint(("python", (3, 12)))
    assert before == run.fingerprint(("another path", (3, 12))) != run.fingerprint(("python", (3, 13)))
    (tmp_path / "setup.cfg").write_text("b")
    assert before != run.fingerprint(("python", (3, 12)))


# ---- the README

def test_the_readme_shows_the_commands_that_ci_runs():
    done = subprocess.run([ROOT / ".ci" / "run", "--commands"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["python3 run.py demo", "python3 run.py test"]


def test_the_first_screen_shows_how_to_start():
    screen = "\n".join(README.splitlines()[:40])
    assert all(text in screen for text in ("run.py demo", "run.py test", "pip install .", "import gradscribe as gs"))


def test_measured_tables_replace_each_other_in_the_readme(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(README)
    for time in ("1 us", "2 us"):
        run.show_in_readme(f"# Measured\n\nOn a core.\n\n## Gradient\n\n| # |\n| --- |\n| {time} |\n\n## More\n\nno\n",
                           readme)
    opening, closing = run.README_MARKS
    text = readme.read_text()
    assert f"{opening}\n\nOn a core.\n\n| # |\n| --- |\n| 2 us |\n\n{closing}" in text and "1 us" not in text
    assert text.split(opening)[0] == README.split(opening)[0] and text.split(closing)[1] == README.split(closing)[1]


@pytest.mark.heavy(one_in=3)
def test_the_example_in_the_readme_runs(tmp_path):
    example = tmp_path / "example.py"
    example.write_text(README.split("```python\n")[1].split("```")[0])
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "def " in done.stdout


# ---- the demo

@pytest.fixture(scope="module")
def digits():
    for package in ("sklearn", "matplotlib", "rich"):
        pytest.importorskip(package)
    return load(ROOT / "examples" / "digits.py")


@pytest.mark.heavy(one_in=3)
def test_the_demo_learns_enough(digits):
    """With the gradient by hand: that ours is the same is the demo's own check."""
    (X, Y), held_out = digits.digits()
    assert len(X) + len(held_out[0]) == 1797
    reached = [digits.accuracy(digits.train(digits.loss_and_gradient_by_hand, X, Y, seed)[0], *held_out)
               for seed in digits.SEEDS]
    assert len(reached) == 5 and statistics.median(reached) >= digits.WANTED


@pytest.mark.heavy(one_in=9)
def test_the_demo_runs(digits, tmp_path):
    assert digits.main(tmp_path, seeds=[0], epochs=2) > 0.8
    assert (tmp_path / "digits_loss.png").stat().st_size > 10_000
    assert "def " in (tmp_path / "digits_gradient.py").read_text()


# ---- the package

@pytest.fixture(scope="module")
def setup():
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg")
    return parser


def test_every_folder_with_python_is_a_package(setup):
    listed = set(setup["options"]["packages"].split())
    folders = {"gradscribe": "gradscribe", "transformer": "gradscribe.transformer", "runtime": "gradscribe.runtime"}
    there = {".".join([name, *path.parent.relative_to(ROOT / folder).parts])
             for folder, name in folders.items() for path in (ROOT / folder).rglob("*.py")}
    assert listed == there


def test_core_dependencies_have_a_lower_and_an_upper_bound(setup):
    for line in setup["options"]["install_requires"].split():
        assert re.fullmatch(r"\w+>=[\d.]+,<[\d.]+", line), line


def test_one_licence_and_one_version(setup):
    assert setup["metadata"]["version"] == "attr: gradscribe._version.__version__"
    assert (ROOT / "LICENSE").read_text().strip().startswith("Apache License\n")
    version = re.search(r'"(.+)"', (ROOT / "gradscribe" / "_version.py").read_text())[1]
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text()


def test_extras_of_run_py_exist(setup):
    assert {extra for extras in run.EXTRAS.values() for extra in extras} <= set(setup["options.extras_require"])


def test_the_two_machines_of_random_programs(monkeypatch):
    calls = []
    monkeypatch.setattr(run, "call", lambda command, **variables: calls.append(command) or 0)
    run.fuzz("py", ["--independent", "30", "--seed", "7"])
    run.fuzz("py", ["--count", "30"])
    assert calls == [["py", "-m", "tests.independent", "--count", "30", "--seed", "7"],
                     ["py", "-m", "tests.fuzz", "--count", "30"]]
