"""Row 26: an orbit by Runge and Kutta, derivatives of derivatives (a saddle and a particle), a hand of bones, least squares, and
determinants by slices. `worst` and `landing` take a derivative themselves; what is measured is the derivative of them, so that
the value beside it is a loop over first derivatives."""
import numpy as np

from benchmarks.harness import (CPP, HAND, JAX, NUMPY, OURS, READABLE, Case, Peer, Row, gradscribe, jax_arguments,
                                jax_module, jax_waiter, ported)
from benchmarks.peers import by_numba, cpp_peer, peers

# ---- an orbit against air, whose states are seen after each step ---------------------------------------------------------

def slope(y, p):
    r3 = (y[0] ** 2 + y[1] ** 2) ** 1.5
    return np.array([y[2], y[3], -p[0] * y[0] / r3 - p[1] * y[2], -p[0] * y[1] / r3 - p[1] * y[3]])


def stepped(y, p, h):
    k1 = slope(y, p)
    k2 = slope(y + 0.5 * h * k1, p)
    k3 = slope(y + 0.5 * h * k2, p)
    k4 = slope(y + h * k3, p)
    return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def orbit(y, p, seen, h):
    states = np.empty((len(seen) + 1, 4))
    states[0] = y
    for n in range(len(seen)):
        states[n + 1] = stepped(states[n], p, h)
    return np.sum((states[1:] - seen) ** 2)


def orbit_jax(y, p, seen, h):
    def one(y, _):
        y = stepped(y, p, h)
        return y, y
    return np.sum((jax_module().lax.scan(one, y, None, length=len(seen))[1] - seen) ** 2)


# ---- what the worst answer of an opponent costs, who climbs by the slope of what is paid ---------------------------------

def paid(y, x):
    return np.sum(0.5 * x * x + x * y - 0.5 * y * y - 0.1 * y ** 4 + np.sin(x * y))


def worst(climb):
    def of(x, steps):
        y = np.zeros(len(x))
        for _ in range(steps):
            y = y + 0.1 * climb(y, x)
        return paid(y, x)
    return of


def worst_jax(climb):
    lax, pay = jax_module().lax, ported(paid, jax_module().numpy)
    return lambda x, steps: pay(lax.fori_loop(0, steps, lambda _, y: y + 0.1 * climb(y, x), 0.0 * x), x)


def saddle(inner):
    """Forward over a derivative in the mode `inner`."""
    return nested(paid, inner, worst, worst_jax, lambda lib, f: lib.jacfwd(f))


# ---- where a particle comes down among two charges, one of which can be moved --------------------------------------------

def potential(x, w):
    return 1.0 / np.sqrt((x[0] - 10.0) ** 2 + x[1] ** 2) + 1.0 / np.sqrt((x[0] - 10.0) ** 2 + (x[1] - 10.0 + w) ** 2)


def landing(pull):
    def of(w, h):
        x, v = np.array([0.0, 8.0]), np.array([0.75, 0.0])
        after = x + h * v
        while after[1] > 0.0:
            v = v - h * pull(x, w)
            x = after
            after = x + h * v
        return x[0] + (after[0] - x[0]) * x[1] / (x[1] - after[1])
    return of


def landing_jax(pull):
    jax = jax_module()

    def of(w, h):
        def move(state):
            x, v, after = state
            v = v - h * pull(x, w)
            return after, v, after + h * v
        x, v = jax.numpy.array([0.0, 8.0]), jax.numpy.array([0.75, 0.0])
        x, v, after = jax.lax.while_loop(lambda state: state[2][1] > 0.0, move, (x, v, x + h * v))
        return x[0] + (after[0] - x[0]) * x[1] / (x[1] - after[1])
    return of


def particle(inner):
    return nested(potential, inner, landing, landing_jax, lambda lib, f: lambda w, h: lib.jvp(lambda w: f(w, h), (w,), (1.0,))[1])


def nested(f, inner, loop, loop_jax, derivative):
    """The derivative of a loop over derivatives of f."""
    def ours(compiled):
        gs = gradscribe()
        value = loop(getattr(gs, inner)(f))
        return Peer(*map(gs.jit if compiled else lambda g: g, (derivative(gs, value), value)))

    def jax_peer():
        jax = jax_module()
        value = loop_jax(getattr(jax, inner)(ported(f, jax.numpy)))
        return Peer(jax.jit(derivative(jax, value)), jax.jit(value), jax_arguments, jax_waiter)
    return {OURS: lambda: ours(True), READABLE: lambda: ours(False), JAX: jax_peer}


# ---- a hand: five fingers of four bones, and a skin that bends with them -------------------------------------------------

def turned(a):
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, -s, 0.0, 0.0], [s, c, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])


def hand(angles, roots, bone, weights, skin, seen):
    frames = []
    for f in range(len(angles)):
        at = roots[f]
        for a in angles[f]:
            at = at @ turned(a) @ bone
            frames.append(at)
    place = np.einsum("mb,bij,mj->mi", weights, np.stack(frames), skin)
    return np.sum((place[:, :3] - seen) ** 2)


def hand_arguments(rng, points):
    bone, weights = np.eye(4), rng.uniform(size=(points, 20))
    bone[0, 3] = 1.0
    roots = np.stack([np.eye(4)] * 5)
    roots[:, 1, 3] = np.arange(5.0)
    skin = np.concatenate([rng.normal(size=(points, 3)), np.ones((points, 1))], axis=1)
    return (0.3 * rng.normal(size=(5, 4)), roots, bone, weights / np.sum(weights, axis=1, keepdims=True), skin, rng.normal(size=(points, 3)))


# ---- least squares, and determinants -------------------------------------------------------------------------------------

def misfit(w, A, b):
    r = A @ w - b
    return 0.5 * (r @ r)


def misfit_gradient(w, A, b):
    return A.T @ (A @ w - b)


def eliminated(A):
    """The determinant, by elimination without an exchange of rows."""
    A = A.copy()
    det = 1.0
    for k in range(len(A)):
        det = det * A[k, k]
        A[k + 1:, k + 1:] -= np.outer(A[k + 1:, k], A[k, k + 1:]) / A[k, k]
    return det


def eliminated_jax(A):
    det = 1.0
    for _ in range(len(A)):
        det = det * A[0, 0]
        A = A[1:, 1:] - np.outer(A[1:, 0], A[0, 1:]) / A[0, 0]
    return det


def expanded(A):
    """The determinant, by the minors of the first row."""
    if len(A) == 1:
        return A[0, 0]
    det, sign = 0.0, 1.0
    for j in range(len(A)):
        det = det + sign * A[0, j] * expanded(np.concatenate([A[1:, :j], A[1:, j + 1:]], axis=1))
        sign = -sign
    return det


def det_gradient(A):
    return np.linalg.det(A) * np.linalg.inv(A).T


# ---- the row -------------------------------------------------------------------------------------------------------------

def cases(quick):
    rng = np.random.default_rng(26)
    n = 10 if quick else 1000
    y, p = np.array([1.0, 0.0, 0.0, 1.1]), np.array([1.0, 0.02])
    yield Case(f"Runge-Kutta, {n:,} steps", (y, p, rng.normal(size=(n, 4)), 0.01), peers=peers(
        orbit, (0, 1), jax=orbit_jax) | {CPP: cpp_peer("orbit", (0, 1))})
    for inner, name in (("grad", "reverse"), ("jacfwd", "forward")):
        cpp = "" if inner == "grad" else "_forward"
        steps, h = (5, 1.0) if quick else (200, 0.01)
        yield Case(f"saddle, forward over {name}, {steps} steps", (np.array([0.3, -0.2, 0.5, 1.0]), steps), peers=saddle(inner) | {
            CPP: cpp_peer(f"saddle{cpp}", (0,))})
        yield Case(f"particle, forward over {name}, steps of {h}", (0.5, h), peers=particle(inner) | {CPP: cpp_peer(f"particle{cpp}")})
    points = 10 if quick else 500
    yield Case(f"a hand of 20 bones, {points} points of skin", hand_arguments(rng, points), peers=peers(hand, same=("jax",)))
    n, m = (20, 3) if quick else (10_000, 20)
    yield Case(f"least squares, {n:,} x {m}", (rng.normal(size=m), rng.normal(size=(n, m)), rng.normal(size=n)), peers=peers(
        misfit, same=("jax", "autograd", "torch")) | {NUMPY: lambda: Peer(misfit_gradient, misfit)})
    n = 5 if quick else 30
    A = np.eye(n) + 0.1 * rng.normal(size=(n, n))
    yield Case(f"determinant by elimination, {n} x {n}", (A,), peers=peers(eliminated, rewritten=eliminated_jax) | {
        HAND: by_numba(eliminated), NUMPY: lambda: Peer(det_gradient, eliminated)})
    n = 3 if quick else 5
    yield Case(f"determinant by minors, {n} x {n}", (rng.normal(size=(n, n)),), peers=peers(expanded, same=("jax",)) | {
        NUMPY: lambda: Peer(det_gradient, expanded)})


ROW = Row(26, "Runge-Kutta, derivatives of derivatives, bones, least squares, determinants", "q <= 0.5; <= 1.5 of C++", {}, cases)
