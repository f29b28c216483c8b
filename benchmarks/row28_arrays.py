"""Row 28: whole arrays: powers, a mask, forces between bodies, Fourier transforms in a loop, small systems in great number."""
import numpy as np

from benchmarks.harness import (HAND, JAX, NUMPY, OURS, PYTORCH, READABLE, Case, Peer, Row, gradscribe, jax_arguments,
                                jax_module, jax_waiter, ported)
from benchmarks.peers import by_numba, peers, torch_examples


def power(x):
    return np.sum(x ** -1.5)


def power_gradient(x):
    return -1.5 * x ** -2.5


def positive(y):
    return np.sum(y[y > 0] ** -1.5)


def positive_rewritten(y):                       # JAX has no arrays of a length that the run decides
    return np.sum(np.where(y > 0, np.where(y > 0, y, 1.0) ** -1.5, 0.0))


def positive_gradient(y):
    y_bar = np.zeros_like(y)
    y_bar[y > 0] = -1.5 * y[y > 0] ** -2.5
    return y_bar


def squash(x):
    return np.sum(np.tanh(x))


def squash_gradient(x):
    return 1.0 - np.tanh(x) ** 2


def forces(x, mass):
    """How strong the forces are, all together."""
    away = x[None, :, :] - x[:, None, :]
    r2 = np.sum(away * away, axis=2) + 0.01
    pull = np.sum((mass / r2 ** 1.5)[:, :, None] * away, axis=1)
    return np.sum(pull * pull)


def forces_by_loops(x, mass):
    total = 0.0
    for i in range(len(x)):
        pull = np.zeros(3)
        for j in range(len(x)):
            if i != j:
                away = x[j] - x[i]
                pull += mass[j] * away / (away @ away + 0.01) ** 1.5
        total += pull @ pull
    return total


def forces_gradient(x, mass):
    """By loops over numbers."""
    n = len(x)
    x_bar, mass_bar, pull = np.zeros((n, 3)), np.zeros(n), np.zeros((n, 3))
    for i in range(n):
        for j in range(n):
            a, b, c = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
            r2 = a * a + b * b + c * c + 0.01
            w = mass[j] / (r2 * np.sqrt(r2))
            pull[i, 0] += w * a
            pull[i, 1] += w * b
            pull[i, 2] += w * c
    for i in range(n):
        for j in range(n):
            a, b, c = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
            r2 = a * a + b * b + c * c + 0.01
            w = 1.0 / (r2 * np.sqrt(r2))
            along = 2.0 * w * (pull[i, 0] * a + pull[i, 1] * b + pull[i, 2] * c)
            mass_bar[j] += along
            along *= -3.0 * mass[j] / r2
            w *= 2.0 * mass[j]
            for k, t in ((0, a), (1, b), (2, c)):
                bar = w * pull[i, k] + along * t
                x_bar[j, k] += bar
                x_bar[i, k] -= bar
    return x_bar, mass_bar


def waves(u, filter, steps):
    for _ in range(steps):
        u = np.real(np.fft.ifft2(filter * np.fft.fft2(u)))
        u = u - 0.1 * u ** 3
    return np.sum(u * u)


def waves_gradient(u, filter, steps):
    """The filter is of a real function that is the same on both sides of zero, so that it is its own adjoint."""
    before = []
    for _ in range(steps):
        u = np.real(np.fft.ifft2(filter * np.fft.fft2(u)))
        before.append(u)
        u = u - 0.1 * u ** 3
    bar = 2.0 * u
    for u in reversed(before):
        bar = np.real(np.fft.ifft2(filter * np.fft.fft2(bar - 0.3 * u * u * bar)))
    return bar


def solved(A, b):
    x = np.linalg.solve(A, b)
    return np.sum(x * x)


def solved_gradient(A, b):
    x = np.linalg.solve(A, b[:, :, None])
    adjoint = np.linalg.solve(A.swapaxes(1, 2), 2.0 * x)
    return -adjoint * x.swapaxes(1, 2), adjoint[:, :, 0]


def factored(A):
    """Of B B', whatever B is, so that what is factored is symmetric and positive."""
    L = np.linalg.cholesky(A @ A.T + np.eye(4))
    return np.sum(np.log(np.diagonal(L)))


def factored_gradient(A):
    return np.linalg.solve(A @ A.swapaxes(1, 2) + np.eye(4), A)


def examples(f, by_hand, argnums):
    """The gradient of each of many examples."""
    def ours(compiled):
        gs = gradscribe()
        return Peer(*map(gs.jit if compiled else lambda g: g, (gs.vmap(gs.grad(f, argnums)), gs.vmap(f))))

    def jax_peer():
        jax = jax_module()
        port = ported(f, jax.numpy)
        return Peer(jax.jit(jax.vmap(jax.grad(port, argnums))), jax.jit(jax.vmap(port)), jax_arguments, jax_waiter)
    return {OURS: lambda: ours(True), READABLE: lambda: ours(False), JAX: jax_peer, PYTORCH: torch_examples(f, argnums),
            NUMPY: lambda: Peer(by_hand)}


def cases(quick):
    rng = np.random.default_rng(28)
    n = 20 if quick else 100_000
    every = ("jax", "autograd", "torch")
    x, y = rng.uniform(0.5, 2.0, size=n), rng.normal(size=n)
    y = np.where(np.abs(y) < 0.01, 1.0, y)       # no power that hides all others
    yield Case(f"x ** -1.5, {n:,}", (x,), peers=peers(power, same=every) | {NUMPY: lambda: Peer(power_gradient, power)})
    yield Case(f"y[y > 0] ** -1.5, {n:,}", (y,), peers=peers(positive, rewritten=positive_rewritten, same=every[1:]) | {
        NUMPY: lambda: Peer(positive_gradient, positive)})
    yield Case(f"tanh, {n:,}", (y,), peers=peers(squash, same=every) | {NUMPY: lambda: Peer(squash_gradient, squash)})
    n = 5 if quick else 100
    bodies, both = (rng.normal(size=(n, 3)), rng.uniform(0.5, 1.5, size=n)), (0, 1)
    yield Case(f"forces of {n} bodies, by broadcasting", bodies, peers=peers(forces, both, same=every) | {
        HAND: by_numba(forces_by_loops, forces_gradient)})
    yield Case(f"forces of {n} bodies, by loops", bodies, peers=peers(forces_by_loops, both, rewritten=forces) | {
        HAND: by_numba(forces_by_loops, forces_gradient)})
    n, steps = (4, 2) if quick else (128, 10)
    k = np.minimum(np.arange(n), n - np.arange(n)) / n
    yield Case(f"FFTs of {n} x {n}, {steps} steps", (rng.normal(size=(n, n)), np.exp(-k[:, None] ** 2 - k ** 2), steps), peers=peers(
        waves, same=every, static=(2,)) | {NUMPY: lambda: Peer(waves_gradient, waves)})
    n = 3 if quick else 10_000
    A, b = np.eye(4) + 0.2 * rng.normal(size=(n, 4, 4)), rng.normal(size=(n, 4))
    yield Case(f"np.linalg.solve of {n:,} systems of 4", (A, b), peers=examples(solved, solved_gradient, both))
    yield Case(f"np.linalg.cholesky of {n:,} matrices of 4 x 4", (A,), peers=examples(factored, factored_gradient, 0))


ROW = Row(28, "powers, a mask, forces, Fourier transforms, small systems", "q <= 1.0", {}, cases)
