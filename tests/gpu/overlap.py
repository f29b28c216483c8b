"""Arguments that share memory, on a GPU or in the simulator: as on the CPU, or refused."""

import numpy as np

import gradscribe as gs
from gradscribe.runtime.cuda import backend

from . import arrays

arrays.use()
PAIRS = {"a part": lambda b: (b[:5], b[2:7]), "twice the same": lambda b: (b, b),
         "two views of all": lambda b: (b[:], b[:]), "one within the other": lambda b: (b[2:4], b),
         "side by side": lambda b: (b[:4], b[4:])}


def stored(x, y):
    x[1:] = y[:len(x) - 1] * 2.0
    return np.sum(y)


def read(x, y):
    return np.sum(x) * y[::-1]


def memory_is_shared() -> None:
    for name, pair in PAIRS.items():
        for f in (stored, read):
            for put in (backend.put_array, np.copy):
                asked, plain = put(np.arange(1.0, 9.0)), np.arange(1.0, 9.0)
                made = gs.jit(f, target="cuda")
                if f is stored and name != "side by side":
                    assert "two arguments share memory" in refusal(made, *pair(asked)), name
                    assert backend.get(asked).tolist() == plain.tolist(), name
                else:
                    want = f(*pair(plain))
                    np.testing.assert_allclose(backend.get(made(*pair(asked))), want, rtol=1e-14)
                    assert backend.get(asked).tolist() == plain.tolist(), name


def memory_is_shared_by_three() -> None:
    """The third argument lies on both others, which lie apart."""
    def f(x, y, z):
        y[:] = 2.0 * x[0] + z[0]
        return np.sum(z)

    made = gs.jit(f, target="cuda")
    b = backend.put_array(np.arange(1.0, 9.0))
    for order in ((b[:3], b[5:], b[2:6]), (b[5:], b[2:6], b[:3]), (b[2:6], b[:3], b[5:])):
        assert "two arguments share memory" in refusal(made, *order)


def refusal(f, *args) -> str:
    try:
        f(*args)
    except gs.UnsupportedError as error:
        return str(error)
    raise AssertionError("it was not refused")
