"""A user's program with types: `test_typing.py` has mypy check it, and runs it.

`assert_type` says what mypy is to know; it does nothing at the run.
"""
from __future__ import annotations

from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import gradscribe as gs

Array = npt.NDArray[Any]
Params = dict[str, Array]


def first_params(key: npt.NDArray[np.uint32], width: int) -> Params:
    keys = gs.random.split(key)
    assert_type(keys, npt.NDArray[np.uint32])
    weights = gs.nn.initializers.glorot_normal()
    assert_type(weights(keys[0], (3, width)), Array)
    return {"a": weights(keys[0], (3, width)), "b": weights(keys[1], (width, 2)),
            "c": gs.nn.initializers.zeros(keys[1], (2,))}


def loss(params: Params, x: Array, classes: Array) -> float:
    hidden = gs.nn.gelu(x @ params["a"])
    assert_type(hidden, Array)
    logits = gs.nn.log_softmax(hidden @ params["b"] + params["c"])
    decay = gs.tree.reduce(lambda total, w: total + np.sum(w * w), params, 0.0)
    return -np.mean(np.sum(gs.nn.one_hot(classes, 2) * logits, axis=-1)) + 1e-3 * decay


def running_means(x: Array, decay: float) -> tuple[Array, Array]:
    def step(mean: Array, row: Array) -> tuple[Array, Array]:
        mean = decay * mean + (1.0 - decay) * row
        return mean, mean

    first: Array = np.zeros(x.shape[1])
    last, means = gs.lax.scan(step, first, x)
    assert_type(last, Array)
    return last, means


def window(x: Array, start: int, size: int) -> Array:
    part = gs.lax.dynamic_slice(x, (start, 0), (size, x.shape[1]))
    assert_type(part, Array)
    return part


def halved(x: Array) -> Array:
    return x / 2.0


def same(x: Array) -> Array:
    return x


@gs.jit
def square(x: float) -> float:
    return x * x


def train(steps: int = 3) -> tuple[float, Params]:
    key = gs.random.key(42)
    assert_type(gs.random.fold_in(key, 1), npt.NDArray[np.uint32])
    params = first_params(key, 4)
    x = gs.random.normal(gs.random.fold_in(key, 1), (8, 3))
    assert_type(x, Array)
    classes = gs.random.randint(gs.random.fold_in(key, 2), (8,), 0, 2)
    chosen = gs.random.bernoulli(gs.random.fold_in(key, 3), 0.5, (8,))
    assert_type(chosen, npt.NDArray[np.bool_])
    value, optimizer = 0.0, gs.optim.adam(gs.optim.warmup(2, 1e-2))
    state = optimizer.init(params)
    step = gs.value_and_grad(loss)
    for k in range(steps):
        value, gradients = step(params, window(x, k, 4), window(classes[:, None], k, 4)[:, 0])
        assert_type(value, float)
        gradients = gs.optim.clip_by_global_norm(gs.tree.map(lambda g: 0.5 * g, gradients), 1.0)
        params, state = optimizer.update(gradients, state, params)
    last, means = running_means(x, 0.9)
    assert_type(gs.lax.cond(np.sum(chosen) > 4, halved, same, last), Array)
    total: Array = gs.lax.fori_loop(0, 3, lambda i, total: total + means[i], last)
    assert_type(gs.optim.global_norm(total), float)
    assert_type(gs.nn.logsumexp(means, axis=0, return_sign=True), tuple[Any, Any])
    assert_type(gs.grad(loss, argnums=1)(params, x, classes), Any)
    assert_type(square(3.0), float)
    return value, params
