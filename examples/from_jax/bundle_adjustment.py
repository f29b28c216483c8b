"""Bundle adjustment: cameras and points of a scene from what the cameras see, by Levenberg and Marquardt's method."""
from functools import partial

import numpy as jnp

import gradscribe as jax
from gradscribe import jacfwd, jit, lax, vmap
from gradscribe.flatten_util import ravel_pytree

jax.config.update("jax_enable_x64", True)


def rotate(r, x):
    """Rodrigues' formula: x turned about the axis r by its length."""
    angle = jnp.sqrt(jnp.sum(r**2) + 1e-12)
    k = r / angle
    return x * jnp.cos(angle) + jnp.cross(k, x) * jnp.sin(angle) + k * jnp.dot(k, x) * (1.0 - jnp.cos(angle))


def project(camera, x):
    """camera: rotation (3), translation (3), focal length, distortion."""
    p = rotate(camera[:3], x) + camera[3:6]
    p = p[:2] / p[2]
    return camera[6] * (1.0 + camera[7] * jnp.sum(p**2)) * p


def residuals(flat, unravel, seen):
    scene = unravel(flat)
    predicted = vmap(lambda c: vmap(partial(project, c))(scene["points"]))(scene["cameras"])
    return (predicted - seen).ravel()


@partial(jit, static_argnums=1)
def levenberg_marquardt(flat, unravel, seen):
    def cost(flat):
        return 0.5 * jnp.sum(residuals(flat, unravel, seen) ** 2)

    def step(state):
        flat, damping, value, i = state
        J, r = jacfwd(residuals)(flat, unravel, seen), residuals(flat, unravel, seen)
        H = J.T @ J
        new = flat - jnp.linalg.solve(H + damping * jnp.diag(jnp.diag(H) + 1e-6), J.T @ r)
        better = cost(new) < value
        return lax.cond(better, lambda: (new, damping / 3.0, cost(new), i + 1), lambda: (flat, damping * 2.0, value, i + 1))

    return lax.while_loop(lambda s: (s[2] > 1e-8) & (s[3] < 30), step, (flat, 1e-2, cost(flat), 0))


def main():
    k1, k2, k3 = jax.random.split(jax.random.key(5), 3)
    points = jax.random.uniform(k1, (8, 3), minval=-1.0, maxval=1.0)
    poses = jnp.array([[0.1, 0.2, 0.0, 0.0, 0.0, 5.0], [0.0, -0.3, 0.1, 0.2, 0.1, 6.0], [-0.2, 0.1, 0.3, -0.1, 0.3, 5.5]])
    cameras = jnp.concatenate([poses, jnp.tile(jnp.array([1.5, 0.05]), (3, 1))], axis=1)
    seen = vmap(lambda c: vmap(partial(project, c))(points))(cameras)
    guess = {"cameras": cameras + 0.02 * jax.random.normal(k2, cameras.shape), "points": points + 0.1 * jax.random.normal(k3, points.shape)}
    flat, unravel = ravel_pytree(guess)
    flat, damping, value, rounds = levenberg_marquardt(flat, unravel, seen)
    start = 0.5 * jnp.sum(residuals(ravel_pytree(guess)[0], unravel, seen) ** 2)
    return {"start": start, "value": value, "rounds": rounds, "seen": residuals(flat, unravel, jnp.zeros_like(seen))[:6]}


if __name__ == "__main__":
    print(main())
