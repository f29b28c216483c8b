"""examples/vae.py: random numbers drawn inside a compiled training step."""
import importlib.util
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs


@pytest.fixture(scope="module")
def vae():
    path = Path(__file__).parents[2] / "examples" / "vae.py"
    spec = importlib.util.spec_from_file_location("vae", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def images():
    sklearn = pytest.importorskip("sklearn.datasets",
                                  reason="the digits ship with scikit-learn, which the demo installs")
    return sklearn.load_digits().data / 16


def test_the_gradient_through_the_sample(vae, images):
    """Of one key: against differences, whose noise is the same because the key is."""
    key, X = gs.random.key(3), images[:16]
    p = vae.initial(gs.random.key(4))
    direction = gs.tree.map(lambda x: np.cos(np.arange(x.size, dtype=float)).reshape(x.shape), p)

    def along(t):
        return vae.loss(gs.tree.map(lambda x, d: x + t * d, p, direction), key, X)

    slope = gs.tree.reduce(lambda a, b: a + b,
                           gs.tree.map(lambda g, d: np.sum(g * d), gs.grad(vae.loss)(p, key, X), direction))
    assert slope == pytest.approx((along(1e-5) - along(-1e-5)) / 2e-5, rel=1e-6)
    assert vae.loss(p, gs.random.key(5), X) != vae.loss(p, key, X)


@pytest.mark.heavy(one_in=22)
def test_a_compiled_step_is_the_step(vae, images):
    p = vae.initial(gs.random.key(4))
    state, key, X = vae.optimizer.init(p), gs.random.key(3), images[:16]
    for got, want in zip(gs.tree.leaves(vae.step(p, state, key, X)),
                         gs.tree.leaves(vae.step.__wrapped__(p, state, key, X)), strict=True):
        assert np.asarray(got).dtype == np.asarray(want).dtype and np.shape(got) == np.shape(want)
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


@pytest.mark.heavy(one_in=6)
def test_it_learns(vae, images):
    """Better than the best model that knows nothing of the image: each pixel's mean over all images."""
    _, curve = vae.train(images, 12, gs.random.key(0))
    mean = np.clip(images.mean(axis=0), 1e-9, 1 - 1e-9)
    blind = -np.mean(np.sum(images * np.log(mean) + (1 - images) * np.log(1 - mean), axis=1))
    assert curve[-1] < blind - 1.5 < blind < curve[0]
    assert vae.train(images, 1, gs.random.key(0))[1] == curve[:1]
