"""What the processes of a job run: `mpiexec -n 2 python -m tests.job NAME`; test_jobs.py says what is expected of it."""

import os
import signal
import sys
import time

import gradscribe as gs
import numpy as np

lax = gs.lax
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
    n = ALL
    ring = [(k, (k + 1) % n) for k in range(n)]
    programs = {
        "psum": lambda x: np.tanh(x) * lax.psum(x * x, "i"),
        "pmean": lambda x: np.tanh(x) * lax.pmean(x * x, "i"),
        "all_gather": lambda x: np.tanh(x) * lax.all_gather(x * x, "i"),
        "psum_scatter": lambda x: lax.psum_scatter(np.outer(np.arange(1.0, n + 1), x * x), "i"),
        "all_to_all": lambda x: lax.all_to_all(np.outer(np.arange(1.0, n + 1), x * x), "i", 0, 0),
        "ppermute": lambda x: np.tanh(x) * lax.ppermute(x * x, "i", ring),
        "pshuffle": lambda x: np.tanh(x) * lax.pshuffle(x * x, "i", [*range(1, n), 0]),
        "axis_index": lambda x: np.tanh(x) * lax.axis_index("i") * lax.axis_size("i"),
        "groups": lambda x: np.tanh(x) * lax.psum(x * x, "i", axis_index_groups=[[k] for k in range(n)]),
        "pmax and pmin": lambda x: lax.pmax(x, "i") * lax.pmin(x, "i"),
    }
    x = np.random.default_rng(1).normal(size=(n, 3))
    for name, f in programs.items():
        def tangent(x, f=f):
            return gs.jvp(f, (x,), (x * x,))[1]

        def gradient(x, f=f):
            return gs.grad(lambda x: np.sum(np.sin(f(x))))(x)

        for made in (f,) if name == "pmax and pmin" else (f, tangent, gradient):
            expected = rows(gs.vmap(made, axis_name="i")(x))
            np.testing.assert_allclose(gs.pmap(made, axis_name="i")(rows(x)), expected, rtol=1e-12, err_msg=name)
    say("fine")


total = gs.pmap(lambda x: lax.psum(x, "i"), axis_name="i")


def met():
    """Have all processes go through a call."""
    total(np.ones((gs.local_device_count(), 2)))


def told(call):
    """Print what a call raises; the job goes on after it."""
    try:
        call()
    except Exception as error:
        say(f"{HERE}: {type(error).__name__}: {error}")
    met()
    say("fine")


def raises():
    def f(x):
        if x[0] == 1.0:
            raise ValueError("one is too much")
        return lax.psum(x, "i")

    told(lambda: gs.pmap(f, axis_name="i")(rows(np.arange(2.0 * ALL).reshape(ALL, 2) / 2.0)))


def leaves():
    """One process comes to fewer collectives than the other."""
    def f(x):
        return lax.psum(x, "i") if x[0] < 1.0 else x

    told(lambda: gs.pmap(f, axis_name="i")(rows(np.arange(2.0 * ALL).reshape(ALL, 2))))


def shapes():
    told(lambda: total(np.ones((gs.local_device_count(), 2 + HERE))))


def arguments():
    """One process calls with what is refused before the call."""
    two = gs.pmap(lambda x, y: lax.psum(x * y, "i"), axis_name="i")
    n = gs.local_device_count()
    told(lambda: two(np.ones(n), np.ones(n + HERE)))


def programs():
    other = gs.pmap(lambda x: lax.psum(x * x, "i"), axis_name="i")
    told(lambda: (other if HERE else total)(np.ones((gs.local_device_count(), 2))))


def memory():
    def f(x, n):
        y = np.zeros((n, n))
        y[0, 0] = x[0]
        return lax.psum(y[0, 0], "i")

    size = 10**7 if HERE else 2
    told(lambda: gs.pmap(f, axis_name="i", in_axes=(0, None))(np.ones((1, 2)), size))


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


def alone():
    """One process alone asks for what lies in both; the other calls something else."""
    laid = gs.shard(np.ones((ALL, 2)), gs.Mesh((ALL,), "i"), gs.P("i"))
    told(lambda: gs.device_get(laid) if HERE else met())


def mixed():
    """One process gives what is laid over devices, the other an array."""
    laid = gs.shard(np.ones((ALL, 2)), gs.Mesh((ALL,), "i"), gs.P("i"))
    told(lambda: total(laid if HERE else np.ones((gs.local_device_count(), 2))))


def uncaught():
    met()
    if HERE == 1:
        raise RuntimeError("nobody catches it")
    met()


def killed():
    met()
    if HERE == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    met()


def late():
    met()
    time.sleep(0.5 * HERE)
    met()
    say("fine")


def ends_early():
    """One process ends while the others call once more: they are told."""
    met()
    if HERE == 0:
        told_once()


def told_once():
    try:
        met()
    except Exception as error:
        say(f"{HERE}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    globals()[sys.argv[1]]()
