"""Row 21 as text: `results-devices.md`, and `docs/scaling.md` with the model that is fitted to it."""
from benchmarks.devices import model
from benchmarks.devices.measure import SIZES
from benchmarks.tables import markdown_table, ratio, seconds

FLOAT = 8                                        # bytes
MOST_OVERHEAD = 60e-6
OF_BANDWIDTH = 0.85                              # a memory-bound program gains at least so much of what a copy gains
LARGER = 100
KINDS = ("threads", "threads with gs.shard", "processes", "jax", "mpi4py")
WRITTEN = "Written by `python run.py bench --rows 21`."


def setting(machine):
    packages = ", ".join(f"{name} {version}" for name, version in machine.items()
                         if version and name not in ("processor", "cores"))
    return f"{machine['cores']} cores of {machine['processor']}, float64, one thread of BLAS, {packages}."


# ---- results ---------------------------------------------------------------------------------------------------------

def results(found):
    parts = ["# Measured on two devices", setting(found["machine"]),
             "One thread is `gs.jit` with GRADSCRIBE_THREADS=1, which else shares loops between threads itself; two devices are two threads of "
             f"`gs.pmap`, or two processes under `mpiexec`. {WRITTEN}",
             "## Two against one", work_table(found), bandwidth_line(found), arithmetic_line(found),
             "## An allreduce (`psum`), one of many within a program", allreduce_table(found, "{}"),
             "JAX: `lax.psum` in `jax.pmap`, on two devices of the host. mpi4py: `Allreduce` of two processes, in place of "
             "a program.",
             "## An allreduce in a call of its own", allreduce_table(found, "{}, a call"),
             "With the call of `pmap`. Results are put together in one array; JAX leaves them on the devices, and so does `pmap` where arguments "
             "were laid over devices by `gs.shard`.",
             "## A call that computes nothing: the squares of a vector of three numbers a device", overhead_table(found),
             "## A step of training that loads the next batch meanwhile: `jit(f, wait=False)`", overlap_line(found)]
    return "\n\n".join(parts) + "\n"


def gain(times, kind):
    return times["one"] / times[kind] if times.get("one") and times.get(kind) else None


def work_table(found):
    lines = [(times["title"], f">= {times['goal']}", seconds(times["one"]), seconds(times["threads"]),
              ratio(gain(times, "threads")), seconds(times.get("processes")), ratio(gain(times, "processes")))
             for times in found["workloads"].values() if "title" in times]
    return markdown_table(("program", "wanted", "one thread", "two threads", "gain", "two processes", "gain"), lines)


def bandwidth_line(found):
    rate = found["bandwidth"]
    if not rate:
        return "The bandwidth of memory was not measured."
    return (f"A copy of 128 MB reads and writes {rate['one'] / 1e9:.1f} GB/s by one thread and {rate['threads'] / 1e9:.1f} GB/s by "
            f"two, {ratio(gain_of(rate))} times as much: more a program that waits for memory cannot gain.")


def arithmetic_line(found):
    rate = found["arithmetic"]
    if not rate:
        return "What two cores compute was not measured."
    return (f"Multiplying and adding in the first cache, one thread does {rate['one'] / 1e9:.1f} operations a ns and two do "
            f"{rate['threads'] / 1e9:.1f}, {ratio(gain_of(rate))} times as many: what these two cores have of their own.")


def gain_of(rate):
    return rate["threads"] / rate["one"]


def allreduce_table(found, form):
    keys = [form.format(kind) for kind in KINDS]
    keys = [key for key in keys if any(key in times for times in found["allreduce"].values())]
    lines = [(name, "", *(seconds(times.get(key)) for key in keys)) for name, times in found["allreduce"].items()]
    return markdown_table(("of each device", "", *(key.split(",")[0] for key in keys)), lines)


def overhead_table(found):
    lines = [(name, wanted(name), seconds(time)) for name, time in found["overhead"].items()]
    return markdown_table(("call", "wanted", "time"), lines)


def overlap_line(found):
    times = {name: seconds(time) for name, time in found["overlap"].items()}
    if not times:
        return "It was not measured."
    return (f"Loading takes {times['loading']}, training {times['training']}. A step of both takes {times['in turn']} where "
            f"each call is waited for, and {times['at once']} where it is not.")


def wanted(name):
    return f"<= {MOST_OVERHEAD * 1e6:.0f} us" if name == "threads" else ""


def missed(found):
    """What is below the aims, as lines."""
    for name, times in found["workloads"].items():
        reached, least = gain(times, "threads"), times.get("goal")
        if reached and times["memory_bound"] and found["bandwidth"]:
            least = min(least, OF_BANDWIDTH * gain_of(found["bandwidth"]))
        if reached and reached < least:
            yield f"{name}: two threads gain {reached:.2f}, wanted at least {least:.2f}"
    call = found["overhead"].get("threads", 0.0)
    if call > MOST_OVERHEAD:
        yield f"a call of two devices takes {seconds(call)}, wanted at most {seconds(MOST_OVERHEAD)}"


# ---- the model -------------------------------------------------------------------------------------------------------

INTRODUCTION = """\
What `gs.pmap` gives on P processes of an MPI job, from 1 to 64, by a model of three costs. **Only one and two processes were
measured**, on one machine; all else on this page is the model's, fitted to what was measured. {written}

    T(P) = kappa W(P) + o(P) + sum over the collectives of c(P, n)

| | what it is | fitted to |
| --- | --- | --- |
| W(P) | the work of one process, as one thread does it alone: W / P where the work is shared (strong scaling), W where each process has as much as one had (weak scaling) | one thread, `gs.jit` |
| kappa | what work costs beside another process, which shares memory and caches | two processes |
| o(P) = o + h ceil(log2 P) | a call: the program is found, and the processes agree at its start and at its end | calls that compute nothing, of one device and of two processes |
| c(P, n) = alpha ceil(log2 P) + beta r(P, n) | a sum of n bytes of each process, of which each receives r = n (P - 1), and of 256 KB and more 2 n (P - 1) / P: a part of all, and the sums of the other parts | `psum` of 8 B to 8 MB on two processes, least squares of relative errors |

The forms of o and c are not measured but read off the algorithm (`runtime/devices/jobs.py`): an Allgather of headers has ceil(log2 P) rounds of
messages, and what does not travel with them goes from each process to each. `all_gather` and `ppermute` have r = n (P - 1) for all n."""

LEFT_OUT = """\
## What the model leaves out

- **A network.** Messages went through shared memory. Between machines a round takes longer, typically by some us with InfiniBand and
  by tens of us with Ethernet, and beta follows the network's bandwidth, which processes of one machine share.
- **Memory.** kappa is that of two cores. Where 16 cores share the channels of a socket, a program that waits for memory stops gaining
  long before 16; and pages on the other socket (NUMA) are slower to reach. What fits into the caches of P processes and not
  into that of one is faster than the model says.
- **Stragglers.** All wait for the slowest at each collective. What the system or a neighbour takes from one process is taken from all,
  and the slowest of 64 is later than the slowest of two. Work that is not the same for all is not in W / P either.
- **More messages.** Each process sends P - 1 of them where operands are not small; what they cost beside their bytes is in no term.
- **Threads in a process.** A job may have processes of several devices each, which add up before they send; the model has one device each.
- **The first call**, which compiles in every process, and reading data."""


def scaling(found):
    """docs/scaling.md"""
    parts = ["# Scaling to 64 processes", INTRODUCTION.format(written=WRITTEN), setting(found["machine"])]
    sums = {name: times["processes"] for name, times in found["allreduce"].items() if "processes" in times}
    if not sums or not {"one device", "processes"} <= set(found["overhead"]):
        return "\n\n".join([*parts, "Nothing was measured by several processes."]) + "\n"
    fit = model.fitted({FLOAT * SIZES[name]: time for name, time in sums.items()})
    call = found["overhead"]["one device"]
    step = max(0.0, (found["overhead"]["processes"] - call) / model.rounds(model.MEASURED))
    programs = {times["title"].split(":")[0]: (times, model.of_workload(times, fit, call, step))
                for times in found["workloads"].values() if "title" in times and "processes" in times}
    parts += ["## What was fitted",
              f"alpha = {seconds(fit.alpha)}, beta = {fit.beta * 1e9:.3f} ns a byte ({1 / fit.beta / 1e9:.1f} GB/s), "
              f"o = {seconds(call)}, h = {seconds(step)}.", fit_table(fit, sums), kappa_table(programs),
              "## Strong scaling: how many times as fast the same work is done", strong_table(programs),
              f"## Strong scaling of {LARGER} times the work", strong_table(programs, LARGER),
              "More paths, points, systems or rows: what a collective moves is as large as before.",
              "## Weak scaling: the part of its speed that each process keeps", weak_table(programs),
              "## Where the time of a call goes on 64 processes (strong scaling)", parts_table(programs), LEFT_OUT]
    return "\n\n".join(parts) + "\n"


def fit_table(fit, sums):
    lines = []
    for name, time in sums.items():
        said = fit.seconds(model.MEASURED, FLOAT * SIZES[name])
        lines.append((f"psum of {name}", "", seconds(time), seconds(said), f"{said / time - 1:+.0%}"))
    return markdown_table(("two processes", "", "measured", "model", "off by"), lines)


def kappa_table(programs):
    lines = []
    for title, (times, scaling) in programs.items():
        said = scaling.seconds(model.MEASURED, 1 / model.MEASURED)
        lines.append((title, f"{scaling.kappa:.2f}", seconds(times["one"]), seconds(times["processes"]), seconds(said)))
    return markdown_table(("program", "kappa", "one thread", "two processes", "model"), lines)


def by_count(programs, cell):
    lines = [(title, *(cell(scaling, count) for count in model.PROCESSES)) for title, (_, scaling) in programs.items()]
    return markdown_table(("program, processes:", *map(str, model.PROCESSES)), lines)


def strong_table(programs, times=1):
    return by_count(programs, lambda scaling, count: f"{scaling.of(times).strong(count):.1f}")


def weak_table(programs):
    return by_count(programs, lambda scaling, count: f"{scaling.weak(count):.0%}")


def parts_table(programs):
    count = model.PROCESSES[-1]
    lines = [(title, "", *map(seconds, scaling.parts(count, 1 / count))) for title, (_, scaling) in programs.items()]
    return markdown_table(("program", "", "work", "call", "collectives"), lines)
