"""Program, the table PROGRAMS with what enters programs there, and arguments that are the same every time."""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Program:
    """A function of the corpus, and what a test must know to call it."""

    fun: Callable
    construct: str  # what this program alone adds
    make_args: Callable[[], tuple]  # fresh, deterministic positional arguments
    argnums: tuple[int, ...] = (0,)  # the arguments to differentiate, containers of float leaves included
    smooth: bool = True  # twice differentiable at these arguments
    mutates: bool = False  # stores into its arguments
    static_argnums: tuple[int, ...] = ()  # arguments that are functions, strings, ...
    raises: type[Exception] | None = None  # what the call raises instead of returning

    @property
    def name(self):
        return self.fun.__name__


PROGRAMS: list[Program] = []


def program(construct, args, **about):
    """Register the decorated function in `PROGRAMS`; the function itself is returned unchanged."""

    def register(fun):
        PROGRAMS.append(Program(fun, construct, args, **about))
        return fun

    return register


def normal(seed, *shape):
    """Standard normal numbers, the same for the same seed."""
    return np.random.default_rng(seed).normal(size=shape)


def uniform(seed, *shape, low=0.5, high=1.5):
    """Uniform numbers, positive unless told otherwise, the same for the same seed."""
    return np.random.default_rng(seed).uniform(low, high, size=shape)


def positive_definite(seed, n):
    """A well-conditioned symmetric positive definite matrix."""
    a = normal(seed, n, n)
    return a @ a.T + n * np.eye(n)


def dominant(seed, n):
    """A diagonally dominant matrix: it has an LU factorisation without pivoting."""
    return uniform(seed, n, n) + 2.0 * n * np.eye(n)
