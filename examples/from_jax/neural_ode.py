"""A neural ODE: the vector field is a network, the solver Runge-Kutta's in a scan, and Adam fits a spiral."""
import numpy as jnp

import gradscribe as jax
from gradscribe import jit, lax, value_and_grad, vmap


def init_params(key, sizes=(2, 16, 2)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [(jax.random.normal(k, (n, m)) / jnp.sqrt(m), jnp.zeros(n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def field(params, y):
    *hidden, (W, b) = params
    y = y**3
    for V, c in hidden:
        y = jnp.tanh(V @ y + c)
    return W @ y + b


def odeint(f, y0, ts):
    def rk4(y, t):
        t0, t1 = t
        h = t1 - t0
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return y, y

    _, ys = lax.scan(rk4, y0, (ts[:-1], ts[1:]))
    return jnp.concatenate([y0[None], ys])


def loss(params, ts, true):
    predicted = vmap(lambda y0: odeint(lambda y: field(params, y), y0, ts))(true[:, 0])
    return jnp.mean((predicted - true) ** 2)


@jit
def adam_step(i, params, m, v, ts, true):
    value, grads = value_and_grad(loss)(params, ts, true)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, v, grads)
    scale = 0.02 * jnp.sqrt(1.0 - 0.999 ** (i + 1)) / (1.0 - 0.9 ** (i + 1))
    params = jax.tree.map(lambda p, m, v: p - scale * m / (jnp.sqrt(v) + 1e-8), params, m, v)
    return params, m, v, value


def main():
    ts = jnp.linspace(0.0, 1.5, 16)
    A = jnp.array([[-0.1, 2.0], [-2.0, -0.1]])
    starts = jnp.array([[2.0, 0.0], [1.5, 0.5], [0.5, -1.5], [-1.0, 1.0]])
    true = vmap(lambda y0: odeint(lambda y: A @ y**3 / 4.0, y0, ts))(starts)
    params = init_params(jax.random.key(0))
    m = v = jax.tree.map(jnp.zeros_like, params)
    values = []
    for i in range(20):
        params, m, v, value = adam_step(i, params, m, v, ts, true)
        values.append(value)
    return {"values": jnp.array(values), "end": odeint(lambda y: field(params, y), starts[0], ts)[-1]}


if __name__ == "__main__":
    print(main())
