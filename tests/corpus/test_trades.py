"""Whole programs of ten trades as people write them: value, gradient, compiled, and over examples.

None of them is written for Gradscribe, and none is changed for it: what does not work today stands in `KNOWN`, with
the words of its refusal, and leaves the table once it works. Never in it: a wrong value or a wrong gradient.

    python -m tests.corpus.test_trades [TRADE ...]      # what each program does today, in the words of `KNOWN`
"""
import importlib
import sys

import numpy as np
import pytest

import gradscribe as gs
from tests.support import cases

TRADES = ("fluids", "chemistry", "astrodynamics", "hydrology", "robotics",
          "econometrics", "epidemiology", "signals", "geometry", "learning")
TRADES += tuple(f"{trade}_2" for trade in TRADES)


def programs(trades=TRADES):
    for trade in trades:
        for name, entry, make_args, argnums in importlib.import_module(f"tests.corpus.trades.{trade}").PROGRAMS:
            yield f"{trade}.{name}", (entry, make_args, argnums)


PROGRAMS = dict(programs())


def direction(args, argnums):
    """A direction to walk in, of the arguments' own size."""
    rng = np.random.default_rng(1)
    return {k: rng.standard_normal(np.shape(args[k]))
            * np.maximum(np.abs(args[k]), 0.1 * np.max(np.abs(args[k]))) for k in argnums}


def moved(make_args, way, step):
    args = list(make_args())
    for k, d in way.items():
        args[k] = args[k] + step * d
    return args


def slope(entry, make_args, way, h=3e-5):
    """The derivative in that direction, by central differences of the fourth order."""
    near, far = ([float(entry(*moved(make_args, way, s))) for s in (h * k, -h * k)] for k in (1, 2))
    return (8 * (near[0] - near[1]) - (far[0] - far[1])) / (12 * h)


def agrees_with_differences(gradient, way, wanted):
    along = sum(np.sum(g * d) for g, d in zip(gradient, way.values()))
    np.testing.assert_allclose(along, wanted, rtol=1e-5, atol=1e-8)


def value(entry, make_args, argnums):
    found, _ = gs.value_and_grad(entry, argnums)(*make_args())
    np.testing.assert_allclose(found, entry(*make_args()), rtol=1e-9, atol=1e-12)


def gradient(entry, make_args, argnums):
    way = direction(make_args(), argnums)
    agrees_with_differences(gs.grad(entry, argnums)(*make_args()), way, slope(entry, make_args, way))


def jit(entry, make_args, argnums):
    np.testing.assert_allclose(gs.jit(entry)(*make_args()), entry(*make_args()), rtol=1e-9, atol=1e-12)


def jit_of_gradient(entry, make_args, argnums):
    way = direction(make_args(), argnums)
    agrees_with_differences(gs.jit(gs.grad(entry, argnums))(*make_args()), way, slope(entry, make_args, way))


def vmap(entry, make_args, argnums):
    """Three examples nearby, against Python's loop over them."""
    way = direction(make_args(), argnums)
    rows = [moved(make_args, way, s) for s in (-0.003, 0.0, 0.003)]
    together = [np.array(column) if k in argnums else column[0] for k, column in enumerate(zip(*rows))]
    found = gs.vmap(entry, in_axes=tuple(0 if k in argnums else None for k in range(len(together))))(*together)
    np.testing.assert_allclose(found, [entry(*row) for row in copies(rows)], rtol=1e-8)


def copies(rows):
    return [[np.copy(a) if isinstance(a, np.ndarray) else a for a in row] for row in rows]


WHAT = {f.__name__: f for f in (value, gradient, jit, jit_of_gradient, vmap)}


KNOWN = {  # program -> the words of its refusal, by what is behind it: the first that is met, there may be others
    # what is the library's alone: an equation solved by LSODA, hulls of points
    "epidemiology_2.infusion": "scipy.integrate.odeint has no rule",
    "geometry_2.register": "an object of class ConvexHull is made",
    # what is kept from one call to the next
    "epidemiology_2.r_number": "a change of store, which others see as well"}
# ten seconds to two minutes for each way: 81 integrals of several calls each, 10 Jacobians of a step, 128 faces
LONG = {"chemistry_2.helium_hydride", "robotics_2.swing", "geometry_2.sphericity"}
TOO_LONG = {"geometry_2.render"}  # mirrors in mirrors: its compiled gradient takes more than ten minutes


@pytest.mark.heavy(one_in=25)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_a_trade(name, what):
    if name in TOO_LONG or name in LONG and not cases.ALL:
        pytest.skip("takes long to make; GRADSCRIBE_TEST_ALL=1 makes those of LONG")
    if name not in KNOWN:
        return WHAT[what](*PROGRAMS[name])
    with pytest.raises(gs.GradscribeError) as error:
        WHAT[what](*PROGRAMS[name])
    assert KNOWN[name] in str(error.value)


def test_what_is_known_is_there():
    assert PROGRAMS.keys() >= KNOWN.keys() | LONG | TOO_LONG


def today(trades):
    """What each program of `trades` does: a line for each that is refused somewhere, with the first words said."""
    for name, program in programs(trades or TRADES):
        said = {}
        for what, run in WHAT.items():
            try:
                run(*program)
            except Exception as error:  # whatever happens is reported
                said[what] = f"{type(error).__name__}: {error}"
        print(name, *(said or ["works"]), *{line.splitlines()[0] for line in said.values()}, sep="\n    ", flush=True)


if __name__ == "__main__":
    today(sys.argv[1:])
