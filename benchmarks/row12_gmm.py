"""Row 12: second derivatives of a Gaussian mixture's log likelihood with diagonal covariances: all of the Hessian with
respect to the means, and one product with it."""
import numpy as np

from benchmarks.harness import (JAX, OURS, READABLE, Case, Peer, Row, gradscribe, jax_arguments, jax_module, jax_waiter,
                                ported)


def likelihood(means, log_weights, scales, X):
    t = (X[:, None, :] - means) * scales
    e = log_weights + np.sum(np.log(scales), axis=1) - 0.5 * np.sum(t * t, axis=2)
    top = np.max(e, axis=1, keepdims=True)
    return np.sum(top[:, 0] + np.log(np.sum(np.exp(e - top), axis=1)))


def ours_hessian():
    gs = gradscribe()
    return Peer(gs.jit(gs.hessian(likelihood)), gs.jit(gs.grad(likelihood)))


def readable_hessian():
    gs = gradscribe()
    return Peer(gs.hessian(likelihood), gs.grad(likelihood))


def jax_hessian():
    jax = jax_module()
    f = ported(likelihood, jax.numpy)
    return Peer(jax.jit(jax.hessian(f)), jax.jit(jax.grad(f)), jax_arguments, jax_waiter)


def product(gs):
    def of(means, direction, log_weights, scales, X):
        return gs.jvp(lambda m: gs.grad(likelihood)(m, log_weights, scales, X), (means,), (direction,))[1]

    return of


def gradient_alone(gs):
    def of(means, direction, log_weights, scales, X):
        return gs.grad(likelihood)(means, log_weights, scales, X)

    return of


def ours_product():
    gs = gradscribe()
    return Peer(gs.jit(product(gs)), gs.jit(gradient_alone(gs)))


def readable_product():
    gs = gradscribe()
    return Peer(product(gs), gradient_alone(gs))


def jax_product():
    jax = jax_module()
    f = ported(likelihood, jax.numpy)

    def of(means, direction, log_weights, scales, X):
        return jax.jvp(lambda m: jax.grad(f)(m, log_weights, scales, X), (means,), (direction,))[1]

    def gradient(means, direction, log_weights, scales, X):
        return jax.grad(f)(means, log_weights, scales, X)

    return Peer(jax.jit(of), jax.jit(gradient), jax_arguments, jax_waiter)


def mixture(rng, d, k, n):
    """Arguments of `likelihood`: k components in d dimensions, n points."""
    means, X = rng.normal(size=(k, d)), rng.normal(size=(n, d))
    return means, np.log(np.full(k, 1 / k)), rng.uniform(0.5, 1.5, size=(k, d)), X


def cases(quick):
    rng = np.random.default_rng(12)
    for d, k, n in ((2, 3, 50),) if quick else ((4, 5, 1000), (10, 10, 1000)):
        means, log_weights, scales, X = mixture(rng, d, k, n)
        yield Case(f"Hessian, {k} components in {d} dimensions, {n} points", (means, log_weights, scales, X),
                   peers={OURS: ours_hessian, READABLE: readable_hessian, JAX: jax_hessian})
        yield Case(f"product, {k} components in {d} dimensions, {n} points", (means, rng.normal(size=(k, d)), log_weights, scales, X),
                   peers={OURS: ours_product, READABLE: readable_product, JAX: jax_product})


ROW = Row(12, "Hessian of a Gaussian mixture, and one product with it", "product <= 2.5x gradient; q <= 1.0", {}, cases)
