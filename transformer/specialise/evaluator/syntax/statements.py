"""Statements: what each kind of node does on the machine `s`."""
from __future__ import annotations

import operator

import gast

from ....core import Const
from ....frontend.trees import nodes
from ....inputs.guards import Path
from ...domain import values as v
from ...domain.classes import as_builtin, is_set
from ..arrays.masks import subscript_parts
from ..arrays.signatures import attempt
from ..flow.control import decide
from ..flow.sides import NONE, on_sides, settled_value
from ..names.assigned import declare
from ..names.lookup import lookup, owner
from ..names.tables import evaluate, execute, executes
from ..objects.attributes import attribute
from ..objects.containers import by_python, is_changeable, on_real, python_container, sampled
from ..objects.iteration import iterate_static, sequence
from ..objects.making import change_attribute
from ..objects.members import call_set
from ..objects.protocols import BINARY as OPERATORS, binary_method
from ..objects.row_containers import call_in_rows, is_keyed, put_in_rows
from .expressions import condition
from .indexing import delete_item, get_at, lists_places, set_item
from .operators import BINARY, binary_op
from .yielding import listed


# assignment ----------------------------------------------------------------------------------
@executes(gast.Assign)
def assign(s, node):
    match node:
        case gast.Assign(targets=[gast.Tuple(elts=targets)],
                         value=gast.Tuple(elts=parts)) if (len(targets) == len(parts)
                and not any([isinstance(n, gast.Starred) for n in (*targets, *parts)])):
            # each is called by the variable that it is going to be assigned to
            value = v.Tuple(tuple([s.name_last(evaluate(s, p), t.id) if isinstance(t, gast.Name) else evaluate(s, p)
                                   for t, p in zip(targets, parts)]))
        case _:
            value = evaluate(s, node.value)
    for target in node.targets:
        bind(s, target, value)


@executes(gast.AnnAssign)
def annotated(s, node):
    if node.value is not None:
        bind(s, node.target, evaluate(s, node.value))


def bind(s, target, value, others=()) -> None:
    """Assign; `others` are values that wait to be assigned, too."""
    match target:
        case gast.Name(id=name):
            s.heap[owner(s, s.frames[-1], name), name] = s.name_last(value, name, others)
        case gast.Tuple(elts=targets) | gast.List(elts=targets):
            unpack_targets(s, targets, value, others)
        case gast.Subscript(value=base, slice=index):
            set_item(s, evaluate(s, base), evaluate(s, index), value)
        case gast.Attribute(value=base, attr=attr):
            change_attribute(s, evaluate(s, base), attr, value)


def unpack_targets(s, targets, value, others=()) -> None:
    """a, b = value; a, *b = value"""
    value = listed(s, settled_value(s, value, lambda none: unpack_targets(s, targets, none)))
    if (isinstance(value, (v.Number, v.Closure)) or isinstance(value, v.Static)
            and not any([hasattr(type(value.value), m) for m in ("__iter__", "__getitem__")])):
        s.stop("TypeError", f"cannot unpack non-iterable {s.class_name(value)} object")
    star = next((k for k, t in enumerate(targets) if isinstance(t, gast.Starred)), None)
    it = sequence(s, value)
    if star is None and it is not None and not isinstance(it.count, v.Static):
        return bind_all(s, targets, items_of_count(s, it, len(targets)), others)
    items, least = iterate_static(s, value, "it is unpacked"), len(targets) - (star is not None)
    if len(items) < least:
        s.stop("ValueError", f"not enough values to unpack (expected {'at least ' * (star is not None)}{least}, "
                             f"got {len(items)})")
    if star is None and len(items) > least:
        s.stop("ValueError", f"too many values to unpack (expected {least})")
    if star is not None:
        end = len(items) - (least - star)
        items = [*items[:star], s.box(items[star:end]), *items[end:]]
    return bind_all(s, [t.value if isinstance(t, gast.Starred) else t for t in targets], items, others)


def items_of_count(s, it, n: int) -> list:
    """The n items of a sequence of which only the run time knows how many there are."""
    count = s.atom(it.count)
    s.settle(s.b.dim(count), n)
    s.require(s.emit("greater_equal", count, Const(n), hint="ok"), "ValueError",
              f"not enough values to unpack (expected {n}, got {{}})", count)
    s.require(s.emit("less_equal", count, Const(n), hint="ok"), "ValueError",
              f"too many values to unpack (expected {n})")
    return [it.at(v.Static(k)) for k in range(n)]


def bind_all(s, targets, parts, others) -> None:
    for k, (target, part) in enumerate(zip(targets, parts, strict=True)):
        bind(s, target, part, [*parts[k + 1:], *others])


@executes(gast.AugAssign)
def augmented(s, node):
    op = BINARY[type(node.op).__name__]
    match node.target:
        case gast.Name(id=name):
            old = lookup(s, name)
            if not s.frames[-1].captured.library:
                s.note_view(old, name)
            bind(s, node.target, in_place(s, op, old, evaluate(s, node.value)))
        case gast.Subscript(value=base_node, slice=index_node):
            base, index = evaluate(s, base_node), evaluate(s, index_node)
            base = settled_value(s, base, lambda none: get_at(s, none, index))
            added = isinstance(base, v.Array) and op in ("add", "subtract") and not any(
                [isinstance(n, gast.Call) for n in nodes(node.value)])
            # it is read first: what the value raises, or a call in it changes, comes after
            old = get_at(s, base, index) if not added else None
            content = s.heap.get((base.cell, None)) if isinstance(base, v.Array) else None
            value = evaluate(s, node.value)
            changed = not isinstance(base, v.Array) or s.heap[base.cell, None] != content
            augment_item(s, op, base, index, value, old if changed else None)
        case gast.Attribute(value=base_node, attr=attr):
            base = settled_value(s, evaluate(s, base_node), lambda none: attribute(s, none, attr))
            change_attribute(s, base, attr, in_place(s, op, attribute(s, base, attr), evaluate(s, node.value)))


def augment_item(s, op, base, index, value, old=None):
    if old is None and is_plain_sum(s, op, base, index, value):
        set_item(s, base, index, s.elementwise("negative", value) if op == "subtract" else value, add=True)
        return
    old = get_at(s, base, index) if old is None else old
    new = in_place(s, op, old, value)
    if isinstance(new, v.Array) and new is old and isinstance(base, v.Array) and not has_array(s, index):
        return  # a view: the store has gone through it
    if is_keyed(s, base, index):
        return put_in_rows(s, base, index, new, again=True)
    set_item(s, base, index, new)


def is_plain_sum(s, op, base, index, value) -> bool:
    """Is it a sum in a part of an array of floats that nothing rounds or broadcasts otherwise where it is added?"""
    if not (isinstance(base, v.Array) and op in ("add", "subtract") and s.is_numeric(value)):
        return False
    t, other = s.type(base), s.b.type(s.atom(value))
    element = sum([s.is_numeric(p) for p in subscript_parts(index)]) == t.rank
    return (not (has_array(s, index) or element and other.rank) and t.is_float
            and (other.kind == "py" or other.dtype == t.dtype) and (op == "add" or other.is_float))


def has_array(s, index) -> bool:
    """Does an index give a copy: has it arrays, lists or bools in it?"""
    return any([isinstance(p, v.Array) or lists_places(p) or s.is_numeric(p) and s.type(p).dtype.kind == "b"
                for p in subscript_parts(index)])


IN_PLACE = {"add": "__iadd__", "multiply": "__imul__", "or_": "__ior__"}  # of lists, dicts and deques
OF_SETS = {"or_": "__ior__", "and_": "__iand__", "subtract": "__isub__", "xor": "__ixor__"}


@on_sides
def in_place(s, op, old, value):
    """old op= value: a store for an array and a list, else a new value."""
    if (own := binary_method(s, op, old, value, "i")) is not None:
        return own
    box, old = old, as_builtin(old)
    if is_set(old) and op in OF_SETS and is_set(value):
        return call_set(s, old, OF_SETS[op], [value])
    method = getattr(old.cls, IN_PLACE.get(op, ""), None) if is_changeable(old) else None
    if method is not None and not (isinstance(value, (v.Array, v.Number)) and s.type(value).kind != "py"):
        if call_in_rows(s, old, "extend" * (op == "add"), [value], {}) is not None:
            return box
        value = (v.Tuple(tuple(iterate_static(s, value, "it extends a list"))) if op == "add"
                 else s.static_number(s.static(value, "it repeats a list")) if op == "multiply" else value)
        on_real(s, old, method, python_container(s, value))
        return box
    if isinstance(old, v.Array):
        return array_in_place(s, op, old, value)
    if old == NONE and s.is_numeric(value):
        return by_python(s, getattr(operator, f"i{OPERATORS[op]}"), old, value)
    return binary_op(s, op, old, as_builtin(value))  # what their classes say has been asked


def array_in_place(s, op, old: v.Array, value) -> v.Array:
    """old op= value of an array: a store of what the operator gives, which must have its lengths."""
    check_cast(s, op, old, value)
    new = binary_op(s, op, old, as_builtin(value))
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
    s.assign_whole(old, s.atom(s.name_last(v.Number(atom), old.cell.hint)) if not old.path else atom)
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


# the rest ------------------------------------------------------------------------------------
@executes(gast.Expr)
def expression_statement(s, node):
    if not isinstance(node.value, gast.Constant):
        evaluate(s, node.value)


@executes(gast.Pass)
def pass_(s, node):
    pass


@executes(gast.Nonlocal)
def nonlocal_(s, node):
    for name in node.names:
        frame = s.frames[-1]
        while frame.parent is not None and name not in frame.parent.locals:
            frame = frame.parent
        if frame.parent is None:
            cell = frame.captured.freevars[name]
            declare(s, Path(name, cell, name, "cell"), (id(cell),))


@executes(gast.Delete)
def delete(s, node):
    for target in node.targets:
        match target:
            case gast.Name(id=name):
                lookup(s, name)  # it must be there
                s.heap.pop((owner(s, s.frames[-1], name), name), None)
            case gast.Subscript(value=base, slice=index):
                delete_item(s, evaluate(s, base), evaluate(s, index))
            case gast.Attribute(value=base, attr=attr):
                change_attribute(s, evaluate(s, base), attr)
            case gast.Tuple(elts=parts) | gast.List(elts=parts):
                delete(s, gast.Delete(parts))
