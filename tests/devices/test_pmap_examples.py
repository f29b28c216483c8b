"""Programs that train, multiply and exchange over several devices give what they give on one."""
import importlib
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.transformer.sharding import sharded

COUNT = 4


@pytest.fixture(autouse=True)
def devices(monkeypatch):
    monkeypatch.setenv("GRADSCRIBE_DEVICES", str(COUNT))
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples"))


def close(got, want):
    for a, b in zip(gs.tree.leaves(got), gs.tree.leaves(want), strict=True):
        assert np.shape(a) == np.shape(b) and np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-13)


@pytest.mark.heavy(one_in=12)
def test_an_autoencoder_learns_from_parts_of_a_batch():
    program, X = importlib.import_module("data_parallel"), np.random.default_rng(0).uniform(size=(80, 64))
    one = gs.vmap(program.step.__wrapped__, in_axes=(None, None, 0, 0), out_axes=None, axis_name="devices")
    (_, together), (_, alone) = (program.train(step, X, 4, COUNT, gs.random.key(0)) for step in (program.step, one))
    assert together[-1] < together[0]
    np.testing.assert_allclose(together, alone, rtol=1e-12)


def ensemble_step(networks, X, y):
    """Of all networks, on the rows that this device has: each network a row of the parameters."""
    def loss(p, X, y):
        z = np.tanh(X @ p["W1"] + p["b1"]) @ p["w2"] + p["b2"]
        return np.mean(np.maximum(z, 0.0) - z * y + np.log(1.0 + np.exp(-np.abs(z))))

    values, gradients = gs.vmap(gs.value_and_grad(loss), in_axes=(0, None, None))(networks, X, y)
    gradients = gs.lax.pmean(gradients, "devices")
    return {k: networks[k] - 0.5 * gradients[k] for k in networks}, gs.lax.pmean(values, "devices")


@pytest.mark.heavy(one_in=6)
def test_an_ensemble_learns_from_parts_of_a_batch():
    rng = np.random.default_rng(0)
    networks = {"W1": rng.normal(size=(3, 2, 5)), "b1": rng.normal(size=(3, 5)), "w2": rng.normal(size=(3, 5)),
                "b2": np.zeros(3)}
    X = rng.normal(size=(COUNT, 8, 2))
    y = (X[..., 0] * X[..., 1] > 0.0) * 1.0
    axes = {"axis_name": "devices", "in_axes": (None, 0, 0), "out_axes": None}
    step, alone = gs.pmap(ensemble_step, **axes), gs.vmap(ensemble_step, **axes)
    together, losses = networks, []
    for _ in range(5):
        (together, values), (networks, want) = step(together, X, y), alone(networks, X, y)
        np.testing.assert_allclose(values, want, rtol=1e-12)
        losses.append(np.sum(values))
    assert losses[-1] < losses[0]
    close(together, networks)


@pytest.mark.heavy(one_in=4)
def test_layers_are_cut_by_columns_and_by_rows(monkeypatch):
    program, gathers = importlib.import_module("parallel_layers"), []
    x, W1, W2, target = program.data(COUNT, width=3, examples=2)
    hidden = program.product_by_columns(x, W1)
    close(np.asarray(hidden), x @ W1)
    close(np.asarray(program.product_by_rows(hidden, W2)), np.asarray(hidden) @ W2)
    value, found = program.gradients(x, W1, W2, target)
    want, expected = gs.value_and_grad(program.loss, argnums=(0, 1))(W1, W2, x, target)
    close((value, gs.device_get(found)), (want, expected))
    monkeypatch.setattr(sharded, "gathered", gathers.append)
    weights, curve = program.train(x, (W1, W2), target, 5)
    assert not gathers and weights[0].spec == program.COLUMNS and curve[-1] < curve[0]


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("steps", [0, 1, 12])
def test_strips_of_a_plate_exchange_their_edges(steps):
    program = importlib.import_module("halo_exchange")
    u = program.plate(4 * COUNT, 7)
    close(np.asarray(program.heat(u, 0.2, steps)), program.heat_of_one(u, 0.2, steps))
    close(np.asarray(program.sensitivity(u, 0.2, steps)), gs.grad(program.energy_of_one)(u, 0.2, steps))


@pytest.mark.heavy(one_in=64)
def test_the_programs_run_as_their_first_lines_say(capsys):
    importlib.import_module("halo_exchange").main(rows=16, columns=7, steps=12)
    importlib.import_module("parallel_layers").main()
    printed = capsys.readouterr().out
    assert printed.startswith("4 strips of 4 rows, 12 steps: ") and "\n4 devices; products differ" in printed
