"""The table CASES, what enters a program there, and arguments."""
import numpy as np

rng = np.random.default_rng(3)
X, Y = rng.normal(size=7), rng.normal(size=7)
A, B = rng.normal(size=(5, 7)), rng.normal(size=(7, 5))
LONG = rng.normal(size=5000)
CASES: list[tuple] = []  # (function, arguments of its calls)


def on(*calls):
    """Register a function with the arguments of one call or more."""
    def register(f):
        CASES.append((f, calls))
        return f

    return register
