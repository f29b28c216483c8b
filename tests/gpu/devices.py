"""A pmap whose devices are GPUs, in the simulator, which is told that there are four.
Arrays are as strict as a GPU's."""

import contextlib
import io

import numpy as np

import gradscribe as gs
from gradscribe.runtime.cuda import backend, running
from tests.corpus import pmap_programs

from . import arrays
from .faults import said

arrays.use()
backend.device_count = lambda: 4
lax, GPUS = gs.lax, gs.devices("cuda")


def on(n):
    return GPUS[:n]


def same(got, want):
    """The value that devices have left on their GPUs, in what NumPy has."""
    got = gs.device_get(got)
    assert got.dtype == want.dtype and got.shape == want.shape, (got, want)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-12)


def names(n):
    of_one = {f"{name}, {what}": f for name, c in pmap_programs.collectives(lax, np, n).items()
              for what, f in pmap_programs.inside(gs, np, c).items()}
    return of_one | pmap_programs.extremes(lax, n)


def collective(name, n):
    f, x = names(n)[name], pmap_programs.numbers(n, n)
    found = gs.pmap(f, axis_name="i", devices=on(n))(x)
    assert type(found.pieces[0]) is arrays.Array and found.mesh.gpus == tuple(range(n))
    same(found, gs.vmap(f, axis_name="i")(x))


def stays_there():
    """What one call leaves on the GPUs, the next one takes from there; numbers and trees,
    and axes that are not the first."""
    def step(state, x):
        return {"w": state["w"] - 0.1 * lax.pmean(state["w"] * x, "i"), "n": state["n"] + 1}, lax.axis_index("i")

    x, state = np.arange(6.0).reshape(3, 2), {"w": np.ones((3, 2)), "n": np.zeros(3, int)}
    train, want = gs.pmap(step, axis_name="i", devices=on(3)), state
    before = backend.put_array
    for _ in range(3):
        state, number = train(state, gs.shard(x, gs.Mesh(on(3), "devices"), gs.P("devices")))
        want, _ = gs.vmap(step, axis_name="i")(want, x)
    assert backend.put_array is before and state["w"].spec == gs.P("devices")
    for key in want:
        same(state[key], want[key])
    same(number, np.arange(3))
    same(gs.pmap(lambda x, c: x * c, in_axes=(1, None), out_axes=1, devices=on(2))(x, 2.0), 2.0 * x)
    assert type(gs.pmap(lambda x: gs.lax.psum(x, "i"), "i", out_axes=None, devices=on(3))(x)) is arrays.Array
    assert gs.pmap(lambda x: (x.sum(), None, "text"), devices=on(3))(x)[1:] == (None, "text")
    return "fine"


def of_a_mesh():
    x = np.arange(24.0).reshape(4, 6)
    mesh, P = gs.Mesh(np.array(on(4), object).reshape(2, 2), ("a", "b")), gs.P
    laid = gs.shard(x, mesh, P("a", "b"))
    assert [p.get().shape for p in laid.pieces] == [(2, 3)] * 4 and "of GPUs" in repr(laid)

    def f(x):
        return lax.psum(x, "a"), x * lax.axis_index("b"), lax.psum(np.sum(x), ("a", "b"))

    total, some, number = gs.shard_map(f, mesh, P("a", "b"), (P(None, "b"), P("a", "b"), P()))(laid)
    same(total, x[:2] + x[2:])
    same(some, x * (np.arange(6) >= 3))
    same(number, np.array(x.sum()))
    differ = gs.shard_map(lambda x: lax.psum(x, "b"), mesh, P("a"), P(), check_vma=True)
    assert "is different on device 2" in said(lambda: differ(x))
    return "fine"


def stops(where):
    """A kernel of one device alone stops, before or after the devices have met: all do the call again, on the CPU."""
    def f(x, limit):
        if where == "before" and x[0] > limit:
            raise ValueError(f"too large: {x[0]}")
        y = lax.psum(x, "i")
        if where == "after" and x[0] > limit:
            raise ValueError(f"too large: {x[0]}")
        for k in range(2):
            y = y + lax.psum(y * k, "i")
        return y

    x = np.arange(6.0).reshape(3, 2)
    g = gs.pmap(f, axis_name="i", in_axes=(0, None), devices=on(3))
    same(g(x, 5.0), gs.vmap(f, axis_name="i", in_axes=(0, None))(x, 5.0))
    text = said(lambda: g(x, 3.0))
    same(g(x, 5.0), gs.vmap(f, axis_name="i", in_axes=(0, None))(x, 5.0))
    return text


def tapes():
    """A tape of one device alone is full: all do the call again, with a longer one."""
    def f(x):
        s = 1.0
        while s < x:
            s = s * 1.001
        return lax.psum(s * x, "i") * x

    x = np.array([1.01, 1.5, 1.01])
    got, again = gs.pmap(gs.grad(f), axis_name="i", devices=on(3)), []
    init = running.collectives.Again.__init__

    def noted(self, on_cpu):
        again.append(on_cpu)
        init(self, on_cpu)

    running.collectives.Again.__init__ = noted
    try:
        same(got(x), gs.vmap(gs.grad(f), axis_name="i")(x))
    finally:
        running.collectives.Again.__init__ = init
    assert False in again and True not in again, again
    return "fine"


def step_apart():
    """Devices that do not meet, in what the host decides and in what it cannot."""
    def f(x):
        if x[0] > 1.0:
            x = lax.psum(x, "i")
        return x

    return said(lambda: gs.pmap(f, axis_name="i", devices=on(2))(np.array([[0.0], [2.0]])))


def refused():
    x, jitted = np.ones((2, 3)), gs.jit(lambda x: x, target="cuda")

    def stores(x):
        x[0] = 1.0
        return x

    calls = [lambda: gs.pmap(stores, devices=on(2))(x),
             lambda: gs.pmap(jitted), lambda: gs.shard_map(jitted, gs.Mesh((1,), "i"), gs.P("i"), gs.P("i")),
             lambda: gs.pmap(jitted, devices=on(3))(x), lambda: gs.Mesh([gs.Device("cuda", 7)], "i"),
             lambda: gs.pmap(lambda x: x, devices=[GPUS[0], gs.devices("cpu")[0]])(x),
             lambda: gs.pmap(lambda x: x)(gs.device_put(x, GPUS[0])),
             lambda: gs.pmap(lambda x: x, devices=on(2))(gs.shard(x, gs.Mesh(GPUS[2:], "i"), gs.P("i")))]
    assert np.all(x == 1.0)
    return "\n---\n".join(map(said, calls))


def printed():
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        gs.pmap(lambda x: gs.debug.print("sum {}", lax.psum(x, "i")), axis_name="i",
                devices=on(2))(np.array([1.0, 2.0]))
    return out.getvalue()
