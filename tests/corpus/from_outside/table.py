"""The table ITEMS, and what enters a program with its arguments there."""
import numpy as np
import pytest

ITEMS: list[tuple] = []


def item(*args, more=(), name="", **options):
    """Hold the decorated function against Python at these arguments, and at `more` of them."""
    def register(fun):
        for k, given in enumerate([args, *more]):
            ITEMS.append(pytest.param(fun, given,
                                      options if k == 0 else {n: x for n, x in options.items() if n != "gradient"},
                                      id=f"{fun.__name__}{'' if k == 0 else f'_{k}'}"))
        return fun
    return register


X = np.array([0.5, -1.5, 2.0])
