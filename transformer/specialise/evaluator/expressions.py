"""Expressions: the value of each kind of node on the machine `s`."""
from __future__ import annotations

import enum
import functools
import operator

import gast
import numpy as np

from ...core import Const, Let
from ...library.ranges import in_range
from ...rules import OPS
from ...types import PY_BOOL
from ..heap import values as v
from ..heap.classes import as_builtin, users_class
from ..heap.heads import BECOMES_ARRAY
from ..heap.join import forget
from . import protocols
from .attributes import attribute
from .containers import (Item, by_python, compare_containers, contains, is_dict, is_list, python, python_of, real,
                         same_or_equal, sampled, value_of)
from .control import decide
from .iteration import END, advance, is_iterator, iterate_static, iterator, length, sequence
from .lookup import lookup, owner
from .objects import special
from .objects import identical as identical_objects
from .sides import NONE, divided, on_sides
from .tables import evaluate, evaluates
from .texts import text_of

BINARY = {"Add": "add", "Sub": "subtract", "Mult": "multiply", "Div": "divide",
          "FloorDiv": "floor_divide", "Mod": "mod",
          "Pow": "power", "MatMult": "matmul", "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor", "LShift": "lshift",
          "RShift": "rshift"}
UNARY = {"USub": "negative", "UAdd": "positive", "Invert": "invert"}
COMPARE = {"Lt": "less", "LtE": "less_equal", "Gt": "greater", "GtE": "greater_equal", "Eq": "equal",
           "NotEq": "not_equal"}

COMPREHENSIONS = (gast.ListComp, gast.DictComp)

NUMERIC = (v.Num, v.Array)
TRUE, FALSE = v.Static(True), v.Static(False)
AMBIGUOUS = "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"

@evaluates(gast.Constant)
def constant(s, node):
    return v.Static(node.value)


@evaluates(gast.Name)
def name(s, node):
    return lookup(s, node.id)


@evaluates(gast.Attribute)
def attribute_of(s, node):
    return attribute(s, evaluate(s, node.value), node.attr)


@evaluates(gast.Tuple)
def tuple_(s, node):
    return v.Tuple(tuple(elements(s, node.elts)))


@evaluates(gast.List)
def list_(s, node):
    return s.box(elements(s, node.elts))


def elements(s, nodes):
    for n in nodes:
        if isinstance(n, gast.Starred):
            yield from iterate_static(s, evaluate(s, n.value), "a starred expression is unpacked")
        else:
            yield evaluate(s, n)


@evaluates(gast.Dict)
def dict_(s, node):
    made: dict = {}
    for k, item in zip(node.keys, node.values):
        if k is None:
            other = evaluate(s, item)
            if not is_dict(other):
                s.stop("TypeError", f"'{s.class_name(other)}' object is not a mapping")
            python(s, made.update, real(s, other))
        else:
            key = s.static(evaluate(s, k), "it is the key of a dict")
            python(s, made.__setitem__, key, python_of(s, evaluate(s, item)))
    return value_of(s, made)


@evaluates(gast.Lambda)
def lambda_(s, node):
    return s.closure(node)


@evaluates(gast.JoinedStr)
def joined(s, node):
    parts: list = []
    for part in node.values:
        if not isinstance(part, gast.FormattedValue):
            parts.append(evaluate(s, part).value)
            continue
        spec = joined(s, part.format_spec) if part.format_spec is not None else v.Static("")
        if not isinstance(spec, v.Static):
            s.fail("a format with a value of the run time", "Write the format as a constant.")
        conversion = "!" + chr(part.conversion) if part.conversion > 0 else ""
        parts += text_of(s, evaluate(s, part.value), conversion, spec.value, gast.unparse(part.value).strip())
    return v.text(parts)


# operators -----------------------------------------------------------------------------------
@evaluates(gast.BinOp)
def binary(s, node):
    return binary_op(s, BINARY[type(node.op).__name__], evaluate(s, node.left), evaluate(s, node.right))


@on_sides
def binary_op(s, op, left, right):
    """left op right: of users' classes by their methods, of numbers and arrays by NumPy's rules,
    of all else by Python itself."""
    for x, y in ((left, right), (right, left)):
        if type(x) is v.Array and x.cell.number is not None:
            spread(s, x, y)
    if type(left) in NUMERIC and type(right) in NUMERIC and op != "matmul":
        return s.elementwise(op, left, right)
    if op == "mod" and is_text(left) and protocols.is_object(right) and not issubclass(s.class_of(right), str):
        return v.Static(python(s, operator.mod, s.static(left, "it is a format"), (Item(s, right),)))
    if (own := protocols.binary(s, op, left, right)) is not None:
        return own
    if op == "matmul":
        if not any([isinstance(x, v.Array) for x in (left, right)]):
            s.stop("TypeError", f"unsupported operand type(s) for @: '{s.class_name(left)}' and "
                                f"'{s.class_name(right)}'")
        return s.call_value(v.Static(np.matmul), [left, right], {})
    if s.is_numeric(left) and s.is_numeric(right):
        for x, y in ((left, right), (right, left)):
            if (isinstance(x, v.Static) and isinstance(x.value, enum.Flag) and not isinstance(y, v.Static)
                    and op in ("and_", "or_", "xor")):
                s.fail("a flag of an Enum that only the run time knows",
                       f"Write {type(x.value).__name__}.{x.value.name}.value, and compare numbers.")
        return s.elementwise(op, left, right)
    if op == "add" and (isinstance(left, v.Text) or isinstance(right, v.Text)) and is_text(left) and is_text(right):
        return v.text(text_of(s, left, "", "", "") + text_of(s, right, "", "", ""))
    repeats = (op == "multiply" and any([isinstance(x, (v.Tuple, v.Boxed)) for x in (left, right)])
               and not any([isinstance(x, v.Array) for x in (left, right)]))
    if not repeats and any([takes_lists(s, x) for x in (left, right)]):
        if any([isinstance(x, v.Array) and x.cell.python for x in (left, right)]):
            s.fail("a list meets a number of Python that is an array in later iterations",
                   "Make an array of the list: np.array(...).")
        s.refuse_several([s.atom(x) for x in (left, right) if isinstance(x, v.Num)])
        return s.elementwise(op, left, right)
    left, right = as_builtin(left), as_builtin(right)
    if repeats:
        left, right = (s.static_number(s.static(x, "it repeats a list or tuple"))
                       if isinstance(x, v.Num) and s.type(x).dtype.kind in "biu" else x for x in (left, right))
    if any([is_list(x) or is_dict(x) or isinstance(x, v.Tuple) for x in (left, right)]):
        return value_of(s, python(s, OPS[op].fn, *[operand(s, x) for x in (left, right)]))
    return by_python(s, OPS[op].fn, left, right)


def spread(s, x, other) -> None:
    """A number that is an array from a loop's second iteration on is one in the first as well, where the other operand
    has its shape: the result is the same.  Else the first iteration is done apart."""
    number = not s.is_numeric(other) or isinstance(other, v.Array) and other.cell.number is not None
    own, dims = s.type(x).dims, () if number else s.type(other).dims
    if not (own and len(dims) >= len(own) and all([d.is_one or d == e for d, e in zip(reversed(own), reversed(dims))])):
        s.clash(v.Clash(BECOMES_ARRAY, loop=x.cell.number), f"the variable '{x.cell.hint}' cannot be used here",
                "Start with an array: np.zeros(...) or np.full(...).")


def operand(s, value):
    """What stands for an operand where one is a container: of a number only the class counts."""
    return real(s, value) if is_list(value) or is_dict(value) or isinstance(value, v.Tuple) else sampled(s, value)


def takes_lists(s, value) -> bool:
    """Is it an array or NumPy scalar, whose operators make an array of a list?"""
    return isinstance(value, v.Array) or isinstance(value, v.Num) and s.type(value).kind == "np"


def is_range(value) -> bool:
    return isinstance(value, v.Static) and isinstance(value.value, range)


def is_text(value) -> bool:
    return isinstance(value, v.Text) or isinstance(value, v.Static) and isinstance(value.value, str)


@evaluates(gast.UnaryOp)
def unary(s, node):
    if isinstance(node.op, gast.Not):
        return negate(s, condition(s, node.operand))
    return unary_op(s, UNARY[type(node.op).__name__], evaluate(s, node.operand))


@on_sides
def unary_op(s, op, value):
    """-value, ~value, +value"""
    if (own := protocols.unary(s, op, value)) is not None:
        return own
    if not s.is_numeric(value):
        return by_python(s, {"negative": operator.neg, "invert": operator.invert, "positive": operator.pos}[op], value)
    return plus(s, value) if op == "positive" else s.elementwise(op, value)


def plus(s, value):
    """+x: a copy of an array; of a bool of Python an int, of one of NumPy an exception."""
    t = s.type(value)
    if t.dtype.kind == "b" and t.kind != "py":
        s.stop("TypeError", "ufunc 'positive' did not contain a loop with signature matching types <class "
                            "'numpy.dtypes.BoolDType'> -> None")
    weak = v.Static(1) if t.dtype.kind == "b" or isinstance(value, v.Array) else None
    return value if weak is None else s.elementwise("multiply", value, weak)


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


def compare_values(s, op, left, right):
    """left == right, left < right, ..."""
    if op in ("equal", "not_equal") and NONE in (left, right):
        other = right if left == NONE else left
        if isinstance(other, v.Array):
            s.fail("an array compared with None", "Write `x is None`.")
        if isinstance(other, v.Num):
            return v.Static(op == "not_equal")
        if isinstance(other, v.Maybe) and users_class(other.value) is None and not isinstance(other.value, v.Array):
            result = identical(s, left, right)
            return result if op == "equal" else negate(s, result)
    return compare_present(s, op, left, right)


@on_sides
def compare_present(s, op, left, right):
    if type(left) in NUMERIC and type(right) in NUMERIC:
        return s.elementwise(op, left, right)
    if (own := protocols.binary(s, op, left, right)) is not None:
        return own
    if s.is_numeric(left) and s.is_numeric(right):
        return s.elementwise(op, left, right)
    found = compare_containers(s, op, left, right)
    if found is not None:
        return found
    if (any([takes_lists(s, x) for x in (left, right)])
            and not any([isinstance(x, (v.Static, v.Text)) and not is_range(x) for x in (left, right)])):
        return s.elementwise(op, left, right)
    if op in ("equal", "not_equal") and all([isinstance(x, FUNCTIONS) for x in (left, right)]):
        return v.Static((left == right) == (op == "equal"))
    if isinstance(left, v.Text) or isinstance(right, v.Text):
        s.fail("a test of a string with values of the run time", "Compare the values.")
    if any([isinstance(x, v.Iter) and x.kind in ("values", "items") for x in (left, right)]):
        s.fail("a comparison of a view of a dict", "Compare the dicts, or lists of what is in them.")
    # NumPy has an answer for each element
    if op in ("equal", "not_equal") and any([takes_lists(s, x) for x in (left, right)]):
        t = s.type(left if takes_lists(s, left) else right)
        return s.wrap(s.emit("np.zeros" if op == "equal" else "np.ones", *map(s.dim_atom, t.dims),
                             dtype=np.dtype(bool))) if t.rank else v.Num(Const(np.bool_(op != "equal")))
    if (op in ("equal", "not_equal") and s.class_of(left) is not s.class_of(right)
            and not all([isinstance(x, (v.Static, v.Iter)) for x in (left, right)])):
        return v.Static(op == "not_equal")
    return by_python(s, OPS[op].fn, left, right)


FUNCTIONS = (v.Closure, v.Bound, v.Derived, v.Partial, v.Pullback)


def identical(s, left, right):
    """left is right"""
    for a, b in ((left, right), (right, left)):
        if isinstance(b, v.Static) and b.value is None:
            if isinstance(a, v.Maybe) and a.missing == "None":
                return negate(s, v.Num(a.flag))
            if not isinstance(a, v.Choice):
                return v.Static(a == b)
    return same_object(s, left, right)


@on_sides
def same_object(s, left, right):
    if left is right:
        return v.Static(True)
    if s.class_of(left) is not s.class_of(right):
        if any([isinstance(x, v.Num) and x.atom in s.b.several for x in (left, right)]):
            s.fail("`is` of a number that is of another class on each path", "Compare with ==.")
        return v.Static(False)
    match left, right:
        case (v.Static(value=a), v.Static(value=b)):
            if a is b or not isinstance(a, (int, float, complex, str, bytes, tuple)) or not (a == b or a != a):
                return v.Static(a is b)
        case (v.Num() | v.Static(), v.Num() | v.Static()):
            types = [s.type(x) for x in (left, right)]
            if types[0] == types[1] == PY_BOOL:
                return s.elementwise("equal", left, right)
            if s.atom(left) == s.atom(right) and isinstance(left, v.Num):
                return v.Static(True)
        case (v.Array(), v.Array()) if not (left.path or right.path) or left.cell is not right.cell:
            if left.cell is right.cell or not s.may_be_same(left.cell, right.cell):
                s.facts.compared |= left.cell is not right.cell  # the caller may pass one object twice
                if left.whole or right.whole:
                    return v.Static(False)
                return v.Static(left.cell is right.cell and not left.path and not right.path)
        case (v.Array(), v.Array()) if not (left.path and right.path):
            return v.Static(False)  # an array and a view of it
        case (v.Boxed(), v.Boxed()):
            same = identical_objects(s, left, right)
            s.facts.compared |= not same
            return v.Static(same)
        case (v.Tuple(items=a), v.Tuple(items=b)):
            s.facts.compared |= a != ()
            return v.Static(a == b == ())
        case _ if not isinstance(left, v.Text) and left != right:
            return v.Static(False)
    s.fail(f"whether {s.describe(left)} is the very same object as another", "Compare with ==.")


@on_sides
def contained(s, item, container):
    """item in container"""
    if (own := protocols.contains(s, container, item)) is not None:
        return own
    container = as_builtin(container)
    if isinstance(container, v.Iter) and container.kind == "range":
        number = s.is_numeric(item) and not isinstance(item, v.Array)
        return s.call_function(in_range, [item, *container.parts], {}) if number else FALSE
    if is_dict(container) or isinstance(container, v.Iter) and container.kind == "keys":
        box = container if is_dict(container) else container.parts[0]
        return v.Static(python(s, dict.__contains__, dict.fromkeys(s.keys(box)), s.static(item, "`in` looks for it")))
    if isinstance(container, v.Array):
        found = s.elementwise("equal", container, item)
        t = s.type(found)
        return truth(s, s.wrap(s.emit("np.any", s.atom(found), axis=tuple(range(t.rank)), keepdims=False))
                     if t.rank else found)
    if isinstance(container, v.Tuple) and container.cls is not slice or is_list(container):
        return contains(s, container, item)
    if (isinstance(container, v.Static) and not isinstance(container.value, (tuple, list))
            and special(s, container, "__iter__") is None):
        return by_python(s, operator.contains, container, item, why="`in` looks for it")
    if (not is_iterator(container) and sequence(s, container) is None
            and not any([special(s, container, m) for m in ("__iter__", "__getitem__")])):
        s.lacks(container, "argument of type '{}' is not iterable")
    it = iterator(s, container)

    def rest():
        x = advance(s, it, "`in` looks into it")
        if x is END:
            return FALSE
        test = same_or_equal(s, x, item)
        if is_iterator(container) and not isinstance(test, v.Static):
            s.fail("`in` of an iterator that stops where only the run time knows", "Make a list of it: x in list(it).")
        return either(s, test, rest)

    return rest()


def truth(s, value):
    """A bool, static or of the run time."""
    if (own := protocols.truth(s, value)) is not None:
        return truth(s, own)
    match value:
        case v.Static(value=x):
            return by_python(s, bool, value)
        case v.Num(atom=Const(value=x)):
            return v.Static(bool(x))
        case v.Num(atom=a):
            return value if s.b.type(a).dtype.kind == "b" else s.elementwise("not_equal", value, v.Static(0))
        case v.Array():
            for d in s.type(value).dims:
                s.ensure(d, "!=", 0, "ValueError",
                    "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is "
                    "not empty.")
            return truth(s, v.Num(s.only_element(s.read(value), "ValueError", AMBIGUOUS)))
        case v.Tuple(cls=c) if c is not slice:
            return v.Static(len(value.items) > 0)
        case v.Boxed() | v.Iter() if is_list(value) or is_dict(value) or isinstance(value, v.Iter):
            return truth(s, length(s, value))
        case v.Maybe():
            return both(s, v.Num(value.flag), lambda: truth(s, value.value))
        case v.Choice():
            return divided(s, value, lambda x: truth(s, x))
        case v.Text():
            s.fail(f"the truth of {s.describe(value)}", "Test the value, not its text.")
    return v.Static(True)


def as_bool(s, value):
    """A truth as a bool of Python."""
    if isinstance(value, v.Static) or s.b.type(value.atom) == PY_BOOL:
        return value
    return s.wrap(Const(bool(value.atom.value)) if isinstance(value.atom, Const) else s.emit("bool", value.atom))


def negate(s, value):
    """not value"""
    if not isinstance(value, v.Num) or s.b.type(value.atom) != PY_BOOL:
        value = truth(s, value)
    if isinstance(value, v.Static):
        return v.Static(not value.value)
    let = next((x for x in s.b.stmts if isinstance(x, Let) and x.names == (value.atom,)), None)
    if let is not None and let.op.name == "not ":
        return s.wrap(let.args[0])
    return v.Num(s.emit("not ", value.atom))


def both(s, first, rest):
    """The truth of first and rest(), which is evaluated only where first holds."""
    return decide(s, truth(s, first), lambda: truth(s, rest()), lambda: FALSE)


def either(s, first, rest):
    """The truth of first or rest(), which is evaluated only where first does not hold."""
    return decide(s, truth(s, first), lambda: TRUE, lambda: truth(s, rest()))


def condition(s, node):
    """The truth of an expression.  That of `a and b` is wanted here, not the value,
    which may be either of two kinds."""
    match node:
        case gast.BoolOp(op=op, values=[first, *rest]):
            more = rest[0] if len(rest) == 1 else gast.copy_location(gast.BoolOp(op, rest), node)
            return (both if isinstance(op, gast.And) else either)(s, condition(s, first), lambda: condition(s, more))
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            return negate(s, condition(s, operand))
    return truth(s, evaluate(s, node))


@evaluates(gast.BoolOp)
def boolean(s, node):
    return first_to_decide(s, isinstance(node.op, gast.And), [functools.partial(evaluate, s, n) for n in node.values])


def first_to_decide(s, is_and: bool, actions):
    """The value of `a() and b() and ...`, or of `a() or b() or ...`."""
    first, *others = actions
    value = first()
    if not others:
        return value
    sides = (lambda: first_to_decide(s, is_and, others)), (lambda: value)
    return decide(s, truth(s, value), *(sides if is_and else reversed(sides)))


@evaluates(gast.IfExp)
def conditional(s, node):
    return decide(s, condition(s, node.test), lambda: evaluate(s, node.body), lambda: evaluate(s, node.orelse))


# subscripts, calls, comprehensions --------------------------------------------------------------
@evaluates(gast.Subscript)
def subscript(s, node):
    return s.get_at(evaluate(s, node.value), evaluate(s, node.slice))


@evaluates(gast.Slice)
def slice_(s, node):
    parts = [v.Static(None) if p is None else evaluate(s, p) for p in (node.lower, node.upper, node.step)]
    return v.Tuple(tuple(parts), slice)


@evaluates(gast.Call)
def call(s, node):
    function = evaluate(s, node.func)
    args, kwargs = arguments(s, node, function)
    s.node = node
    return s.call_value(function, args, kwargs)


def arguments(s, node, function) -> tuple[list, dict]:
    """The values of the arguments of a call."""
    args, kwargs = list(elements(s, node.args)), {}
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


def comprehend(s, node, element, over) -> None:
    """`element()` for all that a comprehension runs over;
    `over(generator, value, one)` calls one(item) for each item of a value."""

    def each(generators, value):
        g, *rest = generators

        def one(item):
            s.bind(g.target, item)
            for test in g.ifs:
                if not s.static(truth(s, evaluate(s, test)), "it decides how long a list or dict is"):
                    return
            if rest:
                each(rest, evaluate(s, rest[0].iter))
            else:
                element()

        over(g, value, one)

    outer, first = s.frames[-1], evaluate(s, node.generators[0].iter)  # in the scope around
    names = frozenset([n.id for g in node.generators
                       for n in gast.walk(g.target) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)])
    frame = v.Frame(node, outer.captured, outer, names, outer.hint, names, node)
    s.frames.append(frame)
    try:
        each(node.generators, first)
    finally:
        s.frames.pop()
    forget(s.heap, frame, [])


@evaluates(gast.NamedExpr)
def named(s, node):
    """name := value: of the function, also in a comprehension."""
    frame = s.frames[-1]
    while isinstance(frame.node, COMPREHENSIONS):
        frame = frame.parent
    frame, name = owner(frame, node.target.id), node.target.id
    value = s.heap[frame, name] = s.name_last(evaluate(s, node.value), name)
    return value


def one_after_the_other(s, _, value, one) -> None:
    for item in iterate_static(s, value, "a comprehension runs over it"):
        one(item)
