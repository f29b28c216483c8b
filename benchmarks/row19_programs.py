"""Row 19: value and gradient of five programs of 60 to 400 lines of gradient: the first call, which transforms and compiles them.

Written for NumPy as people write them. JAX has the same text where lists and Python's loops are what one would write for it, too,
and `scan` in place of a loop over time.
"""
import numpy as np

from benchmarks.harness import JAX, OURS, READABLE, Case, Row, jax_peer, ours, readable

# ---- stencils: heat, what flows in and out, and pressure, each with boundaries of its own --------------------------------

def weather(u, q, p, k, wind, steps):
    u, q, p = u.copy(), q.copy(), p.copy()
    for _ in range(steps):
        new = u.copy()                           # heat: insulated left and right, fixed above and below
        new[1:-1, 1:-1] += k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1])
        new[:, 0] = new[:, 1]
        new[:, -1] = new[:, -2]
        new[0] = 1.0
        new[-1] = 0.0
        flow = q.copy()                          # vapour: comes in from the left, upwind, cannot leave above or below
        flow[1:-1, 1:] -= wind * (q[1:-1, 1:] - q[1:-1, :-1]) - 0.1 * new[1:-1, 1:] * (1.0 - q[1:-1, 1:])
        flow[:, 0] = 0.5
        flow[0] = flow[1]
        flow[-1] = flow[-2]
        for _ in range(4):                       # pressure: Jacobi's iteration, periodic from left to right
            around = np.zeros_like(p)
            around[1:-1] = p[2:] + p[:-2]
            around[:, 1:] += p[:, :-1]
            around[:, 0] += p[:, -1]
            around[:, :-1] += p[:, 1:]
            around[:, -1] += p[:, 0]
            p = 0.25 * (around - flow + new)
            p[0] = 0.0
            p[-1] = p[-2]
        u, q = new, flow + 0.01 * p
    return np.sum(u ** 2) + np.sum(np.sin(q)) + np.mean(p ** 2)


def weather_jax(u, q, p, k, wind, steps):
    import jax

    def pressure(p, given):
        new, flow = given
        around = np.zeros_like(p).at[1:-1].set(p[2:] + p[:-2])
        around = around.at[:, 1:].add(p[:, :-1]).at[:, 0].add(p[:, -1])
        around = around.at[:, :-1].add(p[:, 1:]).at[:, -1].add(p[:, 0])
        p = 0.25 * (around - flow + new)
        p = p.at[0].set(0.0)
        return p.at[-1].set(p[-2])

    def step(state, _):
        u, q, p = state
        new = u.at[1:-1, 1:-1].add(k * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]))
        new = new.at[:, 0].set(new[:, 1])
        new = new.at[:, -1].set(new[:, -2])
        new = new.at[0].set(1.0).at[-1].set(0.0)
        flow = q.at[1:-1, 1:].add(-(wind * (q[1:-1, 1:] - q[1:-1, :-1]) - 0.1 * new[1:-1, 1:] * (1.0 - q[1:-1, 1:])))
        flow = flow.at[:, 0].set(0.5)
        flow = flow.at[0].set(flow[1])
        flow = flow.at[-1].set(flow[-2])
        p, _ = jax.lax.scan(lambda p, _: (pressure(p, (new, flow)), None), p, None, length=4)
        return (new, flow + 0.01 * p, p), None

    (u, q, p), _ = jax.lax.scan(step, (u, q, p), None, length=steps)
    return np.sum(u ** 2) + np.sum(np.sin(q)) + np.mean(p ** 2)


# ---- a residual network --------------------------------------------------------------------------------------------------

def convolution(x, w):
    """3 x 3 over images of (rows, columns, channels), with zeros around them."""
    n, rows, columns, _ = x.shape
    side = np.zeros((n, rows, 1, x.shape[3]))
    above = np.zeros((n, 1, columns + 2, x.shape[3]))
    around = np.concatenate([above, np.concatenate([side, x, side], axis=2), above], axis=1)
    out = np.zeros((n, rows, columns, w.shape[-1]))
    for i in range(3):
        for j in range(3):
            out = out + around[:, i:i + rows, j:j + columns] @ w[i, j]
    return out


def normed(x, gain, shift):
    mean = np.mean(x, axis=(0, 1, 2))
    spread = np.mean((x - mean) ** 2, axis=(0, 1, 2))
    return gain * (x - mean) / np.sqrt(spread + 1e-5) + shift


def residual(x, p):
    h = np.maximum(normed(convolution(x, p["w1"]), p["g1"], p["b1"]), 0.0)
    return np.maximum(x + normed(convolution(h, p["w2"]), p["g2"], p["b2"]), 0.0)


def halved(x, p):
    h = np.maximum(normed(convolution(x, p["w"]), p["g"], p["b"]), 0.0)
    return 0.25 * (h[:, ::2, ::2] + h[:, 1::2, ::2] + h[:, ::2, 1::2] + h[:, 1::2, 1::2])


def classified(params, images, y):
    x = np.maximum(convolution(images, params["first"]), 0.0)
    for stage in params["stages"]:
        for p in stage["blocks"]:
            x = residual(x, p)
        x = halved(x, stage["half"])
    z = np.mean(x, axis=(1, 2)) @ params["out"]
    z = z - np.max(z, axis=-1, keepdims=True)
    return np.sum(y * (np.log(np.sum(np.exp(z), axis=-1, keepdims=True)) - z)) / len(y)


def network(rng):
    def w(a, b):
        return 0.3 * rng.normal(size=(3, 3, a, b))

    def block(c):
        return {"w1": w(c, c), "g1": np.ones(c), "b1": np.zeros(c), "w2": w(c, c), "g2": np.ones(c), "b2": np.zeros(c)}

    def stage(c):
        return {"blocks": [block(c)], "half": {"w": w(c, 2 * c), "g": np.ones(2 * c), "b": np.zeros(2 * c)}}
    return {"first": w(3, 4), "stages": [stage(4), stage(8)], "out": rng.normal(size=(16, 5))}


# ---- Kalman's filter, and the smoother of Rauch, Tung and Striebel -------------------------------------------------------

def smoothed(params, y):
    A, C, Q, R = params["A"], params["C"], params["q"] @ params["q"].T, np.diag(np.exp(params["r"]))
    m, P, one = np.zeros(len(A)), np.eye(len(A)), np.eye(len(A))
    before, spread_before, means, spreads = [], [], [], []
    loss = 0.0
    for t in range(len(y)):
        m, P = A @ m, A @ P @ A.T + Q
        before.append(m)
        spread_before.append(P)
        v, S = y[t] - C @ m, C @ P @ C.T + R
        K = np.linalg.solve(S, C @ P).T
        loss = loss + 0.5 * (v @ np.linalg.solve(S, v) + np.log(np.linalg.det(S)))
        m, P = m + K @ v, (one - K @ C) @ P @ (one - K @ C).T + K @ R @ K.T
        means.append(m)
        spreads.append(P)
    roughness = np.trace(P)
    for t in range(len(y) - 2, -1, -1):
        G = np.linalg.solve(spread_before[t + 1], A @ spreads[t]).T
        later = m
        m = means[t] + G @ (m - before[t + 1])
        P = spreads[t] + G @ (P - spread_before[t + 1]) @ G.T
        roughness = roughness + np.sum((later - m) ** 2) + np.trace(P)
    return loss + 0.1 * roughness


def smoothed_jax(params, y):
    import jax
    A, C, Q, R = params["A"], params["C"], params["q"] @ params["q"].T, np.diag(np.exp(params["r"]))
    one = np.eye(len(A))

    def forward(state, y):
        m, P = state
        before, spread_before = m, P = A @ m, A @ P @ A.T + Q
        v, S = y - C @ m, C @ P @ C.T + R
        K = np.linalg.solve(S, C @ P).T
        loss = 0.5 * (v @ np.linalg.solve(S, v) + np.log(np.linalg.det(S)))
        m, P = m + K @ v, (one - K @ C) @ P @ (one - K @ C).T + K @ R @ K.T
        return (m, P), (before, spread_before, m, P, loss)

    def backward(state, given):
        m, P = state
        mean, spread, before, spread_before = given
        G = np.linalg.solve(spread_before, A @ spread).T
        later = m
        m, P = mean + G @ (m - before), spread + G @ (P - spread_before) @ G.T
        return (m, P), np.sum((later - m) ** 2) + np.trace(P)

    (m, P), (before, spread_before, means, spreads, losses) = jax.lax.scan(forward, (np.zeros(len(A)), one), y)
    _, rough = jax.lax.scan(backward, (m, P), (means[:-1], spreads[:-1], before[1:], spread_before[1:]), reverse=True)
    return np.sum(losses) + 0.1 * (np.trace(P) + np.sum(rough))


# ---- ten stages of Runge and Kutta: SSPRK(10, 4) -------------------------------------------------------------------------

NODES = [0.0, 1 / 6, 1 / 3, 1 / 2, 2 / 3, 1 / 3, 1 / 2, 2 / 3, 5 / 6, 1.0]
STAGES = [[1 / 6] * i if i < 5 else [1 / 15] * 5 + [1 / 6] * (i - 5) for i in range(10)]
WEIGHTS = [1 / 10] * 10


def slope(t, y, w):
    x, v = y[:, :2], y[:, 2:]
    r = np.sqrt(np.sum(x ** 2, axis=1, keepdims=True) + 1.0)
    force = np.tanh(y @ w["in"] + np.cos(t)) @ w["out"]
    return np.concatenate([v, force - w["g"] * x / r ** 3 - 0.1 * v], axis=1)


def stepped(t, y, h, w):
    slopes = []
    for i in range(len(NODES)):
        at = y
        for a, k in zip(STAGES[i], slopes):
            at = at + h * a * k
        slopes.append(slope(t + NODES[i] * h, at, w))
    return y + h * sum([b * k for b, k in zip(WEIGHTS, slopes)])


def orbits(w, y, h, target):
    for n in range(len(target)):
        y = stepped(n * h, y, h, w)
    return np.sum((y - target[-1]) ** 2)


def orbits_jax(w, y, h, target):
    import jax
    y, _ = jax.lax.scan(lambda y, n: (stepped(n * h, y, h, w), None), y, np.arange(len(target)))
    return np.sum((y - target[-1]) ** 2)


# ---- L-BFGS with lists: the regularisation whose optimum fits other data -------------------------------------------------

def slope_of_fit(w, x, y, strength):
    p = 1.0 / (1.0 + np.exp(-(x @ w)))
    return x.T @ (p - y) / len(y) + strength * w


def direction(g, moves, changes):
    q, alphas = g, []
    for s, d in zip(reversed(moves), reversed(changes)):
        alpha = (s @ q) / (d @ s)
        alphas.append(alpha)
        q = q - alpha * d
    if moves:
        q = q * (moves[-1] @ changes[-1]) / (changes[-1] @ changes[-1])
    for s, d, alpha in zip(moves, changes, reversed(alphas)):
        q = q + s * (alpha - (d @ q) / (d @ s))
    return -q


def fitted(strength, w, x, y, x_test, y_test):
    moves, changes = [], []
    g = slope_of_fit(w, x, y, strength)
    for _ in range(6):
        step = direction(g, moves, changes)
        w = w + step
        after = slope_of_fit(w, x, y, strength)
        moves.append(step)
        changes.append(after - g)
        if len(moves) > 3:
            moves.pop(0)
            changes.pop(0)
        g = after
    z = x_test @ w
    return np.mean(np.log(1.0 + np.exp(z)) - y_test * z)


# ---- the row -------------------------------------------------------------------------------------------------------------

def peers(f, for_jax=None, static=(), **options):
    return {OURS: ours(f, "value_and_grad", **options), READABLE: readable(f, "value_and_grad", **options),
            JAX: jax_peer(for_jax or f, "value_and_grad", static, **options)}


PROGRAMS = {
    "stencils": peers(weather, weather_jax, (5,), argnums=(0, 1, 2, 3, 4)),
    "residual network": peers(classified),
    "Kalman smoother": peers(smoothed, smoothed_jax),
    "Runge-Kutta": peers(orbits, orbits_jax),
    "L-BFGS": peers(fitted),
}


def arguments(rng):
    def n(*shape):
        return rng.normal(size=shape)
    yield n(24, 32), n(24, 32), n(24, 32), 0.2, 0.3, 10
    yield network(rng), n(4, 16, 16, 3), np.eye(5)[rng.integers(5, size=4)]
    yield {"A": 0.9 * np.eye(4) + 0.05 * n(4, 4), "C": n(2, 4), "q": 0.3 * np.eye(4), "r": n(2)}, n(50, 2)
    yield {"in": n(4, 8), "out": 0.1 * n(8, 2), "g": 1.0}, n(20, 4), 0.1, n(25, 20, 4)
    yield (0.1 * np.ones(6), np.zeros(6), *[a for _ in range(2) for a in (n(60, 6), 1.0 * (n(60) > 0.0))])


def cases(quick):
    for (name, systems), args in zip(PROGRAMS.items(), arguments(np.random.default_rng(19))):
        yield Case(name, args, peers=systems)


ROW = Row(19, "value and gradient of five programs", "first call <= 2x JAX's in the geometric mean, 4x anywhere", {}, cases)
