"""The stage harness: every stage of every transformation of every program is Python that runs, and gives the same.

The stages are the core as specialised, as optimised, with its stores back, the readable source, and, compiled, the
lowered loops as plain Python and as numba compiles them. A primal is held against the function itself, a derivative
against its first stage (which test_check_grads holds against differences).
"""
import numpy as np
import pytest
from cases import assert_same, covers, over, ran, tolerance
from programs import PROGRAMS

from gradscribe.test_util import stages
from gradscribe.transformer import api
from gradscribe.transformer.testing import Reverse, direction

PLAIN = ("specialised", "optimised", "inplace", "readable", "lowered")
COMPILED = ("compiled",)


def with_direction(p):
    """Arguments of the jvp: the program's, and a direction."""
    args = p.make_args()
    return args, direction(p.make_args(), np.random.default_rng(1))


def with_cotangent(p):
    """Arguments of the vjp: the program's, and a cotangent of its result."""
    out = 1.0 if p.raises else p.fun(*p.make_args())  # of a result that never is any will do
    return p.make_args(), direction(out, np.random.default_rng(2))


def with_both(p):
    """Arguments of the jvp of the vjp."""
    point = with_cotangent(p)
    return point, direction(point, np.random.default_rng(3))


def primal(p):
    return api.Primal(p.fun), p.make_args


def jvp(p):
    return api.Jvp(p.fun), lambda: with_direction(p)


def vjp(p):
    return api.Vjp(p.fun, has_aux=False), lambda: with_cotangent(p)


def jvp_of_vjp(p):
    return api.Jvp(Reverse(p.fun)), lambda: with_both(p)


def agree(transformed, make_args, names, want=None):
    """Run the stages of these names; each must give what is wanted, or what the first gives."""
    found = [(name, run) for name, run in stages(transformed, make_args(), names=names)]
    assert [name for name, _ in found] == list(names)
    rtol = tolerance(make_args())
    for name, run in found:
        got = ran(run, make_args)
        try:
            want = want or got
            assert_same(got, want, rtol)
        except Exception as error:
            error.add_note(f"at the stage {name!r}")
            raise
    return want


# ---- plain

@covers(("primal", "plain"))
def test_primal(p):
    want = ran(p.fun, p.make_args)
    assert (want.error and type(want.error)) is p.raises
    agree(*primal(p), PLAIN, want)


@covers(("jvp", "plain"))
def test_jvp(p):
    raised(p, agree(*jvp(p), PLAIN))


@covers(("vjp", "plain"))
def test_vjp(p):
    raised(p, agree(*vjp(p), PLAIN))


@covers(("second order", "plain"))
def test_second_order(p):
    raised(p, agree(*jvp_of_vjp(p), PLAIN))


def raised(p, first):
    """A derivative raises where its function does, and what that does."""
    assert (first.error and type(first.error)) is p.raises


# ---- compiled

@covers(("primal", "compiled"))
def test_primal_compiled(p):
    agree(*primal(p), COMPILED, ran(p.fun, p.make_args))


@covers(("vjp", "compiled"))
def test_vjp_compiled(p):
    raised(p, agree(*vjp(p), ("specialised", *COMPILED)))


@covers(("jvp", "compiled"), rotate=True)
def test_jvp_compiled(p):
    raised(p, agree(*jvp(p), ("specialised", *COMPILED)))


# ---- what is returned by what users call is what the last stage gives

@over(PROGRAMS[::10])
def test_the_stages_are_those_that_users_run(p):
    if p.raises:
        pytest.fail("choose programs that return")
    import gradscribe as gs
    _, readable = next(s for s in stages(p.fun, p.make_args(), names=("readable",)))
    assert_same(ran(gs.jvp.__wrapped__ if False else api.Primal(p.fun), p.make_args), ran(readable, p.make_args))
    compiled = ran(gs.jit(p.fun), p.make_args)
    assert_same(compiled, ran(p.fun, p.make_args), tolerance(p.make_args()))
