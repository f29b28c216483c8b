"""What the tests of loops that threads share have in common."""
import numpy as np

import gradscribe as gs

RNG = np.random.default_rng(3)
COUNT = 500
A, X0 = RNG.uniform(1.0, 2.0, COUNT), RNG.uniform(1.0, 30.0, COUNT)
X = RNG.normal(size=COUNT)


def text(f, *args, **options):
    return gs.jit(f, **options).source(*args, stage="compiled")


def same(got, want):
    assert (type(got) is type(want) and got.dtype == want.dtype and got.shape == want.shape
            and got.tobytes() == want.tobytes())
