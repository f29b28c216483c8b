"""Measures row 21, each part of it in a process of its own, and saves it."""
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from benchmarks import harness
from benchmarks.devices import pages

HERE = Path(__file__).parents[1]
ROOT = HERE.parent
LIMIT = 120                                      # seconds for a process
WORKLOADS = ("monte_carlo", "gmm", "solves", "stencil_in_cache", "stencil")
OURS_ALONE = {"GRADSCRIBE_DEVICES": "2", "GRADSCRIBE_THREADS": "1"}
OURS_IN_JOB = {"GRADSCRIBE_DEVICES": "1", "GRADSCRIBE_THREADS": "1"}
JAX = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "JAX_PLATFORMS": "cpu", "JAX_ENABLE_X64": "1"}


def environment(outside, **more):
    """The variables of a measuring process: BLAS has one thread, and glibc keeps memory, as in the other rows: else threads fault pages anew
    in each call, more or less of them by what ran before."""
    ours = ("GRADSCRIBE", "OPENBLAS", "XLA", "JAX", "MALLOC", "PMI", "MPI", "OMPI", "HYDRA", "NPROC")
    kept = {name: value for name, value in outside.items() if not name.startswith(ours)}
    return kept | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"} | harness.STEADY_MEMORY | more


def starter():
    """The mpiexec beside this Python, else that of the system; None where there is none."""
    return shutil.which("mpiexec", path=os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")]))


def child(what, quick, variables, processes=1):
    """What a measuring process prints; {"failed": why} where there is nothing."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.devices.measure", *what, "quick" if quick else "full"]
    if processes > 1:
        if starter() is None:
            return {"failed": "there is no mpiexec"}
        command = [starter(), "-n", str(processes), *command]
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment(os.environ, **variables), capture_output=True,
                              text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return {"failed": f"it took more than {LIMIT} s"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or ["it printed nothing"])[-1][:200]}
    return json.loads(done.stdout.splitlines()[-1])


def measured(quick, report=lambda line: None):
    """All of row 21, as plain data for JSON."""
    def of(*what, variables=OURS_ALONE, processes=1):
        report(f"row 21, {' '.join(what)}")
        found = child(what, quick, variables, processes)
        if "failed" in found:
            problems.append(f"{' '.join(what)}: {found.pop('failed')}")
        return found

    def beside(*parts):
        """Tables by size, put beside each other."""
        return {name: {k: v for part in parts for k, v in part.get(name, {}).items()} for name in parts[0]}

    problems = []
    in_job = {"variables": OURS_IN_JOB, "processes": 2}
    work = {name: of("workload", name) | of("workload_in_job", name, **in_job) for name in WORKLOADS}
    return {"workloads": work, "bandwidth": of("bandwidth"), "arithmetic": of("arithmetic"),
            "overhead": of("overhead") | of("overhead_in_job", **in_job) | of("jax_overhead", variables=JAX),
            "allreduce": beside(of("allreduce"), of("allreduce_in_job", **in_job), of("jax_allreduce", variables=JAX),
                                of("mpi4py_allreduce", **in_job)),
            "overlap": of("overlap"), "problems": problems, "machine": machine()}


def machine():
    from importlib.metadata import PackageNotFoundError, version
    found = {name: text for name, text in harness.machine().items() if name not in ("autograd", "torch")} | {"cores": os.cpu_count()}
    for package in ("mpi4py", "mpich"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def main(quick):
    """Measure, print, save what a full run measured; the lines of what is not as it should be."""
    found = measured(quick, lambda line: print(line, file=sys.stderr, flush=True))
    print("Small programs, to see that all of it runs:\n" * quick + pages.results(found))
    if quick:
        return found["problems"]
    save(found, HERE / "results-devices.json", ROOT / "docs" / "scaling.md")
    return [*found["problems"], *pages.missed(found)]


def save(found, store, page):
    store.write_text(json.dumps(found, indent=1) + "\n")
    store.with_suffix(".md").write_text(pages.results(found))
    page.write_text(pages.scaling(found))
