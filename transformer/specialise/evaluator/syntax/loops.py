"""Loops: run by the program where they can be, else unrolled."""
from __future__ import annotations

from contextlib import contextmanager

import gast

from ....errors.messages import UnsupportedError
from ....frontend.exits import flag_of
from ....frontend.trees import nodes
from ...domain import values as v
from ...domain.early_exit import left_early
from ...domain.growing_lists import AS_A_LIST
from ...domain.liveness import live_at_header
from ...domain.plans import LOOSE, Way
from ..flow.control import choose, decide, for_loop, staged_while
from ..flow.escaping import NO, after_loop, begin_loop, in_round
from ..flow.filling import USED
from ..flow.sides import by_key, settled_value, uncertain
from ..names.tables import evaluate, execute, executes
from ..objects.drawing import begin, draw_item, drawn, finish, is_unshared_iterator
from ..objects.iteration import END, advance, is_iterator, iterator, sequence
from ..objects.truths import negate, truth
from .expressions import condition
from .rolling import is_rolled, iterable_in_rows, written_out
from .statements import bind, nothing
from .yielding import run_through, source

UNROLLED = 2000  # iterations of a loop that is unrolled because it must be
FEW = 32  # iterations of one that is unrolled where it is refused as a loop
SHORTENING = ("pop", "popleft", "remove", "clear")
GROWS = ("a list that grows or shrinks in a loop of the run time",
    "Make an array before the loop, and store into it: out = np.zeros(n); give an object all its attributes in "
    "__init__")


@executes(gast.While)
def while_(s, node, live):
    header, tests, key, apart = live_at_header(node, live), [], s.plan(Way.WRITTEN_OUT, node), s.plan(Way.FILLED, node)
    raised = raised_flag(s, node)
    header |= {raised} if raised else set()
    begin_loop(s, raised)

    def test():
        left = truth(s, s.heap[s.frames[-1], raised]) if raised else NO
        tests.append(decide(s, left, lambda: NO, lambda: condition(s, node.test)))
        return tests[-1]

    with left_early(s, node, live, header) as (header, begin_round):
        def body():
            begin_round()
            in_round(s, node, raised, False, header, lambda: nothing(execute(s, node.body, header)))

        # as long as the test is known now: a walk along objects that hold one another, say
        if key in s.static_paths and apart not in s.static_paths:
            before = len(s.b.types)
            while known_test(s, test(), tests, node):
                body()
            note_rounds(s, node, len(tests) - 1, before)
            return after_loop(s, raised)
        known, heap = len(s.b.born), s.heap
        try:
            staged_while(s, node, header, test, body)
        except (v.Grows, v.NeedStatic, UnsupportedError) as found:
            walk = bool(tests) and isinstance(tests[0], v.Static) and not isinstance(node.test, gast.Constant)
            if not isinstance(found, v.Grows) and not (
                    walk and {key, apart}.isdisjoint(s.static_paths)
                    and (s.exact if isinstance(found, UnsupportedError) else is_of_the_loop(s, found, known))):
                raise
            if apart in s.static_paths:
                s.fail(*GROWS, origin=found.origin)
            shorter = isinstance(found, v.Grows) and len(found.items) < len(heap.get((found.ref, None), ()))
            raise v.Restart(frozenset({key if walk else LOOSE if shorter and not s.loose else apart})) from None
    after_loop(s, raised)


def is_of_the_loop(s, need: v.NeedStatic, known: int) -> bool:
    """Does what must be known vary in the loop, before which so many names were bound, and can nothing else be done?
    (Of a library the loops that walk along a list are short: heapq's go through the levels of a heap.)"""
    varies = need.atom not in s.entry_ints and s.b.born.get(need.atom, known) >= known
    return varies and (not need.instead or s.frames[-1].captured.foreign)


def raised_flag(s, node) -> str | None:
    """A flag for a loop that an exception leaves."""
    if s.plan(Way.LEFT, node) not in s.static_paths:
        return None
    frame, name = s.frames[-1], f"_gs_raised_{node.lineno}_{node.col_offset}"
    frame.locals |= {name}
    s.heap[frame, name] = NO
    return name


def known_test(s, found, tests, node) -> bool:
    if not isinstance(found, v.Static):
        raise v.Restart(frozenset({s.plan(Way.FILLED, node)}))
    if len(tests) > UNROLLED:
        s.fail(f"a loop that is unrolled, of more than {UNROLLED} iterations",
               "Put what it runs over into one array.", node=node)
    return found.value


@executes(gast.For)
def for_(s, node, live):
    header, flag = live_at_header(node, live), flag_of(node)
    value = drawn_from(s, evaluate(s, node.iter if flag is None else node.iter.args[0]))
    flag = flag or raised_flag(s, node)
    header |= {flag, f"_gs_at_{flag}"} if flag is not None else set()
    generator = source(s, value) is not None
    with held(s, node, value, header) as header, left_early(s, node, live, header) as (header, begin_round):
        def one(item):
            begin_round()
            with s.b.at(s.origin(node)):
                bind(s, node.target, item)
            in_round(s, node, flag, generator, header, lambda: nothing(execute(s, node.body, header)))

        begin_loop(s, flag)
        loop(s, node, value, header, one, flag)
    after_loop(s, flag)


def drawn_from(s, value):
    """What a loop runs over: a sequence as it is, of all else an iterator."""
    value = settled_value(s, value, lambda none: iterator(s, none))
    return value if sequence(s, value) is not None else iterator(s, value)


def loop(s, node, value, header, one, flag=None) -> None:
    """`one(item)` for each item of a value, while the flag is down:
    in a loop of the run time where that can be, else one after the other."""
    if (box := uncertain(s, value)) is not None:
        return by_key(s, box, lambda: loop(s, node, value, header, one, flag), header)
    if (generator := source(s, value)) is not None:
        return run_through(s, node, value, generator, header, one, flag)
    value = iterable_in_rows(s, node, value)
    it = sequence(s, value) or drawn(s, value)
    unrolled = lambda: unroll(s, node, value, one, header, flag)  # noqa: E731
    if it is None or it.items:
        return unrolled()
    start, stop, step = it.range or (v.Static(0), it.count, v.Static(1))

    def running(instead):
        own = begin(s, value)
        if flag is None:
            for_loop(s, node, start, stop, step, header, one if it.range else lambda k: one(it.at(k)), instead)
        reached = it.count if flag is None else while_in_range(s, node, header, it, one, flag, instead)
        finish(s, own, reached, it.count)

    loop_or_unroll(s, node, it, running, unrolled, flag is None)


@contextmanager
def held(s, node, value, header):
    """The arrays that a loop runs over belong to a variable of ours: the user's may get other arrays in it.
    Gives what is live."""
    def inside(x):
        is_open = is_iterator(x) and source(s, x) is None
        return s.items(x) if is_open else [x.value] if isinstance(x, v.OneOf) else ()

    arrays = tuple([x for x in v.walk_values([value], inside) if isinstance(x, v.Array)])
    if not arrays:
        yield header
        return
    frame, name = s.frames[-1], f"_gs_over_{node.lineno}_{node.col_offset}"
    frame.locals |= {name}
    s.heap[frame, name] = v.Tuple(arrays)
    yield header | {name}
    s.heap.pop((frame, name), None)


def run_over(s, generator, value, one) -> None:
    """`one(item)` for each item of what a comprehension runs over."""
    node = gast.copy_location(gast.For(generator.target, generator.iter, [], [], None), generator.iter)
    value = drawn_from(s, value)
    it = sequence(s, value) or drawn(s, value)
    if uncertain(s, value) is not None:
        return loop(s, node, value, None, one)
    at_run_time = it is not None and (it.rows or not isinstance(it.count, v.Static))
    if at_run_time or source(s, value) is not None or is_rolled(s, node):
        return loop(s, node, value, None, one)
    it, before, rounds = iterator(s, value), len(s.b.types), 0
    with written_out(s, node, it) as after_round:
        while (item := advance(s, it, "a list comprehension runs over it")) is not END:
            one(item)
            after_round()
            rounds += 1
    note_rounds(s, generator.iter, rounds, before)


def loop_or_unroll(s, node, it, loop, unrolled, whole: bool) -> None:
    """A loop of the run time where that can be, else one statement after the other for each item; `whole`: nothing
    leaves it early."""
    if s.plan(Way.WRITTEN_OUT, node) in s.static_paths and isinstance(it.count, v.Static):
        return unrolled()
    known, key, apart = len(s.b.born), s.plan(Way.WRITTEN_OUT, node), s.plan(Way.FILLED, node)
    countable = isinstance(it.count, v.Static) or s.atom(it.count) in s.entry_ints

    def fill():
        """Where lists may have a bounded length, try whether they have."""
        few = whole and isinstance(it.count, v.Static) and it.count.value <= FEW
        if countable and not few and apart not in s.static_paths:
            raise v.Restart(frozenset({apart}))

    def instead():
        if not countable:
            s.fail(*AS_A_LIST)
        fill()
        s.static(it.count, USED)
        raise v.Restart(frozenset({key}))

    try:
        return loop(instead)
    except v.NeedStatic as need:
        if need.atom in s.entry_ints or s.b.born.get(need.atom, known) < known or need.instead and not countable:
            raise
        why = need.why  # of what varies in the loop
    except v.Grows as growth:
        if not countable:
            s.fail(*GROWS, origin=growth.origin)
        fill()
        why = "a list or dict grows in the loop"
    except UnsupportedError as error:
        if not isinstance(it.count, v.Static) or it.count.value > (UNROLLED if getattr(error, "mixed", False) else FEW):
            raise
        why = "more is known in an unrolled loop: which array is which, what kind of value each iteration has"
    s.node = node.iter
    s.static(it.count, why)
    raise v.Restart(frozenset({key}))


def unroll(s, node, value, one, header, flag) -> None:
    """One item after the other, while the flag is down."""
    frame, it, k, going = s.frames[-1], iterator(s, value), 0, True
    why = "the loop runs over a list or tuple"
    ours, before = flag is not None and is_unshared_iterator(s, it), len(s.b.types)

    def item():
        nonlocal going
        found = advance(s, it, why)
        going = found is not END
        if going and k == UNROLLED:
            s.fail(f"a loop over more than {UNROLLED} items of a list", "Put the items into one array.", node=node)
        with s.within(f"{frame.hint}_step", k):
            one(found) if going else None

    with written_out(s, node, it) as after_round:
        while going:
            stopped = v.Static(False) if flag is None else truth(s, s.heap[frame, flag])
            if isinstance(stopped, v.Static):
                going = not stopped.value
                item() if going else None
            elif not ours:
                choose(s, stopped.atom, lambda: None, item, header)
            elif going := (draw := draw_item(s, it, why)) is not END:  # where it is after a break is of no consequence
                choose(s, stopped.atom, lambda: None, lambda: nothing(one(draw())), header)
            k += 1
            after_round()
    note_rounds(s, node, k - 1, before)


def note_rounds(s, node, rounds: int, before: int) -> None:
    """A loop is written out: how many rounds it has, and how many names they have bound."""
    noted = s.facts.written_out.setdefault(s.origin(node), [0, 0])
    noted[0] = max(noted[0], rounds)
    noted[1] += len(s.b.types) - before


def only_appends(node) -> bool:
    """Does the text of a loop append to lists, and shorten none, so that their length is not bounded?"""
    inside = [n for stmt in node.body for n in nodes(stmt)]
    named = {n.attr for n in inside if isinstance(n, gast.Attribute)}
    return ("append" in named and named.isdisjoint(SHORTENING)
            and not any([isinstance(n, (gast.Delete, gast.Slice)) for n in inside]))


def while_in_range(s, node, header, it, one, flag, instead):
    """A `while` over the position, as long as the flag is down; `instead()`: as of `for_loop`."""
    frame = s.frames[-1]
    counter = f"_gs_at_{flag}"
    s.heap[frame, counter] = v.Static(0)

    def test():
        stopped = truth(s, s.heap[frame, flag])
        going = s.elementwise("less", s.heap[frame, counter], it.count)
        if isinstance(stopped, v.Static):
            return v.Static(False) if stopped.value else truth(s, going)
        return s.elementwise("and_", negate(s, stopped), going)

    def body():
        k = s.heap[frame, counter]
        one(it.at(v.Number(s.atom(k)) if it.rows else k))  # no row is chosen for being the first
        s.heap[frame, counter] = s.elementwise("add", k, v.Static(1), hint="at")

    frame.locals |= {counter}
    few = isinstance(it.count, v.Static) and it.count.value <= FEW
    staged_while(s, node, header, test, body, instead=instead if not few and only_appends(node) else None)
    return s.heap.pop((frame, counter), None)
