"""Expressions: the value of each kind of node on the machine `s`."""
from __future__ import annotations

import functools
from contextlib import contextmanager

import gast

from ...domain import values as v
from ...domain.aliasing import forget_frame
from ...domain.branch_join import choices_of
from ..flow.control import decide
from ..flow.sides import on_sides
from ..names.lookup import lookup, owner
from ..names.tables import evaluate, evaluates
from ..objects.attributes import attribute
from ..objects.containers import is_dict, python, python_container, python_of, value_of
from ..objects.iteration import each_item, iterate_static
from ..objects.texts import text_parts
from ..objects.truths import as_bool, both_true, either_true, first_to_decide, negate, truth
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


@evaluates(gast.Lambda)
def lambda_(s, node):
    return s.closure(node)


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
    known = all([v.is_known(y) for x in values for y in choices_of(x)])
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
    return truth(s, evaluate(s, node))


@evaluates(gast.BoolOp)
def boolean(s, node):
    return first_to_decide(s, isinstance(node.op, gast.And), [functools.partial(evaluate, s, n) for n in node.values])


@evaluates(gast.IfExp)
def conditional(s, node):
    return decide(s, condition(s, node.test), lambda: evaluate(s, node.body), lambda: evaluate(s, node.orelse))


# subscripts, calls, comprehensions --------------------------------------------------------------
@evaluates(gast.Subscript)
def subscript(s, node):
    return s.get_at(evaluate(s, node.value), evaluate(s, node.slice))


@evaluates(gast.Slice)
def slice_display(s, node):
    parts = [v.Static(None) if p is None else evaluate(s, p) for p in (node.lower, node.upper, node.step)]
    return v.Tuple(tuple(parts), slice)


@evaluates(gast.Call)
def call(s, node):
    function = evaluate(s, node.func)
    if any([isinstance(n, gast.GeneratorExp) for n in node.args]) and (done := s.consumed(node, function)) is not None:
        return done
    args, kwargs = arguments(s, node, function)
    s.node = node
    return s.call_value(function, args, kwargs)


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
        named = f"{frame.captured.function.__module__}.{s.qualified(frame)}()"
    else:
        f = getattr(function, "value", function)
        module = getattr(f, "__module__", None)
        named = (f"{module}.{f.__qualname__}()" if module not in (None, "builtins") and hasattr(f, "__qualname__")
                 else f"{getattr(f, '__qualname__', 'function')}()")
    s.stop("TypeError", f"{named} {why}")


@functools.cache
def comprehension_of(node):
    """A generator expression that is consumed at once as a list comprehension; any other expression as it is."""
    return (gast.copy_location(gast.ListComp(node.elt, node.generators), node) if isinstance(node, gast.GeneratorExp)
            else node)


@evaluates(gast.ListComp)
def list_comprehension(s, node):
    out, slot = s.box(()), (s.frames[-1], f"_gs_list_{node.lineno}_{node.col_offset}")
    s.heap[slot] = out  # while it grows, it is one of the variables
    comprehend(s, node, lambda: s.append(out, evaluate(s, node.elt)), s.run_over)
    del s.heap[slot]
    return out


@evaluates(gast.DictComp)
def dict_comprehension(s, node):
    made: dict = {}

    def enter():
        key = s.static(evaluate(s, node.key), "it is a key")
        python(s, made.__setitem__, key, python_of(s, evaluate(s, node.value)))

    comprehend(s, node, enter, functools.partial(one_after_the_other, s))
    return value_of(s, made)


@evaluates(gast.Set)
def set_display(s, node):
    return made_set(s, [s.static(x, MEMBER) for x in element_values(s, node.elts)])


@evaluates(gast.SetComp)
def set_comprehension(s, node):
    out: list = []
    comprehend(s, node, lambda: out.append(s.static(evaluate(s, node.elt), MEMBER)),
               functools.partial(one_after_the_other, s))
    return made_set(s, out)


def made_set(s, items):
    """A new set, as a display, a comprehension and set() make it: one item after the other."""
    return value_of(s, python(s, set, items), lambda: set(items))


def comprehend(s, node, element, over, counts=True, at_the_end=lambda: None) -> None:
    """`element()` for all that a comprehension runs over; `over(generator, value, one)` calls one(item) for each item
    of a value; `counts`: the tests decide how long a list or dict is."""
    def each(generators, value):
        g, *rest = generators

        def one(item):
            s.bind(g.target, item)
            chosen(s, g.ifs, lambda: each(rest, evaluate(s, rest[0].iter)) if rest else element(), counts)

        over(g, value, one)

    first = evaluate(s, node.generators[0].iter)  # in the scope around
    with entered(s, scope_of(s, node)) as frame:
        each(node.generators, first)
        at_the_end()
    forget_frame(s.heap, frame, [])


LENGTH = "it decides how long a list or dict is"


def chosen(s, tests, action, counts: bool) -> None:
    """`action()` where all tests of a comprehension hold: as is known now, or as the run decides."""
    if not tests:
        return action()
    test = condition(s, tests[0])
    if counts and not s.loose:
        test = v.Static(s.static(test, LENGTH))
    return decide(s, test, lambda: chosen(s, tests[1:], action, counts), lambda: None)


def scope_of(s, node) -> v.Frame:
    """A frame for the variables of a comprehension."""
    outer = s.frames[-1]
    names = frozenset([n.id for g in node.generators
                       for n in gast.walk(g.target) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)])
    return v.Frame(node, outer.captured, outer, names, outer.hint, names, node)


@contextmanager
def entered(s, frame):
    """The machine is in a frame."""
    s.frames.append(frame)
    try:
        yield frame
    finally:
        s.frames.pop()


@evaluates(gast.NamedExpr)
def named_expression(s, node):
    """name := value: of the function, also in a comprehension."""
    frame = s.frames[-1]
    while isinstance(frame.node, COMPREHENSIONS):
        frame = frame.parent
    frame, name = owner(s, frame, node.target.id), node.target.id
    value = s.heap[frame, name] = s.name_last(evaluate(s, node.value), name)
    return value


def one_after_the_other(s, _, value, one) -> None:
    for item in each_item(s, value, "a comprehension runs over it"):
        one(item)
