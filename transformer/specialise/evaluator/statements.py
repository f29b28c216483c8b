"""Statements: what each kind of node does on the machine `s`."""
from __future__ import annotations

import operator
from contextlib import contextmanager

import gast

from ...core import Const
from ...errors import ImpurityError, UnsupportedError
from ...normalise.exits import MARKER
from ...normalise.trees import nodes
from ..heap import values as v
from ..heap.classes import as_builtin
from ..heap.liveness import live_at_head
from .attributes import attribute
from .containers import by_python, is_dict, is_list, on_real, real, sampled
from .control import choose, decide, for_loop, while_loop
from .expressions import BINARY, binary_op, condition, negate, truth
from .indexing import delete_item, get_at, set_item
from .iteration import (END, advance, begin, drawn, finish, is_iterator, is_ours, iterate_static, iterator, pull,
                        sequence)
from .lookup import lookup, owner
from .making import change_attribute
from .protocols import BINARY as OPERATORS
from .protocols import in_place as in_place_of_class
from .sides import NONE, on_sides, settled
from .signatures import attempt
from .tables import evaluate, execute, executes


UNROLLED = 2000  # iterations of a loop that is unrolled because it must be
FEW = 32  # iterations of one that is unrolled where it is refused as a loop


# assignment ----------------------------------------------------------------------------------
@executes(gast.Assign)
def assign(s, node):
    match node:
        case gast.Assign(targets=[gast.Tuple(elts=targets)],
                         value=gast.Tuple(elts=parts)) if (len(targets) == len(parts)
                and not starred([*targets, *parts])):
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


@executes(gast.AnnAssign)
def annotated(s, node):
    if node.value is not None:
        bind(s, node.target, evaluate(s, node.value))


def bind(s, target, value, others=()) -> None:
    """Assign; `others` are values that wait to be assigned, too."""
    match target:
        case gast.Name(id=name):
            s.heap[owner(s.frames[-1], name), name] = s.name_last(value, name, others)
        case gast.Tuple(elts=targets) | gast.List(elts=targets):
            unpack(s, targets, value, others)
        case gast.Subscript(value=base, slice=index):
            set_item(s, evaluate(s, base), evaluate(s, index), value)
        case gast.Attribute(value=base, attr=attr):
            change_attribute(s, evaluate(s, base), attr, value)
        case gast.Starred():
            s.fail("a starred target", "Unpack by index: first, rest = x[0], x[1:]", node=target)


def unpack(s, targets, value, others=()) -> None:
    """a, b = value; a, *b = value"""
    value = settled(s, value, lambda none: unpack(s, targets, none))
    if (isinstance(value, (v.Num, v.Closure)) or isinstance(value, v.Static)
            and not any([hasattr(type(value.value), m) for m in ("__iter__", "__getitem__")])):
        s.stop("TypeError", f"cannot unpack non-iterable {s.class_name(value)} object")
    n, star = len(targets), next((k for k, t in enumerate(targets) if isinstance(t, gast.Starred)), None)
    it = sequence(s, value)
    if star is None and it is not None and not isinstance(it.count, v.Static):
        count = s.atom(it.count)
        s.require(s.emit("greater_equal", count, Const(n), hint="ok"), "ValueError",
                  f"not enough values to unpack (expected {n}, got {{}})", count)
        s.require(s.emit("less_equal", count, Const(n), hint="ok"), "ValueError",
                  f"too many values to unpack (expected {n})")
        return bind_all(s, targets, [it.at(v.Static(k)) for k in range(n)], others)
    items = iterate_static(s, value, "it is unpacked")
    if star is None:
        if len(items) < n:
            s.stop("ValueError", f"not enough values to unpack (expected {n}, got {len(items)})")
        if len(items) > n:
            s.stop("ValueError", f"too many values to unpack (expected {n})")
        return bind_all(s, targets, items, others)
    if len(items) < n - 1:
        s.stop("ValueError", f"not enough values to unpack (expected at least {n - 1}, got {len(items)})")
    end = len(items) - (n - 1 - star)
    bind_all(s, [t.value if isinstance(t, gast.Starred) else t for t in targets],
             [*items[:star], s.box(items[star:end]), *items[end:]], others)


def bind_all(s, targets, parts, others) -> None:
    for k, (target, part) in enumerate(zip(targets, parts, strict=True)):
        bind(s, target, part, [*parts[k + 1:], *others])


@executes(gast.AugAssign)
def augmented(s, node):
    op = BINARY[type(node.op).__name__]
    match node.target:
        case gast.Name(id=name):
            old = lookup(s, name)
            bind(s, node.target, in_place(s, op, old, evaluate(s, node.value)))
        case gast.Subscript(value=base_node, slice=index_node):
            base, index = evaluate(s, base_node), evaluate(s, index_node)
            base = settled(s, base, lambda none: get_at(s, none, index))
            added = isinstance(base, v.Array) and op in ("add", "subtract") and not calls(node.value)
            # it is read first: what the value raises, or a call in it changes, comes after
            old = get_at(s, base, index) if not added else None
            content = s.heap.get((base.cell, None)) if isinstance(base, v.Array) else None
            value = evaluate(s, node.value)
            changed = not isinstance(base, v.Array) or s.heap[base.cell, None] != content
            augment_item(s, op, base, index, value, old if changed else None)
        case gast.Attribute(value=base_node, attr=attr):
            base = settled(s, evaluate(s, base_node), lambda none: attribute(s, none, attr))
            change_attribute(s, base, attr, in_place(s, op, attribute(s, base, attr), evaluate(s, node.value)))


def calls(node) -> bool:
    return any([isinstance(n, gast.Call) for n in nodes(node)])


def augment_item(s, op, base, index, value, old=None):
    if isinstance(base, v.Array) and op in ("add", "subtract") and s.is_numeric(value) and old is None:
        t = s.type(base)
        other = s.b.type(s.atom(value))
        element = sum([s.is_numeric(p) for p in parts_of(index)]) == t.rank
        if (not (has_array(index) or element and other.rank) and t.is_float
                and (other.kind == "py" or other.dtype == t.dtype) and (op == "add" or other.is_float)):
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


def parts_of(index) -> tuple:
    """The parts of a subscript."""
    return index.items if isinstance(index, v.Tuple) and index.cls is not slice else (index,)


def has_array(index) -> bool:
    return any(isinstance(p, (v.Array, v.Boxed)) for p in parts_of(index))


IN_PLACE = {"add": "__iadd__", "multiply": "__imul__", "or_": "__ior__"}  # of lists and dicts


@on_sides
def in_place(s, op, old, value):
    """old op= value: a store for an array and a list, else a new value."""
    if (own := in_place_of_class(s, op, old, value)) is not None:
        return own
    box, old = old, as_builtin(old)
    method = getattr(old.cls, IN_PLACE.get(op, ""), None) if is_list(old) or is_dict(old) else None
    if method is not None and not (isinstance(value, (v.Array, v.Num)) and s.type(value).kind != "py"):
        value = v.Tuple(tuple(iterate_static(s, value, "it extends a list"))) if op == "add" else value
        on_real(s, old, method, real(s, s.static_number(s.static(value, "it repeats a list"))
                                     if op == "multiply" else value))
        return box
    if isinstance(old, v.Array):
        check_cast(s, op, old, value)
    if old == NONE and s.is_numeric(value):
        return by_python(s, getattr(operator, f"i{OPERATORS[op]}"), old, value)
    new = binary_op(s, op, old, as_builtin(value))  # what their classes say has been asked
    if not isinstance(old, v.Array):
        return new
    atom, t = s.atom(new), s.type(old)
    have = s.b.type(atom)
    if t.dtype != have.dtype:
        atom = s.emit("rt.astype", atom, dtype=t.dtype)
    text, numbers = s.shape_text(t, have)
    how = "non-broadcastable output operand with shape {} doesn't match the broadcast shape {}".format(
        *text.split(" ", 1))
    if have.rank > t.rank:
        s.stop("ValueError", how.replace("{}", "..."))
    atom = s.match_exactly(atom, tuple(d if d.is_one else e for d, e in zip(t.dims, have.dims)), how, numbers)
    if have.kind != "array":
        atom = s.emit("np.asarray", atom)
    if s.b.type(atom).dims != t.dims:
        atom = s.emit("retype", atom, dims=t.dims)
    s.assign_whole(old, s.atom(s.name_last(v.Num(atom), old.cell.hint)) if not old.path else atom)
    return old


def check_cast(s, op, old, value) -> None:
    """The TypeError of an array that cannot hold what an operator gives, before shapes are compared:
    NumPy is asked, with arrays of one element."""
    _, error = attempt(getattr(operator, f"i{OPERATORS[op]}"), sampled(s, old), sampled(s, value))
    if error is not None and error[0] == "TypeError":  # others depend on the values
        s.refuse_several([s.atom(value)] if s.is_numeric(value) else [])
        s.stop(*error)


# control -------------------------------------------------------------------------------------
@executes(gast.If)
def if_(s, node, live):
    decide(s, condition(s, node.test), lambda: nothing(execute(s, node.body, live)),
           lambda: nothing(execute(s, node.orelse, live)), live)


def nothing(_):
    return None


@executes(gast.While)
def while_(s, node, live):
    head, tests, key = live_at_head(node, live), [], s.loop_key(node)

    def test():
        tests.append(condition(s, node.test))
        return tests[-1]

    if key in s.static_paths:  # as long as the test is known now: a walk along objects that hold one another, say
        while known_test(s, test(), tests, node):
            execute(s, node.body, head)
        return
    try:
        while_loop(s, node, head, test, lambda: execute(s, node.body, head))
    except v.Grows as growth:
        if isinstance(tests[0], v.Static) and not isinstance(node.test, gast.Constant):
            raise v.Restart(frozenset({key})) from None
        s.fail(*GROWS, origin=growth.origin)


def known_test(s, found, tests, node) -> bool:
    if not isinstance(found, v.Static):
        s.fail(*GROWS, node=node)
    if len(tests) > UNROLLED:
        s.fail(f"a loop that is unrolled, of more than {UNROLLED} iterations",
               "Put what it runs over into one array.", node=node)
    return found.value


AS_A_LIST = ("a list that grows in a loop of the run time is used as a list",
             "Make an array of it after the loop, np.stack(out); len(out), out[k], out.append(v) and loops over it "
             "are possible as well.")
GROWS = ("a list that grows or shrinks in a loop of the run time",
    "Make an array before the loop, and store into it: out = np.zeros(n); give an object all its attributes in "
    "__init__")


@executes(gast.For)
def for_(s, node, live):
    head, iterable, flag = live_at_head(node, live), node.iter, None
    match iterable:
        # it is left early: where the flag is up
        case gast.Call(func=gast.Name(id=name), args=[inner, gast.Constant(value=up)]) if name == MARKER:
            iterable, flag, head = inner, up, head | {up, f"_gs_at_{up}"}
    value = drawn_from(s, evaluate(s, iterable))
    with held(s, node, value, head) as head:
        loop(s, node, value, head, lambda item: one_iteration(s, node, item, head), flag)


def drawn_from(s, value):
    """What a loop runs over: a sequence as it is, of all else an iterator."""
    value = settled(s, value, lambda none: iterator(s, none))
    return value if sequence(s, value) is not None else iterator(s, value)


def loop(s, node, value, head, one, flag=None) -> None:
    """`one(item)` for each item of a value, while the flag is down:
    in a loop of the run time where that can be, else one after the other."""
    it = sequence(s, value) or drawn(s, value)
    unrolled = lambda: unroll(s, node, value, one, head, flag)  # noqa: E731
    if it is None or it.items:
        return unrolled()
    start, stop, step = it.range or (v.Static(0), it.count, v.Static(1))

    def running(instead):
        own = begin(s, value)
        if flag is None:
            for_loop(s, node, start, stop, step, head, one if it.range else lambda k: one(it.at(k)), instead)
        finish(s, own, it.count if flag is None else while_in_range(s, node, head, it, one, flag), it.count)

    loop_or_unroll(s, node, it, running, unrolled)


@contextmanager
def held(s, node, value, head):
    """The arrays that a loop runs over belong to a variable of ours: the user's may get other arrays in it.
    Gives what is live."""
    arrays = tuple(arrays_of(s, value))
    if not arrays:
        yield head
        return
    frame, name = s.frames[-1], f"_gs_over_{node.lineno}_{node.col_offset}"
    frame.locals |= {name}
    s.heap[frame, name] = v.Tuple(arrays)
    yield head | {name}
    s.heap.pop((frame, name), None)


def arrays_of(s, value) -> list:
    """Those that a loop over the value reads elements of."""
    match value:
        case v.Array():
            return [value]
        case v.Maybe(value=inner):
            return arrays_of(s, inner)
        case v.Boxed() if is_iterator(value):
            return [a for part in s.items(value) for a in arrays_of(s, part)]
    return []


def run_over(s, generator, value, one) -> None:
    """`one(item)` for each item of what a comprehension runs over."""
    node = gast.copy_location(gast.For(generator.target, generator.iter, [], [], None), generator.iter)
    value = drawn_from(s, value)
    it = sequence(s, value) or drawn(s, value)
    if it is not None and not isinstance(it.count, v.Static):
        return loop(s, node, value, None, one)
    it = iterator(s, value)
    while (item := advance(s, it, "a list comprehension runs over it")) is not END:
        one(item)


def loop_or_unroll(s, node, it, loop, unrolled) -> None:
    """A loop of the run time where that can be, else one statement after the other for each item."""
    if s.loop_key(node) in s.static_paths and isinstance(it.count, v.Static):
        return unrolled()
    known, key = set(s.b.types), s.loop_key(node)
    countable = isinstance(it.count, v.Static) or s.atom(it.count) in s.entry_ints

    def instead():
        if not countable:
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
        if not countable:
            s.fail(*GROWS, origin=growth.origin)
        why = "a list or dict grows in the loop"
    except UnsupportedError as error:
        if not isinstance(it.count, v.Static) or it.count.value > (UNROLLED if getattr(error, "mixed", False) else FEW):
            raise
        why = "more is known in an unrolled loop: which array is which, what kind of value each iteration has"
    s.node = node.iter
    s.static(it.count, why)
    raise v.Restart(frozenset({key}))


def one_iteration(s, node, item, head):
    with s.b.at(s.origin(node)):
        bind(s, node.target, item)
    execute(s, node.body, head)


def unroll(s, node, value, one, head, flag) -> None:
    """One item after the other, while the flag is down."""
    frame, it, k, going = s.frames[-1], iterator(s, value), 0, True
    why = "the loop runs over a list or tuple"
    ours = flag is not None and is_ours(s, it)

    def item():
        nonlocal going
        found = advance(s, it, why)
        going = found is not END
        if going and k == UNROLLED:
            s.fail(f"a loop over more than {UNROLLED} items of a list", "Put the items into one array.", node=node)
        one(found) if going else None

    while going:
        stopped = v.Static(False) if flag is None else truth(s, s.heap[frame, flag])
        if isinstance(stopped, v.Static):
            going = not stopped.value
            item() if going else None
        elif not ours:
            choose(s, stopped.atom, lambda: None, item, head)
        elif going := (draw := pull(s, it, why)) is not END:  # where it is after a break is of no consequence
            choose(s, stopped.atom, lambda: None, lambda: nothing(one(draw())), head)
        k += 1


def while_in_range(s, node, head, it, one, flag):
    """A `while` over the position, as long as the flag is down."""
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
        one(it.at(k))
        s.heap[frame, counter] = s.elementwise("add", k, v.Static(1), hint="at")

    frame.locals |= {counter}
    while_loop(s, node, head, test, body)
    return s.heap.pop((frame, counter), None)


# the rest ------------------------------------------------------------------------------------
@executes(gast.Expr)
def expression(s, node):
    if not isinstance(node.value, gast.Constant):
        evaluate(s, node.value)


@executes(gast.Pass)
def pass_(s, node):
    pass


@executes(gast.Nonlocal)
def nonlocal_(s, node):
    for name in node.names:
        frame = s.frames[-1].parent
        while frame is not None and name not in frame.locals:
            frame = frame.parent
        if frame is None:
            s.fail(f"a store into '{name}', a variable of the function around the one that is transformed",
                   "Return the value, and assign it outside.", error=ImpurityError)


@executes(gast.FunctionDef)
def function(s, node):
    value = s.closure(node)
    for decorator in reversed(node.decorator_list):
        value = s.call_value(evaluate(s, decorator), [value], {})
    s.heap[s.frames[-1], node.name] = value


@executes(gast.Delete)
def delete(s, node):
    for target in node.targets:
        match target:
            case gast.Name(id=name):
                lookup(s, name)  # it must be there
                s.heap.pop((owner(s.frames[-1], name), name), None)
            case gast.Subscript(value=base, slice=index):
                delete_item(s, evaluate(s, base), evaluate(s, index))
            case gast.Attribute(value=base, attr=attr):
                change_attribute(s, evaluate(s, base), attr)
            case gast.Tuple(elts=parts) | gast.List(elts=parts):
                delete(s, gast.Delete(parts))


@executes(gast.Raise)
def raise_(s, node):
    s.certain(node)
