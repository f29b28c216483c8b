"""What one measuring process runs: `python -m benchmarks.devices.measure WHAT [quick]` prints a line of JSON.

Under mpiexec all processes run it, and the first prints. A block of calls begins when all are there, and takes as long as
the slowest; blocks of what is compared alternate, and the median counts.
"""
import json
import sys
import threading
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np

from benchmarks import harness

SIZES = {"8 B": 1, "1 KB": 128, "64 KB": 8192, "1 MB": 1 << 17, "8 MB": 1 << 20}      # floats of one device
COUNT = 2                                        # devices


class Alone:
    """The communicator of a process that is alone."""
    rank, size = 0, 1
    Barrier = staticmethod(lambda: None)
    allreduce = staticmethod(lambda value, op=None: value)


def slowest(comm, value):
    if comm.size == 1:
        return value
    from mpi4py import MPI
    return comm.allreduce(value, MPI.MAX)


def timed(calls, quick, comm=Alone):
    """{name: seconds of one call}"""
    blocks = {name: partial(block, call, comm) for name, call in calls.items()}
    numbers = {}
    for name, run in blocks.items():
        run(2)                                   # compiles, and warms
        second = run(1)
        numbers[name] = max(1, round(4e-3 / min(run(max(1, round(1e-3 / second))), second)))
    rounds = 3 if quick else 50
    found = {name: [] for name in calls}
    for _ in range(rounds):
        for name, run in blocks.items():
            found[name].append(run(numbers[name]))
    return {name: median(seconds) for name, seconds in found.items()}


def block(call, comm, number):
    comm.Barrier()
    start = perf_counter()
    for _ in range(number):
        call()
    return slowest(comm, (perf_counter() - start) / number)


def job():
    from mpi4py import MPI
    return MPI.COMM_WORLD


# ---- programs --------------------------------------------------------------------------------------------------------

def workload(name, quick):
    """One thread by `jit`, two by `pmap`, in one process."""
    import gradscribe as gs
    from benchmarks.devices.workloads import WORKLOADS
    w = WORKLOADS[name]
    args = w.data(quick)
    parts, one, two = w.parts(args, COUNT), gs.jit(w.of_one), w.many()
    refuse_apart(one(*args), two(*parts))
    seconds = timed({"one": lambda: one(*args), "threads": lambda: two(*parts)}, quick)
    return seconds | {"title": w.title, "goal": w.goal, "memory_bound": w.memory_bound,
                      "collectives": w.collectives(args)}


def workload_in_job(name, quick):
    """The same by two processes of one device each."""
    import gradscribe as gs
    from benchmarks.devices.workloads import WORKLOADS, cut
    w, comm = WORKLOADS[name], job()
    args, two = w.data(quick), w.many()
    part, whole = w.part(args, comm.rank, comm.size), gs.jit(w.of_one)(*args)
    mine = whole if w.out_axes is None else [cut(x, comm.size)[comm.rank] for x in harness.leaves(whole)]
    refuse_apart(mine, two(*part))
    return timed({"processes": lambda: two(*part)}, quick, comm)


def refuse_apart(one, two):
    """Results of two devices may have an axis more."""
    a, b = list(harness.leaves(one)), list(harness.leaves(two))
    apart = harness.difference(a, [y.reshape(x.shape) for x, y in zip(a, b, strict=True)])
    if not apart <= harness.TOLERANCE:
        raise AssertionError(f"one device and two differ by {apart:.1e}")


def overhead(quick):
    """What a call costs that does next to nothing."""
    import gradscribe as gs
    x = np.arange(3.0 * COUNT).reshape(COUNT, 3)
    one, two = gs.jit(np.square), gs.pmap(np.square)
    return timed({"jit": lambda: one(x[0]), "one device": lambda: two(x[:1]), "threads": lambda: two(x)}, quick)


def overhead_in_job(quick):
    import gradscribe as gs
    two, x = gs.pmap(np.square), np.arange(3.0).reshape(1, 3)
    return timed({"processes": lambda: two(x)}, quick, job())


def jax_overhead(quick):
    jax = harness.jax_module()
    two, x = jax.pmap(jax.numpy.square), np.arange(3.0 * COUNT).reshape(COUNT, 3)
    there = two(x)                               # on the devices already
    return timed({"jax, from NumPy": lambda: two(x).block_until_ready(), "jax": lambda: two(there).block_until_ready()}, quick)


def times_of(size):
    """How often a program repeats a sum, so that the call itself does not count."""
    return 500 if size <= 1024 else 100 if size <= 8192 else 20 if size < 1 << 20 else 5


def repeated(gs):
    """One element of what is left after so many sums: results are no part of it."""
    def sums(x, times):
        for _ in range(times):
            x = gs.lax.psum(x, "devices")
        return x[0]
    return gs.pmap(sums, axis_name="devices", in_axes=(0, None))


def allreduce(quick, comm=Alone, kind="threads"):
    """Of each size: one in a call of its own, and one of many in a program."""
    import gradscribe as gs
    single, many = gs.pmap(lambda x: gs.lax.psum(x, "devices"), axis_name="devices"), repeated(gs)
    found = {}
    for name, size in SIZES.items():
        x, times = np.full((COUNT // comm.size, size), 1e-300), times_of(size)
        calls = {f"{kind}, a call": partial(single, x), kind: partial(many, x, times)}
        if comm.size == 1:
            laid = gs.shard(x, gs.Mesh((COUNT,), "devices"), gs.P("devices"))
            calls[f"{kind} with gs.shard, a call"] = partial(single, laid)
        found[name] = timed(calls, quick, comm)
        found[name][kind] /= times
    return found


def allreduce_in_job(quick):
    return allreduce(quick, job(), "processes")


def mpi4py_allreduce(quick):
    comm, found = job(), {}
    for name, size in SIZES.items():
        x, total = np.full(size, 1e-300), np.empty(size)
        found[name] = timed({"mpi4py": lambda x=x, total=total: comm.Allreduce(x, total)}, quick, comm)
    return found


def jax_allreduce(quick):
    jax = harness.jax_module()
    single = jax.pmap(lambda x: jax.lax.psum(x, "devices"), axis_name="devices")
    found = {}
    for name, size in SIZES.items():
        times = times_of(size)

        def sums(x, times=times):
            return jax.lax.fori_loop(0, times, lambda _, x: jax.lax.psum(x, "devices"), x)[0]

        many = jax.pmap(sums, axis_name="devices")
        x = jax.pmap(lambda x: x)(np.full((COUNT, size), 1e-300))
        seconds = timed({"call": lambda: single(x).block_until_ready(), "within": lambda: many(x).block_until_ready()}, quick)
        found[name] = {"jax, a call": seconds["call"], "jax": seconds["within"] / times}
    return found


def bandwidth(quick):
    """Bytes a second that a copy reads and writes, by one thread and by two: what a memory-bound program can reach."""
    source = np.ones((COUNT, (1 << 16) if quick else 1 << 23))
    target = np.zeros_like(source)

    def by(threads):
        at_once(np.copyto, zip(np.split(target, threads), np.split(source, threads)))

    seconds = timed({"one": partial(by, 1), "threads": partial(by, COUNT)}, quick)
    return {name: 2 * source.nbytes / second for name, second in seconds.items()}


def at_once(function, calls):
    """A thread for each call."""
    threads = [threading.Thread(target=function, args=args) for args in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def arithmetic(quick):
    """Operations a second on arrays in the first cache, by one thread and by two: what a program that computes can reach.
    Two cores may be two threads of one."""
    from numba import njit
    rounds = 500 if quick else 50_000

    @njit(nogil=True)
    def sweep(x):
        for _ in range(rounds):
            for k in range(x.size):
                x[k] = 0.5 * x[k] + 1.0

    rows = np.ones((COUNT, 1024))
    seconds = timed({"one": lambda: at_once(sweep, [(rows[0],)]), "threads": lambda: at_once(sweep, [(row,) for row in rows])}, quick)
    return {name: count * 2 * rounds * rows.shape[1] / seconds[name] for name, count in (("one", 1), ("threads", COUNT))}


def overlap(quick):
    """A loop that trains, and loads the next batch in Python: a call that is waited for, and one that is not."""
    import gradscribe as gs
    rows, steps = (50, 3) if quick else (2000, 20)
    rng = np.random.default_rng(0)
    weights = rng.normal(size=(64, 64)) / 8.0

    def load():
        return rng.normal(size=(rows, 64))

    def descend(w, x):
        loss = lambda w: np.mean((np.tanh(np.tanh(x @ w) @ w) - x) ** 2)
        return w - 0.1 * gs.grad(loss)(w)

    def train(step):
        w = weights
        for _ in range(steps):
            w = step(w, load())
        gs.block_until_ready(w)

    now, later, batch = gs.jit(descend), gs.jit(descend, wait=False), load()
    seconds = timed({"loading": load, "training": lambda: now(weights, batch), "in turn": lambda: train(now),
                     "at once": lambda: train(later)}, quick)
    return seconds | {name: seconds[name] / steps for name in ("in turn", "at once")}


PROGRAMS = {f.__name__: f for f in (workload, workload_in_job, overhead, overhead_in_job, jax_overhead, allreduce,
                                    allreduce_in_job, mpi4py_allreduce, jax_allreduce, bandwidth, arithmetic, overlap)}


def main(argv):
    *what, pace = argv
    found = PROGRAMS[what[0]](*what[1:], pace == "quick")
    if "mpi4py" not in sys.modules or job().rank == 0:
        print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
