"""Exceptions that the run decides: what follows is done on the other side of a branch.

    try:                                    ok = rt.has_inverse(A)
        k = P @ np.linalg.inv(A)            if ok:
        x = k @ y                               k = P @ np.linalg.inv(A)
    except np.linalg.LinAlgError:               x = k @ y
        x = y                               else:
                                                x = y

Core has no handlers. Inside a try statement a branch of which one side raises what is caught stays open
(`leave_open`): what is emitted next belongs to its other side, up to the end of the block, where the sides are
joined (`close`). If that is the end of the try statement, the handler runs on the side that raises. If it is the
end of a branch or of a round of a loop, the exception goes on: a flag says that it was raised, its values stand
beside it, and what follows is the side where the flag is down (`go_on`).
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from ....core import Meanwhile, OnTop
from ....errors.messages import UnsupportedError
from ...domain import values as v
from ...domain.aliasing import frame_slots
from ...domain.branch_join import Side
from ...domain.heap import Heap
from ...domain.plans import Way
from ...machine.refusing import is_caught
from .branches import Fork, both_sides, in_sight, learn

PROBLEMS = v.Frame(None, None, hint="problems")  # the variables that say what was raised
RAISED, VALUE = (PROBLEMS, "raised"), (PROBLEMS, "value")
NO, YES = v.Static(False), v.Static(True)


@dataclass(eq=False)
class Level:
    """A block inside a try statement: where its statements go, the calls around it, and the branches that are open:
    (branch, which side raises, the statements before it, what was in sight)."""

    stmts: list
    frames: set
    open: list = field(default_factory=list)

    @classmethod
    def at(cls, s) -> Level:
        return cls(s.b.stmts, {ref for ref, _ in s.heap if isinstance(ref, v.Frame)})

    def written(self, first: int) -> list:
        """All statements from the first on; of sides that raise those before they do."""
        blocks = [stmts for fork, k, *_ in self.open for stmts in (fork.sides[k].stmts, fork.sides[1 - k].stmts)]
        start = self.open[0][2] if self.open else self.stmts
        return [*start[first:], *(x for stmts in blocks for x in stmts)]


def is_raised(heap):
    """Was an exception raised that is caught further out: NO, YES, or a flag of the run time."""
    flag = heap.get(RAISED, NO)
    return flag.value if isinstance(flag, v.OneOf) and flag.value != YES else flag  # no flag: nothing was raised there


def clear_raised(s, heap) -> dict:
    """Nothing was raised; gives what was."""
    found = {key: heap.pop(key) for key in frame_slots(heap) if key in s.checks}
    heap[RAISED] = NO
    return found


def set_aside(s, mark: str) -> None:
    """What is on its way waits, and what is done meanwhile takes no notice."""
    flag = is_raised(s.heap)
    s.heap |= {(PROBLEMS, (mark, key)): as_named(x, (mark, key)) for (_, key), x in clear_raised(s, s.heap).items()}
    s.heap[PROBLEMS, mark] = flag


def take_up(s, mark: str) -> None:
    """What was set aside is on its way again."""
    s.heap[RAISED] = s.heap.pop((PROBLEMS, mark), NO)
    for ref, key in frame_slots(s.heap):
        if ref is PROBLEMS and key[0] == mark:
            s.heap[PROBLEMS, key[1]] = as_named(s.heap.pop((PROBLEMS, key)), key[1])


def as_named(x, name):
    """A value under another name, also of what may not be bound."""
    return replace(x, other=v.Unbound(name)) if v.is_unset(x) else x


# where it is raised ------------------------------------------------------------------------------
def catcher(s, kind: str):
    """The level of the try statement that catches an exception of this class; None: nothing does."""
    return next((level for cls, _, level in reversed(s.catching) if is_caught(kind, cls)), None)


def note(s, heap, kind: str, check) -> None:
    """In this state an exception was raised, which `check` would raise."""
    key = PROBLEMS, (kind, check.params, catcher(s, kind))
    s.checks[key] = kind, check, catcher(s, kind)
    heap |= {RAISED: YES, key: v.Tuple(tuple([s.wrap(a) for a in check.args[1:]]))}


def split_at(s, flag, kind: str, check) -> None:
    """Where the flag does not hold, an exception comes that is caught around: go on where it holds."""
    fork = empty_fork(s, flag)
    note(s, fork.sides[1].heap, kind, check)
    leave_open(s, fork, 1)


def empty_fork(s, test) -> Fork:
    """A branch whose sides are empty."""
    sides = []
    for holds in (True, False):
        with s.scope() as stmts:
            sides.append(Side(stmts, s.sight, Heap(s.heap, s.b.made), None))
    fork = Fork(test, dict(s.heap), in_sight(s), sides, [False, False])
    for holds, side in zip((True, False), sides):
        with Meanwhile(s, "sight", side.sight):
            learn(s, test, holds, s.b.stmts)
    return fork


def leave_open(s, fork: Fork, k: int):
    """Side k raises: what is emitted from now on belongs to the other."""
    other = fork.sides[1 - k]
    if not s.levels or (level := s.levels[-1]).stmts is not s.b.stmts:
        s.fail("an exception that only the run time knows, inside of what is written as a function of its own",
               "Test for the bad case with an if before it happens.")
    level.open.append((fork, k, s.b.stmts, s.sight))
    s.b.stmts = level.stmts = other.stmts
    s.sight, s.heap = other.sight, other.heap
    return other.value


# where it goes -----------------------------------------------------------------------------------
def in_part(s, action, live=None, settle=lambda level: None):
    """The value of a part of a try statement at whose end open branches are joined; `settle` is done before, in each
    state that comes to the end."""
    return in_level(s, lambda level: action(), live, settle) if s.levels else action()


def in_level(s, action, live, settle):
    """The same of the block of a try statement itself; `action` and `settle` get the level."""
    with OnTop(s.levels, Level.at(s)) as level:
        stopped = False
        try:
            value = action(level)
        except v.CertainException as stop:
            value, stopped = None, not came(s, stop)
            if stopped and not level.open:
                raise
        return close(s, level, live, value, stopped, settle)


def came(s, stop) -> bool:
    """Is a certain exception caught further out?  Then that it was raised is a state like others."""
    if is_raised(s.heap) == YES:
        return True
    if not stop.kind or catcher(s, stop.kind) is None:
        return False
    note(s, s.heap, stop.kind, s.b.stmts.pop())
    return True


def close(s, level: Level, live, value, stopped: bool, settle):
    """Join the branches that are open, from the last to the first; `stopped`: an exception that nothing catches is
    certain where the last one went on."""
    if not stopped:
        stopped = ends_raising(s, level, settle)
    while level.open:
        fork, k, stmts, sight = level.open.pop()
        fork.sides[1 - k], fork.stopped[1 - k] = Side(s.b.stmts, s.sight, s.heap, value), stopped
        s.b.stmts, s.sight, s.heap = fork.sides[k].stmts, fork.sides[k].sight, fork.sides[k].heap
        for key in frame_slots(s.heap):  # of calls that the exception has left
            if key[0] not in level.frames and key[0] not in s.frames and key[0] is not PROBLEMS:
                del s.heap[key]
        try:
            fork.stopped[k] = ends_raising(s, level, settle)
        except UnsupportedError:
            s.know(fork.test)  # before the run, if that can be
            raise
        fork.sides[k] = Side(s.b.stmts, s.sight, s.heap, None)
        s.b.stmts, s.sight, level.stmts, stopped = stmts, sight, stmts, all(fork.stopped)
        try:
            value = one_value(s, fork, live)
        except v.CertainException:
            value = None
    if stopped:
        raise v.CertainException
    return value


def ends_raising(s, level, settle) -> bool:
    """Does what is to be done at the end of a block end in an exception that nothing catches?"""
    try:
        settle(level)
    except v.CertainException as stop:
        return not came(s, stop)
    return False


def one_value(s, fork: Fork, live):
    """The value of a branch; that of one side alone is a variable that only this side has."""
    one = len([side for side in fork.sides if side.value is None]) == 1
    if not one or any(fork.stopped) or all([is_raised(side.heap) == NO for side in fork.sides]):
        return both_sides(s, fork, live)
    for side in fork.sides:
        if side.value is not None:
            side.heap[VALUE], side.value = side.value, None
    both_sides(s, fork, live)
    found = s.heap.pop(VALUE)
    return found.value if isinstance(found, v.OneOf) and found.optional else found


def ended(s, fork: Fork, live):
    """The value of a branch whose sides have ended; where one raises what is caught, it is left open."""
    raised = [is_raised(side.heap) for side in fork.sides]
    if not any(fork.stopped) and NO in raised and YES in raised:
        return leave_open(s, fork, raised.index(YES))
    return go_on(s, one_value(s, fork, live))


def go_on(s, value=None):
    """After a branch, a loop or a block in which something may have been raised: go on where nothing was."""
    flag = is_raised(s.heap)
    if flag == NO:
        return value
    if flag == YES:
        raise v.CertainException
    fork = empty_fork(s, flag.atom)
    fork.sides[0].heap[RAISED] = YES
    clear_raised(s, fork.sides[1].heap)
    leave_open(s, fork, 0)
    return value


def after_block(s) -> None:
    """Go on after a try or with statement: what is around it, if that is no other, asks nothing of it."""
    go_on(s)
    if not s.levels:
        s.heap.pop(RAISED, None)


def in_round(s, node, flag, from_generator: bool, live, action) -> None:
    """A round of a loop; an exception that is caught around the loop leaves it: its flag is up then."""
    def settle(level):
        if is_raised(s.heap) == NO:
            return
        if from_generator:
            s.fail("an exception that only the run time knows, in a loop over a generator",
                   "Test for the bad case with an if before it happens.", node=node)
        if flag is None:
            raise v.Restart(frozenset({s.plan(Way.LEFT, node)}))
        s.heap[s.frames[-1], flag] = YES

    in_part(s, action, live, settle)
    if flag is not None and s.levels:
        set_aside(s, flag)


def begin_loop(s, flag: str | None) -> None:
    """Nothing was raised before the first round."""
    if s.levels and flag is not None:
        s.heap[PROBLEMS, flag] = NO


def is_mark(slot) -> bool:
    """Is it what a loop has set aside?  A path on which the loop is not come to leaves it there, and the loop begins it
    anew."""
    ref, key = slot
    return ref is PROBLEMS and isinstance(key, str) and slot not in (RAISED, VALUE)


def after_loop(s, flag: str | None) -> None:
    """Go on where no round has raised anything."""
    if s.levels and flag is not None:
        take_up(s, flag)
        go_on(s)
