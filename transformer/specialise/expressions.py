"""Expressions: `evaluate(s, node)` gives the value of a syntax node on the machine `s`."""
from __future__ import annotations

import gast

from ..core import Const, Let
from . import values as v
from .lookup import attribute, lookup
from .syntax import refuse_syntax

BINARY = {"Add": "add", "Sub": "subtract", "Mult": "multiply", "Div": "divide", "FloorDiv": "floor_divide", "Mod": "mod",
          "Pow": "power", "MatMult": "matmul", "BitAnd": "and_", "BitOr": "or_", "BitXor": "xor", "LShift": "lshift",
          "RShift": "rshift"}
COMPARE = {"Lt": "less", "LtE": "less_equal", "Gt": "greater", "GtE": "greater_equal", "Eq": "equal", "NotEq": "not_equal"}

COMPREHENSIONS = (gast.ListComp, gast.DictComp)

HANDLERS = {}


def handles(*classes):
    def register(handler):
        for cls in classes:
            HANDLERS[cls] = handler
        return handler
    return register


def evaluate(s, node):
    outer, outer_origin, s.node = s.node, s.b.origin, node
    try:
        return HANDLERS.get(type(node), refused)(s, node)
    except Exception as error:
        s.located(error, node)
        raise
    finally:
        s.node, s.b.origin = outer, outer_origin


def refused(s, _):
    refuse_syntax(s)


@handles(gast.Constant)
def constant(s, node):
    return v.Static(node.value)


@handles(gast.Name)
def name(s, node):
    return lookup(s, node.id)


@handles(gast.Attribute)
def attribute_of(s, node):
    return attribute(s, evaluate(s, node.value), node.attr)


@handles(gast.Tuple)
def tuple_(s, node):
    return v.Tuple(tuple(elements(s, node.elts)))


@handles(gast.List)
def list_(s, node):
    return s.box(elements(s, node.elts))


def elements(s, nodes):
    for n in nodes:
        if isinstance(n, gast.Starred):
            yield from iterate_static(s, evaluate(s, n.value), "a starred expression is unpacked")
        else:
            yield evaluate(s, n)


@handles(gast.Dict)
def dict_(s, node):
    keys, items = [], []
    for k, value in zip(node.keys, node.values):
        if k is None:
            other = evaluate(s, value)
            if not (isinstance(other, v.Boxed) and issubclass(other.cls, dict)):
                s.stop("TypeError", f"'{s.class_name(other)}' object is not a mapping")
            keys += s.keys(other)
            items += s.items(other)
        else:
            keys.append(s.static(evaluate(s, k), "it is the key of a dict"))
            items.append(evaluate(s, value))
    return s.box(dict(zip(keys, items)).values(), dict, dict.fromkeys(keys), "dict")


@handles(gast.Lambda)
def lambda_(s, node):
    from .calls import closure
    return closure(s, node)


@handles(gast.JoinedStr)
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
    return text(parts)


def text(parts):
    """A string of strings and of values with their formats."""
    parts = tuple(p for p in parts if p != "")
    return v.Static("".join(parts)) if all(isinstance(p, str) for p in parts) else v.Text(parts)


def text_of(s, value, conversion: str, spec: str, source: str) -> list:
    """The parts of a value's text."""
    match value:
        case v.Static(value=x):
            return [("{" + conversion + ":" + spec + "}").format(x)]
        case v.Text(parts=parts) if conversion in ("", "!s") and not spec:
            return list(parts)
        case v.Num() | v.Array():
            return [(value, "{" + conversion + (":" + spec if spec else "") + "}", source)]
        case v.Maybe(flag=flag):
            if flag in s.known_true:
                return text_of(s, value.value, conversion, spec, source)
            s.know(flag)
        case v.Boxed(cls=c) if c is dict and not spec:
            items = [[", "] * (k > 0) + [f"{key!r}: "] + text_of(s, item, "!r", "", source) for k, (key, item) in enumerate(zip(s.keys(value), s.items(value)))]
            return ["{", *[p for item in items for p in item], "}"]
        case v.Tuple(cls=c) | v.Boxed(cls=c) if c in (tuple, list) and not spec:
            items = [text_of(s, item, "!r", "", source) for item in s.items(value)]
            separated = [p for k, item in enumerate(items) for p in ([", "] if k else []) + item]
            return ["[" if c is list else "(", *separated, "]" if c is list else ",)" if len(items) == 1 else ")"]
    s.fail(f"{s.describe(value)} in a string", "Put numbers and arrays into it.")


# operators -----------------------------------------------------------------------------------
@handles(gast.BinOp)
def binary(s, node):
    return binary_op(s, BINARY[type(node.op).__name__], evaluate(s, node.left), evaluate(s, node.right))


def binary_op(s, op, left, right):
    if op == "matmul":
        from .numpy_api import matmul
        return matmul(s, left, right)
    if isinstance(left, v.Static) and isinstance(right, v.Static):
        from ..rules import OPS
        if not (s.is_numeric(left) and s.is_numeric(right)):
            return v.Static(s.now(OPS[op].fn, left.value, right.value))
    if isinstance(left, v.Maybe):
        left = s.present(left)
    if isinstance(right, v.Maybe):
        right = s.present(right)
    if not (s.is_numeric(left) and s.is_numeric(right)):
        if op == "add" and (isinstance(left, v.Text) or isinstance(right, v.Text)) and all(is_text(x) for x in (left, right)):
            return text(text_of(s, left, "", "", "") + text_of(s, right, "", "", ""))
        sequences = (v.Tuple, v.Boxed)
        if op == "add" and isinstance(left, sequences) and isinstance(right, sequences):
            items = s.items(left) + s.items(right)
            return v.Tuple(items) if isinstance(left, v.Tuple) else s.box(items)
        if op == "multiply" and isinstance(left, sequences) and not isinstance(right, v.Array):
            items = s.items(left) * s.static(right, "it repeats a list or tuple")
            return v.Tuple(items) if isinstance(left, v.Tuple) else s.box(items)
        if op == "multiply" and isinstance(right, sequences) and not isinstance(left, v.Array):
            return binary_op(s, op, right, left)
    return s.elementwise(op, left, right)


def is_text(value) -> bool:
    return isinstance(value, v.Text) or isinstance(value, v.Static) and isinstance(value.value, str)


@handles(gast.UnaryOp)
def unary(s, node):
    if isinstance(node.op, gast.Not):
        return negate(s, condition(s, node.operand))
    value = evaluate(s, node.operand)
    match node.op:
        case gast.USub():
            return s.elementwise("negative", value)
        case gast.Invert():
            return s.elementwise("invert", value)
    return plus(s, value)


def plus(s, value):
    """+x: a copy of an array; of a bool of Python an int, of one of NumPy an exception."""
    value = s.present(value) if isinstance(value, v.Maybe) else value
    t = s.type(value)
    if t.dtype.kind == "b" and t.kind != "py":
        s.stop("TypeError", "ufunc 'positive' did not contain a loop with signature matching types <class 'numpy.dtypes.BoolDType'> -> None")
    weak = v.Static(1) if t.dtype.kind == "b" or isinstance(value, v.Array) else None
    return value if weak is None else s.elementwise("multiply", value, weak)


@handles(gast.Compare)
def compare(s, node):
    """a < b < c is `a < b and b < c` with b evaluated once."""
    left = evaluate(s, node.left)
    return _chain(s, left, list(zip(node.ops, node.comparators)))


def _chain(s, left, rest):
    (op, right_node), *more = rest
    right = evaluate(s, right_node)
    result = _compare(s, op, left, right)
    if not more:
        return result
    from .control import choose
    test = truth(s, result)
    if isinstance(test, v.Static):
        return _chain(s, right, more) if test.value else result
    return choose(s, test.atom, lambda: _chain(s, right, more), lambda: result)


def _compare(s, op, left, right):
    kind = type(op).__name__
    if kind in ("Is", "IsNot"):
        return _is(s, left, right, kind == "IsNot")
    if kind in ("In", "NotIn"):
        return _in(s, left, right, kind == "NotIn")
    if s.is_numeric(left) and s.is_numeric(right) or isinstance(left, v.Maybe) or isinstance(right, v.Maybe):
        return s.elementwise(COMPARE[kind], *(s.present(x) if isinstance(x, v.Maybe) else x for x in (left, right)))
    from ..rules import OPS
    if isinstance(left, v.Static) and isinstance(right, v.Static):
        return v.Static(s.now(OPS[COMPARE[kind]].fn, left.value, right.value))
    if isinstance(left, v.Tuple) and isinstance(right, v.Tuple):
        why = "tuples are compared"
        return v.Static(OPS[COMPARE[kind]].fn(s.static(left, why), s.static(right, why)))
    s.fail(f"cannot compare {s.describe(left)} with {s.describe(right)}", "Compare numbers and arrays.")


def _is(s, left, right, negated):
    if isinstance(left, v.Text) or isinstance(right, v.Text):
        s.fail("a comparison of strings with values of the run time", "Compare the values.")
    for a, b in ((left, right), (right, left)):
        if isinstance(b, v.Static) and b.value is None:
            if isinstance(a, v.Maybe) and a.missing == "None":
                return v.Num(a.flag) if negated else negate(s, v.Num(a.flag))
            return v.Static((isinstance(a, v.Static) and a.value is None) != negated)
    if isinstance(left, v.Static) and isinstance(right, v.Static):
        return v.Static((left.value is right.value) != negated)
    return v.Static((left == right) != negated)


def _in(s, left, right, negated):
    if isinstance(right, v.Boxed) and issubclass(right.cls, dict):
        known = s.keys(right)
    elif isinstance(right, v.Iter) and right.kind in ("keys", "values", "items"):
        known = [s.static(x, "`in` looks at it") for x in iterate_static(s, right, "`in` looks into it")]
    else:
        known = s.static(right, "`in` looks into it")
    return v.Static((s.static(left, "`in` looks for it") in known) != negated)


def truth(s, value):
    """A bool, static or of the run time."""
    match value:
        case v.Static(value=x):
            return v.Static(bool(x))
        case v.Num(atom=Const(value=x)):
            return v.Static(bool(x))
        case v.Num(atom=a):
            return value if s.b.type(a).dtype.kind == "b" else s.elementwise("not_equal", value, v.Static(0))
        case v.Array():
            t = s.type(value)
            if all(d.is_one for d in t.dims):
                x = s.read(value)
                return truth(s, v.Num(s.emit("getitem", x, *[Const(0)] * t.rank, index=("i",) * t.rank)))
            for d in t.dims:
                s.not_zero(d, "ValueError", "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.")
            s.stop("ValueError", "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
        case v.Tuple() | v.Boxed():
            return v.Static(len(s.items(value)) > 0)
        case v.Maybe():
            return both(s, v.Num(value.flag), lambda: truth(s, value.value))
        case v.Text():
            s.fail(f"the truth of {s.describe(value)}", "Test the value, not its text.")
    return v.Static(True)


def negate(s, value):
    if isinstance(value, v.Static):
        return v.Static(not value.value)
    let = next((x for x in s.b.stmts if isinstance(x, Let) and x.names == (value.atom,)), None)
    if let is not None and let.op.name == "not ":
        return s.wrap(let.args[0])
    return v.Num(s.emit("not ", value.atom))


def both(s, first, rest):
    """The truth of first and rest(), which is evaluated only where first holds."""
    from .control import choose
    first = truth(s, first)
    if isinstance(first, v.Static):
        return truth(s, rest()) if first.value else v.Static(False)
    return choose(s, first.atom, lambda: truth(s, rest()), lambda: v.Static(False))


def condition(s, node):
    """The truth of an expression.  That of `a and b` is wanted here, not the value, which may be either of two kinds."""
    from .control import choose
    match node:
        case gast.BoolOp(op=gast.And(), values=[first, *rest]):
            return both(s, condition(s, first), lambda: _all(s, rest))
        case gast.BoolOp(op=gast.Or(), values=[first, *rest]):
            test = condition(s, first)
            if isinstance(test, v.Static):
                return test if test.value else condition(s, _or(node, rest))
            return choose(s, test.atom, lambda: v.Static(True), lambda: condition(s, _or(node, rest)))
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            return negate(s, condition(s, operand))
    return truth(s, evaluate(s, node))


def _all(s, nodes):
    first, *rest = nodes
    return both(s, condition(s, first), lambda: _all(s, rest)) if rest else condition(s, first)


def _or(node, values):
    return values[0] if len(values) == 1 else gast.copy_location(gast.BoolOp(gast.Or(), values), node)


@handles(gast.BoolOp)
def boolean(s, node):
    from .control import choose
    is_and = isinstance(node.op, gast.And)

    def chain(nodes):
        value = evaluate(s, nodes[0])
        if len(nodes) == 1:
            return value
        test = truth(s, value)
        if isinstance(test, v.Static):
            return chain(nodes[1:]) if test.value == is_and else value
        rest = lambda: chain(nodes[1:])  # noqa: E731
        keep = lambda: value  # noqa: E731
        return choose(s, test.atom, rest if is_and else keep, keep if is_and else rest)

    return chain(node.values)


@handles(gast.IfExp)
def conditional(s, node):
    from .control import choose
    test = condition(s, node.test)
    if isinstance(test, v.Static):
        return evaluate(s, node.body if test.value else node.orelse)
    return choose(s, test.atom, lambda: evaluate(s, node.body), lambda: evaluate(s, node.orelse))


# subscripts, calls, comprehensions --------------------------------------------------------------
@handles(gast.Subscript)
def subscript(s, node):
    from .indexing import get_item
    return get_item(s, evaluate(s, node.value), node.slice)


@handles(gast.Slice)
def slice_(s, node):
    parts = [v.Static(None) if p is None else evaluate(s, p) for p in (node.lower, node.upper, node.step)]
    return v.Tuple(tuple(parts), slice)


@handles(gast.Call)
def call(s, node):
    from .calls import call_value
    function = evaluate(s, node.func)
    args, kwargs = arguments(s, node, function)
    s.node = node
    return call_value(s, function, args, kwargs)


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
    from .calls import qualified
    if isinstance(function, v.Closure):
        frame = v.Frame(function.node, function.frame.captured, function.frame)
        named = f"{frame.captured.function.__module__}.{qualified(frame)}()"
    else:
        f = getattr(function, "value", function)
        module = getattr(f, "__module__", None)
        named = f"{module}.{f.__qualname__}()" if module not in (None, "builtins") and hasattr(f, "__qualname__") else f"{getattr(f, '__qualname__', 'function')}()"
    s.stop("TypeError", f"{named} {why}")


@handles(gast.ListComp)
def list_comprehension(s, node):
    from .builtin_api import append
    from .statements import run_over
    out, slot = s.box(()), (s.frames[-1], f"_gs_list_{node.lineno}_{node.col_offset}")
    s.heap[slot] = out  # while it grows, it is one of the variables
    comprehend(s, node, lambda: append(s, out, evaluate(s, node.elt)), run_over)
    del s.heap[slot]
    return out


@handles(gast.DictComp)
def dict_comprehension(s, node):
    pairs: dict = {}

    def enter():
        key = s.static(evaluate(s, node.key), "it is a key")
        pairs[key] = evaluate(s, node.value)

    comprehend(s, node, enter, one_after_the_other)
    return s.box(pairs.values(), dict, pairs)


def comprehend(s, node, element, over) -> None:
    """`element()` for all that a comprehension runs over; `over(s, generator, value, one)` calls one(item) for each item of a value."""
    from .join import forget
    from .statements import bind

    def each(generators, value):
        g, *rest = generators

        def one(item):
            bind(s, g.target, item)
            for test in g.ifs:
                if not s.static(truth(s, evaluate(s, test)), "it decides how long a list or dict is"):
                    return
            if rest:
                each(rest, evaluate(s, rest[0].iter))
            else:
                element()

        over(s, g, value, one)

    outer, first = s.frames[-1], evaluate(s, node.generators[0].iter)  # in the scope around
    names = frozenset([n.id for g in node.generators for n in gast.walk(g.target) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)])
    frame = v.Frame(node, outer.captured, outer, names, outer.hint, names, node)
    s.frames.append(frame)
    try:
        each(node.generators, first)
    finally:
        s.frames.pop()
    forget(s.heap, frame, [])


@handles(gast.NamedExpr)
def named(s, node):
    """name := value: of the function, also in a comprehension."""
    from .lookup import owner
    frame = s.frames[-1]
    while isinstance(frame.node, COMPREHENSIONS):
        frame = frame.parent
    frame, name = owner(frame, node.target.id), node.target.id
    value = s.heap[frame, name] = s.name_last(evaluate(s, node.value), name)
    return value


def one_after_the_other(s, _, value, one) -> None:
    for item in iterate_static(s, value, "a comprehension runs over it"):
        one(item)


def iterate_static(s, value, why):
    """The items of something whose length is known now."""
    from .iteration import iterable
    it = iterable(s, value)
    count = s.static(it.count, why)
    return [it.at(v.Static(k)) for k in range(count)]
