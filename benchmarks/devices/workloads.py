"""Programs on several devices, and the same work as one program: each as a user would write it."""
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

import gradscribe as gs
from benchmarks.row12_gmm import likelihood
from gradscribe import lax

AXIS = "devices"
FLOAT = 8                                        # bytes


@dataclass(frozen=True)
class Workload:
    title: str
    of_one: Callable                             # the whole work
    of_each: Callable                            # a device's part of it
    axes: tuple                                  # in_axes of `of_each`
    out_axes: int | None
    data: Callable[[bool], tuple]                # quick or not -> arguments of the whole
    parts: Callable[[tuple, int], tuple]         # arguments, count -> those of so many devices
    collectives: Callable[[tuple], list]         # arguments -> the bytes of each that a device comes to in a call
    goal: float                                  # how often the time of one goes into that of two devices
    memory_bound: bool = False

    def many(self):
        return gs.pmap(self.of_each, axis_name=AXIS, in_axes=self.axes, out_axes=self.out_axes)

    def part(self, args, rank, count):
        """The arguments of a process with one device."""
        return tuple(x if axis is None else x[rank:rank + 1]
                     for x, axis in zip(self.parts(args, count), self.axes))


def cut(x, count):
    return x.reshape(count, -1, *x.shape[1:])


# ---- Monte Carlo: the price of an Asian option, and how it changes with each parameter --------------------------------

def price(p, draws):
    """Of paths of geometric Brownian motion, one a row."""
    dt = 1.0 / draws.shape[1]
    steps = (p["rate"] - 0.5 * p["volatility"] ** 2) * dt + p["volatility"] * np.sqrt(dt) * draws
    paths = p["spot"] * np.exp(np.cumsum(steps, axis=1))
    return np.exp(-p["rate"]) * np.mean(np.maximum(np.mean(paths, axis=1) - p["strike"], 0.0))


greeks = gs.value_and_grad(price)


def greeks_of_each(p, draws):
    return lax.pmean(greeks(p, draws), AXIS)


def option(quick):
    draws = np.random.default_rng(1).normal(size=(400 if quick else 20_000, 50))
    return {"rate": 0.03, "volatility": 0.2, "spot": 100.0, "strike": 100.0}, draws


MONTE_CARLO = Workload(
    "Monte Carlo: an Asian option and its gradient, 20,000 paths of 50 steps", greeks, greeks_of_each, (None, 0), None,
    option, lambda args, count: (args[0], cut(args[1], count)), lambda args: [FLOAT] * (1 + len(args[0])), 1.8)


# ---- a Gaussian mixture: the gradient of its log likelihood -----------------------------------------------------------

def mixture(p, X):
    return likelihood(p["means"], p["log_weights"], p["scales"], X)


gradient = gs.grad(mixture)


def gradient_of_each(p, X):
    return lax.psum(gradient(p, X), AXIS)


def points(quick):
    rng = np.random.default_rng(2)
    means, scales = rng.normal(size=(5, 4)), rng.uniform(0.5, 2.0, size=(5, 4))
    return {"means": means, "log_weights": np.full(5, -np.log(5.0)), "scales": scales}, rng.normal(
        size=(400 if quick else 50_000, 4))


GMM = Workload(
    "GMM: the gradient of the log likelihood, 5 components, 50,000 points in 4 dimensions", gradient, gradient_of_each,
    (None, 0), None, points, lambda args, count: (args[0], cut(args[1], count)),
    lambda args: [x.nbytes for x in args[0].values()], 1.8)


# ---- a linear system for each example, with its gradient --------------------------------------------------------------

def misfit(A, b):
    x = np.linalg.solve(A, b)
    return np.sum(x * x)


solves = gs.vmap(gs.grad(misfit, argnums=(0, 1)))


def systems(quick):
    n, rng = 8 if quick else 64, np.random.default_rng(3)
    return rng.normal(size=(100, n, n)) + n * np.eye(n), rng.normal(size=(100, n))


SOLVES = Workload(
    "100 solves: the gradient of each, 64 equations", solves, solves, (0, 0), 0, systems,
    lambda args, count: tuple(cut(x, count) for x in args), lambda args: [], 1.8)


# ---- Jacobi's iteration in a plate that is cut into strips ------------------------------------------------------------

def sweep(A, B):
    B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])


def jacobi(A, steps):
    """The border of the plate stays 0."""
    A, B = A.copy(), np.zeros_like(A)
    for _ in range(steps):
        sweep(A, B)
        sweep(B, A)
    return A[1:-1]


def meet(A):
    """A strip's first and last row are the neighbours'; beyond the plate they are zeros, which is what nobody sends."""
    n = lax.axis_size(AXIS)
    above = lax.ppermute(A[-2], AXIS, [(k, k + 1) for k in range(n - 1)])
    below = lax.ppermute(A[1], AXIS, [(k + 1, k) for k in range(n - 1)])
    A[0], A[-1] = above, below


def jacobi_of_each(A, steps):
    A, B = A.copy(), np.zeros_like(A)
    for _ in range(steps):
        sweep(A, B)
        meet(B)
        sweep(B, A)
        meet(A)
    return A[1:-1]


def plate(n, steps, quick):
    n, steps = (18, 2) if quick else (n, steps)
    A = np.zeros((n, n))
    A[1:-1, 1:-1] = np.random.default_rng(n).uniform(size=(n - 2, n - 2))
    return A, steps


def strips(args, count):
    A, steps = args
    rows = (len(A) - 2) // count
    return np.stack([A[k * rows:(k + 1) * rows + 2] for k in range(count)]), steps


def stencil(n, steps, where):
    return Workload(f"stencil {where}: Jacobi's iteration, {n - 2} x {n - 2}, {2 * steps} sweeps", jacobi, jacobi_of_each, (0, None), 0,
                    partial(plate, n, steps), strips, lambda args: [FLOAT * len(args[0])] * (4 * args[1]), 1.5, True)


WORKLOADS = {"monte_carlo": MONTE_CARLO, "gmm": GMM, "solves": SOLVES,
             "stencil_in_cache": stencil(514, 50, "within the cache"),
             "stencil": stencil(1922, 10, "out of memory")}
