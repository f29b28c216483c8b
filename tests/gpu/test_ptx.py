"""Kernels become PTX and machine code for sm_90, without a GPU: `run.py test --cuda`, in an environment of its own.

The programs run in the simulator first, which says what kernels they launch with what (`recording`); other processes
compile these (`compiling`). Of the corpus it is a part, another one after each commit; with --all it is everything.
GRADSCRIBE_KERNELS=write writes docs/gpu-kernels.md.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gradscribe.runtime.cuda import offline
from tests.support.cases import ALL

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "gpu-kernels.md"
PARTS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
ONE_IN = 1 if ALL else 3

pytest.importorskip("numba_cuda", reason="run.py test --cuda has it")


def in_parts(script, folder, *args, **variables):
    """What processes of a script write, each for its part."""
    outs = [folder / f"{script}{k}.json" for k in range(PARTS)]
    running = [subprocess.Popen([sys.executable, HERE / f"{script}.py", str(k), str(PARTS), out, *map(str, args)],
                                env=dict(os.environ, **variables)) for k, out in enumerate(outs)]
    assert [process.wait() for process in running] == [0] * PARTS
    return [json.loads(out.read_text()) for out in outs]


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """Each kernel of each program once: what `compiling.compiled` says of it."""
    folder = tmp_path_factory.mktemp("kernels")
    texts, launches = {}, {}
    for part in in_parts("recording", folder, ONE_IN, NUMBA_ENABLE_CUDASIM="1"):
        texts |= part["texts"]
        launches |= {(*launch[1:3], tuple(launch[3])): launch for launch in part["launches"]}
    recorded = folder / "recorded.json"
    recorded.write_text(json.dumps({"texts": texts, "launches": list(launches.values())}))
    return sum(in_parts("compiling", folder, recorded, NUMBA_ENABLE_CUDASIM="0"), [])


def of(kernels, kind):
    found = [k for k in kernels if k["program"].startswith(kind) and "error" not in k]
    assert found
    return found


def test_every_kernel_compiles(kernels):
    failed = [f"{k['program']}, {k['kernel']}: {k['error'][:2000]}" for k in kernels if "error" in k]
    assert not failed, "\n\n".join(failed)


def test_no_kernel_of_the_scoreboard_spills(kernels):
    assert [k for k in of(kernels, "row ") if k["spills"]] == []


def test_steps_are_in_registers(kernels):
    """The sine of CUDA's library has 40 bytes of its own."""
    assert [k for k in of(kernels, "steps: ") if k["spills"] or k["stack"] not in (0, 40)] == []
    assert {k["stack"] for k in of(kernels, "steps: ") if k["program"].endswith(("runge_kutta", "kalman"))} == {0}


def test_what_the_assembler_says_of_spills():
    log = ("ptxas info    : Function properties for slow_path\n"
           "ptxas         .     40 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
           "ptxas info    : Compiling entry function 'kernel' for 'sm_90'\n"
           "ptxas         .     128 bytes stack frame, 196 bytes spill stores, 208 bytes spill loads\n"
           "ptxas info    : Used 32 registers, used 0 barriers")
    assert offline.kernel_needs(log) == (32, 128, 404)


def test_float32_is_computed_in_float32(kernels):
    assert [(k["program"], k["kernel"], k["doubles"]) for k in of(kernels, "float32: ") if k["doubles"]] == []


def test_functions_of_single_precision_compute_in_it(kernels):
    """But for those that NumPy, or the CPU's program, computes in double precision."""
    wide = ("float_power", "signbit")
    single = [k for k in of(kernels, "function: ") if k["program"].endswith(("of float32", "of complex64"))]
    assert len(single) > 40
    found = {k["program"] for k in single if k["doubles"]}
    assert found == {f"function: {name} of float32" for name in wide}


def test_kernels_of_rows_compile(kernels):
    assert len(of(kernels, "rows: ")) == 8


def test_the_table(kernels):
    text = page(kernels)
    print(text)
    if os.environ.get("GRADSCRIBE_KERNELS") == "write":
        PAGE.write_text(text)
    assert text.count("\n| ") > 30


# ---- the page

HEAD = """# What kernels need

`python3 run.py test --cuda --all` compiles kernels for sm_90, on a machine without a GPU, and \
`GRADSCRIBE_KERNELS=write`
before it writes this page. A thread has the registers that are listed; what they cannot hold is spilled to memory, \
in bytes.
Stack is memory that a function of CUDA's library has for itself.
"""
ROW = "| {program} | `{kernel}` | {registers} | {stack} | {spills} |"


def place(program):
    """Rows by their number, and those that have none after them."""
    name = program.removeprefix("row ").split(":")[0]
    return int(name) if name.isdigit() else 1000


def page(kernels):
    lines = [HEAD, "| Program | Kernel | Registers | Stack | Spills |", "| --- | --- | ---: | ---: | ---: |"]
    for k in sorted(of(kernels, "row "), key=lambda k: (place(k["program"]), k["program"], k["kernel"])):
        lines.append(ROW.format(**k))
    lines += [ROW.format(**k) for k in sorted(of(kernels, "steps: "), key=lambda k: (k["program"], k["kernel"]))]
    corpus = of(kernels, "corpus: ")
    most = sorted(corpus, key=lambda k: (-k["spills"], -k["registers"], k["program"], k["kernel"]))[:10]
    spilling = sum(k["spills"] > 0 for k in corpus)
    lines += [f"\nOf {len(corpus)} kernels of the corpus (tests/corpus/programs.py), {spilling} spill. Those that need "
                  "most:\n", "| Program | Kernel | Registers | Stack | Spills |", "| --- | --- | ---: | ---: | ---: |"]
    lines += [ROW.format(**k) for k in most]
    return "\n".join(lines) + "\n"
