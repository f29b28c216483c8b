"""The rows of the scoreboard on a GPU: what is computed, by whom, at which sizes, and what is aimed at.

Sizes are for an H100; "quick" ones are for a first look, "tiny" ones for tests in numba's simulator.
"""
from dataclasses import dataclass

import numpy as np

from benchmarks import (harness, row03_tanh, row04_mlp, row08_jacobi, row09_seidel, row11_per_example, row12_gmm,
                        row17_branches)
from benchmarks.gpu import by_hand, programs
from benchmarks.gpu.peers import (CUPY, JAX, OURS, TORCH, TORCH_COMPILED, compiled, cupy_peer, jax_peer, jax_row, ours,
                                  torch_peer)
from benchmarks.harness import ported

FULL, QUICK, TINY = "full", "quick", "tiny"
FLOAT = 8                                        # bytes


@dataclass(frozen=True)
class Case(harness.Case):
    bytes: float = 0                             # that have to travel between the memory and the processors
    flops: float = 0                             # that the formulas have
    q: float | None = None                       # at most: our time over the best peer's
    of_copy: float | None = None                 # at least: of the speed of a copy


@dataclass(frozen=True)
class Row:
    name: str
    title: str
    cases: object                                # size -> cases


def sized(size, full, quick, tiny):
    return {FULL: full, QUICK: quick, TINY: tiny}[size]


def by_cupy(gradient, prepare=lambda args: args):
    """A gradient by hand, its NumPy being CuPy."""
    return cupy_peer(lambda cupy: ported(gradient, cupy), prepare)


def with_compiled(peers):
    """PyTorch twice."""
    return peers | {TORCH_COMPILED: compiled(peers[TORCH])}


def rng(seed):
    return np.random.default_rng(seed)


# ---- one operation on each element

ELEMENTWISE = with_compiled({
    OURS: ours(lambda gs: programs.axpy), JAX: jax_peer(lambda jax: programs.axpy),
    TORCH: torch_peer(lambda torch, like: programs.axpy), CUPY: by_cupy(programs.axpy)})


def elementwise(size):
    n = sized(size, 100_000_000, 1_000_000, 40)
    x, y = rng(1).normal(size=(2, n))
    yield Case(f"a * x + y, n = {n:,}", (2.5, x, y), peers=ELEMENTWISE, bytes=3 * FLOAT * n, of_copy=0.85)


TANH = with_compiled({
    OURS: ours(lambda gs: gs.grad(row03_tanh.f, argnums=row03_tanh.ALL)),
    JAX: jax_peer(lambda jax: jax.grad(ported(row03_tanh.f, jax.numpy), row03_tanh.ALL)),
    TORCH: torch_peer(lambda torch, like: torch.func.grad(ported(row03_tanh.f, like), row03_tanh.ALL)),
    CUPY: by_cupy(row03_tanh.numpy_gradient)})


def tanh(size):
    for n in sized(size, (1_000_000, 50_000_000), (100_000,), (30,)):
        yield Case(f"n = {n:,}", tuple(rng(n).normal(size=(3, n))), peers=TANH, bytes=6 * FLOAT * n, q=0.8,
                   of_copy=0.85 if n > 10_000_000 else None)


# ---- a network

def torch_value_and_gradient(torch, like):
    both = torch.func.grad_and_value(ported(row04_mlp.loss, like))
    return lambda *args: both(*args)[::-1]


MLP = with_compiled({
    OURS: ours(lambda gs: gs.value_and_grad(row04_mlp.loss)),
    JAX: jax_peer(lambda jax: jax.value_and_grad(ported(row04_mlp.loss, jax.numpy))),
    TORCH: torch_peer(torch_value_and_gradient), CUPY: by_cupy(row04_mlp.numpy_gradient)})


def mlp(size):
    first, second = row04_mlp.INPUTS * row04_mlp.HIDDEN, row04_mlp.HIDDEN * row04_mlp.CLASSES
    for batch in sized(size, (1024, 65_536), (256,), (2,)):
        r = rng(4)
        yield Case(f"batch = {batch:,}", (row04_mlp.parameters(r), *row04_mlp.examples(r, batch)), peers=MLP,
                   flops=2 * batch * (2 * first + 3 * second))


PER_EXAMPLE = with_compiled({
    OURS: ours(lambda gs: gs.vmap(gs.grad(row11_per_example.loss), in_axes=row11_per_example.AXES)), JAX: jax_row(row11_per_example.jax),
    TORCH: torch_peer(lambda torch, like: torch.func.vmap(torch.func.grad(ported(row11_per_example.loss, like)), row11_per_example.AXES)),
    CUPY: by_cupy(row11_per_example.numpy_gradients)})


def per_example(size):
    for batch in sized(size, (256, 8192), (64,), (2,)):
        r = rng(11)
        args = (row04_mlp.parameters(r), *row04_mlp.examples(r, batch))
        weights = sum(p.size for p in args[0].values())
        yield Case(f"{batch:,} examples", args, peers=PER_EXAMPLE, bytes=FLOAT * batch * weights, q=0.8)


# ---- the mixture

MIXTURE = with_compiled({
    OURS: ours(lambda gs: gs.grad(row12_gmm.likelihood, argnums=(0, 1, 2))),
    JAX: jax_peer(lambda jax: jax.grad(ported(row12_gmm.likelihood, jax.numpy), (0, 1, 2))),
    TORCH: torch_peer(lambda torch, like: torch.func.grad(ported(row12_gmm.likelihood, like), (0, 1, 2))),
    CUPY: by_cupy(by_hand.mixture_gradient)})


def mixture(size):
    for d, k, n in sized(size, ((10, 25, 100_000), (64, 50, 100_000)), ((10, 5, 1000),), ((2, 3, 7),)):
        yield Case(f"gradient, {k} components in {d} dimensions, {n:,} points", row12_gmm.mixture(rng(5), d, k, n), peers=MIXTURE,
                   flops=10 * n * k * d)


def torch_product(torch, like):
    f = ported(row12_gmm.likelihood, like)

    def product(means, direction, *rest):
        return torch.func.jvp(lambda m: torch.func.grad(f)(m, *rest), (means,), (direction,))[1]

    return product


PRODUCT = with_compiled({OURS: ours(row12_gmm.product), JAX: jax_row(row12_gmm.jax_product), TORCH: torch_peer(torch_product),
                         CUPY: by_cupy(by_hand.mixture_product)})
HESSIAN = with_compiled({
    OURS: ours(lambda gs: gs.hessian(row12_gmm.likelihood)), JAX: jax_row(row12_gmm.jax_hessian),
    TORCH: torch_peer(lambda torch, like: torch.func.hessian(ported(row12_gmm.likelihood, like))), CUPY: by_cupy(by_hand.mixture_hessian)})


def second_order(size):
    d, k, n = sized(size, (10, 10, 20_000), (4, 3, 500), (2, 2, 5))
    yield Case(f"Hessian, {k} components in {d} dimensions, {n:,} points", row12_gmm.mixture(rng(12), d, k, n), peers=HESSIAN,
               flops=2 * n * (k * d) ** 2)
    d, k, n = sized(size, (64, 50, 100_000), (4, 3, 500), (2, 2, 5))
    means, *rest = row12_gmm.mixture(rng(12), d, k, n)
    yield Case(f"product, {k} components in {d} dimensions, {n:,} points", (means, rng(13).normal(size=(k, d)), *rest), peers=PRODUCT,
               flops=16 * n * k * d)


# ---- stencils

def torch_backward(value, count):
    """PyTorch's backward pass of a program that stores: the gradient in its first arguments."""
    def make(torch, like):
        run = ported(value, like)

        def gradient(*args):
            inputs = tuple(x.detach().requires_grad_() for x in args[:count])
            found = torch.autograd.grad(run(*inputs, *args[count:]), inputs)
            return found if count > 1 else found[0]

        return gradient
    return make


JACOBI = {OURS: ours(lambda gs: gs.grad(row08_jacobi.jacobi, argnums=row08_jacobi.BOTH)), JAX: jax_row(row08_jacobi.jax_jacobi),
          TORCH: torch_peer(torch_backward(by_hand.jacobi_value, 2)), CUPY: by_cupy(row08_jacobi.numpy_gradient)}


def jacobi(size):
    for n, steps in sized(size, ((1000, 100), (4000, 20)), ((100, 10),), ((6, 2),)):
        A, B = rng(n).normal(size=(2, n, n))
        yield Case(f"{n} x {n}, {steps} steps", (A, B, steps), peers=JACOBI, bytes=8 * FLOAT * n * n * steps, q=0.8)


SEIDEL = {OURS: ours(lambda gs: gs.grad(row09_seidel.seidel)), JAX: jax_row(row09_seidel.jax_rewritten),
          TORCH: torch_peer(torch_backward(by_hand.waves_value, 1), by_hand.with_waves),
          CUPY: by_cupy(by_hand.waves_gradient, by_hand.with_waves)}


def jax_grids(jax):
    gradient = row09_seidel.jax_rewritten().gradient
    return lambda grids, steps: jax.vmap(lambda A: gradient(A, steps))(grids)


GRIDS = SEIDEL | {OURS: ours(lambda gs: gs.vmap(gs.grad(row09_seidel.seidel), in_axes=(0, None))), JAX: jax_peer(jax_grids, static=(1,))}


def seidel(size):
    n, steps = sized(size, (100, 10), (40, 5), (6, 2))
    yield Case(f"{n} x {n}, {steps} sweeps", (rng(n).normal(size=(n, n)), steps), peers=SEIDEL)
    count, n, steps = sized(size, (4096, 32, 10), (64, 16, 3), (3, 5, 2))
    yield Case(f"{count:,} grids of {n} x {n}, {steps} sweeps, vmap", (rng(9).normal(size=(count, n, n)), steps), peers=GRIDS,
               flops=27 * count * n * n * steps, q=0.2)


# ---- examples that differ



def by_masks(gradient, ours, make_jax):
    """PyTorch has neither loops nor branches that differ by example: it has the masks, too."""
    return {OURS: ours, JAX: jax_row(make_jax), TORCH: torch_peer(lambda torch, like: ported(gradient, like)), CUPY: by_cupy(gradient)}


BRANCHES = {
    row17_branches.root: ("Newton's method", by_masks(
        by_hand.root_tangents, ours(lambda gs: gs.vmap(lambda x, y: gs.jvp(lambda x: row17_branches.root(x, y), (x,), (1.0,))[1])),
        row17_branches.jax_forward(row17_branches.jax_root))),
    row17_branches.energy: ("a branch that one in ten takes", by_masks(
        by_hand.energy_gradients, ours(lambda gs: gs.vmap(gs.grad(row17_branches.energy))), row17_branches.jax_energy)),
    row17_branches.anomaly: ("Kepler's equation", by_masks(
        by_hand.anomaly_tangents, ours(lambda gs: gs.vmap(lambda x, y: gs.jvp(lambda x: row17_branches.anomaly(x, y), (x,), (1.0,))[1])),
        row17_branches.jax_forward(row17_branches.jax_anomaly))),
    row17_branches.reach: ("a ball until it lands", by_masks(
        by_hand.reach_tangents, ours(lambda gs: gs.vmap(lambda v: gs.jvp(row17_branches.reach, (v,), (1.0,))[1])),
        row17_branches.jax_reach))}


def branches(size):
    count = sized(size, 1_000_000, 10_000, 6)
    for f, args in row17_branches.examples(count).items():
        title, peers = BRANCHES[f]
        yield Case(f"{title}, {count:,} examples", args, peers=peers, q=0.2)


# ---- random numbers, and all pairs

def jax_price(jax):
    return jax.grad(ported(programs.price, jax.numpy, gs=jax), (0, 1))


def torch_price(torch, like):
    """Of its own random numbers."""
    def gradient(s0, sigma, key, n):
        z = torch.randn(n, dtype=torch.float64, device=key.device)
        s0, sigma = (torch.tensor(x, dtype=torch.float64, device=key.device, requires_grad=True) for x in (s0, sigma))
        growth = torch.exp(sigma * z - 0.5 * sigma * sigma)
        return torch.autograd.grad(torch.sum(torch.clamp(s0 * growth - 1.0, min=0.0)) / n, (s0, sigma))

    return gradient


def cupy_price(cupy):
    gradient = ported(by_hand.price_gradient, cupy)
    return lambda s0, sigma, key, n: gradient(s0, sigma, cupy.random.standard_normal(n))


PRICE = {OURS: ours(lambda gs: gs.grad(programs.price, argnums=(0, 1))), JAX: jax_peer(jax_price, static=(3,)),
         TORCH: torch_peer(torch_price), CUPY: cupy_peer(cupy_price)}


def monte_carlo(size):
    n = sized(size, 100_000_000, 1_000_000, 60)
    key = np.array([0, 7], np.uint32)
    off = 20 / n ** 0.5                          # a handful of standard deviations
    yield Case(f"{n:,} paths", (1.0, 0.3, key, n), peers=PRICE, flops=100 * n, loose={TORCH: off, CUPY: off})


ROWS_AT_ONCE = 1024


def jax_forces(jax):
    force = jax.grad(ported(programs.energy_by_arrays, jax.numpy))
    return lambda p, x: jax.lax.map(lambda body: force(body, x), p, batch_size=ROWS_AT_ONCE)


def torch_forces(torch, like):
    return torch.func.vmap(torch.func.grad(ported(programs.energy_by_arrays, like)), (0, None), chunk_size=ROWS_AT_ONCE)


def cupy_forces(cupy):
    forces = ported(by_hand.forces, cupy)
    return lambda p, x: forces(x, ROWS_AT_ONCE, programs.SOFTENING)


BODIES = {OURS: ours(lambda gs: gs.vmap(gs.grad(programs.energy), in_axes=(0, None))), JAX: jax_peer(jax_forces),
          TORCH: torch_peer(torch_forces), CUPY: cupy_peer(cupy_forces)}


def bodies(size):
    n = sized(size, 65_536, 2048, 7)
    x = rng(n).normal(size=(n, 3))
    yield Case(f"{n:,} bodies", (x, x), peers=BODIES, flops=20 * n * n)


ROWS = {row.name: row for row in (
    Row("elementwise", "one operation on each element", elementwise),
    Row("3", "gradient of sum(tanh(x*w+b)**2) in x, w and b", tanh),
    Row("4", "value and gradient of a 64-128-10 tanh network with softmax cross-entropy", mlp),
    Row("5", "gradient of a Gaussian mixture's log likelihood, diagonal covariances", mixture),
    Row("8", "Jacobi 2-D with time steps, in place", jacobi),
    Row("9", "Seidel 2-D, a sequential sweep: one grid, and many by vmap", seidel),
    Row("11", "gradients of each example, a 64-128-10 tanh network", per_example),
    Row("12", "Hessian of the mixture by its means, and one product with it", second_order),
    Row("17", "branches and loops that depend on the example", branches),
    Row("monte-carlo", "an option's price by its parameters, from random paths", monte_carlo),
    Row("n-body", "the forces of all bodies on each: vmap of the gradient of a loop", bodies))}
