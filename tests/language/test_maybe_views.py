"""What may be a view of another array or a copy, which only the run time knows:
it is stored into where nothing else can see that."""
import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree

W, X = np.ones((2, 3)), np.arange(24.0).reshape(2, 3, 4)


def product(x):
    return np.einsum("fk,nkp->nfp", W, x)       # in which memory order, NumPy decides


def of_a_temporary(x):
    y = product(x).reshape(4, 4)
    y += 1.0
    return y


def rebound(x):
    y = product(x)
    y = y.reshape(4, 4)
    y[0] += 1.0
    return y


def ravelled(x):
    y = np.ravel(product(x))
    y *= 2.0
    return y


def forgotten(x):
    e = product(x)
    y = e.reshape(4, 4)
    del e
    y += 1.0
    return y


def both_in_use(x):
    e = product(x)
    y = e.reshape(4, 4)
    y += 1.0
    return y, e


def in_a_list(x):
    e = [product(x)]
    y = e[0].reshape(4, 4)
    y += 1.0
    return y, e


def the_other_is_stored_into(x):
    e = product(x)
    y = e.reshape(4, 4)
    e += 1.0
    return y


def a_view_of_it_is_left(x):
    e = product(x)
    y, row = e.reshape(4, 4), e[0]
    e = 0.0
    y += 1.0
    return y, row + e


def in_a_closure(x):
    e = product(x)
    y = e.reshape(4, 4)
    y += 1.0
    return y * (lambda: e)()[0, 0, 0]


def of_an_argument(x):
    x = product(x).T if x.ndim == 4 else x.T.reshape(4, 6)
    x += 1.0
    return x


@pytest.mark.parametrize("program", [of_a_temporary, rebound, ravelled, forgotten], ids=lambda f: f.__name__)
def test_it_is_stored_into(program):
    agree(program, X, compiled=program is rebound)
    agree(lambda x: np.sum(program(x) ** 2), X, compiled=False, gradient=0)


@pytest.mark.parametrize("program", [both_in_use, in_a_list, the_other_is_stored_into, a_view_of_it_is_left,
                                     in_a_closure], ids=lambda f: f.__name__)
def test_it_is_refused(program):
    with pytest.raises(gs.GradscribeError, match="only the run time knows whether that made a copy"):
        gs.vjp(program, X)


@pytest.mark.parametrize("x", [X, np.asfortranarray(X), X[::-1]], ids=["C", "F", "neither"])
def test_an_argument_is_seen_from_outside(x):
    agree(of_an_argument, x, refused="may share memory with another")
