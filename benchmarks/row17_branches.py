"""Row 17: what each of 10,000 examples does depends on it: a root by Newton's method, whose number of steps varies by ten, a
branch, Kepler's equation (the closer an orbit is to a parabola, the more steps), and a throw that ends where the ball lands.
JAX batches its `while_loop` by running all examples until the last is done, and its `cond` by running both sides; it has
no reverse mode of a `while_loop`, so that all derivatives of these are forward."""
import numpy as np

from benchmarks.harness import (HAND, JAX_REWRITTEN, OURS, Case, Peer, Row, gradscribe, jax_arguments, jax_module,
                                jax_waiter, numba_compiled)


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


def anomaly(M, e):
    """Kepler's equation E - e sin E = M, by Newton's method from a start that is never on the wrong side."""
    E = np.pi
    while abs(E - e * np.sin(E) - M) > 1e-11:
        E = E - (E - e * np.sin(E) - M) / (1.0 - e * np.cos(E))
    return E


def reach(v):
    """How far a ball flies that is thrown at 45 degrees with speed v, against the drag of the air: it lands early or late."""
    x, y, vx, vy = 0.0, 1.5, 0.7 * v, 0.7 * v
    for k in range(2000):
        drag = 1.0 - 0.0005 * np.sqrt(vx * vx + vy * vy)
        x_new, y_new = x + 0.05 * vx, y + 0.05 * vy
        if y_new < 0.0:
            return x + (x_new - x) * y / (y - y_new)
        x, y, vx, vy = x_new, y_new, drag * vx, drag * vy - 0.4905
    return x


def ours(f):
    def make():
        gs = gradscribe()
        return Peer(gs.jit(gs.vmap(gs.grad(f))), gs.jit(gs.vmap(f)))
    return make


def ours_forward(f):
    """Derivatives by the first of two arguments, in forward mode."""
    def make():
        gs = gradscribe()
        return Peer(gs.jit(gs.vmap(lambda x, y: gs.jvp(lambda x: f(x, y), (x,), (1.0,))[1])), gs.jit(gs.vmap(f)))
    return make


def jax_forward(find):
    """The same for `find(jax, x, y)`."""
    def make():
        jax = jax_module()

        def tangent(x, y):
            return jax.jvp(lambda x: find(jax, x, y), (x,), (1.0,))[1]

        return Peer(jax.jit(jax.vmap(tangent)), jax.jit(jax.vmap(lambda x, y: find(jax, x, y))), jax_arguments, jax_waiter)
    return make


# by hand, and in JAX ----------------------------------------------------------------------------------------------------

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


def jax_root(jax, a, x0):
    return jax.lax.while_loop(lambda x: abs(x * x * x - a) > 1e-9 * a, lambda x: x - (x * x * x - a) / (3.0 * x * x), x0)


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


def anomaly_tangents(M, e):
    E_bar = np.empty_like(M)
    for i in range(len(M)):
        E, E_dot = np.pi, 0.0
        sine = np.sin(E)
        while abs(E - e[i] * sine - M[i]) > 1e-11:
            slope = 1.0 - e[i] * np.cos(E)
            step = (E - e[i] * sine - M[i]) / slope
            E_dot = (1.0 + step * e[i] * sine * E_dot) / slope
            E -= step
            sine = np.sin(E)
        E_bar[i] = E_dot
    return E_bar


def jax_anomaly(jax, M, e):
    sin, cos = jax.numpy.sin, jax.numpy.cos
    return jax.lax.while_loop(lambda E: abs(E - e * sin(E) - M) > 1e-11,
                              lambda E: E - (E - e * sin(E) - M) / (1.0 - e * cos(E)), jax.numpy.pi + 0.0 * M)


def reach_tangents(v):
    out = np.empty_like(v)
    for i in range(len(v)):
        x, y, vx, vy = 0.0, 1.5, 0.7 * v[i], 0.7 * v[i]
        dx, dy, dvx, dvy = 0.0, 0.0, 0.7, 0.7
        for k in range(2000):
            x_new, y_new, dx_new, dy_new = x + 0.05 * vx, y + 0.05 * vy, dx + 0.05 * dvx, dy + 0.05 * dvy
            if y_new < 0.0:
                part, fall = (x_new - x) * y, y - y_new
                out[i] = dx + ((dx_new - dx) * y + (x_new - x) * dy - part / fall * (dy - dy_new)) / fall
                break
            speed = np.sqrt(vx * vx + vy * vy)
            drag, ddrag = 1.0 - 0.0005 * speed, -0.0005 * (vx * dvx + vy * dvy) / speed
            dvx, dvy = ddrag * vx + drag * dvx, ddrag * vy + drag * dvy
            vx, vy = drag * vx, drag * vy - 0.4905
            x, y, dx, dy = x_new, y_new, dx_new, dy_new
        else:
            out[i] = dx
    return out


def jax_reach():
    jax = jax_module()

    def value(v):
        def step(state):
            x, y, vx, vy, *_, k = state
            drag = 1.0 - 0.0005 * jax.numpy.sqrt(vx * vx + vy * vy)
            return x + 0.05 * vx, y + 0.05 * vy, drag * vx, drag * vy - 0.4905, x, y, k + 1

        start = 0.0 * v, 1.5 + 0.0 * v, 0.7 * v, 0.7 * v, 0.0 * v, 1.5 + 0.0 * v, 0
        x_new, y_new, _, _, x, y, _ = jax.lax.while_loop(lambda state: (state[1] >= 0.0) & (state[-1] < 2000), step, start)
        return jax.numpy.where(y_new < 0.0, x + (x_new - x) * y / (y - y_new), x_new)

    def tangent(v):
        return jax.jvp(value, (v,), (1.0,))[1]

    return Peer(jax.jit(jax.vmap(tangent)), jax.jit(jax.vmap(value)), jax_arguments, jax_waiter)


def ours_reach():
    gs = gradscribe()
    return Peer(gs.jit(gs.vmap(lambda v: gs.jvp(reach, (v,), (1.0,))[1])), gs.jit(gs.vmap(reach)))


def examples(count):
    """Arguments of each function, most of which take few steps, and some many."""
    rng = np.random.default_rng(17)
    a = rng.uniform(1.0, 2.0, count)
    x0 = np.where(rng.uniform(size=count) < 0.02, 1e7, 1.2) * rng.uniform(0.9, 1.1, count)        # 4 steps, or 40
    x = np.where(rng.uniform(size=count) < 0.1, 1.0, -1.0) * rng.uniform(0.5, 1.5, count)
    comet = rng.uniform(size=count) < 0.02                                                  # nearly a parabola, near the sun
    e = np.where(comet, 1.0 - 10.0 ** rng.uniform(-9.0, -5.0, count), rng.uniform(0.0, 0.9, count))
    M = np.where(comet, 10.0 ** rng.uniform(-9.0, -5.0, count), rng.uniform(0.1, 3.0, count))
    v = np.where(rng.uniform(size=count) < 0.02, 150.0, 5.0) * rng.uniform(0.8, 1.2, count)
    return {root: (a, x0), energy: (x,), anomaly: (M, e), reach: (v,)}


def cases(quick):
    count = 100 if quick else 10_000
    args = examples(count)
    yield Case(f"Newton's method, {count:,} examples, 4 to 45 steps", args[root],
               peers={OURS: ours_forward(root), JAX_REWRITTEN: jax_forward(jax_root), HAND: lambda: Peer(numba_compiled(root_tangents))})
    yield Case(f"a branch that one in ten takes, {count:,} examples", args[energy],
               peers={OURS: ours(energy), JAX_REWRITTEN: jax_energy, HAND: lambda: Peer(numba_compiled(energy_gradients))})
    yield Case(f"Kepler's equation, {count:,} examples, 2 to 20 steps", args[anomaly],
               peers={OURS: ours_forward(anomaly), JAX_REWRITTEN: jax_forward(jax_anomaly), HAND: lambda: Peer(numba_compiled(anomaly_tangents))})
    yield Case(f"a ball in the air until it lands, {count:,} examples, 20 to 180 steps", args[reach],
               peers={OURS: ours_reach, JAX_REWRITTEN: jax_reach, HAND: lambda: Peer(numba_compiled(reach_tangents))})


ROW = Row(17, "branches and loops that depend on the example", "q <= 1/3 against JAX", {}, cases, at_most={JAX_REWRITTEN: 1 / 3})
