"""Regression by a Gaussian process: hyperparameters by gradient descent, then the posterior and its uncertainty."""
import numpy as jnp
from scipy.linalg import cho_solve, solve_triangular

import gradscribe as jax
from gradscribe import grad, jit, vmap

jax.config.update("jax_enable_x64", True)


def exp_quadratic(x1, x2):
    return jnp.exp(-0.5 * jnp.sum((x1 - x2) ** 2))


def cov_map(cov_func, xs, ys):
    return vmap(lambda x: vmap(lambda y: cov_func(x, y))(ys))(xs)


def covariance(params, xs, ys):
    amplitude, lengthscale = jnp.exp(params["amplitude"]), jnp.exp(params["lengthscale"])
    return amplitude * cov_map(exp_quadratic, xs / lengthscale, ys / lengthscale)


def factor(params, x):
    return jnp.linalg.cholesky(covariance(params, x, x) + jnp.exp(params["noise"]) * jnp.eye(x.shape[0]))


def marginal_likelihood(params, x, y):
    L = factor(params, x)
    alpha = cho_solve((L, True), y)
    return -0.5 * y @ alpha - jnp.sum(jnp.log(jnp.diag(L))) - 0.5 * len(y) * jnp.log(2.0 * jnp.pi)


@jit
def train_step(params, momentums, x, y):
    grads = grad(marginal_likelihood)(params, x, y)
    momentums = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, momentums, grads)
    return jax.tree.map(lambda p, m: p + 0.03 * m, params, momentums), momentums


@jit
def predict(params, x, y, xtest):
    L = factor(params, x)
    cross = covariance(params, x, xtest)
    mean = cross.T @ cho_solve((L, True), y)
    v = solve_triangular(L, cross, lower=True)
    return mean, jnp.diag(covariance(params, xtest, xtest)) - jnp.sum(v**2, axis=0)


def main():
    x = jax.random.uniform(jax.random.key(1), (30, 1), minval=-3.0, maxval=3.0)
    y = jnp.sin(2.0 * x[:, 0]) + 0.1 * jax.random.normal(jax.random.key(2), (30,))
    params = {"amplitude": 0.0, "lengthscale": 0.0, "noise": -1.0}
    momentums = {name: 0.0 for name in params}
    for _ in range(30):
        params, momentums = train_step(params, momentums, x, y)
    mean, variance = predict(params, x, y, jnp.linspace(-2.0, 2.0, 9)[:, None])
    curvature = jax.hessian(marginal_likelihood)(params, x, y)["noise"]["noise"]
    return {"params": params, "mean": mean, "variance": variance, "curvature": curvature}


if __name__ == "__main__":
    print(main())
