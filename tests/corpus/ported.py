"""Programs for devices as somebody ports them: `PORTED` is {name: function of a pmap, which gives arrays}.

Those that NumPy says in a line hold the result against that.
"""
from typing import NamedTuple

import numpy as np

import gradscribe as gs
from gradscribe import lax

N = 4
RIGHT = [(k, (k + 1) % N) for k in range(N)]
PORTED = {}


def ported(f):
    PORTED[f.__name__] = f
    return f


def normal(*shape):
    return np.random.default_rng(sum(shape)).normal(size=shape)


# training ---------------------------------------------------------------------------------------------------
def predict(params, x):
    for layer in params[:-1]:
        x = np.tanh(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def squares(params, x, y):
    return np.mean((predict(params, x) - y) ** 2)


def layers():
    return [{"w": normal(3, 8) / 3.0, "b": np.zeros(8)}, {"w": normal(8, 1) / 8.0, "b": np.zeros(1)}]


@ported
def data_parallel_momentum(pmap):
    def update(params, velocity, x, y):
        loss, gradient = gs.value_and_grad(squares)(params, x, y)
        gradient, loss = lax.pmean((gradient, loss), axis_name="batch")
        velocity = gs.tree.map(lambda v, g: 0.9 * v + g, velocity, gradient)
        return gs.tree.map(lambda p, v: p - 0.1 * v, params, velocity), velocity, loss

    params = gs.tree.map(lambda p: np.stack([p] * N), layers())
    velocity = gs.tree.map(np.zeros_like, params)
    x, y = normal(N, 6, 3), normal(N, 6, 1)
    step = pmap(update, axis_name="batch")
    for _ in range(3):
        params, velocity, loss = step(params, velocity, x, y)
    return *gs.tree.leaves(params), loss


@ported
def ensemble(pmap):
    def train(scale, x, y):
        params = gs.tree.map(lambda p: p * scale, layers_of)
        for _ in range(3):
            params = gs.tree.map(lambda p, g: p - 0.1 * g, params, gs.grad(squares)(params, x, y))
        return squares(params, x, y), predict(params, x)

    layers_of = layers()
    return pmap(train, in_axes=(0, None, None))(np.array([0.5, 1.0, 1.5, 2.0]), normal(5, 3), normal(5, 1))


class State(NamedTuple):
    w: np.ndarray
    m: np.ndarray


@ported
def a_named_tuple(pmap):
    def step(s, x):
        g = lax.pmean(gs.grad(lambda w: np.sum((x @ w) ** 2))(s.w), "i")
        m = 0.9 * s.m + g
        return State(s.w - 0.01 * m, m), {"norm": np.linalg.norm(g), "device": lax.axis_index("i")}

    state, told = pmap(step, axis_name="i")(State(np.ones((N, 3)), np.zeros((N, 3))), normal(N, 4, 3))
    return state.w, state.m, told["norm"], told["device"]


@ported
def batch_norm(pmap):
    def normed(x, gain):
        mean = lax.pmean(np.mean(x, axis=0), "i")
        variance = lax.pmean(np.mean(x ** 2, axis=0), "i") - mean ** 2
        return gain * (x - mean) / np.sqrt(variance + 1e-5)

    def f(x, gain):
        return normed(x, gain), gs.grad(lambda x, gain: np.sum(normed(x, gain) ** 3), argnums=(0, 1))(x, gain)

    y, (x_bar, gain_bar) = pmap(f, axis_name="i", in_axes=(0, None))(normal(N, 6, 3), np.array([1.0, 2.0, 0.5]))
    return y, x_bar, gain_bar


@ported
def newton(pmap):
    def f(x, y):
        def loss(w):
            return np.mean(np.logaddexp(0.0, x @ w) - y * (x @ w))

        w = np.zeros(3)
        for _ in range(4):
            w = w - np.linalg.solve(lax.pmean(gs.hessian(loss)(w), "i"), lax.pmean(gs.grad(loss)(w), "i"))
        return w

    return [pmap(f, axis_name="i")(normal(N, 15, 3), (normal(N, 15) > 0.0) * 1.0)]


@ported
def examples_inside(pmap):
    def f(x, w):
        each = gs.vmap(gs.grad(lambda w, x: np.tanh(w @ x) ** 2), in_axes=(None, 0))(w, x)
        along = gs.jvp(lambda w: lax.pmean(np.tanh(x @ w), "i"), (w,), (np.ones(3),))[1]
        return lax.psum(np.sum(each, axis=0), "i"), along

    return pmap(f, axis_name="i", in_axes=(0, None))(normal(N, 5, 3), np.array([0.3, -0.2, 0.9]))


@ported
def draws_in_a_scan(pmap):
    def f(key):
        def step(w, k):
            x = gs.random.normal(k, (4, 2), dtype=np.float64)
            g = lax.pmean(gs.grad(lambda w: np.mean((x @ w - x @ np.array([1.0, 2.0])) ** 2))(w), "i")
            return w - 0.05 * g, np.sum(w)
        return lax.scan(step, np.zeros(2), gs.random.split(key, 6))

    return pmap(f, axis_name="i")(gs.random.split(gs.random.key(5), N))


# a model in parts ------------------------------------------------------------------------------------------
@ported
def rows_of_a_matrix(pmap):
    def f(a, x):
        def loss(a):
            h = np.tanh(a @ lax.all_gather(x, "i", tiled=True))
            y = lax.psum_scatter(a.T @ h, "i", tiled=True)
            return lax.psum(np.sum(y ** 2), "i")
        return gs.value_and_grad(loss)(a)

    return pmap(f, axis_name="i")(normal(N, 2, 2 * N), normal(N, 2))


@ported
def a_vocabulary_in_parts(pmap):
    def f(logits, target):
        def loss(logits):
            largest = lax.pmax(gs.stop_gradient(np.max(logits, axis=1)), "i")
            total = lax.psum(np.sum(np.exp(logits - largest[:, None]), axis=1), "i")
            own = target - 5 * lax.axis_index("i")
            picked = np.where((own >= 0) & (own < 5), logits[np.arange(6), np.clip(own, 0, 4)], 0.0)
            return np.mean(np.log(total) + largest - lax.psum(picked, "i"))
        return gs.value_and_grad(loss)(logits)

    return pmap(f, axis_name="i", in_axes=(0, None))(normal(N, 6, 5), np.array([3, 19, 0, 7, 7, 12]))


@ported
def blocks_that_go_round(pmap):
    def f(a, b):
        c = np.zeros((2, 2 * N))
        for s in range(N):
            j = (lax.axis_index("i") + s) % N
            c = c + lax.dynamic_slice(a, (0, 2 * j), (2, 2)) @ b
            b = lax.ppermute(b, "i", [(target, source) for source, target in RIGHT])
        return c

    a, b = normal(N, 2, 2 * N), normal(N, 2, 2 * N) + 1.0
    c = pmap(f, axis_name="i")(a, b)
    np.testing.assert_allclose(c.reshape(8, 8), a.reshape(8, 8) @ b.reshape(8, 8), rtol=1e-12, atol=1e-12)
    return [c]


@ported
def fourier_transform(pmap):
    def f(x):
        y = np.fft.fft(x, axis=1).reshape(2, N, 2)
        return np.fft.fft(lax.all_to_all(y, "i", 1, 0).reshape(2 * N, 2).T, axis=1)

    x = normal(N, 2, 2 * N)
    y = pmap(f, axis_name="i")(x)
    np.testing.assert_allclose(y.reshape(8, 8).T, np.fft.fft2(x.reshape(8, 8)), rtol=1e-12, atol=1e-12)
    return [y]


# loops ----------------------------------------------------------------------------------------------------
@ported
def ring_all_reduce(pmap):
    def f(x):
        x, k = x.copy(), lax.axis_index("i")
        for s in range(N - 1):
            got = lax.ppermute(x[(k - s) % N], "i", RIGHT)
            x[(k - s - 1) % N] += got
        for s in range(N - 1):
            got = lax.ppermute(x[(k + 1 - s) % N], "i", RIGHT)
            x[(k - s) % N] = got
        return x

    x = normal(N, N, 3)
    y = pmap(f, axis_name="i")(x)
    np.testing.assert_allclose(y, np.stack([np.sum(x, axis=0)] * N), rtol=1e-12, atol=1e-12)
    return [y]


@ported
def heat(pmap):
    def f(u, steps):
        for _ in range(steps):
            before = lax.ppermute(u[-1], "i", RIGHT[:-1])
            after = lax.ppermute(u[0], "i", [(target, source) for source, target in RIGHT[:-1]])
            new = u.copy()
            new[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
            new[0] += 0.1 * (u[1] - 2.0 * u[0] + before)
            new[-1] += 0.1 * (after - 2.0 * u[-1] + u[-2])
            u = new
        return u

    u = normal(N, 5)
    got, whole = pmap(f, axis_name="i", in_axes=(0, None))(u, 7), np.pad(u.ravel(), 1)
    for _ in range(7):
        whole[1:-1] += 0.1 * (whole[2:] - 2.0 * whole[1:-1] + whole[:-2])
    np.testing.assert_allclose(got.ravel(), whole[1:-1], rtol=1e-12, atol=1e-12)
    return [got]


@ported
def k_means(pmap):
    def f(x, centres):
        for _ in range(4):
            sums, counts = np.zeros((3, 2)), np.zeros(3)
            for j in range(len(x)):
                k = np.argmin(np.sum((x[j] - centres) ** 2, axis=1))
                sums[k] += x[j]
                counts[k] += 1.0
            sums, counts = lax.psum((sums, counts), "i")
            centres = sums / np.maximum(counts, 1.0)[:, None]
        return centres

    x = normal(N, 20, 2)
    return [pmap(f, axis_name="i", in_axes=(0, None))(x, x[0, :3].copy())]


@ported
def power_iteration(pmap):
    def f(rows):
        v, before, rounds = np.ones(8) / np.sqrt(8.0), 0.0, 0
        while True:
            w = lax.all_gather(rows @ v, "i", tiled=True)
            length = np.linalg.norm(w)
            v = w / length
            rounds += 1
            if abs(length - before) < 1e-9 or rounds > 500:
                break
            before = length
        return length, rounds

    A = normal(8, 8) @ normal(8, 8).T
    length, rounds = pmap(f, axis_name="i")(A.reshape(N, 2, 8))
    np.testing.assert_allclose(length, np.max(np.linalg.eigvalsh(A)), rtol=1e-7)
    return length, rounds


@ported
def until_all_have_converged(pmap):
    def f(a):
        x, rounds = np.ones(3), 0
        while lax.psum(np.sum((x * x - a) ** 2), "i") > 1e-18 and rounds < 50:
            x = 0.5 * (x + a / x)
            rounds += 1
        return x, rounds

    a = 1.0 + normal(N, 3) ** 2
    x, rounds = pmap(f, axis_name="i")(a)
    np.testing.assert_allclose(x, np.sqrt(a), rtol=1e-8)
    return x, rounds


@ported
def cumulative_sum(pmap):
    def f(x):
        total = np.sum(x)
        for shift in (1, 2):
            total = total + lax.ppermute(total, "i", [(k, k + shift) for k in range(N - shift)])
        return np.cumsum(x) + lax.ppermute(total, "i", RIGHT[:-1])

    x = normal(N, 6)
    y = pmap(f, axis_name="i")(x)
    np.testing.assert_allclose(y.ravel(), np.cumsum(x), rtol=1e-12, atol=1e-12)
    return [y]


@ported
def branches(pmap):
    def f(x):
        k = lax.axis_index("i")
        y = x * 10.0 if k == 0 else np.sin(x)
        z = lax.switch(k % 3, [lambda x: x, lambda x: 2.0 * x, lambda x: -x], x)
        if lax.psum(np.sum(x), "i") > 1e9:
            return x
        return y + lax.psum(z, "i")

    return [pmap(f, axis_name="i")(normal(N, 3))]


@ported
def monte_carlo(pmap):
    def f(key):
        points = gs.random.uniform(key, (500, 2))
        inside = np.sum(np.sum(points ** 2, axis=1) < 1.0)
        return 4 * lax.psum(inside, "i") / (500 * lax.psum(1, "i"))

    return [pmap(f, axis_name="i")(gs.random.split(gs.random.key(3), N))]


@ported
def gradients_through_training(pmap):
    def f(w, x):
        for _ in range(3):
            w = w - 0.1 * lax.pmean(gs.grad(lambda w: np.mean(np.tanh(x @ w)))(w), "i")
        return np.sum(w ** 2)

    x, w = normal(N, 4, 3), np.ones(3)
    run = pmap(f, axis_name="i", in_axes=(None, 0))
    return gs.grad(lambda w: np.sum(run(w, x)))(w), gs.jvp(lambda w: run(w, x), (w,), (w,))[1]
