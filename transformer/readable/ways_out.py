"""What would run once a flag of a loop is set: only what may be left out can become a break or a return."""
from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .. import core
from ..core import Atom, Const
from .code_tree import Assign, Break, Call, If, Return, Stmt, While
from .conditions import Unclear, has_stores

if TYPE_CHECKING:
    from .exits import Maker, OpenBlock


class WayOut:
    """Follows the statements that would run once a flag is set: only such as may be left out."""

    def __init__(self, maker: Maker, env: dict[str, Atom]):
        self.maker, self.env = maker, env
        # with what names were there; None: by a branch or a loop
        self.skipped: dict[str, tuple[core.Let, dict[str, Atom]] | None] = {}
        self.needed: list[Stmt] = []

    def seen(self, atom: Atom, env: dict[str, Atom] | None = None) -> Atom:
        """The atom that a name is on this path, at its end or where the names were `env`.

        What a carried name is behind its loop and what it is where the loop is left are two things: `env` has the first
        as keys and the second in its values, so that these are not looked up again.
        """
        env = self.env if env is None else env
        return self.maker.atom(env.get(atom, atom) if isinstance(atom, str) else atom)

    def value(self, atom: Atom, env: dict[str, Atom] | None = None) -> Atom:
        """The same, computed before leaving if it has been skipped and is cheap."""
        atom = self.seen(atom, env)
        if isinstance(atom, Const) or atom not in self.skipped:
            return atom
        let, there = self.skipped[atom] or (None, {})
        if let is None or len(let.names) != 1 or self.maker.fun.types[atom].kind != "py":
            raise Unclear
        call = Call(atom, let.op, tuple(self.value(a, there) for a in let.args), let.params)
        self.needed.append(Assign((atom,), (call,), let.origin))
        del self.skipped[atom]
        return atom

    def follow(self, stmts) -> None:
        for stmt in stmts:
            match stmt:
                case core.Let(names=(name,), args=(arg,)) if (stmt.op.name == "not "
                                                              and isinstance(self.seen(arg), Const)):
                    self.env[name] = Const(not self.seen(arg).value)
                case core.If() if isinstance(self.seen(stmt.test), Const):
                    side = stmt.then if self.seen(stmt.test).value else stmt.orelse
                    self.follow(side.stmts)
                    self.env |= dict(zip(stmt.names, map(self.seen, side.results)))
                case _:
                    if has_stores(core.Block((stmt,))):
                        raise Unclear
                    self.skipped |= dict.fromkeys(core.bound(stmt),
                                                  (stmt, dict(self.env)) if isinstance(stmt, core.Let) else None)

    def leave(self, frame: OpenBlock) -> None:
        """Go on behind the statement whose block a frame is."""
        if frame.repeats:
            raise Unclear
        results = [self.seen(r) for r in frame.results]
        if frame.leaves:
            after = dict(zip(frame.names, results))
            if not any(after[f] == Const(True) for f in frame.leaves.stops):
                raise Unclear
        self.env |= dict(zip(frame.names, results))


def reads_in(block: core.Block) -> Counter:
    """How often each name is read in a block."""
    stmts = list(core.walk(block))
    blocks = [block, *(b for s in stmts for b in core.blocks_of(s))]
    return Counter([n for s in stmts for n in core.names_among(core.operands(s))]
                   + [n for b in blocks for n in core.names_among(b.results)])


def left(block: list[Stmt]) -> bool:
    """Does control never reach what follows?"""
    match block[-1:]:
        case [Break() | Return()]:
            return True
        case [If(then=then, orelse=orelse)]:
            return left(then) and left(orelse)
        case [While(test=Const(value=True), body=body)]:
            return not breaks(body)
    return False


def breaks(block: list[Stmt]) -> bool:
    """Does something leave the loop of which this is the body?"""
    return any([isinstance(s, Break) or isinstance(s, If) and (breaks(s.then) or breaks(s.orelse)) for s in block])
