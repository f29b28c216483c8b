"""The stage harness: every stage of every transformation of every program is Python that runs, and gives the same.

The stages are the core as specialised, as optimised, with its stores back, the readable source, and, compiled, the
lowered loops as plain Python and as numba compiles them. A primal is held against the function itself, a derivative
against its first stage (which test_check_grads holds against differences).
"""
import ast

import numpy as np
import pytest

import gradscribe as gs
from gradscribe.test_util import stages
from gradscribe.transformer import api
from gradscribe.transformer.testing import Reverse, random_direction
from tests.corpus.programs import PROGRAMS
from tests.support.cases import assert_same, covers, over, ran, tolerance

PLAIN = ("specialised", "optimised", "inplace", "readable", "lowered")
COMPILED = ("compiled",)


def with_direction(p):
    """Arguments of the jvp: the program's, and a direction."""
    args = p.make_args()
    return args, random_direction(p.make_args(), np.random.default_rng(1))


# what a program that raises would return; else a float
NEVER = {"one_step_too_far": np.ones(3), "mismatched_product": np.ones(2)}


def with_cotangent(p):
    """Arguments of the vjp: the program's, and a cotangent of its result."""
    out = NEVER.get(p.name, 1.0) if p.raises else p.fun(*p.make_args())
    return p.make_args(), random_direction(out, np.random.default_rng(2))


def with_both(p):
    """Arguments of the jvp of the vjp."""
    point = with_cotangent(p)
    return point, random_direction(point, np.random.default_rng(3))


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
    rtol = tolerance(make_args())
    for name, run in stages(transformed, make_args(), names=names):
        got = ran(run, make_args)
        try:
            want = want or got
            assert_same(got, want, rtol)
        except Exception as error:
            error.add_note(f"at the stage {name!r}")
            raise
    return want


# ---- plain

@pytest.mark.heavy(one_in=11)
@covers(("primal", "plain"))
def test_primal(p):
    want = ran(p.fun, p.make_args)
    assert (want.error and type(want.error)) is p.raises
    agree(*primal(p), PLAIN, want)


@pytest.mark.heavy(one_in=13)
@covers(("jvp", "plain"))
def test_jvp(p):
    raised(p, agree(*jvp(p), PLAIN))


@pytest.mark.heavy(one_in=11)
@covers(("vjp", "plain"))
def test_vjp(p):
    raised(p, agree(*vjp(p), PLAIN))


@pytest.mark.heavy(one_in=21)
@covers(("second order", "plain"))
def test_second_order(p):
    raised(p, agree(*jvp_of_vjp(p), PLAIN))


def raised(p, first):
    """A derivative raises where its function does, and what that does."""
    assert (first.error and type(first.error)) is p.raises


# ---- compiled

@pytest.mark.heavy(one_in=87)
@covers(("primal", "compiled"))
def test_primal_compiled(p):
    agree(*primal(p), COMPILED, ran(p.fun, p.make_args))


@pytest.mark.heavy(one_in=87)
@covers(("vjp", "compiled"))
def test_vjp_compiled(p):
    raised(p, agree(*vjp(p), ("specialised", *COMPILED)))


@pytest.mark.heavy(one_in=33)
@covers(("jvp", "compiled"), rotate=True)
def test_jvp_compiled(p):
    raised(p, agree(*jvp(p), ("specialised", *COMPILED)))


@covers(("second order", "compiled"), rotate=True, programs=[p for p in PROGRAMS if p.raises or not p.smooth])
def test_second_order_compiled(p):
    """Of the others it is for check_grads."""
    raised(p, agree(*jvp_of_vjp(p), ("specialised", *COMPILED)))


@over([p for p in PROGRAMS if not p.raises][::6])
def test_no_compiled_name_ends_in_a_digit(p):
    """Numba's name for what it loads is the variable's and the place in the code: n at 1438 is n1 at 438."""
    nodes = list(ast.walk(ast.parse(vjp(p)[0].source(*with_cotangent(p), stage="compiled"))))
    names = [n.id for n in nodes if isinstance(n, ast.Name)] + [n.arg for n in nodes if isinstance(n, ast.arg)]
    assert not [n for n in names if n[-1].isdigit()]


# ---- what users call runs the last stage

@pytest.mark.heavy(one_in=5)
@over([p for p in PROGRAMS if not p.raises][::12])
def test_users_run_the_last_stage(p):
    for transformed, stage in ((api.Primal(p.fun), "readable"), (gs.jit(p.fun), "compiled")):
        [(_, run)] = stages(p.fun, p.make_args(), names=(stage,))
        assert_same(ran(transformed, p.make_args), ran(run, p.make_args), rtol=0.0)
