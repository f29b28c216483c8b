"""Statements: `execute(s, stmts, live)` runs them on the machine; returns the value of a final `return`."""
from __future__ import annotations

import builtins
from contextlib import contextmanager
from types import FunctionType

import gast

from gradscribe.runtime.arrays import EXCEPTIONS

from ..core import Const
from ..errors import ImpurityError, UnsupportedError
from ..normalise.exits import MARKER
from ..normalise.trees import nodes
from . import values as v
from .control import choose, for_loop, while_loop
from .expressions import BINARY, binary_op, condition, evaluate, is_text, negate, truth
from .indexing import get_at, set_item
from .iteration import Drawn, iterable
from .liveness import live_after_each, live_at_head
from .lookup import attribute
from .making import delete_attribute, set_attribute
from .protocols import in_place as in_place_of_class, item as item_of_class, text as text_of_class
from .syntax import PART_DELETED, refuse_syntax


def execute(s, stmts, live: frozenset[str]):
    """Run statements; `live`: the variables read after them."""
    after = live_after_each(stmts, live | s.frames[-1].shared)
    for stmt, live in zip(stmts, after):
        if isinstance(stmt, gast.Return):
            with s.b.at(s.origin(stmt)):
                return evaluate(s, stmt.value) if stmt.value is not None else v.Static(None)
        s.node = stmt
        with s.b.at(s.origin(stmt)):
            handler = HANDLERS.get(type(stmt))
            if handler is None:
                refuse_syntax(s)
            try:
                handler(s, stmt, live | s.frames[-1].shared) if isinstance(stmt, BRANCHING) else handler(s, stmt)
            except Exception as error:
                s.located(error, stmt)
                raise
    return v.Static(None)


BRANCHING = (gast.If, gast.For, gast.While)


HANDLERS = {}
UNROLLED = 2000  # iterations of a loop that is unrolled because it must be


def handles(*classes):
    def register(handler):
        for cls in classes:
            HANDLERS[cls] = handler
        return handler
    return register


# assignment ----------------------------------------------------------------------------------
@handles(gast.Assign)
def assign(s, node):
    match node:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=parts)) if len(targets) == len(parts) and not starred([*targets, *parts]):
            value = v.Tuple(tuple([named(s, t, evaluate(s, p)) for t, p in zip(targets, parts)]))
        case _:
            value = evaluate(s, node.value)
    for target in node.targets:
        bind(s, target, value)


def starred(nodes) -> bool:
    return any([isinstance(n, gast.Starred) for n in nodes])


def named(s, target, value):
    """The value, called by the variable that it is going to be assigned to."""
    return s.name_last(value, target.id) if isinstance(target, gast.Name) else value


@handles(gast.AnnAssign)
def annotated(s, node):
    if node.value is not None:
        bind(s, node.target, evaluate(s, node.value))


def bind(s, target, value, others=()) -> None:
    """Assign; `others` are values that wait to be assigned, too."""
    match target:
        case gast.Name(id=name):
            frame = s.frames[-1]
            while name not in frame.locals and frame.parent is not None:
                frame = frame.parent  # nonlocal
            s.heap[frame, name] = s.name_last(value, name, others)
        case gast.Tuple(elts=targets) | gast.List(elts=targets):
            unpack(s, targets, value, others)
        case gast.Subscript(value=base, slice=index):
            set_item(s, evaluate(s, base), evaluate(s, index), value)
        case gast.Attribute(value=base, attr=attr):
            set_attribute(s, evaluate(s, base), attr, value)
        case gast.Starred():
            s.fail("a starred target", "Unpack by index: first, rest = x[0], x[1:]", node=target)


def unpack(s, targets, value, others=()) -> None:
    if isinstance(value, v.Maybe):
        value = s.present(value)
    it = iterable(s, value)
    if any(isinstance(t, gast.Starred) for t in targets):
        count = s.static(it.count, "it is unpacked with a star")
        k = next(k for k, t in enumerate(targets) if isinstance(t, gast.Starred))
        extra = count - len(targets) + 1
        items = [it.at(v.Static(j)) for j in range(count)]
        parts = items[:k] + [s.box(items[k:k + extra])] + items[k + extra:]
        bind_all(s, [t.value if isinstance(t, gast.Starred) else t for t in targets], parts, others)
        return
    n = len(targets)
    if isinstance(it.count, v.Static):
        if it.count.value != n:
            few = it.count.value < n
            s.stop("ValueError", f"not enough values to unpack (expected {n}, got {it.count.value})" if few
                   else f"too many values to unpack (expected {n})")
            return
    else:
        for relation, words in (("greater_equal", "not enough"), ("less_equal", "too many")):
            fits = s.elementwise(relation, it.count, v.Static(n))
            s.require(s.atom(fits), "ValueError", f"{words} values to unpack (expected {n})")
    bind_all(s, targets, [it.at(v.Static(k)) for k in range(n)], others)


def bind_all(s, targets, parts, others) -> None:
    for k, (target, part) in enumerate(zip(targets, parts, strict=True)):
        bind(s, target, part, [*parts[k + 1:], *others])


@handles(gast.AugAssign)
def augmented(s, node):
    op = BINARY[type(node.op).__name__]
    match node.target:
        case gast.Name(id=name):
            from .lookup import lookup
            old = lookup(s, name)
            bind(s, node.target, in_place(s, op, old, evaluate(s, node.value)))
        case gast.Subscript(value=base_node, slice=index_node):
            base, index = evaluate(s, base_node), evaluate(s, index_node)
            if isinstance(base, v.Maybe):
                base = s.present(base)
            old, content = (get_at(s, base, index), s.heap.get((base.cell, None))) if isinstance(base, v.Array) and calls(node.value) else (None, None)
            value = evaluate(s, node.value)
            changed = old is not None and s.heap[base.cell, None] != content  # by a call in the value: what counts is what was there before
            augment_item(s, op, base, index, value, old if changed else None)
        case gast.Attribute(value=base_node, attr=attr):
            base = evaluate(s, base_node)
            set_attribute(s, base, attr, in_place(s, op, attribute(s, base, attr), evaluate(s, node.value)))


def calls(node) -> bool:
    return any([isinstance(n, gast.Call) for n in nodes(node)])


def augment_item(s, op, base, index, value, old=None):
    if isinstance(base, v.Array) and op in ("add", "subtract") and s.is_numeric(value) and old is None:
        t = s.type(base)
        other = s.b.type(s.atom(value))
        if not has_array(index) and t.is_float and (other.kind == "py" or other.dtype == t.dtype):
            if op == "subtract":
                value = s.elementwise("negative", value)
            set_item(s, base, index, value, add=True)
            return
    old = get_at(s, base, index) if old is None else old
    new = in_place(s, op, old, value)
    if isinstance(new, v.Array) and new is old and isinstance(base, v.Array):
        if not has_array(index):
            return  # a view: the store has gone through it
    set_item(s, base, index, new)


def has_array(index) -> bool:
    parts = index.items if isinstance(index, v.Tuple) and index.cls is not slice else (index,)
    return any(isinstance(p, (v.Array, v.Boxed)) for p in parts)


def in_place(s, op, old, value):
    """old op= value: a store for an array and a list, else a new value."""
    if isinstance(old, v.Maybe):
        old = s.present(old)
    made = in_place_of_class(s, op, old, value)
    if made is not None:
        return made
    if isinstance(old, v.Boxed) and issubclass(old.cls, list) and op == "add":
        from .expressions import iterate_static
        s.change(old, s.items(old) + tuple(iterate_static(s, value, "it extends a list")))
        return old
    new = binary_op(s, op, old, value)
    if not isinstance(old, v.Array):
        return new
    atom, t = s.atom(new), s.type(old)
    have = s.b.type(atom)
    if t.dtype != have.dtype:
        import numpy as np
        if not np.can_cast(have.dtype, t.dtype, "same_kind"):
            s.stop("TypeError", f"Cannot cast ufunc '{op}' output from {have.dtype!r} to {t.dtype!r} with casting rule 'same_kind'")
        atom = s.emit("rt.astype", atom, dtype=t.dtype)
    text, numbers = s.shape_text(t, have)
    how = "non-broadcastable output operand with shape {} doesn't match the broadcast shape {}".format(*text.split(" ", 1))
    if have.rank > t.rank:
        s.stop("ValueError", how.replace("{}", "..."))
    atom = s.match_exactly(atom, tuple(d if d.is_one else e for d, e in zip(t.dims, have.dims)), how, numbers)
    if have.kind != "array":
        atom = s.emit("np.asarray", atom)
    if s.b.type(atom).dims != t.dims:
        atom = s.emit("retype", atom, dims=t.dims)
    s.assign_whole(old, s.atom(s.name_last(v.Num(atom), old.cell.hint)) if not old.path else atom)
    return old


# control -------------------------------------------------------------------------------------
@handles(gast.If)
def if_(s, node, live):
    test = condition(s, node.test)
    if isinstance(test, v.Static):
        execute(s, node.body if test.value else node.orelse, live)
        return
    choose(s, test.atom, lambda: nothing(execute(s, node.body, live)), lambda: nothing(execute(s, node.orelse, live)), live)


def nothing(_):
    return None


@handles(gast.While)
def while_(s, node, live):
    head = live_at_head(node, live)
    try:
        while_loop(s, node, head, lambda: condition(s, node.test), lambda: execute(s, node.body, head))
    except v.Grows as growth:
        s.fail(*GROWS, origin=growth.origin)


AS_A_LIST = ("a list that grows in a loop of the run time is used as a list",
             "Make an array of it after the loop, np.stack(out); len(out), out[k], out.append(v) and loops over it are possible as well.")
GROWS = ("a list that grows or shrinks in a loop of the run time", "Make an array before the loop, and store into it: out = np.zeros(n); give an object all its attributes in __init__")


@handles(gast.For)
def for_(s, node, live):
    head = live_at_head(node, live)
    match node.iter:
        case gast.Call(func=gast.Name(id=name), args=[inner, gast.Constant(value=flag)]) if name == MARKER:
            value = evaluate(s, inner)
            with held(s, node, value, head) as head:
                return for_with_exit(s, node, head, value, flag)
    value = evaluate(s, node.iter)
    it = iterable(s, value)
    start, stop, step = it.range or (v.Static(0), None if it.items else it.count, v.Static(1))
    element = (lambda k: k) if it.range else it.at
    with held(s, node, value, head) as head:
        loop_or_unroll(s, node, it,
                       lambda instead: for_loop(s, node, start, stop, step, head, lambda k: one_iteration(s, node, element(k), head), instead),
                       lambda: unroll(s, node, head, it))


@contextmanager
def held(s, node, value, head):
    """The arrays that a loop runs over belong to a variable of ours: the user's may get other arrays in it. Gives what is live."""
    arrays = tuple(arrays_of(value))
    if not arrays:
        yield head
        return
    frame, name = s.frames[-1], f"_gs_over_{node.lineno}_{node.col_offset}"
    frame.locals |= {name}
    s.heap[frame, name] = v.Tuple(arrays)
    yield head | {name}
    s.heap.pop((frame, name), None)


def arrays_of(value) -> list:
    """Those that a loop over the value reads elements of."""
    match value:
        case v.Array():
            return [value]
        case v.Maybe(value=inner):
            return arrays_of(inner)
        case v.Iter(parts=parts):
            return [a for p in parts for a in arrays_of(p)]
    return []


def run_over(s, generator, value, one) -> None:
    """`one(item)` for each item of what a comprehension runs over."""
    it = iterable(s, value)

    def unrolled():
        k = 0
        while k < s.static(it.length(), "a list comprehension runs over it"):
            one(it.at(v.Static(k)))
            k += 1

    if it.items or isinstance(it.count, v.Static):
        return unrolled()
    node = gast.copy_location(gast.For(generator.target, generator.iter, [], [], None), generator.iter)
    loop_or_unroll(s, node, it, lambda instead: for_loop(s, node, v.Static(0), it.count, v.Static(1), None, lambda k: one(it.at(k)), instead), unrolled)


def loop_or_unroll(s, node, it, loop, unrolled) -> None:
    """A loop of the run time where that can be, else one statement after the other for each item."""
    if it.items or s.loop_key(node) in s.static_paths and isinstance(it.count, v.Static):
        return unrolled()
    known, key = set(s.b.types), s.loop_key(node)

    def instead():
        if not isinstance(it.count, v.Static) and s.atom(it.count) not in s.entry_ints:
            s.fail(*AS_A_LIST)
        s.static(it.count, "a list that grows in a loop over it is used as a list")
        raise v.Restart(frozenset({key}))

    try:
        return loop(instead)
    except v.NeedStatic as need:
        if need.atom in s.entry_ints or need.atom in known:
            raise
        why = need.why  # of what varies in the loop
    except v.Grows as growth:
        if not isinstance(it.count, v.Static) and s.atom(it.count) not in s.entry_ints:
            s.fail(*GROWS, origin=growth.origin)
        why = "a list or dict grows in the loop"
    except UnsupportedError as error:
        if not getattr(error, "mixed", False) or not isinstance(it.count, v.Static) or it.count.value > UNROLLED:
            raise
        why = "it is known which array is which only in an unrolled loop"
    s.node = node.iter
    s.static(it.count, why)
    raise v.Restart(frozenset({key}))


def one_iteration(s, node, item, head):
    with s.b.at(s.origin(node)):
        bind(s, node.target, item)
    execute(s, node.body, head)


def unroll(s, node, head, it):
    k = 0
    while k < s.static(it.length(), "the loop runs over a list or tuple"):
        if k == UNROLLED:
            s.fail(f"a loop over more than {UNROLLED} items of a list", "Put the items into one array.", node=node)
        one_iteration(s, node, it.at(v.Static(k)), head)
        k += 1


def for_with_exit(s, node, head, value, flag):
    """A `for` that is left early."""
    it = iterable(s, value)
    head = head | {flag}
    loop_or_unroll(s, node, it, lambda _: while_in_range(s, node, head, it, flag), lambda: unroll_with_exit(s, node, head, it, flag))


def while_in_range(s, node, head, it, flag):
    """A `while` over the position, as long as the flag is down."""
    frame = s.frames[-1]
    counter = f"_gs_at_{flag}"
    s.heap[frame, counter] = v.Static(0)
    head = head | {counter}

    def test():
        stopped = truth(s, s.heap[frame, flag])
        going = s.elementwise("less", s.heap[frame, counter], it.count)
        if isinstance(stopped, v.Static):
            return v.Static(False) if stopped.value else truth(s, going)
        return s.elementwise("and_", negate(s, stopped), going)

    def body():
        k = s.heap[frame, counter]
        one_iteration(s, node, it.at(k), head)
        s.heap[frame, counter] = s.elementwise("add", k, v.Static(1), hint="at")

    frame.locals |= {counter}
    while_loop(s, node, head, test, body)
    s.heap.pop((frame, counter), None)


def unroll_with_exit(s, node, head, it, flag):
    """Each item only while the flag is down."""
    frame = s.frames[-1]
    k = -1
    while True:
        stopped = truth(s, s.heap[frame, flag])
        if stopped == v.Static(True):
            break
        if isinstance(it, Drawn) and not isinstance(stopped, v.Static):
            s.fail("a loop over an object with a __next__ that the run time may leave early", "Make a list of it first: list(x).")
        k += 1
        if k >= s.static(it.length(), "the loop runs over a list or tuple"):
            break
        item = lambda k=k: nothing(one_iteration(s, node, it.at(v.Static(k)), head))  # noqa: E731
        if not isinstance(stopped, v.Static):
            choose(s, stopped.atom, lambda: None, item, head)
        else:
            item()


# the rest ------------------------------------------------------------------------------------
@handles(gast.Expr)
def expression(s, node):
    if not isinstance(node.value, gast.Constant):
        evaluate(s, node.value)


@handles(gast.Pass)
def pass_(s, node):
    pass


@handles(gast.Nonlocal)
def nonlocal_(s, node):
    for name in node.names:
        frame = s.frames[-1].parent
        while frame is not None and name not in frame.locals:
            frame = frame.parent
        if frame is None:
            s.fail(f"a store into '{name}', a variable of the function around the one that is transformed",
                   "Return the value, and assign it outside.", error=ImpurityError)


@handles(gast.FunctionDef)
def function(s, node):
    from .calls import closure
    if node.decorator_list:
        value = closure(s, node)
        from .calls import call_value
        for decorator in reversed(node.decorator_list):
            value = call_value(s, evaluate(s, decorator), [value], {})
    else:
        value = closure(s, node)
    s.heap[s.frames[-1], node.name] = value


@handles(gast.Delete)
def delete(s, node):
    for target in node.targets:
        match target:
            case gast.Name(id=name):
                s.heap.pop((s.frames[-1], name), None)
            case gast.Attribute(value=base, attr=attr):
                delete_attribute(s, evaluate(s, base), attr)
            case gast.Subscript(value=base, slice=index) if item_of_class(s, "__delitem__", evaluate(s, base), evaluate(s, index)) is not None:
                pass
            case _:
                s.fail(*PART_DELETED)


def exception_name(cls: type) -> str:
    """What `runtime.require` finds an exception class by."""
    if getattr(builtins, cls.__name__, None) is cls:
        return cls.__name__
    name = f"{cls.__module__}:{cls.__qualname__}"
    EXCEPTIONS[name] = cls
    return name


@handles(gast.Raise)
def raise_(s, node):
    kind, message = "RuntimeError", ""
    if node.exc is not None:
        call = node.exc if isinstance(node.exc, gast.Call) else None
        cls = evaluate(s, call.func if call else node.exc)
        if isinstance(cls, v.Static) and isinstance(cls.value, type) and issubclass(cls.value, BaseException):
            kind = exception_name(cls.value)
        elif isinstance(cls, v.Static):
            kind, message = "TypeError", "exceptions must derive from BaseException"
        if ":" in kind and call and (len(call.args) > 1 or call.keywords):
            s.fail(f"raise {cls.value.__name__} with several arguments", "Give it one argument, the message.")
        if call and call.args:
            text = evaluate(s, call.args[0])
            if ":" in kind and isinstance(cls.value.__init__, FunctionType) and not is_text(text):
                s.fail(f"raise {cls.value.__name__}, whose __init__ is given {s.describe(text)}", "Give it a string.")
            text = text if (own := text_of_class(s, text, "!s", "")) is None else own
            message = str(text.value) if isinstance(text, v.Static) else str(text) if isinstance(text, v.Text) else \
                "{" + gast.unparse(call.args[0]).strip() + "}"
    s.stop(kind, message)


__all__ = ["Const", "bind", "execute"]
