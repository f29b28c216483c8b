"""try and with: exceptions that are certain before the run are caught here, others are refused where they would be.

What the program does after an exception is known where the exception is: of a key that is missing, a wrong class, a
shape.  Programs have no handlers: where only the run time knows whether one is raised it is refused, and where nothing
that is caught may be raised, the block is as good without.  A block that begins with what LAPACK may refuse is a
branch: the program asks before.
"""
from __future__ import annotations

import contextlib
import warnings
from dataclasses import dataclass

import gast
import numpy as np

from gradscribe import runtime as rt

from ....analyse.raising import Raising
from ....core import Block, Fun, Let, Meanwhile, OnTop
from ....core.walking import walk
from ....library.registry import each, frontend
from ....rules.indexing import Getitem
from ...domain import values as v
from ...domain.classes import python_function
from ...domain.liveness import variables_read
from ...machine.refusing import class_named
from ..flow.control import choose
from ..flow.sides import NONE
from ..names.problems import problem_of, raised
from ..names.tables import call_value, evaluate, execute, executes
from ..objects.containers import python
from ..objects.objects import call_now, special
from ..objects.truths import FALSE, truth
from .raising import certain
from .statements import bind, nothing

TEST = "Test for the bad case with an if before it happens."
REFUSED = ("RefusedValue", "RefusedRange")


# try -------------------------------------------------------------------------------------------
@executes(gast.Try)
def try_(s, node, live):
    inside = live.union(*map(variables_read, [*node.handlers, *node.orelse, *node.finalbody]))
    if not node.finalbody:
        return handled(s, node, live, inside)
    first, stmts = len(s.b.stmts), s.b.stmts
    try:
        handled(s, node, live.union(*map(variables_read, node.finalbody)), inside)
    except v.CertainException as stop:
        raising, after = stmts.pop(), len(stmts)
        execute(s, node.finalbody, live)
        refuse_effects(s, node, stmts[after:] if not stop.kind else (), "raises")
        stmts.append(raising)
        raise
    after = len(stmts)
    execute(s, node.finalbody, live)
    if may_raise(s, stmts[first:after], (BaseException,)):
        refuse_effects(s, node, stmts[after:], "may raise")
    return None


def refuse_effects(s, node, stmts, how: str) -> None:
    if any([isinstance(x, Let) and x.op.shown for x in walk(Block(tuple(stmts)))]):
        s.fail(f"a finally block that prints, after a block that {how} at run time",
               "Print before, or return what is to be seen.", node=node)


def handled(s, node, live, inside) -> None:
    """The block of a try statement, its handlers, and its else."""
    handlers = [(caught_by(s, h), h) for h in node.handlers]
    call = asked_first(s, node, handlers)
    if call is None:
        return try_block(s, node, handlers, live, lambda: execute(s, node.body, inside))
    args: list = []
    if not try_block(s, node, handlers, live, lambda: args.extend([evaluate(s, n) for n in call.nodes]), orelse=()):
        return None
    target, kept = node.body[0].targets[0], []

    def run():
        before, stmts = len(s.b.stmts), s.b.stmts
        bind(s, target, call_value(s, call.function, args, {}))
        kept.extend(stmts[before:] if holds is not None else ())
        execute(s, node.body[1:], inside)

    holds = has_result(s, call, args[0])
    if holds is None:
        return try_block(s, node, handlers, live, run)
    problem = v.UnraisedException(np.linalg.LinAlgError, (v.Static(ASKED[call.function.value][1]),))
    return choose(s, holds, lambda: nothing(try_block(s, node, handlers, live, run, kept)),
                  lambda: nothing(handle(s, handler_of(handlers, problem), problem, live)), live)


def try_block(s, node, handlers, live, run, kept=(), orelse=None) -> bool:
    """Run a block, and its handler where an exception that it catches is certain; else `orelse`. Did it end?
    `kept`: statements that are known not to raise."""
    first, stmts, caught = len(s.b.stmts), s.b.stmts, tuple([c for group, _ in handlers for c in group])
    try:
        with s.catches(caught):
            run()
    except v.Caught as stop:
        problem = stop.problem or problem_of(s, stop.kind, stop.check)
    else:
        problem = None
    left = [x for x in stmts[first:] if not any([x is other for other in kept])]
    if (found := may_raise(s, left, caught)) is not None:
        origin, what = found
        s.fail(f"an except block for what only the run time knows to be raised: {what}", TEST, node=node,
               origin=origin)
    if problem is None:
        execute(s, node.orelse if orelse is None else orelse, live)
        return True
    handle(s, handler_of(handlers, problem), problem, live)
    return False


def handler_of(handlers, problem):
    return next(h for group, h in handlers if issubclass(problem.cls, group))


# what LAPACK may refuse -------------------------------------------------------------------------
# function of a matrix -> (what asks whether it has a result, what it says where it has none)
ASKED = {np.linalg.cholesky: (rt.has_cholesky, "Matrix is not positive definite"),
         np.linalg.inv: (rt.has_inverse, "Singular matrix"), np.linalg.solve: (rt.has_inverse, "Singular matrix")}


@dataclass(frozen=True)
class Asked:
    """A call of which the program asks before whether it raises."""

    function: v.Static
    nodes: list  # of its arguments


def asked_first(s, node, handlers) -> Asked | None:
    """What a block begins with, where that is `L = np.linalg.cholesky(K)` or the like, and LinAlgError is caught."""
    match node.body[0]:
        case gast.Assign(targets=[gast.Name()], value=gast.Call(func=gast.Attribute() | gast.Name() as function,
                                                             args=nodes, keywords=[])):
            found = evaluate(s, function)
        case _:
            return None
    catches = any([issubclass(np.linalg.LinAlgError, group) for group, _ in handlers])
    known = isinstance(found, v.Static) and callable(found.value) and found.value in ASKED
    plain = not any([isinstance(n, (gast.Starred, gast.GeneratorExp)) for n in nodes])
    return Asked(found, nodes) if known and catches and plain and nodes else None


def has_result(s, call: Asked, a):
    """A flag: does the call have a result for this matrix? None: that cannot be asked."""
    t = s.type(a) if isinstance(a, v.Array) else None
    if t is None or t.rank != 2 or not t.is_float:
        return None
    if t.dims[0] != t.dims[1] and not s.presume(t.dims[0] - t.dims[1], "==", 0):
        return None
    found = call_value(s, v.Static(ASKED[call.function.value][0]), [a], {})
    return s.atom(s.elementwise("greater", found, v.Static(0.5)))


def caught_by(s, handler) -> tuple:
    """The classes of exceptions that a handler is for."""
    if handler.type is None:
        return (BaseException,)
    found = s.static(evaluate(s, handler.type), "it is a class of exceptions")
    return found if isinstance(found, tuple) else (found,)


def handle(s, handler, problem, live):
    slot = (s.frames[-1], handler.name.id if isinstance(handler.name, gast.Name) else handler.name)
    if slot[1]:
        s.heap[slot] = problem
    with OnTop(s.handling, problem):
        execute(s, handler.body, live)
    s.heap.pop(slot, None)


def may_raise(s, stmts, classes: tuple):
    """(where, what) of a statement that may raise one of these classes at run time, or None."""
    if not classes:
        return None
    block = Block(tuple(stmts))
    known = Raising(Fun("f", tuple([p for p in s.parameters if p in s.b.types]), block, s.b.types))
    for let in walk(block):
        if isinstance(let, Let):
            kind = raised_class(let, known)
            exact = let.param("kind", None) is not None
            if kind is not None and (issubclass(kind, classes)
                                     or not exact and any(issubclass(c, kind) for c in classes)):
                return let.origin, "an exception" if kind is Exception else f"a {kind.__name__}"
    return None


def raised_class(let, known) -> type | None:
    """The class of what a statement may raise; None: nothing."""
    kind = let.param("kind", None)
    if kind is not None:
        return None if kind in REFUSED else class_named(kind)
    if not let.op.effect and not known.may(let):
        return None
    if let.op.shown:
        return None
    return IndexError if isinstance(let.op, Getitem) else Exception


# with ------------------------------------------------------------------------------------------
@each({f: f for f in (np.errstate, warnings.catch_warnings)})
def context_with(f, s, **how):
    return v.Partial(v.Static(f), (), tuple(how.items()))


@frontend(contextlib.nullcontext)
def nullcontext(s, enter_result=NONE):
    return v.Partial(v.Static(contextlib.nullcontext), (enter_result,), ())


@frontend(contextlib.suppress)
def suppress(s, *classes):
    return v.Partial(v.Static(contextlib.suppress), classes, ())


@executes(gast.With)
def with_(s, node, live):
    within_contexts(s, node, list(node.items), live)


def context_class(manager):
    """The class of Python's, or of NumPy's, that a context manager is of, or that makes it."""
    match manager:
        case v.Partial(function=v.Static(value=cls)):
            return python_function(cls)
        case v.Static(value=obj):
            return python_function(type(obj))
    return None


def within_contexts(s, node, items, live) -> None:
    """The block of a with statement in the contexts that are left to enter."""
    if not items:
        return execute(s, node.body, live)
    item, *rest = items
    manager = evaluate(s, item.context_expr)
    if isinstance(manager, v.OneOf) and not manager.optional:
        s.know(manager.flag)
        s.fail("one of two contexts, between which the run decides", "Write the block twice, in a branch.", node=node)
    function = context_class(manager)

    def block(value):
        if item.optional_vars is not None:
            bind(s, item.optional_vars, value)
        within_contexts(s, node, rest, live)

    if function in BY_PYTHON:
        return BY_PYTHON[function](s, node, manager, block)
    return user_context(s, node, manager, block)


def in_errstate(s, node, manager, block) -> None:
    """What NumPy says of infinities: their values are the same. What is to be ignored is ignored in all of the program,
    the slopes of what stands here among it."""
    how = dict(manager.kwargs) if isinstance(manager, v.Partial) else vars(manager.value).get("_kwargs", {})
    for kind, value in how.items():
        chosen = s.static(value, "it says what NumPy does") if isinstance(manager, v.Partial) else value
        if chosen not in ("ignore", "warn", None):
            s.fail(f"np.errstate({kind}={chosen!r})", "Test the result: if not np.all(np.isfinite(y)): raise ...")
        if chosen == "ignore":
            s.facts.quiet.add(kind)
    if isinstance(manager, v.Partial):
        python(s, np.errstate, **{k: s.static(x, "") for k, x in how.items()})
    block(NONE)


def in_warnings(s, node, manager, block) -> None:
    how = dict(manager.kwargs) if isinstance(manager, v.Partial) else {}
    if not isinstance(manager, v.Partial) or any([s.static(x, "it says what is caught") for x in how.values()]):
        s.fail("warnings that are recorded", "Record them around the call of the transformed function.")
    with Meanwhile(s, "quiet", s.quiet or "none"):
        block(NONE)


def in_nothing(s, node, manager, block) -> None:
    block(manager.args[0] if isinstance(manager, v.Partial) else s.lift(manager.value.enter_result))


def in_suppress(s, node, manager, block) -> None:
    classes = tuple([s.static(c, "it is a class of exceptions") for c in manager.args])
    first, stmts = len(s.b.stmts), s.b.stmts
    with contextlib.suppress(v.Caught), s.catches(classes):
        block(NONE)
    if (found := may_raise(s, stmts[first:], classes)) is not None:
        s.fail(f"contextlib.suppress of what only the run time knows to be raised: {found[1]}", TEST, node=node,
               origin=found[0])


BY_PYTHON = {np.errstate: in_errstate, warnings.catch_warnings: in_warnings, contextlib.nullcontext: in_nothing,
             contextlib.suppress: in_suppress}


@each({f: f for f in (warnings.simplefilter, warnings.filterwarnings)})
def filtered(f, s, *args, **kwargs):
    """A filter that ends with the block: compiled code does not warn, and plain NumPy as it does around the call."""
    if not s.quiet:
        s.fail(f"warnings.{f.__name__} outside of `with warnings.catch_warnings()`", "Call it before the function.")
    ignored = [s.static(x, "it says which warnings are shown") for x in (*args, *kwargs.values())] == ["ignore"]
    s.quiet = "all" if ignored else "some"
    return NONE


def user_context(s, node, manager, block) -> None:
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
    first, stmts = len(s.b.stmts), s.b.stmts
    try:
        block(call_now(s, enter))
    except v.CertainException as stop:
        if not stop.kind:
            raise
        raising = stmts.pop()
        problem = stop.problem or problem_of(s, stop.kind, raising)
        ends = truth(s, call_now(s, leave, v.Static(problem.cls), problem, NONE))
        if s.static(ends, "it decides whether an exception ends in a with block"):
            return
        stmts.append(raising)
        raise
    if may_raise(s, stmts[first:], (BaseException,)) is not None:
        check_leaving(s, node, leave)
    call_now(s, leave, NONE, NONE, NONE)
    s.heap.pop(slot, None)


def check_leaving(s, node, leave) -> None:
    """The block may raise at run time, where the program does not come to __exit__: it has to be of no consequence."""
    before = s.heap
    s.heap = dict(before)
    with s.scope() as stmts:
        found = truth(s, call_now(s, leave, v.Static(Exception), v.UnraisedException(Exception), NONE))
    s.heap = before
    refuse_effects(s, node, stmts, "may raise")
    if found != FALSE:
        s.fail("an __exit__ that may end an exception of the run time", TEST, node=node)


@executes(gast.Raise)
def raise_(s, node):
    if node.exc is None and s.handling:
        return raised(s, s.handling[-1])
    certain(s, node)
