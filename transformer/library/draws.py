"""Generators of random numbers that are made inside of a function, of a seed that is known before it runs.

    rng = np.random.default_rng(5)      the same numbers at each call: each draw is made once, when the program is made
    x + rng.normal(size=3)

What the generator will draw next is a constant, too: the text of its state.  In a loop that only the run ends, or in a
branch that only it chooses, no one knows that state before.  The state that `np.random.seed` sets is the process's, and
stays what it is.
"""
import functools
import pickle
import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from .registry import computed, known, means, refuse

ALL_AT_ONCE = "Draw all of them before the loop, or before the branch: rng.normal(size=n)."


@dataclass(eq=False)
class Generator:
    """An np.random.Generator."""

    JOINED = ALL_AT_ONCE
    state: Any

    def draw(self, name, *args, **kwargs):
        value, self.state = drawn(self.state, name, args, kwargs)
        return value

    def normal(self, loc=0.0, scale=1.0, size=None):
        return loc + scale * self.draw("standard_normal", wide(size, loc, scale))

    def uniform(self, low=0.0, high=1.0, size=None):
        return low + (high - low) * self.draw("random_sample" if self.is_old() else "random", wide(size, low, high))

    def exponential(self, scale=1.0, size=None):
        return scale * self.draw("standard_exponential", wide(size, scale, 1.0))

    def permutation(self, x):
        return self.draw("permutation", x) if np.ndim(x) == 0 else np.asarray(x)[self.draw("permutation", len(x))]

    def shuffle(self, x):
        put_in_order(x, self.draw("shuffle", len(x)))

    def choice(self, a, size=None, replace=True, p=None):
        if np.ndim(a) == 0:
            return self.draw("choice", a, size, replace, p)
        return np.asarray(a)[self.draw("choice", len(a), size, replace, p)]

    def is_old(self):
        return False

    def __getattr__(self, name):
        if name not in METHODS:
            refuse(f"{name} of a generator that is made inside of a function",
                   "Make it before, and pass what it draws.")
        return lambda *args, **kwargs: self.draw(name, *args, **kwargs)


@dataclass(eq=False)
class RandomState(Generator):
    """An np.random.RandomState."""

    def is_old(self):
        return True


@dataclass(eq=False)
class Random:
    """A random.Random."""

    JOINED = ALL_AT_ONCE
    state: Any

    draw = Generator.draw

    def __getattr__(self, name):
        if name not in PYTHONS:
            refuse(f"{name} of a random.Random that is made inside of a function",
                   "Make it before, and pass what it draws.")
        return lambda *args: self.draw(name, *args)

    def choice(self, seq):
        return seq[self.draw("choice", range(len(seq)))]

    def shuffle(self, x):
        put_in_order(x, self.draw("shuffle", len(x)))


@dataclass(eq=False)
class State:
    """What a generator is before its next draw: two of the same text are one object."""

    text: bytes
    draws: int

    @functools.lru_cache(1 << 12)
    def made(text, draws):
        return State(text, draws)

    @property
    def __name__(self):
        return f"of a generator after {self.draws} draw{'s' * (self.draws != 1)}"


def state_of(generator, draws=0):
    return State.made(pickle.dumps(generator), draws)


def drawn(state, name, args, kwargs):
    """(what a generator of random numbers in this state draws, its state after it)"""
    generator = pickle.loads(state.text)
    if name == "shuffle":
        found = list(range(*args))
        generator.shuffle(found)
    else:
        found = getattr(generator, name)(*args, **kwargs)
    return found, state_of(generator, state.draws + 1)


def put_in_order(x, order):
    x[:] = np.array(x)[np.array([*order])] if isinstance(x, np.ndarray) else [x[k] for k in order]


METHODS = {*"standard_normal random random_sample rand randn integers randint random_integers beta binomial chisquare "
           "dirichlet f gamma geometric gumbel hypergeometric laplace logistic lognormal logseries multinomial "
           "multivariate_normal negative_binomial noncentral_chisquare noncentral_f pareto poisson power rayleigh "
           "standard_cauchy standard_exponential standard_gamma standard_t triangular vonmises wald weibull "
           "zipf permuted".split()}
PYTHONS = {*"random uniform gauss normalvariate randint randrange expovariate betavariate gammavariate triangular "
           "lognormvariate getrandbits sample".split()}


def wide(size, *parameters):
    """The shape of what is drawn."""
    shape = np.broadcast_shapes(*[np.shape(x) for x in parameters])
    return size if size is not None or len(shape) == 0 else shape


def seeded(make, seed, title):
    """The state of a generator that has drawn nothing yet."""
    seed = known(seed, "it is the seed of a generator")
    if seed is None:
        refuse(f"{title} without a seed depends on hidden random state",
               "Draw the numbers before the call and pass them, or give it a seed.")
    return computed(first_state, make, seed)


def first_state(make, seed):
    return state_of(make(seed))


@means(np.random.default_rng, unasked=True)
def default_rng(seed=None):
    return Generator(seeded(np.random.default_rng, seed, "np.random.default_rng"))


@means(np.random.RandomState, unasked=True)
def random_state(seed=None):
    return RandomState(seeded(np.random.RandomState, seed, "np.random.RandomState"))


@means(random.Random, unasked=True)
def pythons_random(x=None):
    return Random(seeded(random.Random, x, "random.Random"))
