"""Hamiltonian Monte Carlo of a banana-shaped density, four chains at once."""
from functools import partial

import numpy as jnp

import gradscribe as jax
from gradscribe import lax

jax.config.update("jax_enable_x64", True)


def log_density(q):
    x, y = q
    return -0.5 * (x**2 / 4.0 + (y - 0.5 * x**2) ** 2)


def leapfrog(q, p, step_size, num_steps):
    grad = jax.grad(log_density)

    def body(_, carry):
        q, p = carry
        q = q + step_size * p
        return q, p + step_size * grad(q)

    p = p + 0.5 * step_size * grad(q)
    q, p = lax.fori_loop(0, num_steps - 1, body, (q, p))
    q = q + step_size * p
    p = p + 0.5 * step_size * grad(q)
    return q, -p


def kernel(key, q, step_size, num_steps):
    key_p, key_u = jax.random.split(key)
    p = jax.random.normal(key_p, q.shape)
    new_q, new_p = leapfrog(q, p, step_size, num_steps)
    energy = lambda q, p: -log_density(q) + 0.5 * jnp.sum(p**2)
    log_ratio = energy(q, p) - energy(new_q, new_p)
    accept = jnp.log(jax.random.uniform(key_u)) < log_ratio
    return lax.cond(accept, lambda: new_q, lambda: q), accept


@partial(jax.jit, static_argnums=(2, 4))
def sample(key, q, num_samples, step_size, num_steps):
    def step(q, key):
        q, accept = kernel(key, q, step_size, num_steps)
        return q, (q, accept)

    return lax.scan(step, q, jax.random.split(key, num_samples))[1]


def main():
    keys = jax.random.split(jax.random.key(7), 4)
    starts = jax.random.normal(jax.random.key(8), (4, 2))
    chains, accepts = jax.vmap(lambda key, q: sample(key, q, 100, 0.2, 8))(keys, starts)
    draws = chains[:, 20:].reshape(-1, 2)
    return {"mean": draws.mean(axis=0), "covariance": jnp.cov(draws.T), "accepted": accepts.mean(), "last": chains[:, -1]}


if __name__ == "__main__":
    print(main())
