"""A physics-informed network: Burgers' equation u_t + u u_x = nu u_xx with u(0, x) = -sin(pi x), and 0 at both ends."""
import numpy as jnp

import gradscribe as jax

jax.config.update("jax_enable_x64", True)
NU = 0.05


def init_params(key, widths):
    keys = jax.random.split(key, len(widths) - 1)
    init = jax.nn.initializers.glorot_normal()
    return [(init(k, (m, n)), jnp.zeros(n)) for k, m, n in zip(keys, widths[:-1], widths[1:])]


def u(params, t, x):
    h = jnp.array([t, x])
    for W, b in params[:-1]:
        h = jnp.tanh(h @ W + b)
    W, b = params[-1]
    return (h @ W + b)[0]


def residual(params, t, x):
    u_t, u_x = jax.grad(u, argnums=(1, 2))(params, t, x)
    u_xx = jax.grad(jax.grad(u, argnums=2), argnums=2)(params, t, x)
    return u_t + u(params, t, x) * u_x - NU * u_xx


def loss(params, interior, initial, boundary):
    r = jax.vmap(residual, in_axes=(None, 0, 0))(params, interior[:, 0], interior[:, 1])
    start = jax.vmap(lambda x: u(params, 0.0, x))(initial) + jnp.sin(jnp.pi * initial)
    ends = jax.vmap(lambda t: jnp.stack([u(params, t, -1.0), u(params, t, 1.0)]))(boundary)
    return jnp.mean(r**2) + jnp.mean(start**2) + jnp.mean(ends**2)


@jax.jit
def adam(i, state, points):
    params, m, v = state
    value, g = jax.value_and_grad(loss)(params, *points)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, g)
    m_hat = jax.tree.map(lambda m: m / (1.0 - 0.9 ** (i + 1)), m)
    v_hat = jax.tree.map(lambda v: v / (1.0 - 0.99 ** (i + 1)), v)
    params = jax.tree.map(lambda p, m, v: p - 0.01 * m / (jnp.sqrt(v) + 1e-8), params, m_hat, v_hat)
    return (params, m, v), value


def main():
    k1, k2, k3, k4 = jax.random.split(jax.random.key(0), 4)
    t, x = jax.random.uniform(k1, (100,)), jax.random.uniform(k2, (100,), minval=-1.0, maxval=1.0)
    points = jnp.stack([t, x], axis=1), jax.random.uniform(k3, (40,), minval=-1.0, maxval=1.0), jnp.linspace(0.0, 1.0, 20)
    params = init_params(k4, (2, 16, 16, 1))
    zeros = jax.tree.map(jnp.zeros_like, params)
    state, values = (params, zeros, zeros), []
    for i in range(20):
        state, value = adam(i, state, points)
        values.append(value)
    return {"values": jnp.array(values), "u": jnp.array([u(state[0], 0.5, x) for x in (-0.5, 0.0, 0.5)])}


if __name__ == "__main__":
    print(main())
