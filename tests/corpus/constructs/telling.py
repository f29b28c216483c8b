"""Warnings, loggers, clocks, bars and checks around a computation; recursions that the run time ends."""
import logging
import math
import sys
import time
import warnings

import numpy as np

from tests.corpus.registry import normal, program, uniform

log = logging.getLogger("tests.corpus")
log.setLevel(logging.CRITICAL)


@program(construct="warnings.warn", args=lambda: (normal(801, 3),))
def warned(x):
    """In a block that ignores it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if np.sum(x) > -10.0:
            warnings.warn(f"the sum is {np.sum(x):.2f}", RuntimeWarning, stacklevel=2)
    return np.sum(x * x)


@program(construct="a logger", args=lambda: (normal(802, 3),))
def logged(x):
    """Its level is above most of it."""
    log.info("began with %s", x)
    for k in range(3):
        x = np.sin(x) + 0.5 * x
        log.debug("round %d: %g", k, np.sum(x))
        if log.isEnabledFor(logging.DEBUG):
            log.log(logging.DEBUG, f"largest {np.max(x)}")
    logging.getLogger("tests.corpus").warning("done")
    return np.sum(x)


@program(construct="a clock that is shown", args=lambda: (normal(803, 3),))
def timed(x):
    """What it says goes to a logger that does not listen."""
    began = time.perf_counter()
    spent = 0.0
    for _ in range(2):
        last = time.process_time()
        x = x * x + 0.1
        spent += time.process_time() - last
        if time.perf_counter() - began > 1e9:
            log.info("slow")
    log.info(f"{spent / 2} of {time.perf_counter() - began} s")
    return np.sum(x)


@program(construct="writes to streams", args=lambda: (normal(804, 2),))
def wrote(x):
    """Nothing that one sees."""
    sys.stdout.write("")
    print(end="", file=sys.stderr)
    print(f"{np.sum(x):.3f}"[:0] if len(x) > 5 else "", end="", file=sys.stdout)
    sys.stdout.flush()
    return np.sum(x**3)


@program(construct="np.testing and assert", args=lambda: (uniform(805, 3),))
def checked(x):
    """Checks that hold."""
    y = np.sqrt(x)
    np.testing.assert_allclose(y * y, x, rtol=1e-6, err_msg="roots")
    np.testing.assert_array_less(y, 10.0)
    np.testing.assert_array_equal(x, x)
    np.testing.assert_almost_equal(np.sum(y), float(np.sum(y)))
    np.testing.assert_(np.all(y > 0.0), "no roots")
    assert np.all(np.isfinite(y)), "not finite"
    return np.sum(y)


def gamma_like(z):
    """Reflected, and shifted."""
    if z < 0.5:
        return math.pi / (math.sin(math.pi * z) * gamma_like(1.0 - z))
    if z > 2.0:
        return (z - 1.0) * gamma_like(z - 1.0)
    return 1.0 + 0.4 * (z - 1.0) * (z - 2.0)


@program(construct="recursion on a sign", args=lambda: (np.array([-0.7, 0.3, 1.2, 3.6]),))
def reflected(x):
    """How often it calls itself only the run time knows."""
    return sum(gamma_like(v) for v in x)


def odd(x, q):
    return -odd(-x, q) if x < 0 else np.arctan(x) * q


@program(construct="recursion in an expression", args=lambda: (-1.5, 2.0), argnums=(0, 1))
def odd_of(x, q):
    """At most one further call."""
    return odd(x, q) + odd(x * x, 1.0)
