"""An element is not cleared where no later iteration looks at it.

    for i in range(n - 1, -1, -1):                       for i in range(n - 1, -1, -1):
        t_bar = y_bar__1[i]                                  t_bar = y_bar[i]
        y_bar__2 = rt.update(y_bar__1, 0.0, np.s_[i])        ...
        ...
        y_bar__1 = y_bar__2

The adjoint of `y[i] = t` hands the adjoint of the element on and clears it, since the value that it had before has no
part in the result.  Where each iteration reads its own element alone, and nothing reads the array afterwards, the
zeros are seen by nobody.  In nested loops the element has the indices of all of them.
"""
from __future__ import annotations

from ..core import Const, For, Fun, Let, Stmt, read_counts, walk
from ..core.walking import operands
from .carried import carried
from .rewriter import Rewriter
from .simplify import is_zero


def unread_clears(fun: Fun) -> Fun:
    clears = [s for s in walk(fun.body) if is_clear_of_element(s)]
    if not clears:
        return fun
    drop = UnreadClears(fun, clears)
    return carried(drop.run()) if drop.found else fun


def is_clear_of_element(stmt) -> bool:
    return (isinstance(stmt, Let) and stmt.op.name == "rt.update" and is_zero(stmt.args[1])
            and set(stmt.param("index")) <= {"i", ":"})


class UnreadClears(Rewriter):
    def __init__(self, fun: Fun, clears: list[Let]):
        super().__init__(fun)
        self.b.note_polynomials(walk(fun.body))
        self.counts = read_counts(fun.body)
        loops = [s for s in walk(fun.body) if isinstance(s, For)]
        self.around = {id(s): loop for loop in loops for s in loop.body.stmts}
        self.readers: dict[int, dict[str, list[Stmt]]] = {}
        self.found = {clear.name for clear in clears if self.is_unread(clear)}

    def let(self, let: Let) -> None:
        if len(let.names) == 1 and let.name in self.found:
            return self.alias(let.name, let.args[0])
        self.emit(let)

    def is_unread(self, clear: Let) -> bool:
        """Does each iteration of the loops around read its own element alone, before it is cleared?"""
        stmt, array, after, loops = clear, clear.args[0], clear.name, []
        unread_here = self.counts[after]  # once: by the loop, for the next iteration
        while (loop := self.around.get(id(stmt))) is not None and after in loop.body.results:
            place = loop.body.results.index(after)
            carried_as = loop.carried[place]
            readers = self.readers_in(loop).get(carried_as, [])
            if carried_as != array or unread_here != 1 or not readers or readers[-1] is not stmt:
                return False
            if not (same_element(readers[:-1], clear) if stmt is clear else len(readers) == 1):
                return False
            loops.append(loop)
            unread_here = self.counts[carried_as] - len(readers)
            if not unread_here:
                return self.are_own(clear.args[2:], loops)
            stmt, array, after = loop, loop.inits[place], carried_as
        return False

    def readers_in(self, loop: For) -> dict[str, list[Stmt]]:
        """{a name: the statements of a loop's own body that read it}"""
        if id(loop) not in self.readers:
            self.readers[id(loop)] = found = {}
            for stmt in loop.body.stmts:
                for name in [a for a in operands(stmt) if isinstance(a, str)]:
                    found.setdefault(name, []).append(stmt)
        return self.readers[id(loop)]

    def are_own(self, places: tuple, loops: list[For]) -> bool:
        """Is an element that of one iteration alone: is there an index of its own for each of the loops?"""
        free = list(places)
        for loop in loops:
            own = next((p for p in free if isinstance(p, str) and self.follows(p, loop)), None)
            if own is None:
                return False
            free.remove(own)
        return True

    def follows(self, place: str, loop: For) -> bool:
        """Is it the loop's index, or that and a constant, and never negative, where it would be another element's?"""
        if not all([isinstance(x, Const) for x in (loop.step, loop.start if upwards(loop) else loop.stop)]):
            return False
        beside = (self.b.dim(place) - self.b.dim(loop.index)).constant
        least = loop.start.value if upwards(loop) else loop.stop.value + 1
        return beside is not None and least + beside >= 0


def same_element(readers: list[Stmt], clear: Let) -> bool:
    """Are there any, and do all of them read just what is cleared?"""
    return bool(readers) and all([isinstance(s, Let) and s.op.name == "getitem" and s.args == (
        clear.args[0], *clear.args[2:]) and s.param("index") == clear.param("index") for s in readers])


def upwards(loop: For) -> bool:
    return isinstance(loop.step, Const) and loop.step.value > 0
