"""try and with: which handler is for an exception, and what a context manager does with it.

What the program does after an exception is known where the exception is: of a key that is missing, a wrong class, a
shape.  Where the run decides, what follows is the other side of a branch (`flow/escaping.py`), and of what an operation
raises the program asks before (`flow/asking.py`).  What cannot be asked is refused; where nothing that is caught may be
raised, the block is as good without.
"""
from __future__ import annotations

import contextlib
import warnings
from dataclasses import replace

import gast
import numpy as np

from ....analyse.raising import Raising
from ....core import Block, Fun, Let, Meanwhile, OnTop, shows
from ....core.walking import walk
from ....errors.messages import UnsupportedError
from ....library.registry import each, frontend
from ....library.standard import BEFORE
from ....rules.host import Host
from ....rules.indexing import Getitem, Update
from ....rules.operators import Division, Power
from ...domain import values as v
from ...domain.classes import python_function
from ...domain.liveness import live_before, variables_read
from ...domain.plans import Way
from ...machine.refusing import class_named
from ..flow.control import choose, decide
from ..flow.escaping import NO, RAISED, YES, after_block, clear_raised, in_level, in_part, is_raised, set_aside, take_up
from ..flow.sides import NONE
from ..names.problems import problem_of, raised
from ..names.tables import evaluate, execute, executes
from ..objects.attributes import attribute, made_by_class
from ..objects.containers import python, python_of
from ..objects.objects import call_now, special
from ..objects.truths import FALSE, truth
from .raising import certain
from .statements import bind, nothing
from .yielding import in_generator

TEST = "Test for the bad case with an if before it happens."
REFUSED = ("RefusedValue", "RefusedRange")
SAMPLES = (Exception, ArithmeticError, FloatingPointError, OverflowError, ZeroDivisionError, LookupError, IndexError,
           KeyError, RuntimeError, TypeError, ValueError, np.linalg.LinAlgError)  # of what an operation may raise


# try -------------------------------------------------------------------------------------------
@executes(gast.Try)
def try_(s, node, live):
    s.facts.cleans_up = True
    inside = live.union(*map(variables_read, [*node.handlers, *node.orelse, *node.finalbody]))
    after = live.union(*map(variables_read, node.finalbody))
    handlers = [(caught_by(s, h), h) for h in node.handlers]
    first, stmts = len(s.b.stmts), s.b.stmts

    def attempt():
        attempted(s, node, handlers, after, lambda: nothing(execute(s, node.body, inside)),
                  lambda: execute(s, node.orelse, after))

    def at_end():
        execute(s, node.finalbody, live)

    if node.finalbody and s.plan(Way.ENDED, node) in s.static_paths:
        return in_any_case(s, node, live, lambda: (attempt(), after_block(s)), at_end,
                           lambda problem: (at_end(), raised(s, problem)))
    try:
        attempt()
    except v.CertainException as stop:
        if not node.finalbody:
            raise
        raising, count = stmts.pop(), len(stmts)
        at_end()
        refuse_effects(s, node, stmts[count:] if not stop.kind else (), "raises")
        see_both(s, node, stmts, first, count)
        stmts.append(raising)
        raise
    if node.finalbody:
        block_ended(s, node, stmts, first, at_end)
    after_block(s)


def in_any_case(s, node, live, run, done, failed) -> None:
    """`done()` after a block, and `failed(problem)` where an exception leaves it, which the run decides."""
    attempted(s, node, [((BaseException,), failed)], live, run, done)
    after_block(s)


def see_both(s, node, stmts, first: int, count: int) -> None:
    """Where a block may raise, and what is done at its end too, the latter is to be raised: the block is caught."""
    if may_raise(s, stmts[first:count], (BaseException,)) and (
            s.b.stmts is not stmts or may_raise(s, stmts[count:], (BaseException,))):
        see_all(s, node)


def see_all(s, node) -> None:
    """Catch all that leaves the block of a try or with statement, once the specialisation begins again."""
    raise v.Restart(frozenset({s.plan(Way.ENDED, node)}))


def block_ended(s, node, stmts, first: int, at_end) -> None:
    """The finally block, also where an exception is on its way."""
    count, mark = len(stmts), f"finally_{node.lineno}_{len(s.frames)}"
    set_aside(s, mark)
    try:
        at_end()
    except v.CertainException:
        if may_raise(s, stmts[first:count], (BaseException,)):
            see_all(s, node)
        raise
    see_both(s, node, stmts, first, count)
    if may_raise(s, stmts[first:count], (BaseException,)):
        refuse_effects(s, node, stmts[count:], "may raise")
    take_up(s, mark)


def refuse_effects(s, node, stmts, how: str) -> None:
    if shows(stmts):
        s.fail(f"a finally block that prints, after a block that {how} at run time",
               "Print before, or return what is to be seen.", node=node)


def attempted(s, node, handlers, live, run, orelse=lambda: None) -> None:
    """Run a block, and where an exception comes that a handler is for, that, else `orelse()`.
    handlers: [(classes, the handler, a function of the exception, or None where nothing is done)]"""
    first, caught = len(s.b.stmts), tuple([c for group, _ in handlers for c in group])
    read = [live if handler is None or callable(handler) else live_before(handler.body, live)
            for _, handler in handlers]
    s.heap.setdefault(RAISED, NO)

    def block(level):
        problem = None
        try:
            with s.catches(caught, level), kept_alive(s, frozenset().union(*read)):
                run()
        except v.Caught as stop:
            problem = stop.problem or problem_of(s, stop.kind, stop.check)
        if (found := may_raise(s, level.written(first), caught)) is not None:
            block = "except" if not callable(handlers[0][1]) else "with" if isinstance(node, gast.With) else "finally"
            s.fail(f"{article(block)} block for what only the run time knows to be raised: {found[1]}", TEST, node=node,
                   origin=found[0])
        if problem is None:
            return orelse()
        return handle(s, handler_of(handlers, problem.cls), problem, live)

    in_level(s, lambda level: nothing(block(level)), live, lambda level: handle_raised(s, level, handlers, live))


def kept_alive(s, live):
    """What is read where an exception may lead from anywhere in a block is read after each statement of it."""
    frame = s.frames[-1]
    return Meanwhile(frame, "kept", frame.kept | live)


def handler_of(handlers, cls):
    return next(h for group, h in handlers if issubclass(cls, group))


def handle_raised(s, level, handlers, live) -> None:
    """Where something was raised that a try statement catches: its handler."""
    found = [key for key in s.heap if key in s.checks]
    raised_here = [key for key in found if s.checks[key][2] is level]
    others = len(found) > len(raised_here)

    def each(keys):
        if not keys:
            return
        (kind, check, _), x = s.checks[keys[0]], s.heap[keys[0]]

        def one():
            clear_raised(s, s.heap)
            handler = handler_of(handlers, class_named(kind))
            atoms = [s.atom(value) for value in (x.value if isinstance(x, v.OneOf) else x).items]
            handle(s, handler, problem_of(s, kind, replace(check, args=(check.args[0], *atoms))), live)

        if isinstance(x, v.OneOf) and (others or keys[1:]):
            choose(s, x.flag, lambda: nothing(one()), lambda: nothing((s.heap.pop(keys[0]), each(keys[1:]))), live)
        else:
            one()

    if raised_here:
        if not others:
            s.heap[RAISED] = NO  # also where what all handlers do is to raise something else
        in_part(s, lambda: nothing(each(raised_here)), live)


def caught_by(s, handler) -> tuple:
    """The classes of exceptions that a handler is for."""
    if handler.type is None:
        return (BaseException,)
    found = s.static(evaluate(s, handler.type), "it is a class of exceptions")
    return found if isinstance(found, tuple) else (found,)


def handle(s, handler, problem, live):
    if isinstance(problem, v.UnraisedException):
        made_by_class(s, problem)
    if handler is None or callable(handler):
        return handler and handler(problem)
    slot = (s.frames[-1], handler.name.id if isinstance(handler.name, gast.Name) else handler.name)
    if slot[1]:
        s.heap[slot] = problem
    with OnTop(s.handling, problem):
        execute(s, handler.body, live)
    s.heap.pop(slot, None)


def may_raise(s, stmts, classes: tuple):
    """(where, what) of a statement that may raise one of these classes at run time, or None."""
    for let, kind, exact in what_may_come(s, stmts) if classes else ():
        if issubclass(kind, classes) or not exact and any(issubclass(c, kind) for c in classes):
            return let.origin, article(kind)
    return None


def what_may_come(s, stmts):
    """(statement, class, is it no class under it?) of what may be raised at run time."""
    block = Block(tuple(stmts))
    known = Raising(Fun("f", tuple([p for p in s.parameters if p in s.b.types]), block, s.b.types))
    for let in walk(block):
        if isinstance(let, Let) and s.asked.isdisjoint(let.names) and (kind := raised_class(let, known)) is not None:
            yield let, kind, let.param("kind", None) is not None


def article(kind: type | str) -> str:
    """An exception of a class, or a word, as it is spoken of."""
    name = kind if isinstance(kind, str) else "exception" if kind is Exception else kind.__name__
    return f"{'an' if name[0] in 'AEIOUe' else 'a'} {name}"


def raised_class(let, known) -> type | None:
    """The class of what a statement may raise; None: nothing."""
    kind = let.param("kind", None)
    if kind is not None:
        return None if kind in REFUSED else class_named(kind)
    if not let.op.effect and not known.may(let):
        return None
    if let.op.shown:
        return None
    if isinstance(let.op, (Division, Power)):
        return ZeroDivisionError if isinstance(let.op, Division) else ArithmeticError
    types = [known.b.type(a) for a in let.args[:2]]
    if isinstance(let.op, (Getitem, Update)) and not known.may_overflow(let.args[:2], types):
        return IndexError
    return let.op.fails[0][0] if isinstance(let.op, Host) and len(let.op.fails) == 1 else Exception


# with ------------------------------------------------------------------------------------------
@each({f: f for f in (np.errstate, warnings.catch_warnings, contextlib.nullcontext, contextlib.suppress)})
def context_with(f, s, *args, **how):
    python(s, f, *[python_of(s, x) for x in args], **{k: python_of(s, x) for k, x in how.items()})  # is the call right?
    return v.Partial(v.Static(f), args, tuple(how.items()))


def context_class(manager):
    """The class of Python's, or of NumPy's, that a context manager is of, or that makes it."""
    match manager:
        case v.Partial(function=v.Static(value=cls)):
            return python_function(cls)
        case v.Static(value=obj):
            return python_function(type(obj))
    return None


@executes(gast.With)
def with_(s, node, live):
    (item,) = node.items
    manager = evaluate(s, item.context_expr)
    if isinstance(manager, v.OneOf) and not manager.optional:
        s.know(manager.flag)
        s.fail("one of two contexts, between which the run decides", "Write the block twice, in a branch.", node=node)
    function = context_class(manager)

    def block(value):
        if item.optional_vars is not None:
            bind(s, item.optional_vars, value)
        execute(s, node.body, live)

    if function in BY_PYTHON:
        return BY_PYTHON[function](s, node, manager, block, live)
    s.facts.cleans_up = True
    with kept_alive(s, live):
        return user_context(s, node, manager, block, live)


def in_errstate(s, node, manager, block, live) -> None:
    """What NumPy says of infinities: their values are the same. What is to be ignored is ignored in all of the program,
    the slopes of what stands here among it."""
    how = ({k: s.static(x, "it says what NumPy does") for k, x in manager.kwargs} if isinstance(manager, v.Partial)
           else vars(manager.value).get("_kwargs", {}))
    make_quiet(s, "np.errstate", how)
    if isinstance(manager, v.Partial):
        python(s, np.errstate, **how)
    block(NONE)


def make_quiet(s, name: str, how: dict) -> None:
    for kind, chosen in how.items():
        if chosen not in ("ignore", "warn", None):
            s.fail(f"{name}({kind}={chosen!r})", "Test the result: if not np.all(np.isfinite(y)): raise ...")
        if chosen == "ignore":
            s.facts.quiet.add(kind)


@frontend(np.seterr)
def seterr(s, **how):
    """What NumPy does, as it is set until the generator of a context sets it back."""
    chosen = {k: s.static(x, "it says what NumPy does") for k, x in how.items()}
    if s.facts.set_back is None:
        s.fail("np.seterr, which others see after the call", f"Write the block with np.errstate: "
               f"with np.errstate({', '.join(f'{k}={x!r}' for k, x in chosen.items() if x is not BEFORE)}):")
    s.facts.set_back = bool(chosen) and all(x is BEFORE for x in chosen.values())
    if not s.facts.set_back:
        python(s, np.errstate, **chosen)
        make_quiet(s, "np.seterr", chosen)
    return s.box([v.Static(BEFORE)] * 4, dict, ("divide", "over", "under", "invalid"), "dict")


seterr.unasked = True  # to ask NumPy would set it


def in_warnings(s, node, manager, block, live) -> None:
    how = dict(manager.kwargs) if isinstance(manager, v.Partial) else {}
    if not isinstance(manager, v.Partial) or any([s.static(x, "it says what is caught") for x in how.values()]):
        s.fail("warnings that are recorded", "Record them around the call of the transformed function.")
    with Meanwhile(s, "quiet", s.quiet or "none"):
        block(NONE)


def in_nothing(s, node, manager, block, live) -> None:
    given = v.parts(manager)[1:] if isinstance(manager, v.Partial) else (attribute(s, manager, "enter_result"),)
    block(*given or (NONE,))


def in_suppress(s, node, manager, block, live) -> None:
    classes = (tuple([s.static(c, "it is a class of exceptions") for c in manager.args])
               if isinstance(manager, v.Partial) else manager.value._exceptions)
    attempted(s, node, [(classes, None)], live, lambda: block(NONE))
    after_block(s)


BY_PYTHON = {np.errstate: in_errstate, warnings.catch_warnings: in_warnings, contextlib.nullcontext: in_nothing,
             contextlib.suppress: in_suppress, contextlib._GeneratorContextManager: in_generator}


@each({f: f for f in (warnings.simplefilter, warnings.filterwarnings)})
def filtered(f, s, *args, **kwargs):
    """A filter that ends with the block: compiled code does not warn, and plain NumPy as it does around the call."""
    if not s.quiet:
        s.fail(f"warnings.{f.__name__} outside of `with warnings.catch_warnings()`", "Call it before the function.")
    ignored = [s.static(x, "it says which warnings are shown") for x in (*args, *kwargs.values())] == ["ignore"]
    s.quiet = "all" if ignored else "some"
    return NONE


def user_context(s, node, manager, block, live) -> None:
    """A context manager of a user's class."""
    enter, leave = special(s, manager, "__enter__"), special(s, manager, "__exit__")
    if enter is None or leave is None:
        cls = s.class_of(manager)
        if hasattr(cls, "__enter__") and hasattr(cls, "__exit__"):
            s.fail(f"a with block of {s.describe(manager)}",
                   "Enter the context around the call of the transformed function.", node=node)
        missing = "__exit__" if enter is not None else "__enter__"
        s.stop("TypeError", f"'{s.class_name(manager)}' object does not support the context manager protocol"
               + (" (missed __exit__ method)" if missing == "__exit__" else ""))
    slot = s.frames[-1], f"_gs_with_{node.lineno}_{node.col_offset}"
    s.heap[slot] = manager  # others see what it does meanwhile
    first, stmts, value = len(s.b.stmts), s.b.stmts, call_now(s, enter)

    def failed(problem):
        ends = truth(s, call_now(s, leave, v.Static(problem.cls), problem, NONE))
        decide(s, ends, lambda: None, lambda: raised(s, problem), live)

    if s.plan(Way.ENDED, node) in s.static_paths:
        with kept_alive(s, frozenset({slot[1]})):
            return in_any_case(s, node, live | {slot[1]}, lambda: block(value),
                               lambda: nothing(call_now(s, leave, NONE, NONE, NONE)), failed)
    try:
        block(value)
    except v.CertainException as stop:
        if is_raised(s.heap) == YES or s.b.stmts is not stmts:
            see_all(s, node)
        check_leaving(s, node, leave, stmts[first:-1 if stop.kind else None])
        if not stop.kind:
            raise
        raising = stmts.pop()
        return failed(stop.problem or problem_of(s, stop.kind, raising))
    if s.b.stmts is not stmts:
        see_all(s, node)
    check_leaving(s, node, leave, stmts[first:])
    call_now(s, leave, NONE, NONE, NONE)
    s.heap.pop(slot, None)


def check_leaving(s, node, leave, stmts) -> None:
    """The block may raise at run time, where the program does not come to __exit__: it has to be of no consequence."""
    before, found = s.heap, [(kind,) if exact else SAMPLES for _, kind, exact in what_may_come(s, stmts)]
    for cls in dict.fromkeys([cls for classes in found for cls in classes]):
        s.heap = dict(before)
        with s.scope() as done:
            try:
                ends = truth(s, call_now(s, leave, v.Static(cls), v.Unjoinable("it is on its way"), NONE))
            except (v.CertainException, UnsupportedError):  # it asks what was raised
                ends = None
        s.heap = before
        refuse_effects(s, node, done, "may raise")
        if ends != FALSE or may_raise(s, done, (BaseException,)):
            see_all(s, node)


@executes(gast.Raise)
def raise_(s, node):
    if node.exc is None and s.handling:
        return raised(s, s.handling[-1])
    certain(s, node)
