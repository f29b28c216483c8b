"""Numbers of values: what has one number is equal, whatever its name.

    s, k = 0.0, 0                      t, u, i = 0.0, 1.0, 0
    while s < x:                       while t < x:
        s = s + x                          t, u = t + x, u * x
        k = k + 1                          i = i + 1
    # s and t have one number, and so have k and i

A loop is taken to be an earlier one of the same place of the user's text that runs as often: what they carry is equal
where it begins equal and, if all that is taken to be equal is so, goes on equal; where it does not, the assumption is
dropped, and the body is gone through again.  So it is with the names that one loop carries.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from ..core import Atom, Block, Const, For, Fun, If, Let, While, split_name
from ..core.types import Dim, Type
from .likeness import dims_in, origin_place


@dataclass
class NumberedLoop:
    """What is known of a loop.

    space    numbers that say how often it runs, of a `for`; `index` is that of its index
    begins   {a name that it carries: the number and type of its init}
    headers  {such a name: its number at the header of an iteration}
    nexts    {such a name: its number after an iteration}
    like     another loop that runs as often, and {a name that this one carries: one there that is always equal}
    """

    stmt: For | While
    space: tuple
    index: int | None
    begins: dict[str, tuple]
    headers: dict[str, int] = field(default_factory=dict)
    nexts: dict[str, int] = field(default_factory=dict)
    inner: list["NumberedLoop"] = field(default_factory=list)
    like: "NumberedLoop | None" = None
    pairs: dict[str, str] = field(default_factory=dict)


class ValueNumbers:
    def __init__(self, fun: Fun):
        self.types = fun.types
        self.table: dict[tuple, int] = {}
        self.names: dict[str, int] = {}  # behind a loop, of what it carries: that of the last value
        self.first: dict[int, Atom] = {}  # a name, or the constant, with a number
        self.stmts: dict[int, int] = {}  # by the id of a statement: two that have one do the same
        self.loops: dict[int, NumberedLoop] = {}
        self.scope: list[NumberedLoop] = []  # the loops before the place at hand, in this block and around it
        self.block(fun.body)

    def number(self, *key) -> int:
        return self.table.setdefault(key, len(self.table))

    def new(self) -> int:
        return self.number(object())

    def atom(self, atom: Atom) -> int:
        number = self.number(atom) if isinstance(atom, Const) else self.names.get(atom)
        if number is None:
            number = self.names[atom] = self.new()
        self.first.setdefault(number, atom)
        return number

    def bind(self, name: str, number: int) -> None:
        self.names[name] = number
        self.first.setdefault(number, name)

    # lengths ------------------------------------------------------------------------------------
    def static(self, value):
        """A static parameter, or dims, in terms of the first names that are equal."""
        if isinstance(value, Dim):
            firsts = {n: self.first[self.atom(n)] for n in value.names}
            return value.substitute({n: int(x.value) if isinstance(x, Const) else x for n, x in firsts.items()})
        return tuple(map(self.static, value)) if isinstance(value, tuple) else value

    def type(self, name: str) -> Type:
        t = self.types[name]
        return t.with_dims(self.static(t.dims)) if t.dims else t

    # statements ---------------------------------------------------------------------------------
    def block(self, block: Block) -> tuple:
        """The numbers of its statements, and of its results."""
        before = len(self.scope)
        for stmt in block.stmts:
            match stmt:
                case Let():
                    self.let(stmt)
                case If():
                    self.branch(stmt)
                case _:
                    self.loop(stmt)
        del self.scope[before:]
        return tuple([self.stmts[id(s)] for s in block.stmts]), tuple(map(self.atom, block.results))

    def let(self, let: Let) -> None:
        args = tuple(map(self.atom, let.args))
        params = self.static(let.params) if dims_in(let.params) else let.params
        alone = let.op.effect and (let.op.shown or let.op.dispensable)  # each time anew
        number = self.new() if alone else self.number(let.op, tuple(sorted(args)) if let.op.commutes else args, params)
        self.stmts[id(let)] = number
        for k, name in enumerate(let.names):
            self.bind(name, self.number(number, k, self.type(name)))

    def branch(self, stmt: If) -> None:
        test, then, orelse = self.atom(stmt.test), self.block(stmt.then), self.block(stmt.orelse)
        self.stmts[id(stmt)] = self.number("if", test, then, orelse)
        for name, x, y in zip(stmt.names, then[1], orelse[1]):
            self.bind(name, self.number("if", test, x, y, self.type(name)))

    # loops --------------------------------------------------------------------------------------
    def loop(self, stmt: For | While) -> None:
        counted = isinstance(stmt, For)
        space = tuple(map(self.atom, (stmt.start, stmt.stop, stmt.step))) if counted else ()
        begins = {c: (self.atom(i), self.type(c)) for c, i in zip(stmt.carried, stmt.inits)}
        place = origin_place(stmt.origin)
        for other in reversed(self.scope):
            if type(other.stmt) is type(stmt) and other.space == space and origin_place(other.stmt.origin) == place:
                loop = NumberedLoop(stmt, space, other.index, begins, like=other)
                if self.settled(loop, candidates(begins, other)):
                    break
        else:
            loop = NumberedLoop(stmt, space, self.new() if counted else None, begins)
            self.settled(loop, {})
        self.loops[id(stmt)] = loop
        self.scope.append(loop)
        for c, number in loop.headers.items():
            self.bind(c, self.number("behind", number))

    def settled(self, loop: NumberedLoop, guess: dict[str, list[str]]) -> bool:
        """Find out what the loop carries that another one does, given the names of that which it may be; False where
        it does not run as often."""
        stmt, before = loop.stmt, len(self.scope)
        alike = classes(loop.begins)  # names of one class are taken to be equal
        while True:
            loop.pairs = {c: names[0] for c, names in guess.items() if names}
            if isinstance(stmt, While) and loop.like and stmt.test not in loop.pairs:
                return False
            self.scope += loop.like.inner if loop.like else ()
            within, nexts = self.iteration(loop, alike)
            del self.scope[before:]
            wrong = [c for c, other in loop.pairs.items() if loop.nexts[c] != loop.like.nexts[other]]
            for c in wrong:
                guess[c] = guess[c][1:]
            finer = classes({c: (alike[c], loop.nexts[c]) for c in stmt.carried})
            if not wrong and finer == alike:
                self.stmts[id(stmt)] = self.number("loop", loop.space, tuple(loop.headers.values()), within, nexts)
                return not loop.like or bool(loop.pairs)
            alike = finer

    def iteration(self, loop: NumberedLoop, alike: dict[str, int]) -> tuple:
        """The numbers of the body's statements and results."""
        fresh: dict[int, int] = {}
        for c in loop.stmt.carried:
            loop.headers[c] = (loop.like.headers[loop.pairs[c]] if c in loop.pairs
                               else fresh.setdefault(alike[c], self.new()))
            self.bind(c, loop.headers[c])
        if isinstance(loop.stmt, For):
            self.bind(loop.stmt.index, loop.index)
        numbers = self.block(loop.stmt.body)
        loop.nexts = dict(zip(loop.stmt.carried, numbers[1]))
        loop.inner = [self.loops[id(s)] for s in loop.stmt.body.stmts if id(s) in self.loops]
        return numbers


def classes(keys: dict[str, tuple]) -> dict[str, int]:
    """One number for names with the same key."""
    numbers: dict[tuple, int] = {}
    return {name: numbers.setdefault(key, len(numbers)) for name, key in keys.items()}


def candidates(begins: dict[str, tuple], other: NumberedLoop) -> dict[str, list[str]]:
    """{name: those of another loop that begin as it does}, first those that are called alike."""
    return {c: sorted([o for o, there in other.begins.items() if there == start],
                      key=lambda o: split_name(o)[0] != split_name(c)[0]) for c, start in begins.items()}
