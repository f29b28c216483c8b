#!/usr/bin/env python3
"""Everything a fresh checkout can do, each with one command and nothing but Python 3.11, 3.12 or 3.13:

    python3 run.py demo             train a network on handwritten digits with a gradient that Gradscribe writes
    python3 run.py test             run the tests that a newcomer waits for, some four minutes on two cores; more arguments go to
                                    pytest, and where they name tests (files, -k, -m) these run, of files all
    python3 run.py test --more      run a part of the rest, another after each commit (--all: everything, with the cases whose turn it is not)
    python3 run.py test --cuda      compile kernels for a GPU, which need not be there (--all: of the whole corpus); where one
                                    is, run programs on it, and under compute-sanitizer
    python3 run.py bench [--rows 3,4] [--quick]     measure gradients against other systems
    python3 run.py bench --rows 21  measure two devices against one, and fit a model of more (docs/scaling.md): a few minutes of two idle cores
    python3 run.py bench --cuda [--rows 3,4] [--quick]      the same on a GPU, against what runs there
    python3 run.py fuzz [...]       compare random programs with their derivatives (fuzz --help says how many and which);
                                    fuzz --independent N: N programs of Python's grammar, compared with Python itself

The first run makes a virtual environment in .venv and installs what the command needs; later runs use it again. --cuda has
one of its own, .venv-cuda. Without a GPU bench --cuda installs nothing, and says what is missing.
"""
import ctypes
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

# The grammar here stays that of Python 3.8, so that an old Python gets as far as the message that it is too old.
ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
CUDA_VENV = ROOT / ".venv-cuda"                  # half a gigabyte of CUDA's compilers, and numba-cuda in the place of numba.cuda
MINORS = (13, 12, 11)                            # of Python 3, best first
EXTRAS = {"demo": ["demo"], "test": ["demo", "test"], "bench": ["bench"], "fuzz": ["test"]}
CUDA_EXTRAS = ["cuda-compiler", "test"]
GPU_EXTRAS = {"test": ["test-cuda", "test"], "bench": ["bench-cuda"]}   # where there is a GPU
CUDA = 13                                        # what CuPy and numba-cuda are of, and the driver has to have
README_MARKS = ("<!-- bench -->", "<!-- /bench -->")


def main(argv):
    if not argv or argv[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0 if argv else 2
    command, rest = argv[0], argv[1:]
    if command not in EXTRAS:
        print("run.py: there is no command '%s'\n\n%s" % (command, __doc__.strip()), file=sys.stderr)
        return 2
    if "--cuda" in rest and command in WITH_CUDA:
        return WITH_CUDA[command](rest)
    python = environment(EXTRAS[command])
    return COMMANDS[command](str(python), rest)


def say(text):
    print("run.py: " + text, flush=True)


def call(command, **variables):
    """Run a command in the project's folder and return its exit status."""
    shown = [word.replace(str(ROOT) + os.sep, "") for word in command]
    say("$ " + " ".join(shown))
    return subprocess.call(command, cwd=str(ROOT), env=child_variables(**variables))


def child_variables(**variables):
    """Ours, without those that force BLAS into code for another processor: they can halve its speed."""
    kept = {name: value for name, value in os.environ.items() if name not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    kept.update(variables)
    return kept


# ---- the commands ----------------------------------------------------------------------------------------------------

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}      # small matrices, and one process per core in the tests


def demo(python, rest):
    return call([python, str(ROOT / "examples" / "digits.py")] + rest, **ONE_THREAD)


def test(python, rest):
    command, variables = pytest_command(python, rest, cores())
    return call(command, **dict(ONE_THREAD, **variables))


def test_cuda(rest):
    """The tests of kernels share their work between processes themselves."""
    missing = why_no_gpu()
    say("without a GPU, in the simulator and by the compiler alone: %s" % missing if missing else "there is a GPU")
    python = str(environment(CUDA_EXTRAS if missing else GPU_EXTRAS["test"], CUDA_VENV))
    variables = {"GRADSCRIBE_TEST_ALL": "1"} if "--all" in rest else {}
    rest = [word for word in rest if word not in ("--cuda", "--all")]
    return call([python, "-m", "pytest", os.path.join("tests", "gpu")] + rest, **dict(ONE_THREAD, **variables))


def bench_cuda(rest):
    """Nothing is installed where nothing could be measured."""
    missing = why_no_gpu()
    if missing:
        print("run.py: bench --cuda measures on a GPU: %s" % missing, file=sys.stderr)
        return 1
    python = str(environment(GPU_EXTRAS["bench"], CUDA_VENV))
    return call([python, "-m", "benchmarks.gpu"] + [word for word in rest if word != "--cuda"])


def why_no_gpu():
    """What keeps programs from a GPU, as the driver's own library says it; None where nothing does."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return "NVIDIA's driver is not installed (there is no libcuda.so.1)"
    version, count = ctypes.c_int(0), ctypes.c_int(0)
    status = (driver.cuInit(0) or driver.cuDriverGetVersion(ctypes.byref(version))
              or driver.cuDeviceGetCount(ctypes.byref(count)))
    if status == 100 or status == 0 and count.value == 0:
        return "NVIDIA's driver finds no GPU"
    if status:
        return "NVIDIA's driver fails with its error %d" % status
    if version.value < 1000 * CUDA:
        return "NVIDIA's driver has CUDA %d.%d, and CUDA %d is needed" % (version.value // 1000, version.value % 1000 // 10, CUDA)
    return None


def pytest_command(python, rest, workers):
    """(command, variables): --more and --all are ours, the rest is pytest's."""
    variables = {"GRADSCRIBE_TEST_ALL": "1"} if "--all" in rest else {}
    part = [] if "--all" in rest else ["-m", "not first"] if "--more" in rest else [] if any(map(names_tests, rest)) else ["-m", "first"]
    rest = [word for word in rest if word not in ("--all", "--more")]
    if not any(word.startswith("-n") for word in rest):
        rest = ["-n", str(max(2, workers)), "--dist", "worksteal"] + rest
    return [python, "-m", "pytest"] + part + rest, variables


def names_tests(word):
    """Does this argument of pytest say which tests are meant?"""
    return word in ("-k", "-m") or (ROOT / word.split("::")[0]).exists()


def cores():
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def bench(python, rest):
    status = call([python, "-m", "benchmarks"] + rest)
    results = ROOT / "benchmarks" / "results.md"
    if results.exists() and "--quick" not in rest:
        show_in_readme(results.read_text(encoding="utf-8"), ROOT / "README.md")
    return status


def show_in_readme(results, readme):
    """Put the first table of the results, with what stands above it, between the README's marks."""
    opening, closing = README_MARKS
    before, rest = readme.read_text(encoding="utf-8").split(opening)
    _, after = rest.split(closing)
    head, table = results.split("\n## ")[:2]
    without_titles = [part.split("\n", 1)[1].strip() for part in (head, table)]
    text = "\n\n".join([before + opening] + without_titles + [closing + after])
    readme.write_text(text, encoding="utf-8")
    say("wrote the measured table into README.md")


def fuzz(python, rest):
    """With --independent N it is the other machine's turn, which shares nothing with the first."""
    if "--independent" in rest:
        at = rest.index("--independent")
        rest = ["--count"] + rest[at + 1:at + 2] + rest[:at] + rest[at + 2:]
        return call([python, "-m", "tests.independent"] + rest, **ONE_THREAD)
    return call([python, "-m", "tests.fuzz"] + rest, **ONE_THREAD)


COMMANDS = {"demo": demo, "test": test, "bench": bench, "fuzz": fuzz}
WITH_CUDA = {"test": test_cuda, "bench": bench_cuda}


# ---- the virtual environment -----------------------------------------------------------------------------------------

def environment(extras, venv=VENV):
    """The Python of an up-to-date virtual environment that has these extras."""
    base = supported_python()
    stamp = venv / "gradscribe.json"             # says that the folder is ours, what was installed, and from what
    wanted = fingerprint(base)
    found = read_stamp(venv, stamp)
    if found.get("fingerprint") == wanted and set(extras) <= set(found["extras"]):
        say("using the virtual environment in %s" % venv.name)
        return inside(venv)
    if found.get("python") != list(base[1]):
        make(venv, base)
        found = {"extras": []}
    extras = sorted(set(extras) | set(found["extras"]))
    record = {"python": list(base[1]), "extras": extras}
    write_stamp(stamp, dict(record, extras=[]))  # without a fingerprint: an installation cut short is done again
    install(venv, extras)
    write_stamp(stamp, dict(record, fingerprint=wanted))
    return inside(venv)


def supported_python():
    """(path, (major, minor)) of a Python that we support: this one if it can be."""
    if sys.version_info[0] == 3 and sys.version_info[1] in MINORS:
        return sys.executable, (3, sys.version_info[1])
    for minor in MINORS:
        path = shutil.which("python3.%d" % minor)
        if path and subprocess.call([path, "-c", ""], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
            say("this is Python %d.%d; using %s" % (sys.version_info[:2] + (path,)))
            return path, (3, minor)
    sys.exit("run.py: this is Python %d.%d, and no Python 3.11, 3.12 or 3.13 was found. Install one of them."
             % sys.version_info[:2])


def fingerprint(base, files=("setup.cfg", "pyproject.toml")):
    """Changes when an installation must be done again."""
    content = hashlib.sha256(repr(base[1]).encode())
    for name in files:
        content.update((ROOT / name).read_bytes())
    return content.hexdigest()


def read_stamp(venv, stamp):
    if stamp.exists():
        return json.loads(stamp.read_text(encoding="utf-8"))
    if venv.exists():
        sys.exit("run.py: %s exists, and this script did not make it. Move it away; run.py makes its own." % venv.name)
    return {}


def write_stamp(stamp, content):
    stamp.write_text(json.dumps(content, sort_keys=True) + "\n", encoding="utf-8")


def make(venv, base):
    say("making a virtual environment of Python %d.%d in %s" % (base[1] + (venv.name,)))
    if venv.exists():                            # of another Python; read_stamp has seen that it is ours
        shutil.rmtree(str(venv))
    venv.mkdir()
    write_stamp(venv / "gradscribe.json", {"extras": []})
    if subprocess.call([base[0], "-m", "venv", str(venv)]) != 0:
        sys.exit("run.py: Python could not make a virtual environment (on Debian and Ubuntu, install python3-venv).")


def install(venv, extras):
    say("installing Gradscribe with what it needs for %s (a minute or two)" % " and ".join(extras))
    if call([str(inside(venv)), "-m", "pip", "install", "--quiet", "-e", ".[%s]" % ",".join(extras)]) != 0:
        sys.exit("run.py: the installation failed; pip's message is above.")


def inside(venv):
    return venv / "bin" / "python"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
