"""Row 17: what each of 10,000 examples does depends on it: a root by Newton's method, whose number of steps varies by ten, and a
branch. JAX batches its `while_loop` by running all examples until the last is done, and its `cond` by running both sides."""
import numpy as np

from benchmarks.harness import HAND, JAX_REWRITTEN, OURS, Case, Peer, Row, gradscribe, jax_arguments, jax_module, jax_waiter, numba_compiled


def root(a, x0):
    x = x0
    while abs(x * x * x - a) > 1e-9 * a:
        x = x - (x * x * x - a) / (3.0 * x * x)
    return x


def energy(x):
    if x > 0.0:
        e = 1.0
        for k in range(20):
            e = np.sin(e * x) + 0.1 * k
        return e
    return x * x



def ours(f):
    def make():
        gs = gradscribe()
        return Peer(gs.jit(gs.vmap(gs.grad(f))), gs.jit(gs.vmap(f)))
    return make


def ours_root():
    gs = gradscribe()
    return Peer(gs.jit(gs.vmap(lambda a, x0: gs.jvp(lambda a: root(a, x0), (a,), (1.0,))[1])), gs.jit(gs.vmap(root)))


def root_tangents(a, x0):
    x_bar = np.empty_like(a)
    for i in range(len(a)):
        x, x_dot = x0[i], 0.0
        while abs(x * x * x - a[i]) > 1e-9 * a[i]:
            step = (x * x * x - a[i]) / (3.0 * x * x)
            x_dot -= x_dot - 1.0 / (3.0 * x * x) - 2.0 * step / x * x_dot
            x -= step
        x_bar[i] = x_dot
    return x_bar


def jax_root():
    jax = jax_module()

    def find(a, x0):
        return jax.lax.while_loop(lambda x: abs(x * x * x - a) > 1e-9 * a, lambda x: x - (x * x * x - a) / (3.0 * x * x), x0)

    def tangent(a, x0):
        return jax.jvp(lambda a: find(a, x0), (a,), (1.0,))[1]

    return Peer(jax.jit(jax.vmap(tangent)), jax.jit(jax.vmap(find)), jax_arguments, jax_waiter)


def jax_energy():
    jax = jax_module()

    def deep(x):
        e = 1.0
        for k in range(20):
            e = jax.numpy.sin(e * x) + 0.1 * k
        return e

    def value(x):
        return jax.lax.cond(x > 0.0, deep, lambda x: x * x, x)

    return Peer(jax.jit(jax.vmap(jax.grad(value))), jax.jit(jax.vmap(value)), jax_arguments, jax_waiter)


def energy_gradients(x):
    out = np.empty_like(x)
    for i in range(len(x)):
        if x[i] > 0.0:
            e, e_dot = 1.0, 0.0
            for k in range(20):
                e, e_dot = np.sin(e * x[i]) + 0.1 * k, np.cos(e * x[i]) * (e + e_dot * x[i])
            out[i] = e_dot
        else:
            out[i] = 2 * x[i]
    return out


def cases(quick):
    count = 100 if quick else 10_000
    rng = np.random.default_rng(17)
    a = rng.uniform(1.0, 2.0, count)
    x0 = np.where(rng.uniform(size=count) < 0.02, 1e7, 1.2) * rng.uniform(0.9, 1.1, count)        # 4 steps, or 40
    yield Case(f"Newton's method, {count:,} examples, 4 to 45 steps", (a, x0),
               peers={OURS: ours_root, JAX_REWRITTEN: jax_root, HAND: lambda: Peer(numba_compiled(root_tangents))})
    x = np.where(rng.uniform(size=count) < 0.1, 1.0, -1.0) * rng.uniform(0.5, 1.5, count)
    yield Case(f"a branch that one in ten takes, {count:,} examples", (x,),
               peers={OURS: ours(energy), JAX_REWRITTEN: jax_energy, HAND: lambda: Peer(numba_compiled(energy_gradients))})


ROW = Row(17, "branches and loops that depend on the example", "q <= 1/3 against JAX", {}, cases, at_most={JAX_REWRITTEN: 1 / 3})
