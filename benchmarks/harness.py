"""How a row of the scoreboard is measured.

A row is a workload; its cases are its sizes; its peers are the systems that compute the same gradient. For each case:

1. each peer computes the gradient and the value once: that is the *first call*, which compiles, and is reported apart;
2. all gradients, and all values, must agree with each other to 1e-8, else nothing is timed;
3. blocks of calls of all peers alternate, so that a slow second of the machine hits everyone; the median block counts.

Two ratios come out: r = gradient / value of ours, and q = ours / the best peer. A gradient written by hand in numba or C++ is
not a peer but the limit, and has a ratio of its own. The run fails where ours takes no part: nothing was compared then.
"""
import functools
import gc
import os
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from statistics import median
from time import perf_counter

import numpy as np

OURS, READABLE, NUMPY, HAND = "ours", "readable", "NumPy", "by hand"
JAX, JAX_REWRITTEN, AUTOGRAD, PYTORCH = "JAX", "JAX rewritten", "autograd", "PyTorch"
BY_INDEX, CPP = "ours by index", "C++"           # the same program with an index in place of what it walks over
COLUMNS = (OURS, READABLE, BY_INDEX, JAX, JAX_REWRITTEN, AUTOGRAD, PYTORCH, NUMPY, HAND, CPP)
LIMITS = (HAND, CPP)
NOT_PEERS = (OURS, READABLE, *LIMITS)
TOLERANCE = 1e-8

ONE_THREAD = {name: "1" for name in (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMBA_NUM_THREADS", "NPROC")}

# glibc learns from the sizes that are freed which memory to keep, so that one peer's arrays decide about another's page faults
# (a factor of 5 was seen). Here it keeps what it can: arrays below 32 MiB, its own upper limit. Larger ones always fault.
STEADY_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(1 << 40)}


# ---- the process -----------------------------------------------------------------------------------------------------

def environment(outside):
    """The variables of a measuring process, made from those outside: one thread each, no forced kind of processor."""
    inside = dict(outside) | ONE_THREAD | STEADY_MEMORY | {"JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu"}
    inside["XLA_FLAGS"] = (outside.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false").strip()
    for forced in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):     # either can halve the speed of BLAS
        inside.pop(forced, None)
    return inside


def pin_one_core():
    """Run on one core only, where the system can; XLA sizes its threads by the cores that it sees. Return the core."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))                          # the first one serves the interrupts
    os.sched_setaffinity(0, {core})
    return core


# ---- what is measured ------------------------------------------------------------------------------------------------

class Absent(Exception):
    """A peer that is not installed."""


@dataclass(frozen=True)
class Peer:
    gradient: Callable | None
    value: Callable | None = None
    prepare: Callable = lambda args: args        # from NumPy arguments to the peer's own, outside the timing
    waiter: Callable = lambda result: None       # from a first result to the function that waits for such results
    fetch: Callable = lambda result: result      # from a result to the same one in NumPy's arrays


@dataclass(frozen=True)
class Case:
    name: str
    args: tuple
    without: tuple = ()                          # peers that would take minutes
    peers: dict | None = None                    # where they differ from the row's
    loose: dict = field(default_factory=dict)    # how far off a peer may be that draws its own random numbers


@dataclass(frozen=True)
class Row:
    number: int
    title: str
    target: str                                  # where the scoreboard wants to be, in words
    peers: dict[str, Callable[[], Peer]]         # made when needed: making imports the peer
    cases: Callable[[bool], Iterable[Case]]      # quick or not -> cases
    at_most: dict[str, float] = field(default_factory=dict)      # ours / peer, else the run fails


def gradscribe():
    """The module, or Absent where it cannot be imported or is not complete."""
    try:
        import gradscribe as gs
    except ImportError as error:
        raise Absent(str(error)) from error
    if not hasattr(gs, "jit"):
        raise Absent("this gradscribe has no jit")
    return gs


def jax_module():
    try:
        import jax
    except ImportError as error:
        raise Absent(str(error)) from error
    return jax


def ported(f, numpy_like, **others):
    """The same program text, its `np` being another module."""
    names = f.__globals__ | {"np": numpy_like} | others
    for name, g in f.__globals__.items():
        if isinstance(g, types.FunctionType) and g.__module__ == f.__module__:
            names[name] = types.FunctionType(g.__code__, names, g.__name__, g.__defaults__)
    return types.FunctionType(f.__code__, names, f.__name__, f.__defaults__)


def jax_arguments(args):
    jax = jax_module()
    return jax.tree.map(lambda leaf: jax.numpy.asarray(leaf) if isinstance(leaf, np.ndarray) else leaf, args)


def jax_waiter(result):
    """The cheapest way to wait: all outputs of one compiled function become ready together, so one is enough."""
    if isinstance(result, dict):
        key = next(iter(result))
        return lambda r: r[key].block_until_ready()
    if isinstance(result, tuple):
        return lambda r: r[0].block_until_ready()
    return lambda r: r.block_until_ready()


# A peer for each system, from the gradient transformation's own arguments. `f` may take a different function per system.

def ours(f, transform="grad", **options):
    def make():
        gs = gradscribe()
        return Peer(gs.jit(getattr(gs, transform)(f, **options)), gs.jit(f))
    return make


def readable(f, transform="grad", **options):
    """The readable source, run by plain Python and NumPy."""
    def make():
        return Peer(getattr(gradscribe(), transform)(f, **options), f)
    return make


def jax_peer(f, transform="grad", static=(), **options):
    def make():
        jax = jax_module()
        port = ported(f, jax.numpy)
        return Peer(jax.jit(getattr(jax, transform)(port, **options), static_argnums=static),
                    jax.jit(port, static_argnums=static), jax_arguments, jax_waiter)
    return make


def autograd_peer(f, transform="grad", argnum=0):
    def make():
        try:
            import autograd
        except ImportError as error:
            raise Absent(str(error)) from error
        return Peer(getattr(autograd, transform)(ported(f, autograd.numpy), argnum), f)
    return make


def numba_compiled(f):
    """A hand-written function, compiled with more freedom to round differently than generated code takes."""
    import numba
    return numba.njit(f, error_model="numpy", fastmath={"reassoc", "contract", "nsz", "arcp"})


# ---- agreement -------------------------------------------------------------------------------------------------------

def leaves(result):
    """The arrays of a result, in an order that all peers share."""
    match result:
        case dict():
            for key in sorted(result):
                yield from leaves(result[key])
        case tuple() | list():
            for part in result:
                yield from leaves(part)
        case _:
            yield np.asarray(result)


def difference(a, b):
    """The largest difference of two results, relative to the largest element of its array; inf where shapes differ."""
    a, b = list(leaves(a)), list(leaves(b))
    if [x.shape for x in a] != [x.shape for x in b]:
        return float("inf")
    return max((relative(x, y) for x, y in zip(a, b)), default=0.0)


def relative(x, y):
    if x.dtype != y.dtype or not (np.isfinite(x).all() and np.isfinite(y).all()):
        return float("inf")
    if x.size == 0:
        return 0.0
    scale = max(np.abs(x).max(), np.abs(y).max())
    return float(np.abs(x - y).max() / scale) if scale else 0.0


def disagreements(results, loose=types.MappingProxyType({})):
    """The pairs of peers whose results are further apart than the tolerance, as text."""
    apart = ((a, b, difference(results[a], results[b])) for a, b in combinations(results, 2))
    return [f"{a} and {b} differ by {d:.1e}" for a, b, d in apart
            if not d <= max(TOLERANCE, loose.get(a, 0.0), loose.get(b, 0.0))]


# ---- timing ----------------------------------------------------------------------------------------------------------

@dataclass
class Clock:
    """Times blocks of calls of one function."""
    call: Callable
    args: tuple
    wait: Callable | None
    number: int = 1                              # calls in a block
    rounds: int = 3
    seconds: list = field(default_factory=list)  # one per block, for one call

    def block(self):
        call, args, wait = self.call, self.args, self.wait
        start = perf_counter()
        if wait is None:
            for _ in range(self.number):
                call(*args)
        else:
            for _ in range(self.number):
                wait(call(*args))
        return (perf_counter() - start) / self.number

    def calibrate(self, budget):
        """Choose blocks of about 2 ms, and as many as the budget allows, within 3 and 30."""
        second = self.block()                    # this one warms
        if second < 0.1:
            while self.block() * self.number < 1e-3:
                self.number *= 4
            second = self.block()
        self.number = max(1, round(2e-3 / second))
        self.rounds = int(min(30, max(3, budget / (second * self.number))))


def alternate(clocks):
    """Fill every clock, one block of each in turn."""
    gc.collect()
    gc.disable()
    try:
        for turn in range(max((clock.rounds for clock in clocks), default=0)):
            for clock in clocks:
                if turn < clock.rounds:
                    clock.seconds.append(clock.block())
    finally:
        gc.enable()


def first_call(call, args, waiter):
    """(seconds of the first call, its result, how to wait for more of them)"""
    start = perf_counter()
    result = call(*args)
    wait = waiter(result)
    if wait is not None:
        wait(result)
    return perf_counter() - start, result, wait


# ---- a row -----------------------------------------------------------------------------------------------------------

@functools.cache                                 # one peer serves all cases: a new size must show what it costs
def made(make):
    """(the peer, None), or (None, why there is none)"""
    try:
        return make(), None
    except Absent as reason:
        return None, {"absent": str(reason)}
    except Exception as error:                   # a peer that cannot be made must not cost the other rows
        return None, {"failed": told(error)}


def told(error):
    return f"{type(error).__name__}: {error}".strip().splitlines()[0][:200]


def measure_row(row, quick, report=lambda line: None):
    """All cases of a row, as plain data for JSON."""
    measured = []
    for case in row.cases(quick):
        report(f"row {row.number}, {case.name}")
        measured.append(measure_case(case, case.peers or row.peers, budget=0.05 if quick else 0.4))
    return {"row": row.number, "title": row.title, "target": row.target, "at_most": row.at_most, "cases": measured,
            "machine": machine()}


def measure_case(case, peers, budget):
    here, missing = invite(case, peers)
    runs, problems = {}, []
    for name, peer in here.items():
        try:
            runs[name] = Run(peer, case.args, budget)
        except Exception as error:               # as above
            problems.append(f"{name} failed: {told(error)}")
    apart = [f"{kind}: {line}" for kind in KINDS for line in
             disagreements({name: run.results[kind] for name, run in runs.items() if kind in run.results}, case.loose)]
    if not apart:
        alternate([clock for run in runs.values() for clock in run.clocks.values()])
    entries = {name: run.seconds() for name, run in runs.items()}
    return {"case": case.name, "peers": entries, "missing": missing, "problems": problems + apart, **ratios(entries)}


def invite(case, peers):
    """(the peers that take part, why each other one does not)"""
    here, missing = {}, {name: {"absent": "too slow at this size"} for name in case.without}
    for name, make in peers.items():
        if name not in case.without:
            here[name], missing[name] = made(make)
    return {n: peer for n, peer in here.items() if peer}, {n: why for n, why in missing.items() if why}


KINDS = ("gradient", "value")


class Run:
    """A peer at one case: its first results, and a clock for each kind of call."""

    def __init__(self, peer, args, budget):
        self.first, self.results, self.clocks = {}, {}, {}
        args = peer.prepare(args)
        for kind in KINDS:
            call = getattr(peer, kind)
            if call is not None:
                self.first[kind], result, wait = first_call(call, args, peer.waiter)
                self.results[kind] = [leaf.copy() for leaf in leaves(peer.fetch(result))]
                self.clocks[kind] = Clock(call, args, wait)
                self.clocks[kind].calibrate(budget)

    def seconds(self):
        timed = {kind: median(clock.seconds) for kind, clock in self.clocks.items() if clock.seconds}
        return timed | {f"first_{kind}": value for kind, value in self.first.items()}


def ratios(entries):
    """r = gradient / value of ours, q = ours / best peer (and which), limit = ours / the best by hand; None where unknown."""
    gradient = {name: entry["gradient"] for name, entry in entries.items() if "gradient" in entry}
    mine, rivals = gradient.get(OURS), {n: s for n, s in gradient.items() if n not in NOT_PEERS}
    best, by_hand = min(rivals, key=rivals.get, default=None), [gradient[name] for name in LIMITS if name in gradient]
    value = entries.get(OURS, {}).get("value")
    return {"r": mine / value if mine and value else None,
            "q": mine / rivals[best] if mine and best else None,
            "best": best,
            "limit": mine / min(by_hand) if mine and by_hand else None}


def failures(measured):
    """What is wrong with a measured row, as lines: ours not there, wrong or failed peers, and limits that do not hold."""
    for case in measured["cases"]:
        where = f"row {measured['row']}, {case['case']}"
        for line in case["problems"]:
            yield f"{where}: {line}"
        for name, why in case["missing"].items():
            if "failed" in why:
                yield f"{where}: {name} could not be made: {why['failed']}"
            elif name == OURS:
                yield f"{where}: {name} took no part: {why['absent']}"
        if OURS not in case["peers"] | case["missing"] and not any(line.startswith(f"{OURS} failed") for line in case["problems"]):
            yield f"{where}: {OURS} took no part"
        times = {name: entry.get("gradient") for name, entry in case["peers"].items()}
        for name, most in measured["at_most"].items():
            if times.get(OURS) and times.get(name) and times[OURS] > most * times[name]:
                yield f"{where}: {times[OURS] / times[name]:.2f} times {name}, wanted at most {most:.2f}"


@functools.cache
def machine():
    """What the figures depend on, without naming anyone's machine."""
    import platform
    from importlib.metadata import PackageNotFoundError, version
    def installed(package):
        try:
            return version(package)
        except PackageNotFoundError:
            return None
    packages = {name: installed(name) for name in ("gradscribe", "numpy", "numba", "jax", "autograd", "torch")}
    return {"processor": processor(), "python": platform.python_version(), **packages}


def processor():
    import platform
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":")[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
