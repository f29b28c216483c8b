"""Expressions: the value of each kind of node on the machine `s`."""
from __future__ import annotations

import functools

import gast

from ...domain import values as v
from ...domain.lattice import cases_of
from ..flow.control import decide
from ..flow.sides import on_sides
from ..names.lookup import INLINE, INLINED, SCOPES, lookup, owner
from ..names.tables import evaluate, evaluates
from ..objects.attributes import attribute
from ..objects.containers import is_dict, python, python_container, python_of, value_of
from ..objects.iteration import iterate_static
from ..objects.texts import text_parts
from ..objects.truths import as_bool, both_true, either_true, first_to_decide, negate, truth
from .indexing import get_at
from .operators import BINARY, binary_op, compare_values, contained, identical, unary_op

UNARY = {"USub": "negative", "UAdd": "positive", "Invert": "invert"}
COMPARE = {"Lt": "less", "LtE": "less_equal", "Gt": "greater", "GtE": "greater_equal", "Eq": "equal",
           "NotEq": "not_equal"}

COMPREHENSIONS = (gast.ListComp, gast.DictComp, gast.SetComp, gast.GeneratorExp)
MEMBER = "it is an item of a set"


@evaluates(gast.Constant)
def constant_value(s, node):
    return v.Static(node.value)


@evaluates(gast.Name)
def name(s, node):
    return lookup(s, node.id)


@evaluates(gast.Attribute)
def attribute_of(s, node):
    return attribute(s, evaluate(s, node.value), node.attr)


@evaluates(gast.Tuple)
def tuple_display(s, node):
    return v.Tuple(tuple(element_values(s, node.elts)))


@evaluates(gast.List)
def list_display(s, node):
    return s.box(element_values(s, node.elts))


def element_values(s, nodes):
    for n in nodes:
        if isinstance(n, gast.Starred):
            yield from iterate_static(s, evaluate(s, comprehension_of(n.value)), "a starred expression is unpacked")
        else:
            yield evaluate(s, n)


@evaluates(gast.Dict)
def dict_display(s, node):
    made: dict = {}
    for k, item in zip(node.keys, node.values):
        if k is None:
            other = evaluate(s, item)
            if not is_dict(other):
                s.stop("TypeError", f"'{s.class_name(other)}' object is not a mapping")
            python(s, made.update, python_container(s, other))
        else:
            key = s.static(evaluate(s, k), "it is the key of a dict")
            python(s, made.__setitem__, key, python_of(s, evaluate(s, item)))
    return value_of(s, made)


@evaluates(gast.JoinedStr)
def joined_string(s, node):
    values, written = [], []
    for part in node.values:
        if not isinstance(part, gast.FormattedValue):
            values.append(evaluate(s, part))
            written.append(None)
            continue
        spec = joined_string(s, part.format_spec) if part.format_spec is not None else v.Static("")
        if not isinstance(spec, v.Static):
            s.fail("a format with a value of the run time", "Write the format as a constant.")
        conversion = "!" + chr(part.conversion) if part.conversion > 0 else ""
        values.append(evaluate(s, part.value))
        written.append((conversion, spec.value, gast.unparse(part.value).strip()))
    known = all([v.is_known(y) for x in values for y in cases_of(x)])
    return (on_sides(of_parts) if known else of_parts)(s, written, *values)


def of_parts(s, written, *values):
    """The text of an f-string: of each value its own, in the way that is written, or a constant."""
    parts = [text_parts(s, x, *how) if how else [x.value] for x, how in zip(values, written)]
    return v.text([p for part in parts for p in part])


# operators -----------------------------------------------------------------------------------
@evaluates(gast.BinOp)
def binary(s, node):
    return binary_op(s, BINARY[type(node.op).__name__], evaluate(s, node.left), evaluate(s, node.right))


@evaluates(gast.UnaryOp)
def unary(s, node):
    if isinstance(node.op, gast.Not):
        return negate(s, condition(s, node.operand))
    return unary_op(s, UNARY[type(node.op).__name__], evaluate(s, node.operand))


@evaluates(gast.Compare)
def compare(s, node):
    """a < b < c is `a < b and b < c` with b evaluated once."""
    def chain(left, rest):
        (op, right_node), *more = rest
        right = evaluate(s, right_node)
        result = _compare(s, op, left, right)
        return decide(s, truth(s, result), lambda: chain(right, more), lambda: result) if more else result

    return chain(evaluate(s, node.left), list(zip(node.ops, node.comparators)))


def _compare(s, op, left, right):
    match op:
        case gast.Is() | gast.IsNot():
            result = identical(s, left, right)
        case gast.In() | gast.NotIn():
            result = as_bool(s, contained(s, left, right))
        case _:
            return compare_values(s, COMPARE[type(op).__name__], left, right)
    return negate(s, result) if isinstance(op, (gast.IsNot, gast.NotIn)) else result


def condition(s, node):
    """The truth of an expression.  That of `a and b` is wanted here, not the value,
    which may be either of two kinds."""
    match node:
        case gast.BoolOp(op=op, values=[first, *rest]):
            more = rest[0] if len(rest) == 1 else gast.copy_location(gast.BoolOp(op, rest), node)
            return (both_true if isinstance(op, gast.And) else either_true)(s, condition(s, first),
                                                                            lambda: condition(s, more))
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            return negate(s, condition(s, operand))
    value = evaluate(s, node)
    return value if type(value) is v.Static and type(value.value) is bool else truth(s, value)


@evaluates(gast.BoolOp)
def boolean(s, node):
    return first_to_decide(s, isinstance(node.op, gast.And), [functools.partial(evaluate, s, n) for n in node.values])


@evaluates(gast.IfExp)
def conditional(s, node):
    return decide(s, condition(s, node.test), lambda: evaluate(s, node.body), lambda: evaluate(s, node.orelse))


# subscripts, arguments of calls --------------------------------------------------------------
@evaluates(gast.Subscript)
def subscript(s, node):
    return get_at(s, evaluate(s, node.value), evaluate(s, node.slice))


@evaluates(gast.Slice)
def slice_display(s, node):
    parts = [v.Static(None) if p is None else evaluate(s, p) for p in (node.lower, node.upper, node.step)]
    return v.Tuple(tuple(parts), slice)


def arguments(s, node, function) -> tuple[list, dict]:
    """The values of the arguments of a call."""
    args, kwargs = list(element_values(s, node.args)), {}
    for keyword in node.keywords:
        value = evaluate(s, keyword.value)
        if keyword.arg is None and not (isinstance(value, v.Boxed) and issubclass(value.cls, dict)):
            wrong_call(s, function, f"argument after ** must be a mapping, not {s.class_name(value)}")
        for key, item in zip(s.keys(value), s.items(value)) if keyword.arg is None else [(keyword.arg, value)]:
            if key in kwargs:
                wrong_call(s, function, f"got multiple values for keyword argument '{key}'")
            kwargs[key] = item
    return args, kwargs


def wrong_call(s, function, why: str) -> None:
    """A TypeError of the call itself, before any argument is bound."""
    if isinstance(function, v.Closure):
        frame = v.Frame(function.node, function.frame.captured, function.frame)
        named = f"{frame.captured.function.__module__}.{qualified(frame)}()"
    else:
        f = getattr(function, "value", function)
        module = getattr(f, "__module__", None)
        named = (f"{module}.{f.__qualname__}()" if module not in (None, "builtins") and hasattr(f, "__qualname__")
                 else f"{getattr(f, '__qualname__', 'function')}()")
    s.stop("TypeError", f"{named} {why}")


def qualified(frame: v.Frame) -> str:
    """The qualified name of the function that a frame runs."""
    if frame.parent is None:
        return frame.captured.function.__qualname__
    if isinstance(frame.node, COMPREHENSIONS):
        return (qualified(frame.parent) if INLINED and isinstance(frame.node, INLINE)
                else f"{qualified(frame.parent)}.<locals>.<{SCOPES[type(frame.node)]}>")
    return f"{qualified(frame.parent)}.<locals>.{'<lambda>' if frame.node.name == 'lambda_' else frame.node.name}"


@functools.cache
def comprehension_of(node):
    """A generator expression that is consumed at once as a list comprehension; any other expression as it is."""
    return (gast.copy_location(gast.ListComp(node.elt, node.generators), node) if isinstance(node, gast.GeneratorExp)
            else node)


@evaluates(gast.Set)
def set_display(s, node):
    return made_set(s, [s.static(x, MEMBER) for x in element_values(s, node.elts)])


def made_set(s, items):
    """A new set, as a display, a comprehension and set() make it: one item after the other."""
    return value_of(s, python(s, set, items), lambda: set(items))


def scope_of(s, node) -> v.Frame:
    """A frame for the variables of a comprehension."""
    outer = s.frames[-1]
    names = frozenset([n.id for g in node.generators
                       for n in gast.walk(g.target) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)])
    return v.Frame(node, outer.captured, outer, names, outer.hint, names, node)


@evaluates(gast.NamedExpr)
def named_expression(s, node):
    """name := value: of the function, also in a comprehension."""
    frame = s.frames[-1]
    while isinstance(frame.node, COMPREHENSIONS):
        frame = frame.parent
    frame, name = owner(s, frame, node.target.id), node.target.id
    value = s.heap[frame, name] = s.name_last(evaluate(s, node.value), name)
    return value
