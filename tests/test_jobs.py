"""pmap over the processes of an MPI job: values, and that whatever goes wrong in one process ends in an error in each, soon."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STARTER = shutil.which("mpiexec", path=os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")]))


def run(name, processes=2, **variables):
    """(exit status, what it printed, seconds)"""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "MPI", "OMPI", "GRADSCRIBE_DEVICES"))}
    command = [STARTER, "-n", str(processes), sys.executable, "-W", "ignore", "-m", "tests.job", name]
    start = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=kept | variables, capture_output=True, text=True, timeout=100)
    return done.returncode, done.stdout + done.stderr, time.monotonic() - start


def fine(name, processes=2, **variables):
    status, text, _ = run(name, processes, **variables)
    assert status == 0 and text.count("fine") == processes, text
    return text


def left_over(name) -> list[str]:
    """Processes of the job that are still there."""
    found = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout.splitlines()
    return [line for line in found if f"tests.job {name}" in line]


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("processes, devices", [(2, 1), (4, 1), (2, 2)])
def test_collectives_tangents_and_transposes(processes, devices):
    fine("collectives", processes, GRADSCRIBE_DEVICES=str(devices))


@pytest.mark.heavy(one_in=4)
@pytest.mark.parametrize("devices", [1, 2])
def test_arrays_that_are_laid_over_devices(devices):
    fine("sharded", GRADSCRIBE_DEVICES=str(devices))


ERRORS = {  # what each process says, by its number
    "raises": ("OutOfStep: process 1 of the job has stopped: ValueError: one is too much", "ValueError: one is too much"),
    "leaves": ("OutOfStep: ", ""),
    "arguments": ("OutOfStep: processes of the job call different programs", "SpecialisationError: pmap has arguments for"),
    "shapes": ("OutOfStep: processes of the job call different programs, or one of another shape",) * 2,
    "programs": ("OutOfStep: processes of the job call different programs",) * 2,
    "alone": ("OutOfStep: processes of the job call different programs",) * 2,
    "mixed": ("OutOfStep: processes of the job call different programs",) * 2,
    "memory": ("OutOfStep: process 1 of the job has stopped: MemoryError", "MemoryError"),
}


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("name", ERRORS)
def test_an_error_in_one_process_is_one_in_each(name):
    """And the job goes on: the next call is right."""
    text = fine(name)
    for k, message in enumerate(ERRORS[name]):
        assert not message or re.search(rf"^{k}: {re.escape(message)}", text, re.M), text


def test_different_programs_are_both_shown():
    text = fine("programs")
    assert "+++ process 1" in text and re.search(r"^\+.*multiply|^\+.*\*", text, re.M), text


@pytest.mark.heavy(one_in=6)
@pytest.mark.parametrize("name", ["uncaught", "killed"])
def test_a_process_that_dies_ends_the_job(name):
    status, text, _ = run(name)
    assert status != 0 and left_over(name) == [], text
    if name == "uncaught":
        assert "nobody catches it" in text


@pytest.mark.heavy(one_in=6)
def test_one_that_is_late_is_waited_for():
    fine("late")


@pytest.mark.heavy(one_in=6)
def test_a_process_that_ends_early_is_told_of():
    status, text, _ = run("ends_early")
    assert status == 0 and "0: OutOfStep: process 1 of the job has ended" in text, text
    assert left_over("ends_early") == []
