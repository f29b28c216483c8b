"""A Kalman filter by scan: the likelihood of a tracked point, and its noise learnt by gradient descent."""
from typing import NamedTuple

import numpy as jnp

import gradscribe as jax

jax.config.update("jax_enable_x64", True)


class Model(NamedTuple):
    A: jnp.ndarray
    C: jnp.ndarray
    Q: jnp.ndarray
    R: jnp.ndarray


def make_model(log_q, log_r, dt=0.1):
    A = jnp.eye(4) + dt * jnp.eye(4, k=2)
    C = jnp.eye(2, 4)
    return Model(A, C, jnp.exp(log_q) * jnp.eye(4), jnp.exp(log_r) * jnp.eye(2))


def filter_step(model, carry, y):
    mean, cov = carry
    mean, cov = model.A @ mean, model.A @ cov @ model.A.T + model.Q
    innovation = y - model.C @ mean
    S = model.C @ cov @ model.C.T + model.R
    gain = jnp.linalg.solve(S, model.C @ cov).T
    _, logdet = jnp.linalg.slogdet(2.0 * jnp.pi * S)
    log_lik = -0.5 * (innovation @ jnp.linalg.solve(S, innovation) + logdet)
    mean, cov = mean + gain @ innovation, cov - gain @ S @ gain.T
    return (mean, cov), (mean, log_lik)


def kalman_filter(model, ys):
    init = (jnp.zeros(4), 10.0 * jnp.eye(4))
    _, (means, log_liks) = jax.lax.scan(lambda carry, y: filter_step(model, carry, y), init, ys)
    return means, jnp.sum(log_liks)


def simulate(key, model, steps):
    def step(x, key):
        kx, ky = jax.random.split(key)
        x = model.A @ x + jax.random.multivariate_normal(kx, jnp.zeros(4), model.Q)
        return x, model.C @ x + jax.random.multivariate_normal(ky, jnp.zeros(2), model.R)

    return jax.lax.scan(step, jnp.ones(4), jax.random.split(key, steps))[1]


@jax.jit
def value_and_gradient(theta, ys):
    return jax.value_and_grad(lambda t: -kalman_filter(make_model(t[0], t[1]), ys)[1] / len(ys))(theta)


def main():
    ys = simulate(jax.random.PRNGKey(3), make_model(-3.0, -1.0), 40)
    theta, values = jnp.array([-1.0, -2.0]), []
    for _ in range(15):
        value, gradient = value_and_gradient(theta, ys)
        theta = theta - 0.3 * gradient
        values.append(value)
    return {"values": jnp.array(values), "theta": theta, "means": kalman_filter(make_model(*theta), ys)[0][-5:]}


if __name__ == "__main__":
    print(main())
