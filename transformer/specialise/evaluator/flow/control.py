"""Branches and loops whose course only the run time knows."""
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace

import gast

from ....core import Atom, Block, Const, For, While, users_word
from ....core.types import PY_BOOL, PY_INT, Dim
from ....errors.messages import UnsupportedError
from ...domain import values as v
from ...domain.aliasing import frame_slots
from ...domain.branch_join import Side
from ...domain.foreseen import Foreseen
from ...domain.growing_lists import AS_A_LIST
from ...domain.growth import Growing, lists_after_loop
from ...domain.heap import Heap
from ...domain.loop_headers import LoopHeaders
from ...domain.plans import Way
from .branches import Fork, in_sight, learn
from .escaping import ended, in_part
from .filling import ROUNDS, Filling, after_rounds, first_rounds

WIDENINGS = 24  # runs of a loop's body in which its headers settle, or it is refused
STRETCHED = ("a variable has another type or shape before this loop than after an iteration, and the loop runs zero "
             "times; "
             "initialise it with what it has after one: np.zeros or np.ones of its shape and dtype")

FILLS = ("a list gets longer in the first rounds of this loop, and what comes after the loop needs its length; the "
         "loop ends before; fill the list before the loop, or store into an array and count: out[count] = v")


# branches ------------------------------------------------------------------------------------
def choose(s, test: Atom, then, orelse, live=None):
    """The value of `then()` where test holds, else of `orelse()`; both may change the heap."""
    if (holds := presumed(s, test)) is not None:
        return then() if holds else orelse()
    before, outer, stmts_before = dict(s.heap), in_sight(s), s.b.stmts
    sides, stopped = [], []
    for action, holds in ((then, True), (orelse, False)):
        s.heap, value = Heap(before, s.b.made), None
        with s.scope() as stmts:
            learn(s, test, holds, stmts_before)
            try:
                with known_instead(s, test):
                    value = in_part(s, action, live)
                stopped.append(False)
            except v.CertainException:
                stopped.append(True)
            sides.append(Side(stmts, s.sight, s.heap, value))
    with known_instead(s, test):
        return ended(s, Fork(test, before, outer, sides, stopped), live)


def presumed(s, test: Atom) -> bool | None:
    """Does a test hold in the call that the program is made for, where its branch needs it known, or where a function
    that calls itself would else be evaluated on both sides?  None: the run decides."""
    if not (isinstance(test, str) and s.entry_ints.get(test) and s.at_entry(Dim.of(test))):
        return None
    s.branches.setdefault(test, s.plan(Way.TEST, s.node))
    captured = [frame.captured for frame in s.frames]
    if s.branches[test] not in s.static_paths and captured.count(captured[-1]) < 2:
        return None
    holds = s.presume(Dim.of(test), "==", 1)
    learn(s, test, holds, s.b.stmts)
    return holds


def decide(s, test, then, orelse, live=None):
    """As `choose`, of a truth that may be known now."""
    if isinstance(test, v.Static):
        return then() if test.value else orelse()
    return choose(s, test.atom, then, orelse, live)


@contextmanager
def known_instead(s, test: Atom):
    """Where a branch is refused, or its sides do not fit together: know its test before the run, if that can be."""
    try:
        yield
    except UnsupportedError:
        s.know(test)
        raise


# loops ---------------------------------------------------------------------------------------
def run_loop(s, node, live, iteration, outer: in_sight, number: Dim | None = None, loop: str | None = None):
    """Run `iteration()` on the headers of a loop until they hold.

    outer   what is bound before the loop, of which its index is none
    number  which iteration it is
    loop    the plan with which the first iteration is done apart: what is followed where a variable has another type
            in it than afterwards
    Returns (headers, carried names, inits, block of the body, what iteration() gave: None where it always raises); the
    heap is that after the loop.
    """
    before, assumed = dict(s.heap), len(s.facts.assumptions)
    foreseen, headers = Foreseen(s, node, live, before), None
    for _ in range(WIDENINGS):
        if headers is None:
            # with a guess of what changes one run of the body is mostly enough; of what it got wrong nothing is kept
            headers = LoopHeaders(s, before, live, outer, node, number, loop)
            if foreseen.slots:
                headers.update(headers.enter(), foreseen.end())
        del s.facts.assumptions[assumed:]
        header_heap = headers.enter()
        s.heap = Heap(header_heap, s.b.made)
        with s.scope() as stmts, foreseen:
            try:
                result = iteration()
            except v.CertainException:
                result, s.heap = None, Heap(header_heap, s.b.made)
            end_heap = s.heap
            if headers.update(header_heap, end_heap):
                if foreseen.wrong(headers.slots, end_heap):
                    headers = None
                    continue
                nexts = headers.leaves(end_heap)
                break
    else:
        s.fail("the types of the variables of this loop do not settle",
               "Initialise them with the dtype and shape that they have in the loop.")
    s.heap = before
    inits = headers.leaves(before)
    names = tuple(nexts)
    assert names == tuple(inits), (names, inits)
    s.heap = Heap(headers.enter(), s.b.made)
    drop_changed(s, headers, end_heap)
    return headers, names, tuple(inits.values()), Block(tuple(stmts), tuple(nexts.values())), result


def drop_changed(s, headers, end_heap) -> None:
    """Variables that the body changes and nothing reads afterwards have no value after the loop."""
    for key in frame_slots(end_heap):
        if (key not in headers.slots and s.heap.get(key) is not None and end_heap[key] is not headers.before.get(key)
                and end_heap[key] != s.heap[key]):
            s.heap[key] = v.Unjoinable("it is set in a loop before")


def for_loop(s, node, start, stop, step, live, body, instead):
    """A core `for`; `body(index value)` runs one iteration; `instead()` unrolls it, or refuses."""
    start, stop, step = (s.atom(x) for x in (start, stop, step))
    trips = s.int_op("rt.trip_count", start, stop, step, hint="trips")
    if trips == Const(0):
        return
    if s.plan(Way.FILLED, node) in s.static_paths:  # the rounds in which lists of bounded length fill are done apart
        rounds = first_rounds(s, node, trips, lambda k: body(s.wrap(after_rounds(s, start, step, k))))
        if rounds is None:
            return
        start = after_rounds(s, start, step, rounds)
    if s.plan(Way.PEELED, node) not in s.static_paths:
        return later_for(s, node, start, stop, step, live, body, instead)

    def run():  # a variable has another type after the first iteration: that one is done apart
        body(s.wrap(start))
        later_for(s, node, s.int_op("add", start, step), stop, step, live, body, instead)

    span = spanned(s, start, stop, step, trips)
    if span.constant is not None or s.at_entry(span):  # the arguments say whether it runs at all
        at_least_once(s, start, stop, step, trips)
        return run()
    if_once(s, node, s.emit("greater", trips, Const(0)), run, live)


def later_for(s, node, start, stop, step, live, body, instead):
    """A core `for` whose iterations are all alike."""
    trips = s.int_op("rt.trip_count", start, stop, step, hint="trips")
    if trips == Const(0):
        return
    # the length of an array says more than the name of a trip count
    of_length = start == Const(0) and step == Const(1) and s.is_count(stop)
    growing, assumed = Growing(s, s.b.dim(stop if of_length else trips), instead), len(s.facts.assumptions)
    while True:
        known = in_sight(s)
        try:
            return one_for(s, node, start, stop, step, live, body, trips, growing)
        except v.Grows as growth:
            del s.facts.assumptions[assumed:]
            if step not in (Const(1), Const(-1)):  # rows are numbered by the iteration: loop over its number
                s.heap = growing.before
                index = Const(0), trips, Const(1)
                return later_for(s, node, *index, live,
                    lambda k: body(s.wrap(s.int_op("add", start, s.int_op("multiply", step, s.atom(k))))), instead)
            growing.learn(growth, known)


def one_for(s, node, start, stop, step, live, body, trips, growing) -> None:
    outer, index = in_sight(s), s.b.fresh(users_word(index_name(node)), PY_INT)
    if all(isinstance(x, Const) and x.value >= 0 for x in (start, step)):
        s.nonnegative.add(index)
    number = (Dim.of(index) - s.b.dim(start)) * step.value if step in (Const(1), Const(-1)) else None
    if isinstance(step, Const):
        first, last = s.b.dim(start), s.b.dim(stop) - (1 if step.value > 0 else -1)
        s.spans[index] = (first, last) if step.value > 0 else (last, first)
    headers, names, inits, block, _ = run_loop(s, node, live, lambda: body(v.Number(index)), outer, number,
                                               s.plan(Way.PEELED, node))
    if headers.stretched:
        at_least_once(s, start, stop, step, trips)
    s.b.append(For(index, start, stop, step, names, inits, block, s.b.origin))
    if number is not None:
        lists_after_loop(s, index, s.b.dim(start) + growing.trips * step.value)


def index_name(node) -> str:
    """What the user calls the number of the iteration: k of `for k in range(n)`, also of `for k, v in enumerate(x)`."""
    match node:
        case gast.For(target=gast.Name(id=name), iter=gast.Call(func=gast.Name(id="range"))):
            return name
        case gast.For(target=gast.Tuple(elts=[gast.Name(id=name), _]), iter=gast.Call(func=gast.Name(id="enumerate"))):
            return name
    return "i"


def spanned(s, start, stop, step, trips) -> Dim:
    """What is positive where a loop runs at least once."""
    return s.b.dim(stop) - s.b.dim(start) if step == Const(1) else s.b.dim(trips)


def at_least_once(s, *bounds) -> None:
    """This loop runs at least once: by an assumption at entry, or by a check at run time."""
    s.ensure(spanned(s, *bounds), ">=", 1, "RefusedValue", STRETCHED)


def if_once(s, node, test: Atom, run, live, why: str = STRETCHED) -> None:
    """Run a loop whose first iteration is done apart where it has one;
    where what comes after it cannot have two types, require that."""
    once = s.plan(Way.RUNS, node)
    if once in s.static_paths:
        s.require(test, "RefusedValue", why)
        return run()
    known = frozenset(s.b.several)
    s.loops.once.add(test)
    try:
        choose(s, test, run, lambda: None, live)
    except UnsupportedError:
        raise v.Restart(frozenset({once})) from None
    for key, content in s.heap.items():
        if isinstance(content, v.Unjoinable) and content.test == test:
            s.heap[key] = replace(content, test=None, loop=once)
    s.b.loops |= dict.fromkeys(s.b.several.keys() - known, once)


def staged_while(s, node, live, test, body, filling: Filling | None = None, instead=None):
    """A core `while`; `test()` gives a bool value, evaluated before the loop and after each iteration.

    instead  of a loop over a sequence that is left early: called where a list that grows in it is needed as a list
    """
    if filling is None and s.plan(Way.FILLED, node) in s.static_paths:
        filling = Filling(s)
    first = test()
    if isinstance(first, v.Number) and (holds := presumed(s, first.atom)) is not None:
        first = v.Static(holds)
    if isinstance(first, v.Static) and not first.value:
        return
    if s.plan(Way.PEELED, node) not in s.static_paths and filling is None:
        return later_while(s, node, live, test, first, body, instead)

    def run():
        body()
        if filling is not None:
            filling.note_round()
        if filling is None or filling.full or filling.rounds == ROUNDS:
            later_while(s, node, live, test, test(), body, instead)
        else:
            staged_while(s, node, live, test, body, filling, instead)

    if isinstance(first, v.Static):
        return run()
    s.know(s.atom(first))  # where arguments decide it, the program is made anew for this case
    if_once(s, node, s.atom(first), run, live, STRETCHED if filling is None else FILLS)


def later_while(s, node, live, test, first, body, instead=None):
    """A core `while` whose iterations are all alike; `first`: does it run at all?"""
    if isinstance(first, v.Static) and not first.value:
        return
    flag = s.b.fresh("going", PY_BOOL)

    def iteration():
        s.sight.known_true.add(flag)
        body()
        return s.atom(test())

    growing = Growing(s, None, instead or (lambda: s.fail(*AS_A_LIST)))
    while True:
        known = in_sight(s)
        try:
            headers, names, inits, block, again = run_loop(s, node, live, iteration, known,
                                                           loop=s.plan(Way.PEELED, node))
            break
        except v.Grows as growth:
            if not (s.loose or instead):
                raise
            growing.learn(growth, known)
    if headers.stretched:
        s.require(s.atom(first), "RefusedValue", STRETCHED)
    block = Block(block.stmts, (Const(False) if again is None else again, *block.results))
    s.b.append(While(flag, (flag, *names), (s.atom(first), *inits), block, s.b.origin))
