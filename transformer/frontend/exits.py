"""Exits: `break`, `continue` and early `return` become structure, and flags only where structure cannot do it.

    for v in xs:                        for v in xs:
        if v < 0: continue                  if not v < 0:
        s += v                                  s += v
    if s > 9: return s                  if s > 9:
    return 0                                _gs_ret = s
                                        else:
                                            _gs_ret = 0
                                        return _gs_ret

A loop that is left early gets a flag, tested before its test and before its next item:

    while x > 1:                        _gs_stop_1 = False
        if x == 7: break                while not _gs_stop_1 and x > 1:
        x = step(x)                         if x == 7:
                                                _gs_stop_1 = True
                                            else:
                                                x = step(x)

    for v in xs:                        _gs_stop_1 = False
        if v > 9: return v              _gs_returned = False
    return g(xs)                        for v in __gs_exits__(xs, "_gs_stop_1"):
                                            if v > 9:
                                                _gs_ret = v
                                                _gs_stop_1 = True
                                                _gs_returned = True
                                        if not _gs_returned:
                                            _gs_ret = g(xs)
                                        return _gs_ret

A context manager may end the exception that comes before an exit, and then what follows runs:

    with suppress(KeyError):            _gs_ret = None
        return d[k]                     _gs_falls_1 = True
    return 0                            with suppress(KeyError):
                                            _gs_ret = d[k]
                                            _gs_falls_1 = False
                                        if _gs_falls_1:
                                            _gs_ret = 0
                                        return _gs_ret

`__gs_exits__` marks such a `for`; `expand_markers` writes it out as Python that runs.  In the result a `return` is only
the last statement; there is no `break`, `continue` or loop `else`.  Nested functions are left alone.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import gast

from ..errors.messages import Problems, UnsupportedError
from .trees import (Stmts, alive, copied, ends_block, escapes, expression, is_terse, map_blocks, never_falls, quote,
                    returns_in, revoked, ways_out)

MARKER = "__gs_exits__"
RESULT, RETURNED, STOP, FALLS = "_gs_ret", "_gs_returned", "_gs_stop_", "_gs_falls_"


def structure_exits(node: gast.FunctionDef, origin_of: Callable = lambda node: None) -> gast.FunctionDef:
    """A new tree whose only exit is one `return` at its end."""
    return structured(copied(node), origin_of)


def structured(tree: gast.FunctionDef, origin_of: Callable) -> gast.FunctionDef:
    """The same in the tree itself."""
    body = tree.body
    returned = [r.value for r in returns_in(body)]
    gives_nothing = all(map(_is_none, returned))
    gives_none = _gives_none(body)
    if not gives_nothing and not ends_block(body):
        body = body + quote("return None", body[-1])
    *before, last = body = alive(body)
    pass_ = _Exits(origin_of, None if gives_nothing else RESULT)
    if isinstance(last, gast.Return) and not returns_in(before):
        tree.body = [*pass_.block(before), *quote("return value", last, value=last.value or _none(last))]
    else:
        tree.body = [*pass_.block(body), *quote("return value", last, value=_none(last) if gives_nothing else RESULT)]
        if pass_.result and (gives_none if pass_.loops else pass_.swallowing):  # it is None before it is given
            tree.body[:0] = quote("result = None", last, result=RESULT)
    pass_.problems.check()
    return tree


def _is_none(value) -> bool:
    """Does a `return` of this, if of anything, give None?"""
    return value is None or isinstance(value, gast.Constant) and value.value is None


def _gives_none(body: Stmts) -> bool:
    """Is None among what is given, also where the end is come to?"""
    return not ends_block(body, unless_swallowed=True) or any([_is_none(r.value) for r in returns_in(alive(body))])


def _none(like) -> gast.expr:
    return expression("None", like)


# the pass --------------------------------------------------------------------------------
@dataclass
class _Frame:
    """The function, or a loop: what an exit from inside sets, so that what follows is skipped.

    stop  the loop's own flag, set by break and return
    mark  the flag that guards the rest of a block while a statement is rewritten that may or may not exit
    clear a flag that is False here, because a test of it guards this very place
    """

    number: int = 0  # 0: the function
    stop: str | None = None
    mark: str | None = None
    clear: str | None = None

    def flags(self) -> list[str]:
        return [flag for flag in dict.fromkeys([self.stop, self.mark]) if flag]


class _Exits:
    def __init__(self, origin_of, result: str | None):
        self.origin_of, self.result = origin_of, result
        self.problems = Problems()
        self.frames = [_Frame()]
        self.loops = self.swallowing = 0
        self.given: Stmts = []  # what the loop in hand may replace by another result

    def block(self, stmts: Stmts) -> Stmts:
        """The statements without exits: a path that exits has set the flags and falls off the end."""
        stmts = alive(stmts)
        for i, stmt in enumerate(stmts):
            before, rest = stmts[:i], stmts[i + 1:]
            if isinstance(stmt, (gast.For, gast.While)):
                return [*before, *self.loop(stmt, rest)]
            if escapes(stmt):
                return [*before, *self.exit(stmt, rest)]
            map_blocks(stmt, self.filled)
        return stmts

    def filled(self, stmts: Stmts) -> Stmts:
        return self.block(stmts) or quote("pass", stmts[0])

    def exit(self, stmt, rest: Stmts) -> Stmts:
        match stmt:
            case gast.Return(value=value):
                given = (quote("result = value", stmt, result=self.result, value=value or _none(stmt))
                         if self.result else [])
                return given + _set(self.flags("return"), True, stmt)
            case gast.Break():
                return _set(self.flags("break"), True, stmt)
            case gast.Continue():
                return _set(self.flags("continue"), True, stmt)
            case gast.If(test=test, body=body, orelse=orelse) if (ends_block(body, True) or ends_block(orelse, True)
                                                                  or not rest or is_terse(rest)):
                then = body if ends_block(body) else body + copied(rest)  # the rest moves to where it is reached
                return _if(stmt, test, self.block(then), self.block(orelse + rest))
        return self.guarded(stmt, rest)

    def flags(self, way: str) -> list[str]:
        """The flags that are up once control leaves this way."""
        frame = self.frames[-1]
        match way:
            case "return":
                return [flag for f in reversed(self.frames) for flag in f.flags()]
            case "break":
                return frame.flags()
        return [frame.mark] if frame.mark else []

    def taken_back(self, stmts: Stmts, like) -> Stmts:
        """Where an exception of these statements ends, no exit of theirs is taken."""
        ways = sorted(revoked(stmts))
        flags = [flag for way in ways for flag in self.flags(way)]
        return (copied(self.given) if "return" in ways else []) + _set(list(dict.fromkeys(flags)), False, like)

    def inside(self, stmt) -> Stmts:
        """The statement, the exits in its blocks replaced."""
        for handler in getattr(stmt, "handlers", []):
            handler.body = self.taken_back(stmt.body, handler) + handler.body
        back = self.taken_back(stmt.body, stmt) if isinstance(stmt, gast.With) else []
        stmt = map_blocks(stmt, self.filled)
        if not back:
            return [stmt]
        falls = self.new_falls()
        stmt.body += _set([falls], False, stmt)
        return [*_set([falls], True, stmt), stmt, *quote("if falls: back", stmt, falls=falls, back=back)]

    def new_falls(self) -> str:
        self.swallowing += 1
        return f"{FALLS}{self.swallowing}"

    def guarded(self, stmt, rest: Stmts) -> Stmts:
        """A statement that exits from somewhere inside, or not: a flag guards the rest."""
        self.check_finally(stmt)
        otherwise = stmt.orelse if isinstance(stmt, (gast.Try, gast.TryStar)) and ways_out(stmt.body) else []
        if not rest and not otherwise:
            return self.inside(stmt)
        if not otherwise and never_falls(stmt, unless_swallowed=True):
            return self.swallowed(stmt, rest)
        frame = self.frames[-1]
        outer, init = frame.mark, []
        if outer is None:
            frame.mark, init = self.new_mark(stmt)
        if otherwise:
            stmt.orelse = quote("if not mark: otherwise", otherwise[0], mark=frame.mark, otherwise=otherwise)
        made = self.inside(stmt)
        mark, frame.mark = frame.mark, outer
        return [*init, *made, *self.unless(mark, stmt, rest)]

    def swallowed(self, stmt, rest: Stmts) -> Stmts:
        """A statement that is left unless a context manager ends an exception in it: the rest is for that case."""
        falls = self.new_falls()
        if isinstance(stmt, gast.With):
            rest = self.taken_back(stmt.body, stmt) + rest
            made, ends = self.ended(stmt, falls), True
        else:
            for holder, name in [(stmt, "orelse" if stmt.orelse else "body"), *((h, "body") for h in stmt.handlers)]:
                setattr(holder, name, getattr(holder, name) + _set([falls], True, stmt))
            made, ends = self.inside(stmt), False
        return [*_set([falls], ends, stmt), *made, *quote("if falls: rest", stmt, falls=falls, rest=self.block(rest))]

    def ended(self, stmt, falls: str) -> Stmts:
        """A with statement whose block is left: the flag is down where nothing has ended an exception."""
        if ends_block(stmt.body):
            stmt.body = self.filled(stmt.body) + _set([falls], False, stmt)
            return [stmt]
        inner = self.new_falls()
        stmt.body = self.block(stmt.body + _set([inner], True, stmt)) + quote(f"{falls} = {inner}", stmt)
        return [*_set([inner], False, stmt), stmt]

    def unless(self, flag: str, stmt, rest: Stmts) -> Stmts:
        frame = self.frames[-1]
        outer, frame.clear = frame.clear, flag
        rest = self.block(rest)
        frame.clear = outer
        return quote("if not flag: rest", stmt, flag=flag, rest=rest) if rest else []

    def new_mark(self, stmt) -> tuple[str, Stmts]:
        """A flag for the rest of this block, and what sets it to False."""
        frame = self.frames[-1]
        if frame.number == 0:
            mark = RETURNED
        elif "continue" in escapes(stmt):
            mark = f"_gs_skip_{frame.number}"
        else:
            return frame.stop, []  # False within an iteration that has not been left
        return mark, [] if mark == frame.clear else _set([mark], False, stmt)

    def check_finally(self, stmt) -> None:
        for inner in getattr(stmt, "finalbody", []):
            if escapes(inner):
                self.problems.add(UnsupportedError(self.origin_of(inner),
                                                   "leaves a finally block, which discards exceptions",
                                                   instead="Move the exit after the try statement."))

    # loops -------------------------------------------------------------------------------
    def loop(self, stmt, rest: Stmts) -> Stmts:
        leaves = ways_out(stmt.body)
        if leaves:
            self.loops += 1
        frame = _Frame(self.loops, f"{STOP}{self.loops}" if leaves - {"continue"} else None)
        tail = self.otherwise(stmt, frame) + rest
        if frame.stop is None:
            stmt.body = self.within(frame, stmt)
            return [stmt, *self.block(tail)]
        init, guard, tail = self.after(stmt, tail) if "return" in leaves else ([], None, tail)
        outer = self.frames[-1].mark
        if guard == RETURNED:
            self.frames[-1].mark = guard
        stmt.body = self.within(frame, stmt)
        self.frames[-1].mark = outer
        self.given = self.given if self.frames[-1].number else []
        _left_early(stmt, frame.stop)
        after = self.unless(guard, stmt, tail) if guard else self.block(tail)
        return [*_set([frame.stop], False, stmt), *init, stmt, *after]

    def within(self, frame: _Frame, stmt) -> Stmts:
        self.frames.append(frame)
        try:
            return self.filled(stmt.body)
        finally:
            self.frames.pop()

    def otherwise(self, stmt, frame: _Frame) -> Stmts:
        """The `else` of a loop, as statements after it."""
        orelse, stmt.orelse = stmt.orelse, []
        if not orelse or never_falls(stmt):
            return []
        return quote("if not stop: orelse", orelse[0], stop=frame.stop, orelse=orelse) if frame.stop else orelse

    def after(self, stmt, tail: Stmts) -> tuple[Stmts, str | None, Stmts]:
        """(what comes before a loop that returns, the flag that guards what follows it, what follows it)."""
        frame = self.frames[-1]
        if not tail:
            return [], None, tail
        if frame.number:  # the loop around it is left too
            return [], frame.stop, tail
        match tail:
            # give it first; the loop may replace it
            case [gast.Return(value=None | gast.Constant())] if frame.mark is None:
                self.given = self.exit(tail[0], [])
                return copied(self.given), None, []
        return ([] if RETURNED in (frame.mark, frame.clear) else _set([RETURNED], False, stmt)), RETURNED, tail


def _set(flags: list[str], value: bool, like) -> Stmts:
    return [new for flag in flags for new in quote(f"{flag} = {value}", like)]


def _if(stmt, test, body: Stmts, orelse: Stmts) -> Stmts:
    if not body and orelse:
        match test:
            case gast.UnaryOp(op=gast.Not(), operand=positive):
                test = positive
            case _:
                test = expression("not test", test, test=test)
        body, orelse = orelse, []
    stmt.test, stmt.body, stmt.orelse = test, body or quote("pass", stmt), orelse
    return [stmt]


def _left_early(stmt, stop: str) -> None:
    """Test the flag before anything else."""
    match stmt:
        case gast.While(test=gast.Constant(value=value)) if value:
            stmt.test = expression("not stop", stmt.test, stop=stop)
        case gast.While(test=test):
            stmt.test = expression("not stop and test", test, stop=stop, test=test)
        case gast.For(iter=iterable):
            stmt.iter = expression(f"{MARKER}(iterable, {stop!r})", iterable, iterable=iterable)


def flag_of(loop) -> str | None:
    """The flag of a loop that is left early."""
    match loop:
        case gast.While(test=gast.UnaryOp(op=gast.Not(), operand=gast.Name(id=flag))
                        | gast.BoolOp(values=[gast.UnaryOp(op=gast.Not(), operand=gast.Name(id=flag)), *_])
                        ) if flag.startswith(STOP):
            return flag
        case gast.For(iter=gast.Call(func=gast.Name(id=name), args=[_, gast.Constant(value=flag)])) if name == MARKER:
            return flag
    return None


# the marker, written out -----------------------------------------------------------------
def expand_markers(node: gast.FunctionDef) -> gast.FunctionDef:
    """A new tree in which marked loops are Python that runs."""
    tree = copied(node)
    tree.body = _expand(tree.body)
    return tree


def _expand(stmts: Stmts) -> Stmts:
    made = []
    for stmt in stmts:
        map_blocks(stmt, _expand)
        match stmt:
            case gast.For(target=target, iter=gast.Call(func=gast.Name(id="__gs_exits__"),
                                                        args=[iterable, gast.Constant(value=stop)])):
                number = stop.rpartition("_")[2]
                made += quote(f"""
_gs_iter_{number} = iter(iterable)
while not {stop}:
    _gs_item_{number} = next(_gs_iter_{number}, _gs_iter_{number})
    if _gs_item_{number} is _gs_iter_{number}:
        break
    target = _gs_item_{number}
    body
""", stmt, iterable=iterable, target=target, body=stmt.body)
            case _:
                made.append(stmt)
    return made
