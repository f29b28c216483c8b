"""What the processes of a job run: `mpiexec -n 2 python -m tests.support.mpi_program NAME`;
test_jobs.py says what is expected of it."""

import contextlib
import functools
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np

import gradscribe as gs
from gradscribe.runtime.devices import jobs
from gradscribe.transformer.devices import one_device
from tests.corpus import pmap_programs
from tests.support.held import held_after

lax = gs.lax
RECORDED = Path(__file__).parents[1] / "data" / "pmap.json"
HERE, ALL = gs.process_index(), gs.device_count()


def say(text):
    """A line in one write: others write, too."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def rows(x):
    """Those of the devices of this process."""
    n = gs.local_device_count()
    return x[HERE * n : (HERE + 1) * n]


def collectives():
    """Each, its tangent and its transpose, in readable source: as gs.vmap has it, and of 8 devices as JAX has it."""
    recorded = json.loads(RECORDED.read_text()) if ALL == 8 else {}
    x = pmap_programs.numbers(ALL, ALL)
    of_one = {f"{name}, {what}": f for name, c in pmap_programs.collectives(lax, np, ALL).items()
              for what, f in pmap_programs.inside(gs, np, c).items()}
    for name, f in (of_one | pmap_programs.extremes(lax, ALL)).items():
        kept = recorded.get(name, {}).get("value")
        expected = gs.vmap(f, axis_name="i")(x) if kept is None else np.array(kept)
        with readable():
            got = gs.pmap(f, axis_name="i")(rows(x))
        np.testing.assert_allclose(got, rows(expected), rtol=1e-12, atol=1e-12, err_msg=name)
    say("fine")


def blocks():
    """A mesh with an axis that processes share, and results that they must have alike."""
    mesh, P = gs.Mesh((2, ALL // 2), ("a", "b")), gs.P
    x = np.arange(24.0).reshape(4, 6)

    def program(x):
        return (lax.psum(x, "a"), x + lax.axis_index("b"), lax.pmean(np.sum(x), ("a", "b")),
                lax.ppermute(x, "a", [(0, 1), (1, 0)]))

    with readable():
        f = gs.shard_map(program, mesh, P("a"), (P(), P("a", "b"), P(), P("a")))
        total, some, mean, swapped = f(x)
        np.testing.assert_array_equal(total, x[:2] + x[2:])
        again = f(gs.shard(x, mesh, P("a")))
        for y, z in zip(gs.device_get(again[1:]), gs.device_get((some, mean, swapped)), strict=True):
            np.testing.assert_array_equal(y, z)
        np.testing.assert_array_equal(gs.device_get(swapped), np.concatenate([x[2:], x[:2]]))
        np.testing.assert_array_equal(gs.device_get(some), np.concatenate([x + k for k in range(ALL // 2)], axis=1))
        differ = gs.shard_map(lambda x: lax.psum(x, "b"), mesh, P("a"), P())
        say_what_it_raises("differ", lambda: differ(x))
        gs.shard_map(lambda x: lax.psum(x, "b"), mesh, P("a"), P(), check_vma=False)(x)
        mine = np.full(gs.local_device_count(), 1.0 * HERE)
        say_what_it_raises("none", lambda: gs.pmap(lambda x: x, out_axes=None)(mine))
        assert (gs.pmap(lambda x: lax.psum(x, "i"), axis_name="i", out_axes=None)(mine)
                == sum(range(gs.process_count())) * mine.size)
        met()
    say("fine")


@contextlib.contextmanager
def readable():
    """Devices run readable source meanwhile: to compile all programs would take minutes."""
    one_device.OneDevice.compiled = False
    yield
    one_device.OneDevice.compiled = True


def compiled():
    """All that others are written with, in one program."""
    ring = [(k, (k + 1) % ALL) for k in range(ALL)]

    def f(x):
        y = np.tanh(x) * lax.psum(x * x, "i") + lax.ppermute(x * x, "i", ring)
        return np.sum(np.sin(y) * lax.all_gather(y, "i"))

    def program(x):
        return f(x), gs.grad(f)(x), lax.pmax(x, "i") - 2.0 * lax.pmin(x, "i"), lax.psum(x, "i")

    made = gs.pmap(program, axis_name="i")
    for length in 3, 40, 50_001:  # what travels with a head; whole; in parts, of which each process takes one together
        x = pmap_programs.numbers(ALL, length) ** 3
        got, expected = made(rows(x)), gs.vmap(program, axis_name="i")(x)
        for y, z in zip(got, expected, strict=True):
            np.testing.assert_allclose(y, rows(z), rtol=1e-10)
        np.testing.assert_array_equal(got[-1], rows(np.stack([functools.reduce(np.add, x)] * ALL)))
    say("fine")


def together():
    """Sums that do not wait for each other are one exchange, in a program and in its derivative;
    large ones are one each."""
    def f(tree):
        return lax.pmean(tree, "i"), gs.grad(lambda tree: sum([np.sum(lax.psum(x * x, "i")) for x in tree]))(tree)

    made, taken = gs.pmap(f, axis_name="i"), []
    tree = [pmap_programs.numbers(ALL, n) for n in (1, 3, 40, 511, 4)]
    for extra, count in ((), 1), ((pmap_programs.numbers(ALL, 600),), 3):
        given = [*tree, *extra]
        got = made([*map(rows, given)])
        for y, z in zip(gs.tree.leaves(got), gs.tree.leaves(gs.vmap(f, axis_name="i")(given)), strict=True):
            np.testing.assert_allclose(y, rows(z), rtol=1e-12)
        exchanged = jobs.Messages.exchanged
        jobs.Messages.exchanged = lambda self, kind, value: taken.append(kind) or exchanged(self, kind, value)
        made([*map(rows, given)])
        jobs.Messages.exchanged = exchanged
        found = [kind for kind in taken if kind not in (jobs.START, jobs.END)]
        assert len(found) == count, (found, count)
        taken.clear()
    say("fine")


total = gs.pmap(lambda x: lax.psum(x, "i"), axis_name="i")


def met():
    """Have all processes go through a call."""
    total(np.ones((gs.local_device_count(), 2)))


def fault(name):
    """Say when it was, in the process whose fault it is."""
    if HERE == 1:
        say(f"{name} fault at {time.time()}")


def told(name, f, good, bad, **options):
    """Call where all goes well, so that all is compiled, then where it does not: what a process is told, and when.  The
    job goes on after it."""
    made = gs.pmap(f, axis_name="i", **options)
    told_by(name, lambda: made(*good), lambda: made(*bad))


def told_by(name, first, second):
    first()
    met()
    fault(name)
    say_what_it_raises(name, second)
    met()


def say_what_it_raises(name, call):
    try:
        call()
        text = "nothing"
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    say(f"{name} {HERE} at {time.time()}: {text}")


def errors():
    """One after the other."""
    def raises(x):
        if x == 1.0:
            raise ValueError("one is too much")
        return lax.psum(x, "i")

    def leaves(x):
        return lax.psum(x, "i") if x < 1.0 else x

    def rounds(n):
        t = 0.0
        for k in range(2):
            for _ in range(n[k]):
                t = t + lax.psum(k * 1.0, "i")
        return t

    def memory(x, n):
        y = np.zeros((n, n))
        y[0, 0] = x
        return lax.psum(y[0, 0], "i")

    here = gs.local_device_count()
    same, mine = np.zeros(here), np.full(here, 1.0 * HERE)
    told("raises", raises, [same], [mine])
    told("leaves", leaves, [same], [mine])
    told("rounds", rounds, [np.ones((here, 2), int)], [np.tile([2 - HERE, 1 + HERE], (here, 1))])
    two = gs.pmap(lambda x, y: lax.psum(x * y, "i"), axis_name="i")
    told_by("arguments", lambda: two(same, same), lambda: two(same, np.ones(here + HERE)))
    told_by("shapes", met, lambda: total(np.ones((here, 2 + HERE))))
    other = gs.pmap(lambda x: lax.psum(x * x, "i"), axis_name="i")
    told_by("programs", lambda: other(np.ones((here, 2))), lambda: (other if HERE else total)(np.ones((here, 2))))
    told("memory", memory, [same, 2], [same, 10**7 if HERE else 2], in_axes=(0, None))
    laid = gs.shard(np.ones((ALL, 2)), gs.Mesh((ALL,), "i"), gs.P("i"))
    told_by("gathers alone", lambda: gs.device_get(laid), lambda: gs.device_get(laid) if HERE else met())
    told_by("laid and not", lambda: total(laid), lambda: total(laid if HERE else np.ones((here, 2))))
    for x in [np.ones((here, 2)), np.ones((here, 40_000))] * os.path.exists("/proc/self/statm"):
        before, after = (held_after(count, lambda: total(x)) for count in (50, 500))
        say(f"held {HERE}: {after[0] - before[0]} bytes, {after[1:] == before[1:]}")
    time.sleep(0.5 * HERE)  # one that is late is waited for
    met()
    say("fine")
    fault("ends early")
    if HERE != 1:  # the others call once more
        say_what_it_raises("ends early", met)


def sharded():
    """Steps of training, whose rows of parameters stay in their processes."""
    def step(w, x):
        return w - 0.1 * gs.grad(lambda w: np.sum(lax.psum(x @ w, "i") ** 2))(w), lax.psum(np.sum(w), "i")

    rng, mesh = np.random.default_rng(1), gs.Mesh((ALL,), "devices")
    w, x = rng.normal(size=(ALL, 3, 2)), rng.normal(size=(ALL, 4, 3))
    laid, given = gs.shard((w, x), mesh, gs.P("devices"))
    assert len(laid.pieces) == gs.local_device_count()
    axes = {"axis_name": "i", "out_axes": (0, None)}
    for _ in range(3):
        (laid, total), (w, want) = gs.pmap(step, **axes)(laid, given), gs.vmap(step, **axes)(w, x)
        np.testing.assert_allclose(total, want, rtol=1e-12)
    assert (laid.shape, laid.spec) == (w.shape, gs.P("devices"))
    np.testing.assert_allclose(laid.pieces[0][0], rows(w)[0], rtol=1e-12)
    np.testing.assert_allclose(gs.device_get([laid])[0], w, rtol=1e-12)
    np.testing.assert_array_equal(np.asarray(gs.shard(w, mesh, gs.P())), w)  # of which each process has all
    try:
        np.sum(laid)
    except gs.UnsupportedError as error:
        assert "gs.device_get(x), which all processes call" in str(error)
        say("fine")


def gpus():
    """A GPU of each process, in the simulator: values, what stays there,
    and a kernel that stops in one process alone."""
    mine, x = gs.devices("cuda")[:1], np.arange(4.0 * ALL).reshape(ALL, 4)

    def f(x, limit):
        if x[0] > limit:
            raise ValueError(f"too large: {x[0]}")
        for k in range(2):
            x = x + lax.psum(np.sin(x), "i") + lax.ppermute(x, "i", [(0, 1)])
        return x

    def steps(x):
        s = 1.0
        while s < x:
            s = s * 1.001
        return lax.psum(s * x, "i") * x

    y = np.array([1.01, 1.5])  # the tape of process 1 alone is full
    np.testing.assert_allclose(gs.device_get(gs.pmap(gs.grad(steps), axis_name="i", devices=mine)(rows(y))),
                               gs.vmap(gs.grad(steps), axis_name="i")(y), rtol=1e-12)
    axes = {"axis_name": "i", "in_axes": (0, None)}
    on_gpus = gs.pmap(gs.grad(lambda x, limit: np.sum(f(x, limit))), devices=mine, **axes)
    want = gs.vmap(gs.grad(lambda x, limit: np.sum(f(x, limit))), **axes)
    got = on_gpus(rows(x), 99.0)
    assert got.mesh.gpus == (0,) and got.shape == x.shape
    np.testing.assert_allclose(gs.device_get(got), want(x, 99.0), rtol=1e-12)
    np.testing.assert_allclose(gs.device_get(on_gpus(got, 99.0)), want(want(x, 99.0), 99.0), rtol=1e-12)
    say_what_it_raises("gpu", lambda: on_gpus(rows(x), 3.0))
    np.testing.assert_allclose(gs.device_get(on_gpus(rows(x), 99.0)), want(x, 99.0), rtol=1e-12)
    say("fine")


def misused():
    """What would give other values than those of the job is refused in all processes, and the next call is right."""
    here, P = gs.local_device_count(), gs.P
    x = np.ones((here, 2))
    for name, wrapped in [("jit", gs.jit(total)), ("grad", gs.grad(lambda x: np.sum(total(x)))),
                          ("vmap", gs.vmap(lambda x: total(x[None]))), ("jvp", lambda x: gs.jvp(total, (x,), (x,)))]:
        say_what_it_raises(name, lambda wrapped=wrapped: wrapped(x))
    np.testing.assert_array_equal(gs.pmap(gs.jit(lambda x: lax.psum(x, "i")), axis_name="i")(x), ALL * x)
    np.testing.assert_array_equal(gs.pmap(gs.pmap(lambda x: lax.psum(x, ("i", "j")), axis_name="j"), axis_name="i")(x),
                                  2 * ALL * x)
    whole = gs.shard_map(lambda x: lax.psum(x, "i"), gs.Mesh((ALL,), "i"), P("i"), P())
    np.testing.assert_array_equal(gs.jit(whole)(np.ones((ALL, 2))), ALL * np.ones((1, 2)))

    say_what_it_raises("shard", lambda: gs.shard([np.ones(2), np.full(3, 1.0 * HERE)], gs.Mesh((ALL,), "i"), P()))
    say_what_it_raises("uncut", lambda: gs.shard(np.ones(ALL + HERE), gs.Mesh((ALL,), "i"), P("i")))
    later = gs.pmap(lambda x, y: lax.psum(x * y, "i"), axis_name="i", wait=False)
    say_what_it_raises("later", lambda: later(np.ones(here), np.ones(here + HERE)))
    np.testing.assert_array_equal(np.asarray(gs.shard(np.ones(2), gs.Mesh((ALL,), "i"), P())), [1.0, 1.0])
    child = os.fork()
    if child == 0:
        say_what_it_raises("child", met)
        os._exit(0)
    os.waitpid(child, 0)
    thread = threading.Thread(target=lambda: say_what_it_raises("thread", met))
    thread.start()
    thread.join()
    met()
    say("fine")


def interrupted():
    """By a signal, while the other process is late."""
    met()
    if HERE == 0:
        threading.Timer(0.5, lambda: (say(f"interrupted fault at {time.time()}"),
                                      os.kill(os.getpid(), signal.SIGINT))).start()
    else:
        time.sleep(30.0)
    met()


def uncaught():
    met()
    fault("uncaught")
    if HERE == 1:
        raise RuntimeError("nobody catches it")
    met()


def killed():
    met()
    fault("killed")
    if HERE == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    met()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
