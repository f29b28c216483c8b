"""An element that is overwritten and read gets its new adjoint in one store.

The adjoint of `a2 = update(a, v, i)` sets the element to zero; if v was computed from a[i], the adjoint of that
read adds to it.  Additions in between commute, so that one store does for both:

    g2 = update(g, 0.0, i)                  g4 = update(g, v, i)
    g3 = update_add(g2, u, j)               g3 = update_add(g4, u, j)
    g4 = update_add(g3, v, i)

and none, where v is g[i] itself (`a[i] = a[i] - ...`).
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Atom, Block, Builder, Const, Let, free_names
from ..rules import OPS
from ..rules.indexing import may_repeat

LONGEST = 16  # additions that are worth moving


def join_stores(b: Builder, read: Let, g: Atom, have: str, shared: set[str]) -> str | None:
    """The adjoint of what `read` (a getitem) reads from: `have` with `g` added, where `have` comes from a store of zero
    at this index; None where it does not.  Names in `shared` are read elsewhere."""
    chain = adjoint_chain(b, read, have)
    if not chain or shared & {let.name for let in chain[:-1]} or read_between(b, chain):
        return None
    zero, adds = chain[0], chain[1:]
    own = {let.name for let in chain}
    b.stmts[:] = [s for s in b.stmts if not (isinstance(s, Let) and s.names and s.names[0] in own)]
    if is_element(b, g, zero):
        renamed = {zero.name: zero.args[0]}
    else:
        renamed = {}
        b.append(replace(zero, args=(zero.args[0], g, *zero.args[2:])))
    for let in adds:
        b.append(replace(let, args=tuple(renamed.get(a, a) for a in let.args)))
    return renamed.get(have, have)


def adjoint_chain(b: Builder, read: Let, have: str) -> list[Let] | None:
    """The store of zero and the additions after it that lead to `have`, all in this block."""
    chain: list[Let] = []
    for let in reversed(b.stmts):
        if isinstance(let, Let) and let.names == (have,):
            chain.append(let)
            if let.op.name == "rt.update":
                zero = isinstance(let.args[1], Const) and let.args[1].value == 0
                here = let.args[2:] == read.args[1:] and let.params == read.params and not may_repeat(let)
                return chain[::-1] if zero and here else None
            if let.op.name != "rt.update_add" or len(chain) == LONGEST:
                return None
            have = let.args[0]
    return None


def read_between(b: Builder, chain: list[Let]) -> bool:
    """Is a name of the chain read by anything but the next of the chain?"""
    own = {let.name for let in chain}
    rest = tuple(s for s in b.stmts if not (isinstance(s, Let) and s.names and s.names[0] in own))
    return bool(free_names(Block(rest)) & own) or any(own & set(let.args[1:]) for let in chain)


def is_element(b: Builder, g: Atom, zero: Let) -> bool:
    """Is g what stood at the place before?"""
    return any(isinstance(s, Let) and s.names == (g,) and s.op is OPS["getitem"] and s.params == zero.params
               and s.args == (zero.args[0], *zero.args[2:]) for s in b.stmts)
