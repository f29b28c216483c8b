"""pmap over the processes of an MPI job: values, and that whatever goes wrong in one process ends in an error
in each, soon."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import uuid
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STARTER = shutil.which("mpiexec", path=os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")]))


SOON = 2.0  # seconds from a fault to the errors of all processes, and to the end of all of a job that it ends


def run(name, processes=2, program=("-m", "tests.support.mpi_program"), **variables):
    """(exit status, what it printed, when all of it had ended)"""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "MPI", "OMPI", "GRADSCRIBE_DEVICES"))}
    mark = uuid.uuid4().hex
    command = [STARTER, "-n", str(processes), sys.executable, "-W", "ignore", *program, name]
    done = subprocess.run(command, cwd=ROOT, env=kept | variables | {"MARK_OF_JOB": mark}, capture_output=True,
                          text=True, timeout=400)
    text, ended = done.stdout + done.stderr, time.time()
    while left := having(mark):
        assert time.time() < ended + SOON, (left, text)
        time.sleep(0.01)
    return done.returncode, text, time.time()


def having(mark: str) -> list[str]:
    """The processes, among them those of the starter, that have a mark in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # those of others, and what has just ended
            if mark.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text())
    return found


def fine(name, processes=2, **variables):
    status, text, _ = run(name, processes, **variables)
    assert status == 0 and text.count("fine") == processes, text
    return text


def when(text, name, who) -> float:
    return float(re.search(rf"^{name} {who} at ([\d.]+)", text, re.M)[1])


@pytest.mark.skipif(not os.path.exists("/proc"), reason="only Linux says in /proc what processes there are")
def test_processes_are_counted():
    mark = uuid.uuid4().hex
    with subprocess.Popen([sys.executable, "-c", "print('here', flush=True); input()"],
                          env=os.environ | {"MARK_OF_JOB": mark}, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        assert len(having(mark)) == 1
    assert not having(mark)


@pytest.mark.heavy(one_in=58)
@pytest.mark.parametrize("processes, devices", [(2, 1), (4, 2), (2, 4), (4, 1)])
def test_collectives_tangents_and_transposes(processes, devices):
    fine("collectives", processes, GRADSCRIBE_DEVICES=str(devices))


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("devices", [1, 2])
def test_arrays_that_are_laid_over_devices(devices):
    fine("sharded", GRADSCRIBE_DEVICES=str(devices))


@pytest.mark.heavy(one_in=22)
@pytest.mark.parametrize("processes, devices", [(2, 1), (2, 2), (1, 4), (4, 1)])
def test_blocks_of_a_mesh(processes, devices):
    text = fine("blocks", processes, GRADSCRIBE_DEVICES=str(devices))
    told = re.findall(r"^differ \d at [\d.]+: (.*)", text, re.M)
    assert (len(told) == processes
            and all("what devices with one block have computed is different" in x for x in told)), text
    told = re.findall(r"^none \d at [\d.]+: (.*)", text, re.M)
    differs = "out_axes of pmap has None for a result that is different in another process"
    assert len(told) == processes and all(differs in x if processes > 1 else x == "nothing" for x in told), text


@pytest.mark.heavy(one_in=74)
@pytest.mark.parametrize("processes, devices", [(3, 2), (2, 1), (4, 1)])
def test_compiled_collectives(processes, devices):
    fine("compiled", processes, GRADSCRIBE_DEVICES=str(devices))


@pytest.mark.heavy(one_in=92)
@pytest.mark.parametrize("devices", [1, 2])
def test_sums_that_go_together(devices):
    fine("together", GRADSCRIBE_DEVICES=str(devices))


@pytest.mark.heavy(one_in=4)
def test_a_gpu_of_each_process():
    text = fine("gpus", NUMBA_ENABLE_CUDASIM="1")
    assert re.search(r"^gpu 1 at [\d.]+: ValueError: too large: 4.0", text, re.M), text
    assert re.search(r"^gpu 0 at [\d.]+: OutOfStep: process 1 of the job has stopped: ValueError: too large", text,
                     re.M), text


DIFFER = "OutOfStep: processes of the job call different programs"
ERRORS = {  # what processes 0 and 1 say
    "raises": ("OutOfStep: process 1 of the job has stopped: ValueError: one is too much",
               "ValueError: one is too much"),
    "leaves": ("OutOfStep: a device has ended while others wait", "OutOfStep: "),
    "rounds": ("OutOfStep: devices meet at different collectives, in different rounds",) * 2,
    "arguments": ("OutOfStep: process 1 of the job has stopped: SpecialisationError: pmap has arguments for",
                  "SpecialisationError: pmap has arguments for"),
    "shapes": (f"{DIFFER}, or one of another shape",) * 2,
    "programs": (DIFFER,) * 2,
    "memory": ("OutOfStep: process 1 of the job has stopped: MemoryError", "MemoryError"),
    "gathers alone": (DIFFER,) * 2,
    "laid and not": (DIFFER,) * 2,
    "ends early": ("OutOfStep: process 1 of the job has ended",),
}


@pytest.mark.heavy(one_in=36)
@pytest.mark.parametrize("devices", [1, pytest.param(2, marks=pytest.mark.heavy(one_in=4))])
def test_an_error_in_one_process_is_one_in_each(devices):
    """Soon, and the job goes on: the next call is right, and a thousand leave nothing behind."""
    text = fine("errors", GRADSCRIBE_DEVICES=str(devices))
    for name, messages in ERRORS.items():
        for k, message in enumerate(messages):
            assert re.search(rf"^{name} {k} at [\d.]+: {re.escape(message)}", text, re.M), (name, k, text)
            assert when(text, name, k) - when(text, name, "fault") < SOON, (name, k, text)
    # an array of 640 kB for each device more or less, as threads come to free it: 450 calls that left theirs, 288 MB
    assert all(int(size) < 3e6 and same == "True"
               for size, same in re.findall(r"^held \d: (-?\d+) bytes, (\w+)", text, re.M)), text
    assert text.count("held") == 4 * os.path.exists("/proc/self/statm"), text
    assert "+++ process 1" in text and re.search(r"^\+    t = x \* x", text, re.M), text  # both programs are shown


MISUSED = {
    "jit": "UnsupportedError: .*gs.pmap within another function, in a job of 2 processes",
    "grad": "UnsupportedError: .*gs.pmap within another", "vmap": "UnsupportedError: .*gs.pmap within another",
    "jvp": "UnsupportedError: .*gs.pmap within another",
    "shard": "UnsupportedError: gs.shard of an array that has other elements in process 1 than in process 0",
    "child": "RuntimeError: .* in a process that was forked from one of the job",
    "thread": "RuntimeError: .* in the thread 'Thread-1",
}


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("devices", [1, 2])
def test_what_would_have_other_values_is_refused(devices):
    text = fine("misused", GRADSCRIBE_DEVICES=str(devices))
    for name, message in MISUSED.items():
        for k in range(2):
            assert re.search(rf"^{name} {k} at [\d.]+: {message}", text, re.M), (name, k, text)
    for name, message in (("uncut", "SpecialisationError: an array of shape"),
                          ("later", "SpecialisationError: pmap has arguments for")):
        assert re.search(rf"^{name} 1 at [\d.]+: {message}", text, re.M), text
        assert re.search(rf"^{name} 0 at [\d.]+: OutOfStep: process 1 of the job has stopped: {message}", text,
                         re.M), text


@pytest.mark.heavy(one_in=4)
def test_a_keyboard_interrupt_while_another_process_is_late():
    status, text, end = run("interrupted")
    assert status != 0 and end - when(text, "interrupted", "fault") < SOON and "KeyboardInterrupt" in text, text


@pytest.mark.heavy(one_in=13)
@pytest.mark.parametrize("name", ["uncaught", "killed"])
def test_a_process_that_dies_ends_the_job(name):
    status, text, end = run(name)
    assert status != 0 and end - when(text, name, "fault") < SOON, text
    if name == "uncaught":
        assert "nobody catches it" in text and text.count("Traceback") == 1, text


BEFORE_ANY_CALL = """
import atexit, os, sys, time
import gradscribe as gs, numpy as np
atexit.register(print, "left", flush=True)
if os.environ.get("PMI_RANK", os.environ.get("OMPI_COMM_WORLD_RANK")) == os.environ.get("FAULTY", "1"):
    print("early fault at", time.time(), flush=True)
    open("/a file that is missing")
if sys.argv[1] == "calls":
    gs.pmap(lambda x: gs.lax.psum(x, "i"), axis_name="i")(np.ones(1))
time.sleep(30.0)
"""


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("others", ["calls", "never call"])
def test_an_exception_before_the_first_call_ends_the_job(others):
    """The others waited for ever, in a call or for what they did; the hook that ends a job came with the first call."""
    status, text, end = run(others, program=("-c", BEFORE_ANY_CALL))
    assert (status != 0 and end - when(text, "early", "fault") < SOON and text.count("Traceback") == 1
            and "FileNotFoundError" in text), text


@pytest.mark.heavy(one_in=3)
def test_an_exception_in_a_job_of_one_process_is_the_end_of_it_alone():
    status, text, _ = run("calls", 1, program=("-c", BEFORE_ANY_CALL), FAULTY="0")
    assert status == 1 and "left" in text and "FileNotFoundError" in text, text


@pytest.mark.heavy(one_in=3)
def test_an_import_changes_nothing_outside_of_a_job():
    code = ("import sys; before = sys.excepthook; import gradscribe; "
            "assert sys.excepthook is before and 'mpi4py' not in sys.modules")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "MPI", "OMPI"))}
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=kept).returncode == 0
