"""Reverse mode.

    def f(x, y):                 def f_vjp(x, y, t_bar):
        t = x * y                    t = x * y
        return (t,)                  x_bar = t_bar * y
                                     y_bar = t_bar * x
                                     return (t, x_bar, y_bar)

`vjp` gives the forward sweep and its mirror in one function; `vjp_split` cuts the same function in two where the
mirror begins, so that a pull-back can be called again and again.
"""
from __future__ import annotations

from dataclasses import dataclass

from ..analyse.activity import active_names
from ..analyse.intervals import Intervals
from ..analyse.steepness import steepness
from ..core import Atom, Block, Builder, Fun, Stmt, all_bound, bound
from ..core.verifier import verify
from ..rules import OPS
from ..rules.kinds import bar_name
from .adjoint import Adjoint
from .choices import Choices
from .opening import crossed, open_calls
from .values import block_names_read
from .views import views_before_loops


def vjp(fun: Fun, active: tuple[bool, ...], results: tuple[int, ...] | None = None) -> Fun:
    """(params, cotangents of the chosen float results) -> (results, cotangents of the active float params).

    `results` are the positions of the chosen results; None: all.
    """
    s = sweeps(fun, active, results)
    body = Block(tuple(s.forward + s.reverse), fun.body.results + s.cotangents)
    return verify(crossed(Fun(f"{fun.name}_vjp", fun.params + s.seeds, body, s.b.types, dict(fun.writes), fun.origin)),
                  after="vjp")


def vjp_split(fun: Fun, active: tuple[bool, ...], results: tuple[int, ...] | None = None) -> tuple[Fun, Fun]:
    """fwd(params) -> (results, residuals) and bwd(residuals, cotangents) -> (cotangents of the active float params)."""
    s = sweeps(fun, active, results)
    b, reverse = s.b, Block(tuple(s.reverse), s.cotangents)
    own = {*all_bound(reverse), *s.seeds}
    read = block_names_read(reverse, b.types) | {n for p in s.seeds for d in b.types[p].dims for n in d.names}
    known = {*fun.params, *(n for stmt in s.forward for n in bound(stmt))}
    residuals = tuple(sorted(n for n in read - own if n in known))
    forward = Block(tuple(s.forward), fun.body.results + residuals)
    fwd = Fun(f"{fun.name}_fwd", fun.params, forward, b.types, dict(fun.writes), fun.origin)
    bwd = Fun(f"{fun.name}_bwd", residuals + s.seeds, reverse, dict(b.types), {}, fun.origin)
    return verify(crossed(fwd), after="vjp_split (forward)"), verify(bwd, after="vjp_split (backward)")


@dataclass
class Sweeps:
    b: Builder
    forward: list[Stmt]
    reverse: list[Stmt]
    seeds: tuple[str, ...]  # cotangents of the chosen results
    cotangents: tuple[Atom, ...]  # of the active parameters


def sweeps(fun: Fun, active: tuple[bool, ...], results: tuple[int, ...] | None) -> Sweeps:
    """The two sweeps, apart."""
    fun = views_before_loops(open_calls(fun))
    b = Builder(like=fun)
    chosen = [r for k, r in enumerate(fun.body.results) if (results is None or k in results) and b.type(r).is_float]
    params = [p for p, is_active in zip(fun.params, active) if is_active and b.types[p].is_float]
    seeds = tuple(b.fresh(bar_name(r), b.type(r)) for r in chosen)
    active = active_names(fun, params, chosen)
    adjoint = Adjoint(b, active, Intervals(b, fun), Choices(b, fun, active, steepness))
    forward_names = set(all_bound(fun.body))
    for r, seed in zip(chosen, seeds):
        adjoint.contribute(r, own_lengths(b, seed, forward_names))
    forward = adjoint.sweep(fun.body)
    cotangents = tuple(adjoint.bar_or_zero(p) for p in params)
    return Sweeps(b, forward, b.stmts, seeds, cotangents)


def own_lengths(b: Builder, seed: str, forward: set[str]) -> Atom:
    """The seed under the lengths that the forward sweep computes:
    where the function is called, its caller may know them by other names."""
    dims = b.types[seed].dims
    return b.emit(OPS["retype"], seed, hint=seed, dims=dims) if any(d.names & forward for d in dims) else seed
