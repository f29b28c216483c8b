"""Row 23: the first call of programs as scientists have them, of up to 170 lines: what one waits for who changes a line.

They are written without stores, so that JAX reads the same text of what a step does; its loops over steps are `lax.scan`s, as its users
write them, since it would write a Python loop out. `steps` is known when it is traced, as it has no reverse mode of a loop whose length the run
decides.
"""
import numpy as np

from benchmarks.harness import JAX, OURS, READABLE, Case, Row, jax_peer, ours, readable


def scanned(step, state, rounds):
    """A loop as JAX wants it."""
    from jax import lax
    return lax.scan(lambda state, _: (step(*state), None), state, None, length=rounds)[0]


# ---- finite volumes: Euler's equations with limited slopes, periodic ---------------------------------------------------

def minmod(a, b):
    return np.where(a * b > 0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)


def slopes(q, h):
    left, right = (q - np.roll(q, 1, 0)) / h, (np.roll(q, -1, 0) - q) / h
    below, above = (q - np.roll(q, 1, 1)) / h, (np.roll(q, -1, 1) - q) / h
    return minmod(left, right), minmod(below, above)


def at_faces(q, qx, qy, h):
    from_left = q + 0.5 * h * qx
    from_right = np.roll(q - 0.5 * h * qx, -1, 0)
    from_below = q + 0.5 * h * qy
    from_above = np.roll(q - 0.5 * h * qy, -1, 1)
    return from_left, from_right, from_below, from_above


def flux(rl, rr, ul, ur, vl, vr, pl, pr, gamma):
    el = pl / (gamma - 1) + 0.5 * rl * (ul ** 2 + vl ** 2)
    er = pr / (gamma - 1) + 0.5 * rr * (ur ** 2 + vr ** 2)
    r = 0.5 * (rl + rr)
    m = 0.5 * (rl * ul + rr * ur)
    n = 0.5 * (rl * vl + rr * vr)
    e = 0.5 * (el + er)
    p = (gamma - 1) * (e - 0.5 * (m ** 2 + n ** 2) / r)
    fr, fm, fn, fe = m, m ** 2 / r + p, m * n / r, (e + p) * m / r
    speed = np.maximum(np.sqrt(gamma * pl / rl) + np.abs(ul), np.sqrt(gamma * pr / rr) + np.abs(ur))
    fr = fr - speed * 0.5 * (rr - rl)
    fm = fm - speed * 0.5 * (rr * ur - rl * ul)
    fn = fn - speed * 0.5 * (rr * vr - rl * vl)
    fe = fe - speed * 0.5 * (er - el)
    return fr, fm, fn, fe


def conserved(r, u, v, p, gamma, area):
    return r * area, r * u * area, r * v * area, (p / (gamma - 1) + 0.5 * r * (u ** 2 + v ** 2)) * area


def primitive(mass, mx, my, en, gamma, area):
    r = mass / area
    u, v = mx / r / area, my / r / area
    p = (en / area - 0.5 * r * (u ** 2 + v ** 2)) * (gamma - 1)
    return r, u, v, p


def advanced(q, fx, fy, h, dt):
    q = q - dt * h * fx
    q = q + dt * h * np.roll(fx, 1, 0)
    q = q - dt * h * fy
    return q + dt * h * np.roll(fy, 1, 1)


def euler_step(mass, mx, my, en, gamma):
    h = 1.0 / mass.shape[0]
    r, u, v, p = primitive(mass, mx, my, en, gamma, h ** 2)
    dt = 0.4 * np.min(h / (np.sqrt(gamma * p / r) + np.sqrt(u ** 2 + v ** 2)))
    rx, ry = slopes(r, h)
    ux, uy = slopes(u, h)
    vx, vy = slopes(v, h)
    px, py = slopes(p, h)
    r2 = r - 0.5 * dt * (u * rx + r * ux + v * ry + r * vy)
    u2 = u - 0.5 * dt * (u * ux + v * uy + px / r)
    v2 = v - 0.5 * dt * (u * vx + v * vy + py / r)
    p2 = p - 0.5 * dt * (gamma * p * (ux + vy) + u * px + v * py)
    rl, rr, rb, rt = at_faces(r2, rx, ry, h)
    ul, ur, ub, ut = at_faces(u2, ux, uy, h)
    vl, vr, vb, vt = at_faces(v2, vx, vy, h)
    pl, pr, pb, pt = at_faces(p2, px, py, h)
    fx = flux(rl, rr, ul, ur, vl, vr, pl, pr, gamma)
    fy = flux(rb, rt, vb, vt, ub, ut, pb, pt, gamma)
    mass = advanced(mass, fx[0], fy[0], h, dt)
    mx = advanced(mx, fx[1], fy[2], h, dt)
    my = advanced(my, fx[2], fy[1], h, dt)
    en = advanced(en, fx[3], fy[3], h, dt)
    return mass, mx, my, en


def euler(r, u, v, p, steps):
    gamma = 5 / 3
    mass, mx, my, en = conserved(r, u, v, p, gamma, r.shape[0] ** -2.0)
    for _ in range(steps):
        mass, mx, my, en = euler_step(mass, mx, my, en, gamma)
    return np.sum(mass ** 2) + np.sum(en ** 2)


def euler_in_jax(r, u, v, p, steps):
    gamma = 5 / 3
    mass, mx, my, en = scanned(lambda *q: euler_step(*q, gamma), conserved(r, u, v, p, gamma, r.shape[0] ** -2.0), steps)
    return np.sum(mass ** 2) + np.sum(en ** 2)


# ---- a fluid in a box: vorticity, heat and two tracers, walls above and below, an obstacle in it ---------------------------

def right(a):
    return np.roll(a, -1, 1)


def left(a):
    return np.roll(a, 1, 1)


def upper(a):
    return np.roll(a, -1, 0)


def lower(a):
    return np.roll(a, 1, 0)


def laplacian(a):
    return right(a) + left(a) + upper(a) + lower(a) - 4.0 * a


def between_walls(a, below, above):
    """Fixed values in the first and the last row."""
    n = a.shape[0]
    row = np.arange(n)[:, None]
    a = np.where(row == 0, below, a)
    return np.where(row == n - 1, above, a)


def open_sides(a, inflow):
    """What comes in from the left, and goes out as it came."""
    m = a.shape[1]
    column = np.arange(m)[None, :]
    a = np.where(column == 0, inflow, a)
    return np.where(column == m - 1, left(a), a)


def obstacle(n, m, x, y, radius):
    """From 0 in it to 1 outside."""
    rows, columns = np.arange(n)[:, None] / n, np.arange(m)[None, :] / m
    far = np.sqrt((rows - y) ** 2 + (columns - x) ** 2 + 1e-12)
    return 1.0 / (1.0 + np.exp(-(far - radius) / 0.02))


def upwind(a, u, v):
    ahead, behind = right(a) - a, a - left(a)
    above, below = upper(a) - a, a - lower(a)
    across = np.where(u > 0.0, u * behind, u * ahead)
    along = np.where(v > 0.0, v * below, v * above)
    return across + along


def bounded(step, least=-2.0, most=2.0):
    return np.minimum(np.maximum(step, least), most)


def relaxed(stream, vorticity):
    """A round of Jacobi's iteration."""
    stream = 0.25 * (right(stream) + left(stream) + upper(stream) + lower(stream) + vorticity)
    return between_walls(stream, 0.0, 1.0)


def velocities(stream):
    u = 0.5 * (upper(stream) - lower(stream))
    v = -0.5 * (right(stream) - left(stream))
    return between_walls(u, 0.0, 0.0), between_walls(v, 0.0, 0.0)


def eddy_viscosity(u, v, nu, c):
    """Smagorinsky's, from the rate of strain."""
    ux, uy = 0.5 * (right(u) - left(u)), 0.5 * (upper(u) - lower(u))
    vx, vy = 0.5 * (right(v) - left(v)), 0.5 * (upper(v) - lower(v))
    strain = np.sqrt(2.0 * ux ** 2 + 2.0 * vy ** 2 + (uy + vx) ** 2 + 1e-12)
    return nu + c * strain


def reacted(a, b, heat, rate, dt):
    """Two tracers become heat where they meet."""
    meets = rate * a * b * np.exp(bounded(-1.0 / (0.1 + np.abs(heat))))
    return a - dt * meets, b - dt * meets, heat + dt * meets


def walls_of(vorticity, stream):
    """Thom's formula for the vorticity at a wall."""
    n = vorticity.shape[0]
    row = np.arange(n)[:, None]
    below = -2.0 * upper(stream)
    above = -2.0 * (lower(stream) - 1.0)
    vorticity = np.where(row == 0, below, vorticity)
    return np.where(row == n - 1, above, vorticity)


def fluid_step(vorticity, heat, a, b, stream, lost, solid, nu, kappa, buoyancy, drag, rate, dt):
    u, v = velocities(stream)
    u, v = u * solid, v * solid
    viscosity = eddy_viscosity(u, v, nu, 0.01)
    turn = buoyancy * 0.5 * (right(heat) - left(heat)) - drag * vorticity * (1.0 - solid)
    vorticity = vorticity + dt * (bounded(turn - upwind(vorticity, u, v)) + viscosity * laplacian(vorticity))
    vorticity = open_sides(walls_of(vorticity, stream), 0.0)
    heat = heat + dt * (kappa * laplacian(heat) - upwind(heat, u, v))
    heat = open_sides(between_walls(heat, 1.0, 0.0), 0.5)
    a = a + dt * (0.5 * kappa * laplacian(a) - upwind(a, u, v))
    a = open_sides(between_walls(a, lower(a), upper(a)), 1.0)
    b = b + dt * (0.2 * kappa * laplacian(b) - upwind(b, u, v))
    b = open_sides(between_walls(b, lower(b), upper(b)), 0.2)
    a, b, heat = reacted(a, b, heat, rate, dt)
    return vorticity, heat, a, b, stream, lost + dt * np.mean(viscosity * vorticity ** 2)


def seen_of(vorticity, heat, a, b, lost):
    mixed = np.mean(a * b)
    return lost + mixed + np.mean(heat ** 2) + np.mean(np.tanh(vorticity) ** 2)


def fluid(vorticity, heat, a, b, nu, kappa, buoyancy, drag, rate, steps):
    stream, lost = np.zeros(vorticity.shape), 0.0
    solid = obstacle(*vorticity.shape, 0.3, 0.5, 0.15)
    for _ in range(steps):
        for _ in range(6):
            stream = relaxed(stream, vorticity)
        vorticity, heat, a, b, stream, lost = fluid_step(vorticity, heat, a, b, stream, lost, solid, nu, kappa, buoyancy, drag, rate, 0.05)
    return seen_of(vorticity, heat, a, b, lost)


def fluid_in_jax(vorticity, heat, a, b, nu, kappa, buoyancy, drag, rate, steps):
    solid = obstacle(*vorticity.shape, 0.3, 0.5, 0.15)

    def step(vorticity, heat, a, b, stream, lost):
        stream, = scanned(lambda stream: (relaxed(stream, vorticity),), (stream,), 6)
        return fluid_step(vorticity, heat, a, b, stream, lost, solid, nu, kappa, buoyancy, drag, rate, 0.05)

    vorticity, heat, a, b, _, lost = scanned(step, (vorticity, heat, a, b, np.zeros(vorticity.shape), 0.0), steps)
    return seen_of(vorticity, heat, a, b, lost)


# ---- a regulator: Riccati's equation by doubling, the best of nine weights ----------------------------------------------

def doubled(A, G, H):
    """One round of the structure-preserving doubling algorithm (Chu, Fan, Lin and Wang, 2004)."""
    eye = np.eye(A.shape[0])
    W = np.linalg.solve(eye + G @ H, A)
    V = np.linalg.solve(eye + G @ H, G)
    return A @ W, G + A @ V @ A.T, H + W.T @ H @ A


def riccati(A, B, Q, R, rounds):
    G, H = B @ np.linalg.solve(R, B.T), Q
    for _ in range(rounds):
        A, G, H = doubled(A, G, H)
    return H


def riccati_in_jax(A, B, Q, R, rounds):
    return scanned(doubled, (A, B @ np.linalg.solve(R, B.T), Q), rounds)[2]


def driven(x, total, A, B, Q, R, K):
    u = -K @ x
    return A @ x + B @ u, total + x @ Q @ x + u @ R @ u


def gain(A, B, R, P):
    return np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)


def cost(A, B, Q, R, x, steps):
    P = riccati(A, B, Q, R, 8)
    K, total = gain(A, B, R, P), 0.0
    for _ in range(steps):
        x, total = driven(x, total, A, B, Q, R, K)
    return total + x @ P @ x


def cost_in_jax(A, B, Q, R, x, steps):
    P = riccati_in_jax(A, B, Q, R, 8)
    K = gain(A, B, R, P)
    x, total = scanned(lambda x, total: driven(x, total, A, B, Q, R, K), (x, 0.0), steps)
    return total + x @ P @ x


def regulator(A, B, q, r, x):
    return best(A, B, q, r, x, cost)


def regulator_in_jax(A, B, q, r, x):
    return best(A, B, q, r, x, cost_in_jax)


def best(A, B, q, r, x, cost):
    found = []
    for heavy in (0.1, 1.0, 10.0):
        for soft in (0.5, 1.0, 2.0):
            Q = np.diag(q * heavy)
            R = np.diag(r * soft)
            found.append(cost(A, B, Q, R, x, 5) / (heavy + soft))
    costs = np.stack(found)
    weights = np.exp(-(costs - np.min(costs)) / 10.0)
    return np.sum(weights * costs) / np.sum(weights)


# ---- shorter ones ------------------------------------------------------------------------------------------------------

def deep(weights, x):
    for w in weights:
        x = np.tanh(w @ x)
    return np.sum(x ** 2)


def gaussian_process(log_length, log_scale, log_noise, x, y):
    far = np.sum((x[:, None, :] - x[None, :, :]) ** 2 / np.exp(log_length), axis=2)
    K = np.exp(log_scale) * np.exp(-0.5 * far) + np.exp(log_noise) * np.eye(len(x))
    L = np.linalg.cholesky(K)
    half = np.linalg.solve(L, y)
    return 0.5 * half @ half + np.sum(np.log(np.diag(L))) + 0.5 * len(x) * np.log(2 * np.pi)


def forwards(belief, log_moves, means, seen):
    """A step of the forward algorithm, in logarithms."""
    joint = belief[:, None] + log_moves
    top = np.max(joint, axis=0)
    return top + np.log(np.sum(np.exp(joint - top), axis=0)) - 0.5 * (seen - means) ** 2


def log_sum(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


def hidden_markov(start, moves, means, observed):
    log_moves = moves - np.log(np.sum(np.exp(moves), axis=1, keepdims=True))
    belief = start - log_sum(start)
    for k in range(observed.shape[0]):
        belief = forwards(belief, log_moves, means, observed[k])
    return -log_sum(belief)


def hidden_markov_in_jax(start, moves, means, observed):
    from jax import lax
    log_moves = moves - np.log(np.sum(np.exp(moves), axis=1, keepdims=True))
    belief, _ = lax.scan(lambda belief, seen: (forwards(belief, log_moves, means, seen), None), start - log_sum(start), observed)
    return -log_sum(belief)


def turned(axis, x):
    """Rodrigues' rotation of the rows of x."""
    angle = np.sqrt(np.sum(axis ** 2) + 1e-12)
    e = axis / angle
    along = (x @ e)[:, None] * e
    cross = np.stack([e[1] * x[:, 2] - e[2] * x[:, 1], e[2] * x[:, 0] - e[0] * x[:, 2], e[0] * x[:, 1] - e[1] * x[:, 0]], axis=1)
    return along + np.cos(angle) * (x - along) + np.sin(angle) * cross


def misfit(c, points, seen):
    """Of what one camera has seen."""
    p = turned(c[:3], points) + c[3:6]
    flat = p[:, :2] / p[:, 2:]
    r2 = np.sum(flat ** 2, axis=1, keepdims=True)
    image = c[6] * flat * (1.0 + c[7] * r2 + c[8] * r2 ** 2)
    error = np.sum((image - seen) ** 2, axis=1)
    return np.sum(np.sqrt(1.0 + error) - 1.0)


def bundle_adjustment(cameras, points, seen):
    total = 0.0
    for k in range(cameras.shape[0]):
        total = total + misfit(cameras[k], points, seen[k])
    return total


def bundle_adjustment_in_jax(cameras, points, seen):
    from jax import vmap
    return np.sum(vmap(misfit, (0, None, 0))(cameras, points, seen))


# ---- the row -----------------------------------------------------------------------------------------------------------

IN_JAX = {euler: euler_in_jax, fluid: fluid_in_jax, regulator: regulator_in_jax, hidden_markov: hidden_markov_in_jax,
          bundle_adjustment: bundle_adjustment_in_jax}


def peers(f, static=(), **options):
    return {OURS: ours(f, "value_and_grad", **options), READABLE: readable(f, "value_and_grad", **options),
            JAX: jax_peer(IN_JAX.get(f, f), "value_and_grad", static, **options)}


def programs(rng):
    """(name, function, arguments, options of `value_and_grad`, which arguments JAX knows when it traces)"""
    def n(*shape):
        return rng.normal(size=shape)

    at = (np.arange(16) + 0.5) / 16
    y, x = np.meshgrid(at, at)
    inside = np.abs(y - 0.5) < 0.25
    # rough, since a limiter of equal slopes has a kink, where rounding decides
    yield ("finite volumes", euler, (1.0 + inside + 0.01 * n(16, 16), inside - 0.5 + 0.01 * n(16, 16),
                                     0.1 * np.sin(4 * np.pi * x) + 0.01 * n(16, 16), 2.5 + 0.01 * n(16, 16), 3),
           {"argnums": (0, 1, 2, 3)}, (4,))
    yield ("a fluid in a box", fluid, (0.1 * n(24, 24), 0.1 * n(24, 24), np.abs(n(24, 24)), np.abs(n(24, 24)), 0.05, 0.05, 0.5, 2.0, 0.3, 4),
           {"argnums": tuple(range(9))}, (9,))
    yield "a regulator", regulator, (0.9 * np.eye(4) + 0.1 * n(4, 4), n(4, 2), np.ones(4), np.ones(2), n(4)), {"argnums": (0, 1, 2, 3)}, ()
    for count in (5, 40, 192):
        yield f"{count} layers", deep, ([0.3 * n(8, 8) for _ in range(count)], n(8)), {}, ()
    yield "a Gaussian process", gaussian_process, (np.zeros(3), 0.0, -1.0, n(40, 3), n(40)), {"argnums": (0, 1, 2)}, ()
    yield "a hidden Markov model", hidden_markov, (n(5), n(5, 5), n(5), n(30)), {"argnums": (0, 1, 2)}, ()
    cameras = np.concatenate([0.1 * n(4, 5), 5.0 + n(4, 1), np.ones((4, 1)), 0.01 * n(4, 2)], axis=1)
    yield "bundle adjustment", bundle_adjustment, (cameras, n(20, 3), n(4, 20, 2)), {"argnums": (0, 1)}, ()


def cases(quick):
    for name, f, args, options, static in programs(np.random.default_rng(23)):
        yield Case(name, args, peers=peers(f, static, **options))


ROW = Row(23, "first calls of programs of up to 170 lines", "first call <= JAX's in the geometric mean, 2x anywhere", {}, cases)
